"""Every reason to refuse a command, and which one is given where several hold."""

import pytest

from app.rules import (
    NONE_HELD,
    Anonymise,
    Cancel,
    Category,
    Command,
    Game,
    Hold,
    Join,
    Leave,
    Roll,
    RuleViolation,
    Score,
    SetEntropy,
    Start,
    advance,
    decide,
    why_not,
)
from tests.builders import (
    AT,
    OPEN,
    PLAIN,
    held,
    play,
    play_to_end,
    refusal,
    resign,
    roll,
    solo,
    table,
    take_turn,
)

ALL_HELD = held(0, 1, 2, 3, 4)

WAITING = table("Ada", OPEN)
STARTED = table("Ada", "Bo")
ROLLED = roll(STARTED)
THRICE = roll(roll(ROLLED))
SECOND_TURN = take_turn(solo(), Category.CHOICE)
ONE_RESIGNED = play(table("Ada", "Bo", "Cy"), resign(1))
FINISHED = play_to_end(STARTED)
CANCELLED = play(WAITING, Cancel("host"))

MOVES: list[Command] = [
    Roll(1, PLAIN, ALL_HELD),
    Hold(1, ALL_HELD),
    Score(1, Category.CHOICE),
    resign(0),
]
WAITING_ONLY: list[Command] = [Join("Ada", "ada"), Leave(0), Start(), Cancel("host")]


REFUSED: dict[str, tuple[Game, Command, str]] = {
    "first roll, all held": (STARTED, Roll(0, PLAIN, ALL_HELD), "roll-first"),
    "fourth roll, all held": (THRICE, Roll(0, PLAIN, ALL_HELD), "no-rolls-left"),
    "second roll, all held": (ROLLED, Roll(0, PLAIN, ALL_HELD), "all-dice-held"),
    "hold before the first roll": (STARTED, Hold(0, ALL_HELD), "roll-first"),
    "hold after the third, no change": (THRICE, Hold(0, NONE_HELD), "no-rolls-left"),
    "used category, no dice": (SECOND_TURN, Score(0, Category.CHOICE), "roll-first"),
    "used category": (roll(SECOND_TURN), Score(0, Category.CHOICE), "category-used"),
    "join twice": (WAITING, Join("Ada", "ada"), "already-seated"),
    "the host leaves": (WAITING, Leave(0), "host-must-cancel"),
    "late entropy": (ROLLED, SetEntropy(0, "x"), "entropy-closed"),
    "resign twice": (ONE_RESIGNED, resign(1), "already-resigned"),
}


def kind(command: object) -> str:
    return type(command).__name__.lower()


@pytest.mark.parametrize("command", MOVES, ids=kind)
def test_a_game_that_waits_is_not_started(command: Command) -> None:
    """R60: this comes before the turn, the dice and the choice, all of which are wrong too."""
    assert refusal(WAITING, command) == "not-started"


@pytest.mark.parametrize("command", WAITING_ONLY, ids=kind)
def test_a_game_that_runs_has_already_started(command: Command) -> None:
    """R60: this comes before already-seated and host-must-cancel."""
    assert refusal(STARTED, command) == "already-started"


@pytest.mark.parametrize("game", [FINISHED, CANCELLED], ids=["finished", "cancelled"])
@pytest.mark.parametrize("command", [*MOVES, *WAITING_ONLY, SetEntropy(0, "x")], ids=kind)
def test_a_game_that_has_ended_is_over(game: Game, command: Command) -> None:
    """R53, R60: this comes before every other reason."""
    assert refusal(game, command) == "game-over"


@pytest.mark.parametrize("game", [STARTED, ROLLED, THRICE], ids=["no dice", "dice", "no rolls"])
@pytest.mark.parametrize("command", MOVES[:3], ids=kind)
def test_whose_turn_it_is_comes_before_the_dice(game: Game, command: Command) -> None:
    """R60: seat 1 is told that it is not its turn, not what else is wrong."""
    assert refusal(game, command) == "not-your-turn"


@pytest.mark.parametrize(("game", "command", "code"), REFUSED.values(), ids=REFUSED)
def test_the_dice_come_before_the_choice(game: Game, command: Command, code: str) -> None:
    """R60: the last two steps of the order, and the reasons of the commands that are no moves."""
    assert refusal(game, command) == code


def test_taking_a_name_is_never_refused() -> None:
    """R60: in a game of any status."""
    for game in (WAITING, STARTED, FINISHED, CANCELLED):
        assert refusal(game, Anonymise("ada")) is None


@pytest.mark.parametrize(("game", "command", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_raised_and_changes_nothing(
    game: Game, command: Command, code: str
) -> None:
    """R59: deciding raises the reason that asking gives."""
    before = repr(game)
    violation = why_not(game, command)
    assert violation is not None
    for refuse in (decide, advance):
        with pytest.raises(type(violation)) as refused:
            refuse(game, command, AT)
        assert refused.value.code == code
    assert repr(game) == before


def test_every_reason_has_a_code_of_its_own() -> None:
    """R60: fourteen classes, fourteen codes, and no other is ever given."""
    codes = [violation.code for violation in RuleViolation.__subclasses__()]
    assert sorted(codes) == [
        "all-dice-held",
        "already-resigned",
        "already-seated",
        "already-started",
        "category-used",
        "entropy-closed",
        "game-over",
        "host-must-cancel",
        "no-rolls-left",
        "not-finished",
        "not-started",
        "not-your-turn",
        "roll-first",
        "turn-expired",
    ]


def test_a_refused_roll_leaves_dice_and_marks() -> None:
    """R59: a fourth roll changes neither; the turn can still be scored."""
    game = roll(roll(roll(solo(), PLAIN), PLAIN, held(1)), PLAIN, NONE_HELD)
    before = game.turn
    assert refusal(game, Roll(0, PLAIN)) == "no-rolls-left"
    assert game.turn == before
    assert refusal(game, Score(0, Category.CHOICE)) is None
