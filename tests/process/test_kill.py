"""Killed in the middle of play, the server has every move that it acknowledged, once."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep

import pytest

from tests.process.books import audit
from tests.process.gambler import Gambler
from tests.process.server import PATIENCE, Server, serving

GAMBLERS = 8


def let_play(gamblers: Sequence[Gambler], server: Server) -> list[Thread]:
    threads = [Thread(target=gambler.play, args=(server.port,)) for gambler in gamblers]
    for thread in threads:
        thread.start()
    return threads


def wait_for_calls(gamblers: Sequence[Gambler], count: int) -> None:
    """Wait until so many more calls than now have been answered."""
    goal = sum(gambler.calls for gambler in gamblers) + count
    limit = monotonic() + PATIENCE
    while sum(gambler.calls for gambler in gamblers) < goal:
        assert [fault for gambler in gamblers for fault in gambler.faults] == []
        assert monotonic() < limit, "the server answers too few calls"
        sleep(0.005)


def join(threads: Sequence[Thread]) -> None:
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(3, id="3 kills"),
        pytest.param(30, id="30 kills", marks=pytest.mark.soak),
    ],
)
def test_no_acknowledged_move_is_lost_or_doubled_by_kill_9(tmp_path: Path, kills: int) -> None:
    """Half the moves have an idempotency key and are sent again after the restart.

    Half the players have a guest and a bot at their table, whose moves are answered along.

    After each kill the log and state of every game are checked, and every answer that a client
    got against them. In the end everybody plays the last game out.
    """
    random = Random()
    file = tmp_path / "yacht.db"
    gamblers = [Gambler(f"G{i}", has_company=i % 2 == 1) for i in range(GAMBLERS)]
    cut_off = 0
    for _ in range(kills):
        with serving(tmp_path) as server:
            audit(file, gamblers)
            threads = let_play(gamblers, server)
            wait_for_calls(gamblers, 5 * GAMBLERS)
            sleep(random.random() * 0.5)
            server.kill()
            join(threads)
        assert [fault for gambler in gamblers for fault in gambler.faults] == []
        # The kill came during play: requests were sent that nobody will answer.
        assert any(gambler.was_cut_off for gambler in gamblers)
        cut_off += sum(gambler.was_cut_off for gambler in gamblers)
    assert cut_off >= 2 * kills
    with serving(tmp_path) as server:
        audit(file, gamblers)
        for gambler in gamblers:
            gambler.limit = len(gambler.over) + 1
        join(let_play(gamblers, server))
        assert [fault for gambler in gamblers for fault in gambler.faults] == []
        assert [gambler.was_cut_off for gambler in gamblers] == [False] * GAMBLERS
        count = audit(file, gamblers)
    assert count == sum(len(gambler.over) for gambler in gamblers)
    for gambler in gamblers:
        assert [game["status"] for game in gambler.over] == ["finished"] * len(gambler.over)
