"""What every answer is wrapped in: request id, security headers, limits, and no naked failure.

Plain ASGI, so that nothing is buffered and a request pays for it once.
"""

import logging
import re
from asyncio import CancelledError
from collections.abc import Callable
from time import perf_counter
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.limits import WINDOW_SECONDS, RateLimit
from app.api.problems import Problem, respond
from app.store.command import Unavailable

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_POLICY = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_ALWAYS = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]

access = logging.getLogger("app.access")


class Envelope:
    """The outermost layer: names the request, answers HEAD from GET, adds the common headers."""

    def __init__(self, app: ASGIApp, new_request_id: Callable[[], str]) -> None:
        self._app = app
        self._new_request_id = new_request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        offered = Headers(scope=scope).get("x-request-id", "")
        request_id = offered if _REQUEST_ID.fullmatch(offered) else self._new_request_id()
        is_head = scope["method"] == "HEAD"
        if is_head:
            scope = {**scope, "method": "GET"}
        scope["state"] = {**scope.get("state", {}), "request_id": request_id, "is_head": is_head}
        begun = perf_counter()
        status = 0

        async def wrapped(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _complete(message["headers"], scope["path"], request_id)
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._app(scope, receive, wrapped)
        finally:
            if access.isEnabledFor(logging.INFO):
                took = (perf_counter() - begun) * 1000
                # The path without its query, and no header: neither token nor key is ever logged.
                # Quoted, since a path may hold a line feed and pretend to be a line of its own.
                path = quote(scope["path"])
                access.info("%s %s %d %.1fms %s", scope["method"], path, status, took, request_id)


class Guard:
    """Inside CORS: refuses past the limit, and turns what nobody caught into a problem."""

    def __init__(self, app: ASGIApp, quota: int) -> None:
        self._app = app
        self._limit = RateLimit(quota) if quota else None
        self._policy = f'"default";q={quota};w={WINDOW_SECONDS}'.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False
        headers: list[tuple[bytes, bytes]] = []

        async def wrapped(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        try:
            if self._limit is not None:
                self._take(self._limit, scope, headers)
            await self._app(scope, receive, wrapped)
        except (Exception, CancelledError) as error:
            if has_begun:
                raise
            # Only a server that stops, and has waited long enough, cancels a request.
            cause = Unavailable() if isinstance(error, CancelledError) else error
            response = respond(cause, scope)
            await response(scope, receive, wrapped)

    def _take(self, limit: RateLimit, scope: Scope, headers: list[tuple[bytes, bytes]]) -> None:
        allowance = limit.take(scope["client"][0] if scope.get("client") else "")
        remaining = max(0, allowance.remaining)
        headers.append((b"ratelimit-policy", self._policy))
        headers.append(
            (b"ratelimit", f'"default";r={remaining};t={allowance.reset_seconds}'.encode())
        )
        if allowance.is_spent:
            raise Problem("rate-limited", headers={"Retry-After": str(allowance.reset_seconds)})


def _complete(
    headers: list[tuple[bytes, bytes]], path: str, request_id: str
) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those that every answer has."""
    names = {name for name, _ in headers}
    complete = [*headers, *_ALWAYS, (b"x-request-id", request_id.encode())]
    if b"content-security-policy" not in names:
        complete.append((b"content-security-policy", _POLICY))
    if b"cache-control" not in names and path.startswith("/v1"):
        complete.append((b"cache-control", b"no-store"))
    return complete
