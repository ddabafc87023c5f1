"""What there is to say of a ruleset before any game: its value, first turns, last categories."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.rules import CARD, ROLLS_A_TURN, Category
from app.strategy.choices import kept_faces
from app.strategy.multisets import ROLL_CHANCES, ROLLS
from app.strategy.solver import ALL_OPEN, HOLD_CODE, Tables


@dataclass(frozen=True, slots=True)
class OpeningHold:
    """Faces to keep of a first roll: ``chance`` of a roll where that is best, expected total."""

    kept: tuple[int, ...]
    chance: float
    expected_total: float


@dataclass(frozen=True, slots=True)
class OpeningScore:
    """A category to fill at once with a first roll, as OpeningHold."""

    category: Category
    points: int
    chance: float
    expected_total: float


@dataclass(frozen=True, slots=True)
class Opening:
    """A new game: its expected total, what is best after its first roll, highest totals first.

    ``last_categories`` is what a turn brings on average in each category, in card order, where it
    is the only one still open.
    """

    expected_total: float
    holds: tuple[OpeningHold, ...]
    scores: tuple[OpeningScore, ...]
    last_categories: Mapping[Category, float]


def opening(tables: Tables) -> Opening:
    """What perfect play does first, and what it comes to; the chances of all rows add up to 1."""
    rolls = np.arange(ROLLS)
    found = tables.turn(ALL_OPEN).choices(np.zeros(ROLLS, np.intp), rolls, ROLLS_A_TURN - 1)
    codes = found.codes[rolls, found.best]
    values = found.values[rolls, found.best]
    holds: dict[tuple[int, ...], OpeningHold] = {}
    scores: dict[tuple[Category, int], OpeningScore] = {}
    for roll in rolls:
        code, value, chance = int(codes[roll]), float(values[roll]), float(ROLL_CHANCES[roll])
        if code < HOLD_CODE:
            category, points = CARD[code], int(tables.points[code, roll])
            score = scores.get((category, points))
            chance += score.chance if score else 0.0
            scores[category, points] = OpeningScore(category, points, chance, value)
        else:
            kept = kept_faces(code)
            hold = holds.get(kept)
            chance += hold.chance if hold else 0.0
            holds[kept] = OpeningHold(kept, chance, value)
    return Opening(
        tables.expected_total,
        tuple(sorted(holds.values(), key=lambda row: -row.expected_total)),
        tuple(sorted(scores.values(), key=lambda row: -row.expected_total)),
        {category: tables.value_alone(category) for category in CARD},
    )
