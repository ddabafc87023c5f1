"""Points worked out a second time, from the words of the rules, to hold against the rules."""

from collections.abc import Mapping
from itertools import product

from app.rules import CARD, Category, Dice, Ruleset

NUMBERS: Mapping[Category, int] = {category: face for face, category in enumerate(CARD[:6], 1)}

ROLLS: tuple[Dice, ...] = tuple((a, b, c, d, e) for a, b, c, d, e in product(range(1, 7), repeat=5))
"""All 7,776 ordered rolls."""


def expected_points(ruleset: Ruleset, category: Category, dice: Dice) -> int:
    """What the dice bring in the category, by counting how many dice show each face."""
    counts = [dice.count(face) for face in range(1, 7)]
    alike = sorted(count for count in counts if count)
    if category in NUMBERS:
        face = NUMBERS[category]
        return face * counts[face - 1]
    if category is Category.FULL_HOUSE:
        is_house = alike == [2, 3] or (ruleset.five_alike_is_full_house and alike == [5])
        fixed = ruleset.full_house_points
        return (sum(dice) if fixed is None else fixed) if is_house else 0
    if category is Category.FOUR_OF_A_KIND:
        if alike[-1] < 4:
            return 0
        face = counts.index(alike[-1]) + 1
        return face * 4 if not ruleset.four_of_a_kind_counts_all else sum(dice)
    if category is Category.LITTLE_STRAIGHT:
        return ruleset.little_straight_points if counts == [1, 1, 1, 1, 1, 0] else 0
    if category is Category.BIG_STRAIGHT:
        return ruleset.big_straight_points if counts == [0, 1, 1, 1, 1, 1] else 0
    if category is Category.CHOICE:
        return sum(dice)
    return 50 if alike == [5] else 0
