"""How long a connection may take over a request."""

import socket
from pathlib import Path
from time import monotonic

import pytest

from app.api import connection
from tests.live.servers import HOST, inside

pytestmark = pytest.mark.clock

POST = b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"", b""),
        (b"", b"GET / HT"),
        (b"", POST + b"Content-Length: 13\r\n\r\n{"),
        (GET, b"\r\n"),
        (GET, b"GET"),
    ],
    ids=["nothing", "half a line", "half a body", "a blank line after", "half a line after"],
)
def test_who_never_finishes_a_request_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bytes, then: bytes
) -> None:
    monkeypatch.setattr(connection, "READ_SECONDS", 0.3)
    with inside(tmp_path) as server, socket.create_connection((HOST, server.port), 20) as client:
        if first:
            client.sendall(first)
            assert client.recv(65_536).startswith(b"HTTP/1.1 200 ")
        begun = monotonic()
        client.sendall(then)
        while client.recv(65_536):
            pass
        assert 0.2 < monotonic() - begun < 10


def test_who_is_answered_slowly_is_not_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream says nothing more to the server for many minutes."""
    monkeypatch.setattr(connection, "READ_SECONDS", 0.3)
    with inside(tmp_path, ping_seconds=0.1) as server:
        token = _ask(server.port, POST + b"Content-Length: 14\r\n\r\n" + b'{"name":"Ada"}')
        bearer = b"Authorization: Bearer %b\r\n" % token.partition(b'"token":"')[2].split(b'"')[0]
        game = _ask(
            server.port, POST.replace(b"players", b"games") + bearer + b"Content-Length: 0\r\n\r\n"
        )
        path = game.partition(b"ocation: ")[2].split(b"\r")[0]
        with socket.create_connection((HOST, server.port), 20) as client:
            client.sendall(b"GET %b/stream HTTP/1.1\r\nHost: a\r\n\r\n" % path)
            begun = monotonic()
            while monotonic() - begun < 1:
                assert client.recv(65_536)


def _ask(port: int, said: bytes) -> bytes:
    with socket.create_connection((HOST, port), 20) as client:
        client.sendall(said)
        return client.recv(65_536)
