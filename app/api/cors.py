"""Which pages may call, and what they may send and read, as browsers ask for it."""

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.problems import Problem, respond

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
ALLOWED_HEADERS = [
    "Authorization",
    "Content-Type",
    "Accept-Language",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Last-Event-ID",
    "X-Request-ID",
]
EXPOSED_HEADERS = [
    "ETag",
    "Location",
    "Date",
    "Idempotent-Replayed",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Content-Language",
    "X-Request-ID",
]
MAX_AGE = 86_400

_VARY = (b"vary", b"Origin")


class Cors(CORSMiddleware):
    """Starlette's layer; but refusals are problem documents, and what no page asks is quick."""

    def __init__(self, app: ASGIApp, origins: list[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=ALLOWED_HEADERS,
            expose_headers=EXPOSED_HEADERS,
            max_age=MAX_AGE,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, as ASGI has it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not any(name == b"origin" for name, _ in scope["headers"]):
            # No page is asking, so nothing is to be told but that the answer might have differed.
            scope["state"]["headers"].append(_VARY)
            await self.app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS":
            asked = Headers(scope=scope)
            if "access-control-request-method" in asked:
                answer = self.preflight_response(request_headers=asked)
                if answer.status_code == HTTPStatus.BAD_REQUEST:
                    kept = {k: v for k, v in answer.headers.items() if not k.startswith("content-")}
                    problem = Problem("malformed-request", headers=kept, form="preflight")
                    answer = respond(problem, scope)
                await answer(scope, receive, send)
                return
        await super().__call__(scope, receive, send)
