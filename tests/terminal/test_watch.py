"""Games followed live, over connections that hold and over those that do not."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

from tests.table import OPEN, Game, Player, Visitor, friend
from tests.terminal.faulty import ChooseStream, Proxy, StreamFault, faulty
from tests.terminal.seat import Seat

ME = {"type": "me"}
PATIENCE = 20
FAULTS: tuple[StreamFault, ...] = ("busy", "spent", "missing", "mute")


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player("Ada")


@contextmanager
def watched(seat: Seat, game: Game) -> Iterator[None]:
    """Watch the game until it has ended, from a time before what happens inside."""
    with ThreadPoolExecutor(1) as thread:
        status = thread.submit(seat.watch, game["id"])
        try:
            wait_for(seat, "Round 1 of 12")
            yield
        finally:
            assert status.result(PATIENCE) == 0


def wait_for(seat: Seat, shown: str) -> None:
    limit = monotonic() + PATIENCE
    while shown not in seat.shown:
        assert monotonic() < limit, seat.shown
        sleep(0.005)


def told(seat: Seat) -> list[str]:
    """The rolls that were told, each with its number and its dice."""
    return re.findall(r"(\w+, roll \d: .*)\n", seat.shown)


def rolled(guest: Visitor, game: Game) -> list[str]:
    """The rolls that there were."""
    return [
        f"{game['seats'][event['seat']]['name']}, roll {event['roll']}: "
        + " ".join(
            f"[{face}]" if held else f"{face}"
            for face, held in zip(event["dice"], event["held"], strict=True)
        )
        for event in guest.events(game)
        if event["type"] == "dice_rolled"
    ]


def played(ada: Player, game: Game) -> None:
    """A round and a half, and the end."""
    for category in ("choice", "choice", "yacht"):
        ada.roll(game)
        ada.roll(game, [True, False, True, False, True])
        game = ada.score(game, category)
    ada.resign(game, 0)


def played_by(player: Player, game: Game, category: str) -> None:
    """A whole turn, as soon as it is the player's."""
    limit = monotonic() + PATIENCE
    while player.read(game)["turn"]["seat"] != 0:
        assert monotonic() < limit
        sleep(0.005)
    player.roll(game)
    player.roll(game, [True, False, True, False, True])
    player.roll(game, [True, False, False, False, True])
    player.score(game, category)


def test_a_game_is_watched_to_its_end(seat: Seat, ada: Player, guest: Visitor) -> None:
    game = ada.open(ME, friend("Bo"))
    with watched(seat, game):
        played(ada, game)
    assert told(seat) == rolled(guest, game)
    for line in ("Ada scores", "Bo scores", "Ada gives up.", "Round 2 of 12", "Bo wins."):
        assert line in seat.shown


def test_a_game_that_still_waits_is_watched_too(seat: Seat, ada: Player, guest: Visitor) -> None:
    game = ada.open(ME, OPEN)
    with ThreadPoolExecutor(1) as thread:
        status = thread.submit(seat.watch, game["id"])
        wait_for(seat, "Waiting for players.")
        bo = guest.player("Bo")
        game = bo.join(game)
        bo.resign(game)
        assert status.result(PATIENCE) == 0
    for line in ("Bo sits down.", "The game begins.", "Bo gives up.", "Ada wins."):
        assert line in seat.shown


def test_a_game_is_followed_without_asking_for_it(
    tmp_path: Path, url: str, ada: Player, guest: Visitor
) -> None:
    game = ada.open(ME, friend("Bo"))
    with faulty(url) as proxy:
        seat = Seat(tmp_path, proxy.url)
        with watched(seat, game):
            sleep(0.3)  # in which polling would ask some thirty times
            played(ada, game)
    asked = [path for _, path, _ in proxy.seen if path.endswith(game["id"])]
    assert proxy.count_streams() == 1
    assert len(asked) <= len(guest.events(game))


def test_each_event_is_told_once_though_streams_are_cut_in_the_middle_of_one(
    tmp_path: Path, url: str, ada: Player, guest: Visitor
) -> None:
    game = ada.open(ME, friend("Bo"))
    with (
        through(url, lambda n: "cut" if n <= 3 else "none", tmp_path) as (seat, proxy),
        watched(seat, game),
    ):
        played(ada, game)
    assert told(seat) == rolled(guest, game)
    assert seat.shown.count("gives up") == 1
    assert proxy.count_streams() == 4


@pytest.mark.parametrize("fault", FAULTS)
def test_where_there_is_no_stream_the_game_is_asked_for(
    fault: StreamFault, tmp_path: Path, url: str, ada: Player, guest: Visitor
) -> None:
    game = ada.open(ME, friend("Bo"))
    with through(url, lambda _n: fault, tmp_path) as (seat, proxy), watched(seat, game):
        played(ada, game)
    assert told(seat) == rolled(guest, game)
    assert proxy.count_streams() == 1
    assert "Trying again" not in seat.shown


def test_whoever_waits_for_a_turn_is_told_each_move_once_though_streams_are_cut(
    tmp_path: Path, url: str, guest: Visitor
) -> None:
    bo = guest.player("Bo")
    game = bo.open(ME, OPEN)
    with (
        through(url, lambda n: "cut" if n <= 2 else "none", tmp_path) as (seat, proxy),
        ThreadPoolExecutor(1) as thread,
    ):
        status = thread.submit(seat.play, ["r", "k"], join=game["id"])
        try:
            wait_for(seat, "Waiting for Bo.")
            played_by(bo, game, "choice")
            played_by(bo, game, "yacht")
            wait_for(seat, "Round 2 of 12: Ada")
        finally:
            bo.resign(game)
        assert status.result(PATIENCE) == 0
    assert told(seat) == [line for line in rolled(guest, game) if line.startswith("Bo")]
    assert seat.shown.count("Bo scores") == 2
    assert proxy.count_streams() >= 3


def test_an_ended_game_shows_its_result(seat: Seat, ada: Player) -> None:
    game = ada.open(ME, friend("Bo"))
    ada.resign(game, 1)
    assert seat.watch(game["id"]) == 0
    assert "Ada wins." in seat.shown


def test_a_game_that_was_called_off_says_so(seat: Seat, ada: Player) -> None:
    game = ada.cancel(ada.open(ME, OPEN))
    assert seat.watch(game["id"]) == 0
    assert "The game was called off." in seat.shown


def test_a_game_that_is_called_off_while_it_is_watched_says_so(seat: Seat, ada: Player) -> None:
    game = ada.open(ME, OPEN)

    def cancel() -> None:
        wait_for(seat, "Waiting for players.")
        ada.cancel(game)

    host = Thread(target=cancel)
    host.start()
    assert seat.watch(game["id"]) == 0
    host.join()
    assert "The game was called off." in seat.shown


@pytest.mark.parametrize("game_id", ["nowhere", "01a0a1b2-c3d4-7e5f-8a6b-000000000000", ""])
def test_a_game_that_is_not_there_is_told_in_plain_words(game_id: str, seat: Seat) -> None:
    assert seat.watch(game_id) == 1
    assert seat.shown.startswith("This server has no such game.")


@contextmanager
def through(url: str, choose: ChooseStream, folder: Path) -> Iterator[tuple[Seat, Proxy]]:
    """A terminal whose streams go wrong like that."""
    with faulty(url, choose_stream=choose) as proxy:
        yield Seat(folder, proxy.url), proxy
