"""What every answer is wrapped in: request id, security headers, limits, and no naked failure.

Plain ASGI, so that nothing is buffered and a request pays for it once.
"""

import logging
import re
from asyncio import CancelledError
from collections.abc import Callable
from time import perf_counter
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.limits import WINDOW_SECONDS, RateLimit
from app.api.problems import Problem, respond
from app.store.command import Unavailable

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_POLICY = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_ALWAYS = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]

access = logging.getLogger("app.access")


class Envelope:
    """The outermost layer: names the request, answers HEAD from GET, adds the common headers.

    In the request's state it keeps the ``request_id``, whether it ``is_head``, the ``status`` of
    the answer, 0 until that has begun, and the ``headers`` that an inner layer has for it.
    """

    def __init__(self, app: ASGIApp, new_request_id: Callable[[], str]) -> None:
        self._app = app
        self._new_request_id = new_request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method, path = scope["method"], scope["path"]
        offered = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        request_id = offered.decode() if _REQUEST_ID.fullmatch(offered) else self._new_request_id()
        is_head = method == "HEAD"
        if is_head:
            scope = {**scope, "method": "GET"}
        state = scope["state"] = {
            **scope.get("state", {}),
            "request_id": request_id,
            "is_head": is_head,
            "status": 0,
            "headers": [],
        }
        begun = perf_counter()

        async def wrapped(message: Message) -> None:
            if message["type"] == "http.response.start":
                state["status"] = message["status"]
                message["headers"] = complete(message["headers"], path, state)
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
                words = (method, quote(path), state["status"], took, request_id)
                access.info("%s %s %d %.1fms %s", *words)


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
        try:
            if self._limit is not None:
                self._take(self._limit, scope)
            await self._app(scope, receive, send)
        except (Exception, CancelledError) as error:
            if scope["state"]["status"]:
                raise
            # Only a server that stops, and has waited long enough, cancels a request.
            cause = Unavailable() if isinstance(error, CancelledError) else error
            response = respond(cause, scope)
            await response(scope, receive, send)

    def _take(self, limit: RateLimit, scope: Scope) -> None:
        allowance = limit.take(scope["client"][0] if scope.get("client") else "")
        remaining = max(0, allowance.remaining)
        state = f'"default";r={remaining};t={allowance.reset_seconds}'.encode()
        scope["state"]["headers"] += [(b"ratelimit-policy", self._policy), (b"ratelimit", state)]
        if allowance.is_spent:
            raise Problem("rate-limited", headers={"Retry-After": str(allowance.reset_seconds)})


def complete(
    headers: list[tuple[bytes, bytes]], path: str, state: dict[str, Any]
) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those that every answer has; the state is Envelope's."""
    names = {name for name, _ in headers}
    request_id = (b"x-request-id", state["request_id"].encode())
    complete = [*headers, *_ALWAYS, request_id, *state["headers"]]
    if b"content-security-policy" not in names:
        complete.append((b"content-security-policy", _POLICY))
    if b"cache-control" not in names and path.startswith("/v1"):
        complete.append((b"cache-control", b"no-store"))
    return complete
