"""Told to stop, the server ends its streams at once, answers what has begun, and exits with 0."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event
from time import monotonic, sleep

import httpx
import pytest

from tests.live.players import Game, Player, at, path, success
from tests.live.readers import Reader
from tests.live.servers import HOST, Outside, inside, outside

SECONDS = 2
FIFTY = 50
PLAYERS = 8


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Outside]:
    with outside(tmp_path, rate_limit=0) as server:
        yield server


def read_to_the_end(reader: Reader) -> float:
    """When the stream ended; it does so in good order, not within an event."""
    reader.rest()
    return monotonic()


def play_on(player: Player, game: Game, is_over: Event) -> int:
    """Roll and hold until the server is gone; the last version that was acknowledged."""
    version = player.roll(game)["version"]
    with suppress(httpx.TransportError, AssertionError):
        while not is_over.is_set():
            for number in range(1, 32):
                version = int(player.hold(game, number)["version"])
    return int(version)


@pytest.mark.clock
def test_streams_end_at_once_answers_go_out_and_nothing_is_lost(
    server: Outside, tmp_path: Path
) -> None:
    """Fifty streams open and eight players in the middle of their moves."""
    is_over = Event()
    with at(server.port) as http, ThreadPoolExecutor(FIFTY + PLAYERS) as threads:
        players = [Player(http, f"P{number}") for number in range(PLAYERS)]
        games = [player.open() for player in players]
        readers = [
            Reader(server.port, path(games[number % PLAYERS], "/stream")) for number in range(FIFTY)
        ]
        for reader in readers:
            reader.take(1)
        moves = [
            threads.submit(play_on, player, game, is_over)
            for player, game in zip(players, games, strict=True)
        ]
        ends = [threads.submit(read_to_the_end, reader) for reader in readers]
        sleep(0.3)
        begun = monotonic()
        server.terminate()
        assert server.process.wait(10) == 0
        took = monotonic() - begun
        is_over.set()
        assert max(end.result() for end in ends) - begun < 1
        acknowledged = [move.result() for move in moves]
        for reader in readers:
            reader.close()
    assert took < SECONDS
    assert "Traceback" not in server.log
    assert "ERROR" not in server.log
    with inside(tmp_path) as again, at(again.port) as http:
        kept = [Player(http).read(game)["version"] for game in games]
    # One more move of each may have been made whose answer found nobody.
    for version, known in zip(kept, acknowledged, strict=True):
        assert known > 3
        assert known <= version <= known + 1


@pytest.mark.clock
def test_readiness_is_taken_back_at_once_also_on_connections_that_are_kept(
    server: Outside,
) -> None:
    """So that a proxy in front sends nobody here any more; who is here is still served."""
    kept = HTTPConnection(HOST, server.port, timeout=5)
    statuses: list[int] = []

    def ask() -> int:
        kept.request("GET", "/readyz")
        response = kept.getresponse()
        body = json.loads(response.read())
        if response.status == 503:
            assert body["code"] == "unavailable"
            assert response.headers["Retry-After"]
        statuses.append(response.status)
        return response.status

    assert ask() == 200
    server.terminate()
    with suppress(OSError, HTTPException):
        while True:
            ask()
    kept.close()
    assert 503 in statuses
    assert statuses == sorted(statuses), "ready again after it was not"
    assert server.process.wait(10) == 0


@pytest.mark.clock
def test_a_half_sent_request_does_not_keep_it(server: Outside) -> None:
    """Nor does it leave a trace of code in the log."""
    with socket.create_connection((HOST, server.port)) as half:
        half.sendall(
            b"POST /v1/players HTTP/1.1\r\nHost: yacht\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
        with at(server.port) as client:
            assert client.get("/readyz").status_code == 200
        begun = monotonic()
        server.terminate()
        assert server.process.wait(10) == 0
        assert monotonic() - begun < SECONDS
    assert "Traceback" not in server.log


@pytest.mark.clock
def test_a_reader_that_does_not_read_does_not_keep_it(server: Outside) -> None:
    """With all buffers between it and the server full."""
    with at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.roll(ada.open())
        ada.make_events(game, 300)
        ada.resign(game)
        with socket.socket() as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            stalled.connect((HOST, server.port))
            asked = f"GET {path(game, '/stream?after=0')} HTTP/1.1\r\nHost: yacht\r\n\r\n"
            # Answered one after the other, eight megabytes that nobody takes.
            stalled.sendall(asked.encode() * 100)
            sleep(0.5)
            begun = monotonic()
            server.terminate()
            assert server.process.wait(10) == 0
            assert monotonic() - begun < SECONDS
    assert "Traceback" not in server.log


def test_a_stream_that_comes_while_it_stops_ends_at_once(tmp_path: Path) -> None:
    """With the game as it is, and the hint when to come again: the next server goes on."""
    with inside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.open()
        server.live.close()
        with Reader(server.port, path(game, "/stream")) as reader:
            assert [message.event for message in reader.rest()] == ["snapshot"]
            assert reader.retry == 1000
        assert success(ada.ask("POST", path(game, "/rolls")))["version"] == 3
