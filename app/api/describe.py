"""How routes are described in the OpenAPI document: every answer, header and example of each."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Annotated, Any, TypeAlias

from fastapi import Path
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from typing_extensions import is_typeddict

from app.api.faults import Fault
from app.api.links import link
from app.api.problems import MEDIA_TYPE, STATUS, problem_view
from app.schemas.fields import ID_PATTERN
from app.schemas.problems import ProblemView

TITLE = "Yacht"
VERSION = "1.0.0"
DESCRIPTION = """Play the dice game Yacht over HTTP: five dice, at most three rolls a turn with free
holds between them, twelve categories each used once, highest total wins.

Make a player, keep its token, open a game, roll, score. Every answer to a move is the whole game.
Send an `Idempotency-Key` with a POST and it is safe to repeat; send `If-Match` and a move counts
only in the state you saw. Clients ignore members that they do not know: v1 only ever adds."""

TAGS = {
    "players": "Who plays: a name, and a token that speaks for it.",
    "games": "Opening and finding games, and taking seats before play begins.",
    "turns": "The moves: roll, hold, score, resign.",
    "fairness": "What happened, and the proof that the dice were not changed.",
    "rulesets": "The rules as a service.",
    "advice": "Exact play: what is best, who will win, what a game's decisions cost.",
    "server": "The server about itself.",
}

PathId: TypeAlias = Annotated[
    str,
    Path(
        description="a lower-case hyphenated UUID",
        pattern=ID_PATTERN,
        examples=["01a0a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"],
    ),
]
PathSlug: TypeAlias = Annotated[str, Path(description="a ruleset's slug", examples=["classic"])]

_OF_ALL = ("invalid-request", "rate-limited", "internal-error", "unavailable")
_OF_BODIES = ("malformed-request", "too-large", "unsupported-media-type")

_HEADERS = {
    "ETag": "the version of the game in the answer, in quotes",
    "Location": "where what was made is from now on",
    "Idempotent-Replayed": "`true` where this is the stored answer to an earlier call",
    "Retry-After": "seconds to wait; absent where waiting alone does not help",
    "WWW-Authenticate": "`Bearer`",
    "Content-Language": "the language of the texts",
    "RateLimit-Policy": "the limit: q requests in w seconds",
    "RateLimit": "what is left: r requests in the next t seconds",
    "X-Request-ID": "the id sent with the request, or one made for it",
}
_PARAMETERS = {
    "Idempotency-Key": "1 to 255 visible ASCII characters; the same call with the same key has "
    "one effect and, for 24 hours, one answer",
    "If-Match": "the ETag of the state that the call is meant for; another state: 412",
    "If-None-Match": "the ETag that the client has; still the same: 304",
    "Last-Event-ID": "the id of the last event that the client got",
    "Accept-Language": "the languages that the reader likes",
}
_PATTERNS = {"Idempotency-Key": r'^("[!#-\[\]-~]{1,255}"|[!#-~][!-~]{0,254})$'}


def operation(  # noqa: PLR0913 - each says one thing about a route, by name
    operation_id: str,
    summary: str,
    status: int,
    model: Any,
    *,
    example: Any = None,
    body: Any = None,
    problems: Iterable[str] = (),
    has_body: bool = False,
    is_body_optional: bool = False,
    needs_token: bool = False,
    may_need_token: bool = False,
    takes_key: bool = False,
    takes_if_match: bool = False,
    takes_if_none_match: bool = False,
    takes_last_event_id: bool = False,
    response_class: type[Response] | None = None,
    text_example: str | None = None,
    nothing: str | None = None,
    again: str | None = None,
    is_localised: bool = False,
    headers: Iterable[str] = (),
) -> dict[str, Any]:
    """The arguments of a route's decorator.

    ``example`` and ``body`` are what is answered and sent; ``problems`` are the codes that do not
    follow from the rest; ``headers`` are those of the answer beyond what every answer has;
    ``nothing`` says when the answer is 204 instead, ``again`` when it is 200.
    """
    codes = [*_OF_ALL, *problems]
    codes += _OF_BODIES if has_body or body is not None else ()
    codes += ["unauthenticated"] if needs_token or may_need_token else []
    codes += ["idempotency-key-reused"] if takes_key else []
    codes += ["stale-version"] if takes_if_match else []
    own_headers = [
        *headers,
        *(["Idempotent-Replayed"] if takes_key else []),
        *(["Content-Language"] if is_localised else []),
    ]
    responses: dict[int | str, dict[str, Any]] = _problems(codes)
    responses[status] = {"headers": _headers(*own_headers)}
    if example is not None:
        responses[status]["content"] = _content(response_class, model)
        responses[status]["content"][_media_type(response_class)]["example"] = example
    if text_example is not None:
        plain = {"schema": {"type": "string"}, "example": text_example}
        responses[status]["content"]["text/plain"] = plain
    if takes_if_none_match:
        responses[304] = {"description": "The client has this version", "headers": _headers("ETag")}
    if nothing is not None:
        responses[204] = {"description": nothing, "headers": _headers()}
    if again is not None:
        responses[200] = {
            "description": again,
            "content": deepcopy(responses[status]["content"]),
            "headers": _headers(*(name for name in own_headers if name != "Location")),
        }
    taken = {
        "Idempotency-Key": takes_key,
        "If-Match": takes_if_match,
        "If-None-Match": takes_if_none_match,
        "Last-Event-ID": takes_last_event_id,
        "Accept-Language": is_localised,
    }
    extra: dict[str, Any] = {
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": False,
                "description": _PARAMETERS[name],
                "schema": {"type": "string"}
                | ({"pattern": _PATTERNS[name]} if name in _PATTERNS else {}),
            }
            for name, is_taken in taken.items()
            if is_taken
        ],
        # With a token or without one, where that depends on the query.
        "security": [*([{}] if may_need_token else []), *_security(needs_token, may_need_token)],
    }
    if body is not None:
        extra["requestBody"] = {
            "required": not is_body_optional,
            "content": {"application/json": {"example": body}},
        }
    route = {} if response_class is None else {"response_class": response_class}
    return {
        **route,
        "operation_id": operation_id,
        "summary": summary,
        "status_code": status,
        # The framework would build a validator for each, half of a start's time; see document().
        "response_model": None,
        "responses": responses,
        "openapi_extra": extra,
    }


def document(routes: Sequence[BaseRoute]) -> dict[str, Any]:
    """The OpenAPI document of these routes."""
    schema = get_openapi(title=TITLE, version=VERSION, description=DESCRIPTION, routes=routes)
    for route in routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            _put_example(schema["paths"][route.path_format], route)
    schema["info"]["license"] = {"name": "MIT", "identifier": "MIT"}
    schema["servers"] = [{"url": "/", "description": "the server that serves this document"}]
    schema["tags"] = [{"name": name, "description": about} for name, about in TAGS.items()]
    components = schema["components"]
    _, views = TypeAdapter.json_schemas(
        [(view, "serialization", TypeAdapter(view)) for view in (ProblemView, *_VIEWS)],
        ref_template="#/components/schemas/{model}",
    )
    components["schemas"] |= views["$defs"]
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    # No operation answers this one: it is about addresses that have no such operation.
    told = STATUS.keys() - {"method-not-allowed"}
    components["examples"] = {code: {"value": _example(code)} for code in STATUS if code in told}
    components["headers"] = {
        name: {"description": description, "schema": {"type": "string"}}
        for name, description in _HEADERS.items()
    }
    link(schema)
    return schema


def _put_example(path: dict[str, Any], route: APIRoute) -> None:
    # Once more: the framework leaves nulls out, and in our answers no member is ever missing.
    for method in route.methods or ():
        answers = path[method.lower()]["responses"]
        for status, told in route.responses.items():
            for media_type, content in told.get("content", {}).items():
                if "example" in content:
                    answers[str(status)]["content"][media_type]["example"] = content["example"]


_VIEWS: dict[Any, None] = {}
"""The views that some route answers, in the order of the routes."""


def _content(response_class: type[Response] | None, model: Any) -> dict[str, Any]:
    if not is_typeddict(model):
        schema = {"type": "string"} if model is str else {"type": "object"}
    else:
        _VIEWS[model] = None
        schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {_media_type(response_class): {"schema": schema}}


def _media_type(response_class: type[Response] | None) -> str:
    return str((response_class or JSONResponse).media_type)


def _security(needs_token: bool, may_need_token: bool) -> list[dict[str, list[str]]]:  # noqa: FBT001
    return [{"token": []}] if needs_token or may_need_token else []


def _headers(*names: str) -> dict[str, dict[str, str]]:
    return {
        name: {"$ref": f"#/components/headers/{name}"}
        for name in (*names, "X-Request-ID", "RateLimit-Policy", "RateLimit")
    }


def _problems(codes: Iterable[str]) -> dict[int | str, dict[str, Any]]:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        status: {
            "description": ", ".join(f"`{code}`" for code in of_status),
            "headers": _headers("Content-Language", *_status_headers(status)),
            "content": {
                MEDIA_TYPE: {
                    "schema": {"$ref": "#/components/schemas/ProblemView"},
                    "examples": {
                        code: {"$ref": f"#/components/examples/{code}"} for code in of_status
                    },
                }
            },
        }
        for status, of_status in sorted(by_status.items())
    }


def _status_headers(status: int) -> tuple[str, ...]:
    return {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}.get(
        status, ()
    )


def _example(code: str) -> ProblemView:
    faults = [Fault("#/category", "required")] if code == "invalid-request" else ()
    version = 9 if code == "stale-version" else None
    return problem_view(code, "01a0a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", faults, version=version)
