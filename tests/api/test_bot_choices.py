"""What a bot is shown: its position and a number by chance, no seed and no history."""

import logging
from collections.abc import Iterator
from itertools import chain, repeat

import pytest

from app.autoplay import settled
from app.rules import (
    CARD,
    RULESETS,
    Category,
    CategoryScored,
    Dice,
    DiceRolled,
    Game,
    Level,
    Roll,
    Score,
)
from app.store.command import Move
from app.store.games import GameRow
from app.strategy import choose, tables
from app.strategy.position import Position
from tests.builders import AT, PLAIN, bot, dice, on_turn, play, roll, table

LEVELS: tuple[Level, ...] = ("novice", "casual", "expert", "perfect")
DRAWS = [number / 40 for number in range(40)]
FIRST: Dice = (1, 1, 4, 5, 6)
SECOND: Dice = (2, 2, 3, 6, 6)
LYING = dice("6 6 4 3 1")


@pytest.fixture(scope="module", autouse=True)
def solved() -> None:
    """The tables that a server makes before a bot's first move."""
    tables(RULESETS["classic"])


def turn(game: Game, faces: Dice, category: Category) -> Game:
    seat = on_turn(game)
    return play(game, Roll(seat, faces), Score(seat, category))


def one_way(level: Level) -> Game:
    """Ada and a bot that has 2 in ones and 4 in twos, on turn in round 3 with dice."""
    game = table("Ada", bot(level))
    game = turn(turn(game, PLAIN, Category.CHOICE), FIRST, Category.ONES)
    game = turn(turn(game, PLAIN, Category.YACHT), SECOND, Category.TWOS)
    return roll(turn(game, PLAIN, Category.SIXES), LYING)


def another_way(level: Level) -> Game:
    """The same bot at a table of three, after other turns in another order."""
    game = table("Ada", bot(level), "Bo")
    game = turn(turn(game, SECOND, Category.ONES), SECOND, Category.TWOS)
    game = turn(turn(game, FIRST, Category.ONES), FIRST, Category.TWOS)
    game = turn(game, (1, 1, 2, 3, 3), Category.ONES)
    return roll(turn(turn(game, PLAIN, Category.YACHT), SECOND, Category.CHOICE), LYING)


def done(game: Game, seed: bytes, number: float) -> object:
    """The first thing that the bot on turn does, of which the number decides."""
    numbers: Iterator[float] = chain([number], repeat(0.5))
    move = settled(Move(GameRow("g", seed, game)), AT, lambda: next(numbers))
    match move.events[0]:
        case DiceRolled(held=held):
            return held
        case CategoryScored(category=category):
            return category
        case event:
            raise AssertionError(event)


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_bot_does_depends_on_neither_the_seed_nor_the_history(level: Level) -> None:
    """For each number the same choice, so the same distribution of choices."""
    first, second = one_way(level), another_way(level)
    assert first.seats[1].card == second.seats[1].card
    assert first.seats[0].card != second.seats[0].card
    told = [done(first, bytes(32), number) for number in DRAWS]
    for game, seed in ((first, b"\xff" * 32), (second, bytes(32)), (second, b"\x01" * 32)):
        assert [done(game, seed, number) for number in DRAWS] == told
    assert (len(set(told)) > 1) == (level != "perfect")


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_does_what_its_position_and_number_come_to(level: Level) -> None:
    """Nothing else of the game goes into the choice."""
    game = one_way(level)
    at = Position(game.seats[1].card, LYING, 2)
    for number in DRAWS:
        chosen = choose(tables(RULESETS["classic"]), at, level, number)
        made = done(game, bytes(32), number)
        assert made in {getattr(chosen, "held", None), getattr(chosen, "category", None)}


def unknowable(*cells: Category) -> Game:
    """A bot on turn before its first roll, with points on its card that no dice bring.

    No game of these rules comes here; a store that was written by others might.
    """
    game = turn(table("Ada", bot("expert"), "Bo"), PLAIN, Category.CHOICE)
    card = game.seats[1].card._replace(**dict.fromkeys(map(str, cells), 7))
    seats = (game.seats[0], game.seats[1]._replace(card=card), game.seats[2])
    return game._replace(seats=seats)


def test_a_bot_that_cannot_think_leaves_the_game_playable(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It rolls once, takes what brings most, and the next one is on turn."""
    game = unknowable(Category.YACHT)
    with caplog.at_level(logging.ERROR, "app.autoplay"):
        after, events = settled(Move(GameRow("g", bytes(32), game)), AT, lambda: 0.5)
    rolled, scored = events
    assert isinstance(rolled, DiceRolled)
    assert isinstance(scored, CategoryScored)
    offered = play(game, Roll(1, rolled.dice)).options
    assert scored.points == max(offered.values()) == offered[scored.category]
    assert on_turn(after.game) == 2
    assert "a bot failed to choose" in caplog.text


def test_a_bot_that_cannot_think_fills_its_card_all_the_same() -> None:
    game = unknowable(Category.YACHT)
    for _ in CARD:
        game = settled(Move(GameRow("g", bytes(32), game)), AT, lambda: 0.5).row.game
        for name in (2, 0):
            if game.turn is not None and on_turn(game) == name:
                category = game.seats[name].card.open_categories[0]
                game = turn(game, PLAIN, category)
    assert not game.seats[1].card.open_categories
    assert game.status == "finished"
