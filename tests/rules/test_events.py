"""A game is the fold of its events, and not every list of events is a game."""

import pytest

from app.rules import (
    NONE_HELD,
    Category,
    DiceHeld,
    DiceRolled,
    Game,
    Roll,
    Score,
    advance,
    create,
    decide,
    evolve,
    fold,
    open_game,
)
from tests.builders import AT, OPEN, PLAIN, created, play, solo, table


def test_the_version_is_the_number_of_the_last_event() -> None:
    """R58: one event for the opening, one for the start, then one a move."""
    game = solo()
    assert game.version == 2
    assert play(game, Roll(0, PLAIN), Score(0, Category.ONES)).version == 4


def test_a_game_begins_with_its_creation() -> None:
    """R58: nothing else can come first."""
    events, _ = open_game(created("Ada"))
    with pytest.raises(TypeError, match="not game_started"):
        fold(events[1:])


def test_a_game_is_created_once() -> None:
    """R58: the creation is the first event only."""
    with pytest.raises(TypeError, match="created once"):
        evolve(solo(), created("Ada"))


@pytest.mark.parametrize(
    "event",
    [
        DiceRolled(seq=2, at=AT, seat=0, round=1, roll=1, held=NONE_HELD, dice=PLAIN),
        DiceHeld(seq=2, at=AT, seat=0, held=NONE_HELD),
    ],
    ids=["roll", "hold"],
)
def test_dice_belong_to_a_turn(event: DiceRolled | DiceHeld) -> None:
    """R38, R58: a log in which dice fall while the game waits is no game's."""
    with pytest.raises(ValueError, match="no turn"):
        evolve(table("Ada", OPEN), event)


def test_what_was_created_is_what_was_asked_for() -> None:
    """R58: the first event holds everything that the game was opened with."""
    event = created("Ada", OPEN, ruleset="fixed-house", turn_seconds=30)
    assert create(event) == Game(
        version=1,
        ruleset="fixed-house",
        visibility="unlisted",
        hints=True,
        turn_seconds=30,
        host="ada",
        commitment="c0ffee",
        daily=None,
        seats=table("Ada", OPEN).seats,
        created_at=AT,
        updated_at=AT,
    )


def test_deciding_and_advancing_tell_the_same() -> None:
    """R58: the events of the one lead to the game of the other."""
    game = solo()
    command = Roll(0, PLAIN)
    events, after = advance(game, command, AT + 1)
    assert decide(game, command, AT + 1) == events
    assert evolve(game, events[0]) == after
    assert (after.created_at, after.updated_at) == (AT, AT + 1)
