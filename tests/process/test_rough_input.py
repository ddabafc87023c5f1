"""What comes over a raw socket: bodies without end, halves of requests, bytes that are no HTTP."""

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from threading import Thread
from time import monotonic

import pytest

from tests.process.client import Client, connect, heard
from tests.process.server import Server

MEGABYTE = 1024 * 1024
FLAT = 24 * MEGABYTE
"""How much more memory is no growth: less than any body sent here, bar the smallest."""
HEAD = (
    b"POST /v1/players HTTP/1.1\r\nHost: yacht\r\n"
    b"Content-Type: application/json\r\nConnection: close\r\n"
)


@pytest.fixture
def client(plain: Server) -> Iterator[Client]:
    """Somebody who behaves; afterwards the server is well and has reported no fault."""
    told = len(plain.log)
    with plain.client() as client:
        yield client
        assert client.call("GET", "/readyz").status == 200
    assert [word for word in ("Traceback", " ERROR ") if word in plain.log[told:]] == []


def rows(server: Server) -> dict[str, int]:
    """How many rows each table of the server's database has."""
    with closing(sqlite3.connect(server.log_file.parent / "yacht.db")) as database:
        found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
            for (name,) in found
        }


def send(connection: socket.socket, size: int, *, is_chunked: bool) -> None:
    """Send a body of so many bytes, as long as the other side takes it."""
    block = b"[" * MEGABYTE
    try:
        if is_chunked:
            connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        else:
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % size)
        for _ in range(size // MEGABYTE):
            framed = b"%x\r\n%b\r\n" % (len(block), block) if is_chunked else block
            connection.sendall(framed)
        if is_chunked:
            connection.sendall(b"0\r\n\r\n")
    except ConnectionError:
        return


@pytest.mark.parametrize("megabytes", [2, 200])
@pytest.mark.parametrize("is_chunked", [False, True], ids=["with length", "chunked"])
def test_a_body_that_is_too_large_is_refused_and_not_kept(
    plain: Server, client: Client, megabytes: int, is_chunked: bool
) -> None:
    client.expect(200, "GET", "/healthz")
    before = plain.memory
    with connect(plain.port) as connection:
        size = megabytes * MEGABYTE
        sender = Thread(target=send, args=(connection, size), kwargs={"is_chunked": is_chunked})
        sender.start()
        most = before
        while sender.is_alive():
            sender.join(0.02)
            most = max(most, plain.memory)
        answer = heard(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"code":"too-large"' in answer
    assert max(most, plain.memory) - before < FLAT


@pytest.mark.parametrize("path", ["/nowhere", "/healthz"])
def test_a_large_body_where_none_is_read_is_not_kept(
    plain: Server, client: Client, path: str
) -> None:
    client.expect(200, "GET", "/healthz")
    before = plain.memory
    with connect(plain.port) as connection:
        connection.sendall(
            b"POST %b HTTP/1.1\r\nHost: yacht\r\nConnection: close\r\n" % path.encode()
            + b"Content-Length: %d\r\n\r\n" % (64 * MEGABYTE)
        )
        try:
            for _ in range(64):
                connection.sendall(b"x" * MEGABYTE)
        except ConnectionError:
            pass
        heard(connection)
    assert plain.memory - before < FLAT


@pytest.mark.clock
def test_clients_that_dawdle_keep_nobody_waiting(plain: Server, client: Client) -> None:
    """Fifty with half a head, fifty with half a body."""
    token = client.register()
    with ExitStack() as stack:
        for half in [HEAD] * 50 + [HEAD + b"Content-Length: 50\r\n\r\n{"] * 50:
            stack.enter_context(connect(plain.port)).sendall(half)
        begun = monotonic()
        for _ in range(20):
            client.expect(201, "POST", "/v1/games", {}, token=token)
        assert monotonic() - begun < 5


def test_a_request_may_come_byte_by_byte(plain: Server, client: Client) -> None:
    client.expect(200, "GET", "/healthz")
    body = b'{"name":"Slow"}'
    with connect(plain.port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(body), body):
            connection.sendall(bytes([byte]))
        assert heard(connection).startswith(b"HTTP/1.1 201 ")


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"\0" * 1000, id="zeros"),
        pytest.param(bytes(range(256)) * 40, id="every byte"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 500, id="TLS"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2"),
        pytest.param(b"SSH-2.0-OpenSSH_9.6\r\n", id="SSH"),
        pytest.param(b"GET /healthz\r\n\r\n", id="HTTP/0.9"),
        pytest.param(b"GET /healthz HTTP/9.9\r\n\r\n", id="HTTP/9.9"),
        pytest.param(b"GET  HTTP/1.1\r\n\r\n", id="no path"),
        pytest.param(b"GET /healthz HTTP/1.1\r\nX: a\0b\r\n\r\n", id="NUL in a header"),
        pytest.param(b"GET /healthz HTTP/1.1\r\nX\0: a\r\n\r\n", id="NUL in a header's name"),
        pytest.param(
            b"GET /%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", id="NUL in a path"
        ),
        pytest.param(b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n", id="no colon"),
        pytest.param(
            b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", id="bytes in a path"
        ),
        pytest.param(
            b"GET http://a/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            id="a whole URL",
        ),
        pytest.param(b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", id="CONNECT"),
        pytest.param(b"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", id="OPTIONS *"),
        pytest.param(
            b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            id="WebSocket",
        ),
        pytest.param(HEAD + b"Content-Length: -1\r\n\r\n", id="length -1"),
        pytest.param(HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x", id="two lengths"),
        pytest.param(HEAD + b"Content-Length: 99999999999999999999\r\n\r\n", id="endless length"),
        pytest.param(
            HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            id="length and chunks",
        ),
        pytest.param(HEAD + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", id="no chunk"),
        pytest.param(HEAD + b"Transfer-Encoding: gzip\r\n\r\nxyz", id="gzip"),
        pytest.param(HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", id="Expect"),
    ],
)
def test_bytes_that_are_no_sound_request_are_no_fault_of_the_server(
    plain: Server, client: Client, said: bytes
) -> None:
    """And change nothing: every table has the rows that it had."""
    client.expect(200, "GET", "/healthz")
    before = rows(plain)
    with connect(plain.port) as connection:
        connection.sendall(said)
        connection.shutdown(socket.SHUT_WR)
        answer = heard(connection)
    assert not answer or answer.startswith(b"HTTP/1.1 ")
    assert not answer.startswith(b"HTTP/1.1 5")
    assert rows(plain) == before


def test_a_header_of_a_common_size_is_taken(client: Client) -> None:
    assert client.call("GET", "/healthz", x="x" * 16_000).status == 200


@pytest.mark.clock
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: ", b"\r\n\r\n", id="value"),
        pytest.param(b"GET /healthz HTTP/1.1\r\nHost: a\r\n", b": x\r\n\r\n", id="name"),
        pytest.param(b"GET /", b" HTTP/1.1\r\nHost: a\r\n\r\n", id="path"),
        pytest.param(HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"\r\n", id="trailer"),
    ],
)
def test_a_head_without_end_is_cut_off(
    plain: Server, client: Client, before: bytes, after: bytes
) -> None:
    """A hundred megabytes of it would keep everybody waiting for many seconds."""
    client.expect(200, "GET", "/healthz")
    memory, begun = plain.memory, monotonic()
    with connect(plain.port) as connection:
        try:
            connection.sendall(before)
            for _ in range(100):
                connection.sendall(b"x" * MEGABYTE)
            connection.sendall(after)
        except ConnectionError:
            pass
        answer = heard(connection)
    assert not answer or answer.startswith(b"HTTP/1.1 4")
    assert monotonic() - begun < 5
    assert plain.memory - memory < FLAT
