"""Told to stop, the server answers what has begun, drops idle connections, and exits with 0."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest

from tests.process.client import Client, connect, heard
from tests.process.server import PATIENCE, Server, serving

SECONDS = 2
HALF = (
    b"POST /v1/players HTTP/1.1\r\nHost: yacht\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{"
)
ROLL = "POST /v1/games/{id}/rolls HTTP/1.1\r\nHost: yacht\r\nAuthorization: Bearer {token}\r\n"


def idle(server: Server, count: int) -> list[Client]:
    """Clients that have been answered and keep their connections open."""
    clients = [server.client() for _ in range(count)]
    for client in clients:
        assert client.call("GET", "/healthz").status == 200
    return clients


def wait_until_closed(server: Server) -> None:
    """Wait until the server lets nobody in any more."""
    limit = monotonic() + PATIENCE
    while monotonic() < limit:
        try:
            connect(server.port).close()
        except OSError:
            return
    pytest.fail("the server still takes connections")


@pytest.mark.clock
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_it_stops_in_time_and_answers_what_has_begun(
    tmp_path: Path, number: signal.Signals
) -> None:
    """A roll of which the server has half when the signal comes is made, answered and kept."""
    with serving(tmp_path) as server:
        clients = idle(server, 10)
        token = clients[0].register()
        game = clients[0].expect(201, "POST", "/v1/games", {}, token=token)
        with connect(server.port) as half:
            head = ROLL.format(id=game["id"], token=token)
            half.sendall(
                f"{head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{".encode()
            )
            clients[1].expect(200, "GET", "/readyz")  # by now the half request has been read
            begun = monotonic()
            server.send(number)
            wait_until_closed(server)
            half.sendall(b"}")
            answer = heard(half)
        assert answer.startswith(b"HTTP/1.1 201 ")
        assert b'"rolls_used":1' in answer
        assert server.wait() == 0
        assert monotonic() - begun < SECONDS
        assert "Traceback" not in server.log
        for client in clients:
            client.__exit__()
    with closing(sqlite3.connect(tmp_path / "yacht.db")) as connection:
        assert connection.execute("SELECT version FROM games").fetchall() == [(3,)]


def test_a_client_that_never_finishes_its_request_does_not_keep_it_alive(tmp_path: Path) -> None:
    with serving(tmp_path) as server, connect(server.port) as half:
        half.sendall(HALF)
        with server.client() as client:
            client.expect(200, "GET", "/readyz")
        server.send(signal.SIGTERM)
        assert heard(half).startswith(b"HTTP/1.1 503 ")
        assert server.wait() == 0
        assert "Traceback" not in server.log


def test_told_twice_it_does_not_wait_and_still_ends_in_order(tmp_path: Path) -> None:
    with serving(tmp_path) as server, connect(server.port) as half:
        half.sendall(HALF)
        with server.client() as client:
            client.expect(200, "GET", "/readyz")
        server.send(signal.SIGINT)
        wait_until_closed(server)
        server.send(signal.SIGINT)
        assert server.wait() == 0
        assert "Traceback" not in server.log
