"""How the points still to come are distributed under perfect play, exactly. Knows no seat.

A distribution is an array: entry ``t`` is the chance of ``t`` points.
"""

import numpy as np

from app.rules import CARD, Ruleset
from app.strategy.multisets import ROLL_CHANCES, ROLLS, FloatArray, IntArray, added_up
from app.strategy.solver import SETS_BY_SIZE, OncePerRuleset, Tables, Turns, chunks, tables


class Distributions:
    """The distribution of the points still to come, for every set of open categories.

    Each is as long as the most that its categories can bring, and one: 4.9 MB in the classic
    ruleset, half of what 4,096 rows of 298 would take, so that no accuracy has to be given up.
    """

    def __init__(self, solved: Tables) -> None:
        """Takes a second or two of CPU time, in pieces of some milliseconds at most."""
        self._tables = solved
        self._outcomes = _Outcomes(solved.points)
        most = solved.points.max(axis=1).astype(np.intp)
        lengths = 1 + (np.arange(1 << len(CARD))[:, None] >> np.arange(len(CARD)) & 1) @ most
        in_order = np.concatenate(SETS_BY_SIZE)
        self._ends = np.empty(len(lengths), np.intp)
        self._ends[in_order] = np.cumsum(lengths[in_order])
        self._lengths = lengths
        level = np.ones((1, 1))  # nothing is open: no points, for certain
        chances = [level[0]]
        for sets in SETS_BY_SIZE[1:]:
            level = self._level(sets, level)
            chances.append(level[np.arange(level.shape[1]) < lengths[sets][:, None]])
        self._chances = np.concatenate(chances)

    def to_come(self, only: int) -> FloatArray:
        """The points still to come with these categories open, before a turn's first roll."""
        end = self._ends[only]
        return self._chances[end - self._lengths[only] : end]

    def to_come_from(self, only: int, roll: int, rolls_left: int) -> FloatArray:
        """The points still to come in a turn in which this roll lies on the table."""
        rolled = np.zeros((ROLLS, 1))
        rolled[roll] = 1.0
        chances = self._outcomes.chances(self._tables.turn(only), rolled, rolls_left)[:, 0]
        total = np.zeros(self._lengths[only])
        for outcome in np.flatnonzero(chances):
            later = self.to_come(only & ~(1 << self._outcomes.categories[outcome]))
            points = self._outcomes.points[outcome]
            total[points : points + len(later)] += chances[outcome] * later
        return total

    def _level(self, sets: IntArray, smaller: FloatArray) -> FloatArray:
        """The distributions of all sets of a size, (n, length), from those of the next smaller."""
        length = self._lengths[sets].max()
        size = int(sets[0]).bit_count()
        place = np.zeros(len(self._lengths), np.intp)
        place[SETS_BY_SIZE[size - 1]] = np.arange(len(smaller))
        level = [self._chunk(chunk, smaller, place, length) for chunk in chunks(sets)]
        return np.concatenate(level)

    def _chunk(
        self, sets: IntArray, smaller: FloatArray, place: IntArray, length: int
    ) -> FloatArray:
        rolled = np.repeat(ROLL_CHANCES[:, None], len(sets), axis=1)
        chances = self._outcomes.chances(self._tables.turns(sets), rolled, 2)
        totals = np.zeros((len(sets), length))
        for category in range(len(CARD)):
            bit = 1 << category
            members = np.flatnonzero(sets & bit)
            later = smaller[place[sets[members] & ~bit]]
            added = np.zeros((len(members), length))
            for outcome in np.flatnonzero(self._outcomes.categories == category):
                points = self._outcomes.points[outcome]
                reach = min(later.shape[1], length - points)  # beyond it there are only zeros
                share = chances[outcome, members][:, None]
                added[:, points : points + reach] += share * later[:, :reach]
            totals[members] += added
        return totals


class _Outcomes:
    """The ways in which a turn can end: a category, and points in it; about a hundred."""

    def __init__(self, points: FloatArray) -> None:
        pairs = [(i, int(worth)) for i, row in enumerate(points) for worth in np.unique(row)]
        self.categories = np.array([category for category, _ in pairs])
        self.points = np.array([worth for _, worth in pairs])
        numbers = {pair: number for number, pair in enumerate(pairs)}
        self._numbers = np.array(
            [[numbers[i, int(worth)] for worth in row] for i, row in enumerate(points)]
        )

    def chances(self, turns: Turns, rolled: FloatArray, rolls_left: int) -> FloatArray:
        """How probable each outcome is, (outcomes, n), from the chances (252, n) of rolls now."""
        ended = turns.policy.endings(rolled, rolls_left)
        numbers = self._numbers[turns.policy.written, np.arange(ROLLS)[:, None]]
        count = ended.shape[1]
        cells = numbers * count + np.arange(count)
        return added_up(ended, cells, len(self.points) * count).reshape(-1, count)


def _of(ruleset: Ruleset) -> Distributions:
    return Distributions(tables(ruleset))


distributions = OncePerRuleset(_of)
"""The distributions of a ruleset, worked out at the first call, its tables too where need be."""
