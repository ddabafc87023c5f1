"""The end of a game worked out a second time: plain Python, fractions, every ordered roll.

It shares nothing with the solver but the categories' names: points come from a second reckoning
too, and chances from counting all that the dice can show.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from app.rules import Category, Dice, Ruleset
from tests.rules.plain_scoring import expected_points

Faces = tuple[int, ...]


@cache
def throws(count: int) -> list[tuple[Faces, int]]:
    """What so many dice can show, sorted, and in how many ways."""
    shown = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
    return list(shown.items())


def as_dice(faces: Faces) -> Dice:
    """Five faces as dice."""
    first, second, third, fourth, fifth = faces
    return first, second, third, fourth, fifth


ROLLS: list[Dice] = [as_dice(faces) for faces, _ in throws(5)]
"""The 252 rolls, sorted."""


def keeps(dice: Faces) -> set[Faces]:
    """All that can be kept of the dice, all five excepted."""
    return {tuple(sorted(kept)) for count in range(len(dice)) for kept in combinations(dice, count)}


@cache
def points(ruleset: Ruleset, category: Category, dice: Dice) -> int:
    """What the dice bring in the category."""
    return expected_points(ruleset, category, dice)


class Endgame:
    """Perfect play with few categories left."""

    def __init__(self, ruleset: Ruleset, *categories: Category) -> None:
        self.ruleset = ruleset
        self.categories = categories
        self._after = {
            category: Endgame(ruleset, *(other for other in categories if other != category))
            for category in categories
        }
        self._holding: dict[tuple[Faces, int], Fraction] = {}
        self._rolled: dict[tuple[Faces, int], Fraction] = {}

    def expected(self) -> Fraction:
        """What is still to come before the first roll."""
        return self.holding((), 3) if self.categories else Fraction(0)

    def scoring(self, category: Category, dice: Dice) -> Fraction:
        """What filling the category now comes to."""
        return points(self.ruleset, category, dice) + self._after[category].expected()

    def rolled(self, dice: Faces, rolls_left: int) -> Fraction:
        """What dice on the table are worth."""
        known = (tuple(sorted(dice)), rolls_left)
        if known not in self._rolled:
            self._rolled[known] = max(self.choices(dice, rolls_left))
        return self._rolled[known]

    def choices(self, dice: Faces, rolls_left: int) -> Iterator[Fraction]:
        """What each choice is worth."""
        for category in self.categories:
            yield self.scoring(category, as_dice(dice))
        if rolls_left:
            for kept in keeps(dice):
                yield self.holding(kept, rolls_left)

    def holding(self, kept: Faces, rolls_left: int) -> Fraction:
        """What it is worth to roll all but the kept faces."""
        known = (kept, rolls_left)
        if known not in self._holding:
            count = 5 - len(kept)
            total = sum(
                ways * self.rolled(tuple(sorted(kept + shown)), rolls_left - 1)
                for shown, ways in throws(count)
            )
            self._holding[known] = Fraction(total) / 6**count
        return self._holding[known]
