"""A quick HTTP client on one kept connection, for load and for requests that others cannot make."""

import json
import socket
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple, Self

import httpx

from tests.contract import CONTRACT

SECONDS = 30
LOST = (OSError, HTTPException)
"""What a call raises when the server is gone before it has answered."""


class Reply(NamedTuple):
    """An answer; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One connection, opened when it is first needed."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self._connection = HTTPConnection(
            "127.0.0.1", port, timeout=SECONDS, source_address=(source, 0)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        token: str | None = None,
        **headers: str,
    ) -> Reply:
        """Send a request; `x_request_id="a"` is the header X-Request-ID. Raises one of LOST.

        The answer has to be one of those that the document declares.
        """
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, data, sent)
        with self._connection.getresponse() as response:
            named = {name.lower(): value for name, value in response.getheaders()}
            reply = Reply(response.status, named, response.read())
        _check(method, path, reply)
        return reply

    def expect(self, status: int, method: str, path: str, body: object = None, **more: Any) -> Any:
        """The JSON of an answer that has this status."""
        reply = self.call(method, path, body, **more)
        assert reply.status == status, (method, path, reply)
        return reply.json if reply.body else None

    def register(self, name: str = "Ada") -> str:
        """Make a player; gives the token."""
        return str(self.expect(201, "POST", "/v1/players", {"name": name})["token"])


def _check(method: str, path: str, reply: Reply) -> None:
    """The document declares such an answer. AssertionError where it does not."""
    request = httpx.Request(method, f"http://127.0.0.1{path}")
    CONTRACT.check(
        httpx.Response(reply.status, headers=reply.headers, content=reply.body, request=request)
    )


def connect(port: int) -> socket.socket:
    """A connection on which anything can be said."""
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)


def heard(connection: socket.socket) -> bytes:
    """Everything the server says until it closes the connection; nothing after a reset."""
    said = b""
    try:
        while received := connection.recv(65536):
            said += received
    except ConnectionError:
        pass
    return said
