"""Bots think inside a batch: for so long, and then those who were first are answered."""

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import count
from time import sleep

import pytest

from app.play import NotInGame, SeatWish
from app.rules import RULESETS, Category
from app.store.batch import DECIDING_SECONDS, Batch
from app.store.command import Change, Command, Loaded
from app.store.ledger import Ledger
from app.strategy import tables
from tests.store.desk import (
    AT,
    ME,
    Desk,
    answers,
    command,
    draw,
    open_game,
    roll,
    score,
)

BOTS = [SeatWish("bot", level="novice")] * 7
GAMES = [f"g{number}" for number in range(8)]


@pytest.fixture(autouse=True)
def solved() -> None:
    """The tables that a server makes before a bot's first move."""
    tables(RULESETS["classic"])


@pytest.fixture
def tables_of_bots(desk: Desk) -> Desk:
    """Ada at eight tables with seven bots each, all of them after her first roll."""
    for game in GAMES:
        desk.do(open_game("Ada", game, ME, *BOTS))
        desk.do(roll("Ada", game))
    return desk


def thinking(seconds: float) -> Callable[[], float]:
    """A stopwatch by which each command takes so long."""
    return partial(next, count(0.0, seconds))


def slow() -> Command:
    """A command that takes longer than a batch may decide."""

    def verb(_loaded: Loaded) -> Change:
        sleep(2 * DECIDING_SECONDS)
        return Change()

    return command(verb)


def end_turn(game: str) -> Command:
    """After which seven bots play a turn each, some ten milliseconds of thought."""
    return score("Ada", game, Category.CHOICE)


def test_a_batch_thinks_for_so_long_and_leaves_the_rest(tables_of_bots: Desk) -> None:
    desk = tables_of_bots
    desk.stopwatch = thinking(DECIDING_SECONDS / 2.5)
    left = [end_turn(game) for game in GAMES]
    sizes = []
    while left:
        told = answers(desk.batch(*left))
        sizes.append(len(told))
        left = left[len(told) :]
    assert sizes == [3, 3, 2]
    assert all(desk.kept(game).game.turn is not None for game in GAMES)
    assert {desk.kept(game).game.open_turn.round for game in GAMES} == {2}


def test_the_first_command_of_a_batch_is_decided_however_long_it_takes(
    tables_of_bots: Desk,
) -> None:
    tables_of_bots.stopwatch = thinking(60)
    assert len(tables_of_bots.batch(*map(end_turn, GAMES))) == 1


def test_a_batch_takes_its_time_from_the_clock_of_the_machine(tables_of_bots: Desk) -> None:
    """Where nobody gives it another one; as the ledger does not."""
    with tables_of_bots.database.writing.begin() as connection:
        batch = Batch(connection, tables_of_bots.known, AT, draw)
        told = batch.run([slow() for _ in GAMES])
    assert len(told) == 1


def test_what_is_left_has_left_no_trace(tables_of_bots: Desk) -> None:
    desk = tables_of_bots
    desk.stopwatch = thinking(DECIDING_SECONDS / 2.5)
    told = desk.batch(*[end_turn(game) for game in GAMES])
    assert len(told) < len(GAMES)
    for number, game in enumerate(GAMES):
        is_decided = number < len(told)
        assert (desk.kept(game).game.version > 3) == is_decided


def test_moves_without_bots_are_all_decided_in_one_batch(desk: Desk) -> None:
    desk.do(*[open_game("Ada", game) for game in GAMES])
    assert len(desk.batch(*[roll("Ada", game) for game in GAMES])) == len(GAMES)


@pytest.mark.anyio
async def test_the_ledger_answers_all_of_them_in_order(
    tables_of_bots: Desk, ledger: Ledger
) -> None:
    told = []

    async def ask(game: str) -> None:
        await ledger.submit(end_turn(game))
        told.append(game)

    await asyncio.gather(*map(ask, GAMES))
    assert told == GAMES
    assert all(tables_of_bots.kept(game).game.open_turn.round == 2 for game in GAMES)


@pytest.mark.anyio
@pytest.mark.usefixtures("tables_of_bots")
async def test_a_refusal_asked_for_last_is_told_after_them(ledger: Ledger) -> None:
    """What is left over stands before what comes later."""
    ends = [asyncio.create_task(ledger.submit(end_turn(game))) for game in GAMES]
    stranger = asyncio.create_task(ledger.submit(roll("Bo", GAMES[0])))
    with pytest.raises(NotInGame):
        await stranger
    assert all(task.done() for task in ends)
