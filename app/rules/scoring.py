"""What five dice are worth: categories, scorecards, rulesets. Knows no turn, seat or game."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

Dice: TypeAlias = tuple[int, int, int, int, int]
"""Five faces, 1 to 6, in the order in which they lie on the table."""

Held: TypeAlias = tuple[bool, bool, bool, bool, bool]
"""For each of the five positions: does this die stay on the next roll?"""

YACHT_POINTS = 50


class Category(StrEnum):
    """The twelve lines of a scorecard, in card order; the value is the slug used everywhere."""

    # A member equals its slug, so it may hash as one: in C, where an enum's own hash is Python.
    __hash__ = str.__hash__

    ONES = "ones"
    TWOS = "twos"
    THREES = "threes"
    FOURS = "fours"
    FIVES = "fives"
    SIXES = "sixes"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    LITTLE_STRAIGHT = "little_straight"
    BIG_STRAIGHT = "big_straight"
    CHOICE = "choice"
    YACHT = "yacht"


CARD: tuple[Category, ...] = tuple(Category)
"""The categories in card order: cell ``i`` of a scorecard belongs to ``CARD[i]``."""

_POSITION: Mapping[str, int] = MappingProxyType({slug: i for i, slug in enumerate(CARD)})
_LITTLE = [1, 2, 3, 4, 5]
_BIG = [2, 3, 4, 5, 6]


class Scorecard(NamedTuple):
    """Twelve cells in card order: points, 0 being a filled cell, or None for an open category."""

    ones: int | None = None
    twos: int | None = None
    threes: int | None = None
    fours: int | None = None
    fives: int | None = None
    sixes: int | None = None
    full_house: int | None = None
    four_of_a_kind: int | None = None
    little_straight: int | None = None
    big_straight: int | None = None
    choice: int | None = None
    yacht: int | None = None

    def points(self, category: Category) -> int | None:
        """The points in the category's cell, None while it is open."""
        return self[_POSITION[category]]

    @property
    def open_categories(self) -> tuple[Category, ...]:
        """The categories still to be filled, in card order."""
        return tuple(
            category for category, points in zip(CARD, self, strict=True) if points is None
        )

    @property
    def filled(self) -> int:
        """How many cells are filled: 0 to 12, which is the number of turns this card has had."""
        return len(CARD) - self.count(None)

    @property
    def total(self) -> int:
        """The plain sum of the filled cells; Yacht knows no bonus."""
        return sum(filter(None, self))

    def fill(self, category: Category, points: int) -> "Scorecard":
        """The card with one more cell filled."""
        return self._replace(**{category: points})


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A way of playing, as plain data: five switches, and the slug that names their combination."""

    slug: str
    full_house_points: int | None = None
    """Fixed points for a full house; None: the sum of the five dice."""
    five_alike_is_full_house: bool = False
    four_of_a_kind_counts_all: bool = False
    """Whether four of a kind adds the fifth die to the four."""
    little_straight_points: int = 30
    big_straight_points: int = 30

    @property
    def maximum(self) -> int:
        """The highest total a card can reach."""
        return sum(maximum(self, category) for category in CARD)


RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {
        ruleset.slug: ruleset
        for ruleset in (
            Ruleset("classic"),
            Ruleset("fixed-house", full_house_points=25),
            Ruleset("short-straights", little_straight_points=15, big_straight_points=20),
            Ruleset("sum-of-five", five_alike_is_full_house=True, four_of_a_kind_counts_all=True),
        )
    }
)
"""The presets, by slug."""


def score(ruleset: Ruleset, category: Category, dice: Dice) -> int:
    """Points that the dice, in any order, bring in the category: 0 where they do not fit."""
    return _worth(ruleset, tuple(sorted(dice)))[_POSITION[category]]


def scores(ruleset: Ruleset, dice: Dice) -> dict[Category, int]:
    """Points that the dice, in any order, would bring in each of the twelve categories."""
    return dict(zip(CARD, _worth(ruleset, tuple(sorted(dice))), strict=True))


def options(ruleset: Ruleset, card: Scorecard, dice: Dice) -> dict[Category, int]:
    """Points that the dice would bring in each category still open on the card, in card order."""
    worth = _worth(ruleset, tuple(sorted(dice)))
    return {
        category: points
        for category, points, cell in zip(CARD, worth, card, strict=True)
        if cell is None
    }


@cache
def maximum(ruleset: Ruleset, category: Category) -> int:
    """The most that the category can bring, by trying every combination of five dice."""
    return max(
        _points(ruleset, category, dice) for dice in combinations_with_replacement(range(1, 7), 5)
    )


# 252 sorted rolls in each of a handful of rulesets: everything a server asks stays in the cache.
@lru_cache(maxsize=4096)
def _worth(ruleset: Ruleset, dice: tuple[int, ...]) -> tuple[int, ...]:
    """Points of the sorted dice in each category, in card order."""
    return tuple(_points(ruleset, category, dice) for category in CARD)


def _points(ruleset: Ruleset, category: Category, dice: tuple[int, ...]) -> int:
    (face, most), *others = Counter(dice).most_common()
    match category:
        case Category.FULL_HOUSE:
            three_and_two = most == 3 and others[0][1] == 2  # noqa: PLR2004 - the rule itself
            if three_and_two or (not others and ruleset.five_alike_is_full_house):
                return sum(dice) if ruleset.full_house_points is None else ruleset.full_house_points
            return 0
        case Category.FOUR_OF_A_KIND:
            if most < 4:  # noqa: PLR2004 - the rule itself
                return 0
            return sum(dice) if ruleset.four_of_a_kind_counts_all else 4 * face
        case Category.LITTLE_STRAIGHT:
            return ruleset.little_straight_points if sorted(dice) == _LITTLE else 0
        case Category.BIG_STRAIGHT:
            return ruleset.big_straight_points if sorted(dice) == _BIG else 0
        case Category.CHOICE:
            return sum(dice)
        case Category.YACHT:
            return YACHT_POINTS if not others else 0
        case _:
            number = _POSITION[category] + 1
            return number * dice.count(number)
