"""A position that can be asked about, what can be done in it, and why others are none.

Knows no value of anything.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Literal, TypeAlias

from app.rules import CARD, NONE_HELD, ROLLS_A_TURN, Category, Dice, Held, Ruleset, Scorecard, score

PositionCode: TypeAlias = Literal[
    "card-full",
    "dice-before-first-roll",
    "dice-missing",
    "dice-not-five",
    "face-out-of-range",
    "points-impossible",
    "rolls-left-out-of-range",
]


class PositionError(ValueError):
    """No such position can come up: ``code`` says why, ``where`` names the field and the item."""

    def __init__(self, code: PositionCode, *where: str | int) -> None:
        """``where`` leads to what is wrong: ``"dice", 2`` or ``"scorecard", "ones"``."""
        super().__init__(f"{code}: {'/'.join(map(str, where))}")
        self.code: PositionCode = code
        self.where = where


@dataclass(frozen=True, slots=True)
class Position:
    """A seat on turn: its scorecard, the dice on the table, the rolls that are left.

    ``dice`` is None exactly before the first roll, with 3 rolls left. Raises PositionError for
    what cannot be on any table; ``check_points`` asks whether the ruleset allows the points.
    """

    card: Scorecard
    dice: Dice | None = None
    rolls_left: int = ROLLS_A_TURN

    def __post_init__(self) -> None:
        """Refuses what no turn comes to."""
        if not 0 <= self.rolls_left <= ROLLS_A_TURN:
            raise PositionError("rolls-left-out-of-range", "rolls_left")
        if self.dice is None:
            if self.rolls_left < ROLLS_A_TURN:
                raise PositionError("dice-missing", "dice")
        else:
            _check_dice(self.dice)
            if self.rolls_left == ROLLS_A_TURN:
                raise PositionError("dice-before-first-roll", "rolls_left")
        if None not in self.card:
            raise PositionError("card-full", "scorecard")


@dataclass(frozen=True, slots=True)
class RollChoice:
    """To roll the dice that are not held; before the first roll none is."""

    held: Held = NONE_HELD
    action: Literal["roll"] = "roll"


@dataclass(frozen=True, slots=True)
class ScoreChoice:
    """To fill a category with the dice as they lie."""

    category: Category
    action: Literal["score"] = "score"


Choice: TypeAlias = RollChoice | ScoreChoice


def check_points(ruleset: Ruleset, card: Scorecard) -> None:
    """Raises PositionError where a cell holds points that its category cannot bring."""
    for category, points in zip(CARD, card, strict=True):
        if points is not None and points not in possible_points(ruleset, category):
            raise PositionError("points-impossible", "scorecard", category)


@cache
def possible_points(ruleset: Ruleset, category: Category) -> frozenset[int]:
    """All that five dice can bring in the category, 0 included."""
    return frozenset(
        score(ruleset, category, dice) for dice in combinations_with_replacement(range(1, 7), 5)
    )


def _check_dice(dice: tuple[int, ...]) -> None:
    if len(dice) != len(NONE_HELD):
        raise PositionError("dice-not-five", "dice")
    for place, face in enumerate(dice):
        if face not in range(1, 7):
            raise PositionError("face-out-of-range", "dice", place)
