"""Bots think inside a batch: for so long, and then those who were first are answered."""

import asyncio
from time import monotonic

import pytest

from app.play import NotInGame, SeatWish
from app.rules import RULESETS, Category
from app.store.batch import DECIDING_SECONDS
from app.store.command import Command
from app.store.ledger import Ledger
from app.strategy import tables
from tests.store.desk import ME, Desk, answers, open_game, roll, score

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


def end_turn(game: str) -> Command:
    """After which seven bots play a turn each, some ten milliseconds of thought."""
    return score("Ada", game, Category.CHOICE)


def test_a_batch_thinks_for_so_long_and_leaves_the_rest(tables_of_bots: Desk) -> None:
    desk = tables_of_bots
    left = [end_turn(game) for game in GAMES]
    sizes = []
    while left:
        begun = monotonic()
        told = answers(desk.batch(*left))
        took = monotonic() - begun
        sizes.append(len(told))
        assert told, "the first command of a batch is always decided"
        if len(told) < len(left):
            assert took > DECIDING_SECONDS
        left = left[len(told) :]
    assert sum(sizes) == len(GAMES)
    assert len(sizes) > 1
    assert all(desk.kept(game).game.turn is not None for game in GAMES)
    assert {desk.kept(game).game.open_turn.round for game in GAMES} == {2}


def test_what_is_left_has_left_no_trace(tables_of_bots: Desk) -> None:
    desk = tables_of_bots
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
