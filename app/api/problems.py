"""Every way in which a call can fail, in one table, and how it is told to the client.

Whatever is raised ends here: refusals of the store, of the verbs and of the rules carry a code,
and the code has a status. What has no code is a fault of the server.
"""

import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Scope

from app.locale import DEFAULT_LANGUAGE, text
from app.play import StaleVersion
from app.rules import RuleViolation
from app.schemas.problems import FaultView, ProblemView
from app.store.command import KeyReused, Refusal

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 1

STATUS: Mapping[str, int] = MappingProxyType(
    {
        "malformed-request": 400,
        "unauthenticated": 401,
        "not-host": 403,
        "not-in-game": 403,
        "hints-off": 403,
        "not-found": 404,
        "method-not-allowed": 405,
        "not-started": 409,
        "already-started": 409,
        "not-finished": 409,
        "game-over": 409,
        "not-your-turn": 409,
        "turn-expired": 409,
        "roll-first": 409,
        "no-rolls-left": 409,
        "all-dice-held": 409,
        "category-used": 409,
        "already-seated": 409,
        "already-resigned": 409,
        "host-must-cancel": 409,
        "entropy-closed": 409,
        "stale-version": 412,
        "too-large": 413,
        "unsupported-media-type": 415,
        "invalid-request": 422,
        "idempotency-key-reused": 422,
        "rate-limited": 429,
        "internal-error": 500,
        "unavailable": 503,
    }
)
"""The status of each code; every code has its texts and its page, `/problems/<code>`."""

_HEADERS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "unauthenticated": {"WWW-Authenticate": "Bearer"},
        # The rest of the body is not read, so the connection cannot serve another request.
        "too-large": {"Connection": "close"},
        "unavailable": {"Retry-After": str(RETRY_SECONDS)},
    }
)

# What pydantic calls a fault, by the first part that fits, and what clients are told.
_FAULTS = (
    ("missing", "required"),
    ("extra_forbidden", "unknown"),
    ("union_tag_not_found", "required"),
    ("greater_than", "out-of-range"),
    ("less_than", "out-of-range"),
    ("int_parsing_size", "out-of-range"),
    ("too_short", "wrong-length"),
    ("too_long", "wrong-length"),
    ("string_too", "wrong-length"),
    ("name", "name"),
    ("one-me", "one-me"),
    ("_type", "wrong-type"),
    ("int_parsing", "wrong-type"),
    ("", "not-allowed"),
)

log = logging.getLogger(__name__)


class Problem(Exception):
    """A refusal made in this layer: the code, further headers, and the faults of a 422."""

    def __init__(
        self, code: str, faults: Iterable[FaultView] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.faults = list(faults)
        self.headers = headers or {}


def fault(pointer: str, code: str) -> FaultView:
    """One fault of a 422."""
    return {"pointer": pointer, "code": code, "detail": text(f"invalid.{code}")}


def invalid_body(error: ValidationError, body: Any) -> Problem:
    """What a body does wrong, each fault at its JSON pointer."""
    faults = [
        fault(_pointer(item["loc"], item["type"], body), _fault_code(item["type"]))
        for item in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return Problem("invalid-request", faults)


def invalid_query(error: ValidationError) -> Problem:
    """What a query string does wrong; an unknown parameter is not named."""
    faults = [
        fault(
            "query" if item["type"] == "extra_forbidden" else f"query/{item['loc'][0]}",
            _fault_code(item["type"]),
        )
        for item in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return Problem("invalid-request", faults)


def respond(error: Exception, scope: Scope) -> Response:
    """The answer to a call that ended in this error."""
    request_id = scope["state"]["request_id"]
    match error:
        case Problem():
            return problem_response(error.code, request_id, error.faults, error.headers)
        case StaleVersion():
            return problem_response(error.code, request_id, version=error.version)
        case KeyReused():
            faults = [fault("header/Idempotency-Key", "reused")]
            return problem_response(error.code, request_id, faults)
        case Refusal() | RuleViolation():
            return problem_response(error.code, request_id)
        case ClientDisconnect():  # no fault of ours, and nobody is left to read the answer
            return problem_response("malformed-request", request_id)
        case HTTPException(status_code=404):
            return problem_response("not-found", request_id)
        case HTTPException(status_code=405):
            headers = {"Allow": _allowed(scope)}
            return problem_response("method-not-allowed", request_id, headers=headers)
        case _:
            log.error("request %s failed", request_id, exc_info=error)
            return problem_response("internal-error", request_id)


def problem_response(
    code: str,
    request_id: str,
    faults: Iterable[FaultView] = (),
    headers: Mapping[str, str] | None = None,
    version: int | None = None,
) -> Response:
    """A problem document."""
    values = {} if version is None else {"version": version}
    problem: ProblemView = {
        "type": f"/problems/{code}",
        "title": text(f"problem.{code}.title"),
        "status": STATUS[code],
        "detail": text(f"problem.{code}.detail", **values),
        "code": code,
        "instance": request_id,
    }
    if faults:
        problem["errors"] = list(faults)
    if version is not None:
        problem["version"] = version
    return Response(
        to_json(problem),
        STATUS[code],
        {
            "Content-Language": DEFAULT_LANGUAGE,
            "Vary": "Accept-Language",
            **_HEADERS.get(code, {}),
            **(headers or {}),
        },
        MEDIA_TYPE,
    )


def _allowed(scope: Scope) -> str:
    """The methods of every route at this path; the framework names those of the first one only."""
    methods: set[str] = set()
    for route in scope["app"].routes:
        if route.path_regex.match(scope["path"]):
            methods |= route.methods
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def _fault_code(kind: str) -> str:
    return next(code for part, code in _FAULTS if part in kind)


def _pointer(location: tuple[int | str, ...], kind: str, body: Any) -> str:
    """Where in the body, as far as the body goes: pydantic's places also name union members."""
    place: Any = body
    parts = []
    for step in location[:-1] if kind == "extra_forbidden" else location:
        if _has(place, step):
            place = place[step]
        elif not (kind == "missing" and step == location[-1]):
            continue
        parts.append(f"/{step}")
    if kind.startswith("union_tag"):
        parts.append("/type")  # pydantic blames the whole object
    return "#" + "".join(parts)


def _has(place: Any, step: int | str) -> bool:
    if isinstance(place, dict):
        return step in place
    return isinstance(place, list) and isinstance(step, int) and step < len(place)
