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

from app.api.faults import Fault, body_faults, distinct, query_faults
from app.locale import DEFAULT_LANGUAGE, listed, text
from app.play import StaleVersion
from app.rules import NotYourTurn, RuleViolation
from app.schemas.problems import ProblemView
from app.store.command import KeyReused, Refusal, Unauthenticated

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

_MALFORMED_KEY = ("header/Idempotency-Key", "not-allowed")

log = logging.getLogger(__name__)


class Problem(Exception):
    """A refusal made in this layer: the code, further headers, and the faults of a 422.

    A ``form`` picks another text than the code's usual one; ``values`` are what the text tells.
    """

    def __init__(
        self,
        code: str,
        faults: Iterable[Fault] = (),
        headers: Mapping[str, str] | None = None,
        form: str = "",
        **values: object,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.faults = list(faults)
        self.headers = headers or {}
        self.form = form
        self.values = values


def fault(pointer: str, code: str) -> Fault:
    """One fault of a 422 that no schema has found."""
    return Fault(pointer, code, "key" if (pointer, code) == _MALFORMED_KEY else "")


def invalid_body(error: ValidationError, body: Any) -> Problem:
    """What a body does wrong, each fault at its JSON pointer."""
    return Problem("invalid-request", distinct(body_faults(error, body)))


def invalid_query(error: ValidationError) -> Problem:
    """What a query string does wrong; an unknown parameter is not named."""
    return Problem("invalid-request", distinct(query_faults(error)))


def respond(error: Exception, scope: Scope) -> Response:
    """The answer to a call that ended in this error."""
    request_id = scope["state"]["request_id"]
    match error:
        case Problem(code=code, faults=faults, headers=headers):
            return problem_response(
                code, request_id, faults, headers, form=error.form, **error.values
            )
        case StaleVersion():
            return problem_response(error.code, request_id, version=error.version)
        case KeyReused():
            faults = [fault("header/Idempotency-Key", "reused")]
            return problem_response(error.code, request_id, faults)
        case Unauthenticated():
            return problem_response(error.code, request_id, form=_stranger(scope))
        case NotYourTurn():
            return problem_response(error.code, request_id, form="seat", seat=error.seat)
        case Refusal() | RuleViolation():
            return problem_response(error.code, request_id)
        case ClientDisconnect():  # no fault of ours, and nobody is left to read the answer
            return problem_response("malformed-request", request_id)
        case HTTPException(status_code=404):
            form = "slash" if scope["path"].endswith("/") and scope["path"] != "/" else "address"
            return problem_response("not-found", request_id, form=form)
        case HTTPException(status_code=405):
            methods = _allowed(scope)
            headers, told = {"Allow": ", ".join(methods)}, listed(methods, "or")
            return problem_response(
                "method-not-allowed", request_id, headers=headers, form="use", methods=told
            )
        case _:
            log.error("request %s failed", request_id, exc_info=error)
            return problem_response("internal-error", request_id)


def problem_response(
    code: str,
    request_id: str,
    faults: Iterable[Fault] = (),
    headers: Mapping[str, str] | None = None,
    **told: Any,
) -> Response:
    """A problem document; ``told`` is what else ``problem_view`` takes."""
    return Response(
        to_json(problem_view(code, request_id, faults, **told)),
        STATUS[code],
        {
            "Content-Language": DEFAULT_LANGUAGE,
            "Vary": "Accept-Language",
            **_HEADERS.get(code, {}),
            **(headers or {}),
        },
        MEDIA_TYPE,
    )


def problem_view(
    code: str,
    request_id: str,
    faults: Iterable[Fault] = (),
    *,
    form: str = "",
    version: int | None = None,
    **values: object,
) -> ProblemView:
    """A problem as clients see it; `invalid-request` puts its first fault in words."""
    errors = [fault.view() for fault in faults]
    if errors and code == "invalid-request":
        form = "one" if len(errors) == 1 else "several"
        values = {**errors[0], "count": len(errors)}
    key = f"problem.{code}.detail" + (f".{form}" if form else "")
    view: ProblemView = {
        "type": f"/problems/{code}",
        "title": text(f"problem.{code}.title"),
        "status": STATUS[code],
        "detail": text(key, version=version, **values),
        "code": code,
        "instance": request_id,
    }
    if errors:
        view["errors"] = errors
    if version is not None:
        view["version"] = version
    return view


def _stranger(scope: Scope) -> str:
    """Which text tells a caller without a player what is missing: the header, its form, a player.

    Whoever comes with `Bearer` and a token has got as far as being looked for.
    """
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.partition(b" ")
            return "unknown" if scheme.lower() == b"bearer" and token.strip() else "scheme"
    return ""


def _allowed(scope: Scope) -> list[str]:
    """The methods of every route at this path; the framework names those of the first one only."""
    methods: set[str] = set()
    for route in scope["app"].routes:
        if route.path_regex.match(scope["path"]):
            methods |= route.methods
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))
