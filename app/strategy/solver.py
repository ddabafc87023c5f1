"""Perfect play, solved: what each set of open categories is worth, and each choice in a turn.

Yacht has no bonus, so all that a card leaves to come is which categories are open: a set of
twelve, written as a number of twelve bits, bit ``i`` for ``CARD[i]``. Values are the points that
are still expected to come. Knows no game and no seat.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import Generic, TypeVar

import numpy as np

from app.rules import CARD, Category, Dice, Ruleset, Scorecard, scores
from app.strategy.multisets import (
    EMPTY,
    HOLD_TABLE,
    KEEPS,
    MULTISETS,
    NO_HOLD,
    ROLLS,
    FloatArray,
    IntArray,
    added_up,
    after_the_roll,
    before_the_roll,
    best_within,
    roll_number,
)

ALL_OPEN = (1 << len(CARD)) - 1
TIE = 1e-9
"""Choices whose values differ by no more than this are equally good: the rest is rounding."""

HOLD_CODE = len(CARD)
"""A choice as a number: ``i`` fills ``CARD[i]``, ``HOLD_CODE + k`` rolls again and keeps ``k``."""

_CHUNK = 128  # sets at a time: small enough for the processor's cache, and for others to get a turn
_TURNS_KEPT = 128  # of about 16 kB each, for each ruleset

_Computed = TypeVar("_Computed")


def open_set(card: Scorecard) -> int:
    """The categories that are open on the card, as a number of twelve bits."""
    return sum(1 << i for i, points in enumerate(card) if points is None)


def _sets_by_size() -> tuple[IntArray, ...]:
    sets = np.arange(ALL_OPEN + 1)
    sizes = np.bitwise_count(sets)
    return tuple(sets[sizes == size] for size in range(len(CARD) + 1))


SETS_BY_SIZE = _sets_by_size()
"""All sets of open categories, in arrays of those with none, one, two … twelve of them."""


def chunks(sets: IntArray) -> list[IntArray]:
    """The sets in portions that are worked on at a time."""
    return [sets[start : start + _CHUNK] for start in range(0, len(sets), _CHUNK)]


@dataclass(frozen=True)
class Policy:
    """What perfect play does in the n sets of a Turns, ties settled; arrays are (252, n)."""

    written: IntArray
    """The category, as its place in CARD, that the roll fills where it is written."""
    held: tuple[IntArray, IntArray]
    """With one and with two rolls left: the keep that is rolled, NO_HOLD where it is written."""

    def endings(self, rolled: FloatArray, rolls_left: int) -> FloatArray:
        """How probable it is that the turn ends by writing each roll, (252, n).

        ``rolled`` (252, n) are the chances of the rolls that may lie on the table now.
        """
        ended = np.zeros_like(rolled)
        for held in reversed(self.held[:rolls_left]):
            is_written = held == NO_HOLD
            ended += np.where(is_written, rolled, 0.0)
            count = held.shape[1]
            cells = np.where(is_written, KEEPS, held) * count + np.arange(count)
            kept = added_up(rolled, cells, (KEEPS + 1) * count)
            rolled = after_the_roll(kept.reshape(KEEPS + 1, count)[:KEEPS])
        return ended + rolled


class Turns:
    """One turn in each of n sets of open categories: what every state in it is worth."""

    def __init__(
        self, points: FloatArray, order: IntArray, values: FloatArray, sets: IntArray
    ) -> None:
        """``points`` and ``order`` are those of Tables; ``values`` must hold all smaller sets."""
        self._points = points
        self._order = order
        bits = 1 << np.arange(len(CARD))[:, None]
        self.later = np.where(sets & bits, values[sets & ~bits], -np.inf)
        """(12, n): what is still to come once the category is filled; -inf where it is not open."""
        written = np.full((ROLLS, len(sets)), -np.inf)
        for category in np.flatnonzero(np.bitwise_or.reduce(sets) & bits[:, 0]):
            np.maximum(written, points[category][:, None] + self.later[category], out=written)
        hold_1 = before_the_roll(written)
        after_two = np.maximum(written, best_within(hold_1))
        hold_2 = before_the_roll(after_two)
        after_one = np.maximum(written, best_within(hold_2))
        self.rolled = (written, after_two, after_one)
        """(252, n) each: what a roll is worth with none, one and two rolls left."""
        self.held = (hold_1, hold_2)
        """(210, n) each: what rolling on with a keep is worth, with one and two rolls left."""

    @property
    def start(self) -> FloatArray:
        """(n,): what the turn and all later ones are worth before its first roll."""
        empty_keep: FloatArray = before_the_roll(self.rolled[2])[EMPTY]
        return empty_keep

    def choices(self, columns: IntArray, rolls: IntArray, rolls_left: int) -> "Choices":
        """All that can be done with m rolls, each in the set of its column."""
        codes = self._order[rolls]
        values = self._points[codes, rolls[:, None]] + self.later[codes, columns[:, None]]
        if rolls_left:
            held = HOLD_TABLE[rolls]
            kept = self.held[rolls_left - 1][held, columns[:, None]]
            codes = np.concatenate([codes, HOLD_CODE + held], axis=1)
            values = np.concatenate([values, np.where(held == NO_HOLD, -np.inf, kept)], axis=1)
        return Choices(codes, values)

    @cached_property
    def policy(self) -> Policy:
        """What perfect play does here."""
        written, *after = self.rolled
        values = self._points[self._order, np.arange(ROLLS)[:, None]] + self.later.T[:, self._order]
        first = np.argmax(values >= written.T[:, :, None] - TIE, axis=2).T
        category = np.take_along_axis(self._order, first, axis=1)
        held = [_best_hold(written, *pair) for pair in zip(after, self.held, strict=True)]
        return Policy(category, (held[0], held[1]))


def _best_hold(written: FloatArray, rolled: FloatArray, kept: FloatArray) -> IntArray:
    none = np.full((kept.shape[1], 1), -np.inf)
    values = np.concatenate([kept.T, none], axis=1)[:, HOLD_TABLE]  # NO_HOLD, -1, is the last one
    least = rolled - TIE
    first = np.argmax(values >= least.T[:, :, None], axis=2).T
    return np.where(written >= least, NO_HOLD, np.take_along_axis(HOLD_TABLE, first, axis=1))


@dataclass(frozen=True)
class Choices:
    """What can be done in each of m positions, in the order that decides ties.

    First the categories to fill: those that bring more points first, then in card order. Then the
    keeps to roll again with: those of more dice first, then those of higher faces, the highest
    face compared first.
    """

    codes: IntArray
    """(m, k): the choices, as HOLD_CODE tells."""
    values: FloatArray
    """(m, k): what each is worth, -inf where it cannot be chosen."""

    @property
    def best(self) -> IntArray:
        """(m,): the column of the best choice, the first of those that are equally good."""
        least = self.values.max(axis=1, keepdims=True) - TIE
        first: IntArray = np.argmax(self.values >= least, axis=1)
        return first


class Tables:
    """A ruleset solved: what each set of open categories is worth, the rest worked out on demand.

    It may be used by several threads at once.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """Takes a tenth of a second of CPU time, in pieces of about a millisecond."""
        self.ruleset = ruleset
        self.points: FloatArray = np.array(
            [
                list(scores(ruleset, (a, b, c, d, e)).values())
                for a, b, c, d, e in MULTISETS[KEEPS:]
            ],
            dtype=np.float64,
        ).T.copy()
        """(12, 252): what each roll brings in each category."""
        self.order: IntArray = np.argsort(-self.points, axis=0, kind="stable").T.copy()
        """(252, 12): for each roll the categories, those first that it brings most in."""
        self.values: FloatArray = np.zeros(ALL_OPEN + 1)
        """(4096,): the points that are still expected to come, by set of open categories."""
        for sets in SETS_BY_SIZE[1:]:
            for chunk in chunks(sets):
                self.values[chunk] = self.turns(chunk).start
        self._turn = lru_cache(_TURNS_KEPT)(lambda only: self.turns(np.array([only])))

    @property
    def expected_total(self) -> float:
        """What perfect play makes of a new game on average."""
        return float(self.values[ALL_OPEN])

    def points_of(self, dice: Dice) -> list[int]:
        """What the dice bring in each category, in card order."""
        return [int(points) for points in self.points[:, roll_number(dice)]]

    def turns(self, sets: IntArray) -> Turns:
        """A turn in each of these sets of open categories, of which none may be empty."""
        return Turns(self.points, self.order, self.values, sets)

    def turn(self, only: int) -> Turns:
        """A turn in one set of open categories, n = 1; the most recent ones are kept."""
        return self._turn(only)

    def value_alone(self, category: Category) -> float:
        """What a turn brings where the category is the only one that is open."""
        return float(self.values[1 << CARD.index(category)])


class OncePerRuleset(Generic[_Computed]):
    """Something computed of a ruleset at the first call and kept; rulesets of equal data share it.

    Whoever calls while it is being computed waits for it.
    """

    def __init__(self, compute: Callable[[Ruleset], _Computed]) -> None:
        self._compute = compute
        self._computed: dict[Ruleset, _Computed] = {}
        self._locks: dict[Ruleset, Lock] = {}

    def __call__(self, ruleset: Ruleset) -> _Computed:
        """What is computed of the ruleset; that may take its time, so call it off an event loop."""
        switches = replace(ruleset, slug="")
        if (known := self._computed.get(switches)) is not None:
            return known
        with self._locks.setdefault(switches, Lock()):
            if switches not in self._computed:
                self._computed[switches] = self._compute(ruleset)
            return self._computed[switches]

    def ready(self, ruleset: Ruleset) -> _Computed | None:
        """What has been computed of the ruleset, None where nothing has; never waits."""
        return self._computed.get(replace(ruleset, slug=""))


tables = OncePerRuleset(Tables)
"""The tables of a ruleset, solved at the first call."""
