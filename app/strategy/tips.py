"""Why the best choice is best, in words that are true of the very position.

Each of the six ideas of play is a code; what is said of the position is a text with places for
values. The texts claim only what the tables show: how the turn ends is taken from the exact
chances under perfect play, not from how the dice look.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import numpy as np

from app.rules import CARD, Category, Dice, Scorecard
from app.strategy.multisets import (
    KEEPS,
    MULTISETS,
    ROLLS,
    added_up,
    after_the_roll,
    removed,
)
from app.strategy.solver import TIE, Tables, open_set

TipCode: TypeAlias = Literal[
    "keep-options-open",
    "exact-straights",
    "choice-as-insurance",
    "high-fours",
    "deliberate-zero",
    "whole-card",
]
TIP_CODES: tuple[TipCode, ...] = get_args(TipCode)

TipValue: TypeAlias = int | Category | tuple[int, ...] | tuple[Category, ...]
"""A number, a category, or a list of faces or of categories."""

STRAIGHTS: Mapping[Category, frozenset[int]] = MappingProxyType(
    {
        Category.LITTLE_STRAIGHT: frozenset((1, 2, 3, 4, 5)),
        Category.BIG_STRAIGHT: frozenset((2, 3, 4, 5, 6)),
    }
)
NOTICED = 0.05
"""A category counts as a way to end the turn well where the chance of that is this high."""
MOST_NAMED = 3
HIGH_FACE = 4


@dataclass(frozen=True, slots=True)
class Tip:
    """The idea, the key of the text, and what goes into its places."""

    code: TipCode
    key: str
    values: Mapping[str, TipValue]


def _tip(code: TipCode, variant: str, **values: TipValue) -> Tip:
    return Tip(code, f"tip.{code}.{variant}", MappingProxyType(values))


def first_roll_tip(still_open: tuple[Category, ...]) -> Tip:
    """For a turn that has no dice yet."""
    if len(still_open) == 1:
        return _tip("whole-card", "first-roll", category=still_open[0])
    return _tip("keep-options-open", "first-roll", count=len(still_open))


def score_tip(
    tables: Tables,
    dice: Dice,
    rolls_left: int,
    category: Category,
    brought: Mapping[Category, int],
) -> Tip:
    """For a category that it is best to fill; ``brought`` are the points in each open one."""
    points = brought[category]
    if points == 0:
        return _zero_tip(category, brought)
    is_only = len(brought) == 1
    if category is Category.CHOICE:
        if is_only:
            variant = "only-stop" if rolls_left else "only"
            return _tip("choice-as-insurance", variant, category=category, points=points)
        average = tables.value_alone(category)
        if points < average:
            return _tip("choice-as-insurance", "written-low", category=category, points=points)
        return _tip(
            "choice-as-insurance",
            "written-high",
            category=category,
            points=points,
            average=round(average),
        )
    if category in STRAIGHTS:
        return _tip("exact-straights", "written", category=category, points=points)
    if category is Category.FOUR_OF_A_KIND:
        face = sorted(dice)[2]  # the one in the middle is always one of the four
        variant = "written" if face >= HIGH_FACE else "written-low"
        return _tip("high-fours", variant, face=face, points=points)
    return _writing_tip(rolls_left, category, brought)


def _zero_tip(category: Category, brought: Mapping[Category, int]) -> Tip:
    if len(brought) == 1:
        return _tip("deliberate-zero", "only", category=category)
    other = max(brought, key=lambda known: brought[known])
    if brought[other] == 0:
        return _tip("deliberate-zero", "unfit", category=category)
    return _tip("deliberate-zero", "instead", category=category, other=other, points=brought[other])


def _writing_tip(rolls_left: int, category: Category, brought: Mapping[Category, int]) -> Tip:
    points = brought[category]
    other = max(brought, key=lambda known: brought[known])
    if brought[other] > points:
        return _tip(
            "whole-card",
            "written-fewer",
            category=category,
            points=points,
            other=other,
            other_points=brought[other],
        )
    if rolls_left:
        return _tip("whole-card", "written-stop", category=category, points=points)
    variant = "only" if len(brought) == 1 else "written"
    return _tip("whole-card", variant, category=category, points=points)


def roll_tip(tables: Tables, card: Scorecard, dice: Dice, rolls_left: int, keep: int) -> Tip:
    """For a keep that it is best to roll on with."""
    still_open = card.open_categories
    kept = MULTISETS[keep]
    rest = removed(tuple(sorted(dice)), kept)
    ends = _Ends(tables, card, rolls_left, keep)
    return (
        _straight_tip(still_open, kept, rest, ends)
        or _fours_tip(still_open, kept, ends)
        or _choice_tip(still_open, kept, rest, ends)
        or _goals_tip(still_open, kept, ends)
    )


class _Ends:
    """How the turn ends under perfect play after rolling on with a keep.

    It ends well where it brings points and, all in all, no less than was to be expected either
    before the turn or of the keep, whichever is less.
    """

    def __init__(self, tables: Tables, card: Scorecard, rolls_left: int, keep: int) -> None:
        rolled = np.zeros((KEEPS, 1))
        rolled[keep] = 1.0
        only = open_set(card)
        turn = tables.turn(only)
        policy = turn.policy
        ended = policy.endings(after_the_roll(rolled), rolls_left - 1)[:, 0]
        written = policy.written[:, 0]
        brings_points = tables.points[written, np.arange(ROLLS)] > 0
        par = min(tables.values[only], turn.held[rolls_left - 1][keep, 0])
        reaches_par = turn.rolled[0][:, 0] >= par - TIE
        self._all = added_up(ended, written, len(CARD))
        self._good = added_up(ended * brings_points * reaches_par, written, len(CARD))

    def chance(self, category: Category) -> float:
        """Of ending well in the category."""
        return float(self._good[CARD.index(category)])

    def is_likeliest(self, category: Category) -> bool:
        """Whether no other category is more likely to be filled, be it with nothing."""
        return bool(self._all[CARD.index(category)] >= self._all.max())

    def likely(self) -> tuple[Category, ...]:
        """The categories in which it may well end well, the likeliest first."""
        order = np.argsort(-self._good, kind="stable")
        return tuple(CARD[i] for i in order if self._good[i] >= NOTICED)

    def likeliest(self) -> Category:
        """The category in which it is likeliest to end well."""
        return CARD[int(np.argmax(self._good))]


def _straight_tip(
    still_open: tuple[Category, ...], kept: tuple[int, ...], rest: tuple[int, ...], ends: _Ends
) -> Tip | None:
    faces = frozenset(kept)
    if len(faces) != len(kept) or len(rest) != 1:
        return None
    rolled = rest[0]
    targets = {
        category: next(iter(straight - faces))
        for category, straight in STRAIGHTS.items()
        if category in still_open and faces < straight and ends.chance(category) >= NOTICED
    }
    # A die that would complete the straight is rolled again for the other one's sake.
    targets = {category: face for category, face in targets.items() if face != rolled}
    if not targets:
        return None
    return _tip(
        "exact-straights",
        "duplicate" if rolled in faces else "outlier",
        kept=kept,
        rolled=rolled,
        missing=tuple(targets.values()),
        categories=tuple(targets),
    )


def _fours_tip(still_open: tuple[Category, ...], kept: tuple[int, ...], ends: _Ends) -> Tip | None:
    if Category.FOUR_OF_A_KIND not in still_open or len(set(kept)) != 1:
        return None
    face = kept[0]
    variant = {3: "three", 4: "four"}.get(len(kept))
    if variant is None or face < HIGH_FACE or ends.chance(Category.FOUR_OF_A_KIND) < NOTICED:
        return None
    return _tip("high-fours", variant, face=face, points=4 * face)


def _choice_tip(
    still_open: tuple[Category, ...], kept: tuple[int, ...], rest: tuple[int, ...], ends: _Ends
) -> Tip | None:
    if Category.CHOICE not in still_open or not ends.is_likeliest(Category.CHOICE):
        return None
    is_only = len(still_open) == 1
    if not kept:
        if is_only:
            return _tip("choice-as-insurance", "none-only", category=Category.CHOICE)
        return None
    if min(kept) <= max(rest):
        return None
    variant = "hold-only" if is_only else "hold"
    return _tip("choice-as-insurance", variant, category=Category.CHOICE, kept=kept)


def _goals_tip(still_open: tuple[Category, ...], kept: tuple[int, ...], ends: _Ends) -> Tip:
    variant = "hold" if kept else "none"
    values: dict[str, TipValue] = {"kept": kept} if kept else {}
    if len(still_open) == 1:
        return _tip("whole-card", f"only-{variant}", category=still_open[0], **values)
    likely = ends.likely()
    if len(likely) > 1:
        return _tip("keep-options-open", variant, categories=likely[:MOST_NAMED], **values)
    return _tip("whole-card", f"goal-{variant}", category=ends.likeliest(), **values)
