"""Readers who go, or stop reading, leave nothing behind and cost nobody anything."""

import socket
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest

from tests.live.players import Game, Player, at, at_once, path
from tests.live.proxy import RESET
from tests.live.readers import Reader
from tests.live.servers import HOST, Inside, inside, wait_until

HUNDRED = 100
TWO_HUNDRED = 200


def open_raw(port: int, address: str, *, receive_buffer: int | None = None) -> socket.socket:
    """A connection on which a stream was asked for and nothing was read."""
    connection = socket.socket()
    if receive_buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.connect((HOST, port))
    connection.sendall(f"GET {address} HTTP/1.1\r\nHost: yacht\r\n\r\n".encode())
    return connection


def reset(connection: socket.socket) -> None:
    """Go without a word, as a machine does that has lost its network and found it again."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    connection.close()


@pytest.mark.clock
@pytest.mark.parametrize("way", ["closed", "reset", "half closed", "before the answer"])
def test_two_hundred_streams_opened_and_dropped_leave_nothing(
    shared: Inside, ada: Player, way: str
) -> None:
    """No subscriber, no task, no connection."""
    game = ada.open()
    wait_until(lambda: shared.live.count == 0)
    tasks = shared.tasks()
    connections = [open_raw(shared.port, path(game, "/stream")) for _ in range(TWO_HUNDRED)]
    if way != "before the answer":
        wait_until(lambda: shared.live.count == TWO_HUNDRED)
        assert shared.tasks() > tasks
    for connection in connections:
        if way == "reset":
            reset(connection)
        elif way == "half closed":
            connection.shutdown(socket.SHUT_WR)
        else:
            connection.close()
    wait_until(lambda: shared.live.count == 0 and shared.tasks() <= tasks, 5)
    assert shared.live._watchers == {}
    assert not shared.live._addresses
    assert ada.turn(game)["version"] == 4
    for connection in connections:
        connection.close()


def test_streams_that_wait_hold_no_database_connection_and_no_thread(
    shared: Inside, ada: Player
) -> None:
    """A hundred of them, and reading goes on as if there were none."""
    game = ada.open()
    readers = [Reader(shared.port, path(game, "/stream")) for _ in range(HUNDRED)]
    for reader in readers:
        reader.take(1)
    pool = shared.app.state.reader._engine.pool
    queue = shared.app.state.reader._threads._work_queue
    wait_until(lambda: pool.checkedout() == queue.qsize() == 0)
    assert ada.read(game)["version"] == 2
    for reader in readers:
        reader.close()


def test_a_limit_holds_against_a_burst(tmp_path: Path) -> None:
    """Thirty at the same moment, five of whom there is room for."""
    with inside(tmp_path, streams_per_address=5) as server, at(server.port) as http:
        game = Player(http, "Ada").open()
        readers = at_once([lambda: Reader(server.port, path(game, "/stream"))] * 30)
        statuses = sorted(reader.status for reader in readers)
        for reader in readers:
            reader.close()
    assert statuses == [200] * 5 + [429] * 25


@pytest.mark.clock
def test_a_reader_that_stops_reading_is_dropped_and_slows_nobody(tmp_path: Path) -> None:
    """Its buffers full, the server keeps what it could not send, until the system gives up."""
    with (
        inside(tmp_path, stalled_seconds=2, send_buffer=4096, rate_limit=0) as server,
        at(server.port) as http,
    ):
        ada = Player(http, "Ada")
        game = ada.roll(ada.open())
        ada.make_events(game, 600)  # more than all buffers take
        before = _moves(ada, game)
        address = path(game, "/stream?after=0")
        stalled = [open_raw(server.port, address, receive_buffer=2048) for _ in range(5)]
        wait_until(lambda: server.live.count == 5)
        with Reader(server.port, path(game, "/stream")) as reader:
            during = _moves(ada, game)
            assert server.live.count == 6, "they were let go too early to have cost anything"
            assert len(reader.take(1 + 20)) == 21
        assert during < max(4 * before, before + 0.02)
        wait_until(lambda: server.live.count == 0, 15)
        for connection in stalled:
            connection.close()


def _moves(player: Player, game: Game) -> float:
    """Seconds that a move takes, of twenty the median."""
    took = []
    for number in range(1, 21):
        begun = perf_counter()
        player.hold(game, number)
        took.append(perf_counter() - begun)
    return median(took)
