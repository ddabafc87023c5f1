"""Multisets of dice, numbered, and what a roll does to them. Knows no category, card or value.

What a player keeps is a multiset of none to four faces, a roll is one of five: for what they are
worth the order of the dice does not matter. The 210 keeps come first, by size, then the 252 rolls;
within a size in lexicographic order. Arrays here have multisets along their first axis and
whatever is done to all of them at once, such as sets of open categories, along the second.
"""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod
from typing import cast

import numpy as np
import numpy.typing as npt

from app.rules import Dice, Held

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

FACES = range(1, 7)
DICE = 5

MULTISETS: tuple[tuple[int, ...], ...] = tuple(
    faces for size in range(DICE + 1) for faces in combinations_with_replacement(FACES, size)
)
KEEPS = comb(len(FACES) + DICE - 1, DICE - 1)
ROLLS = len(MULTISETS) - KEEPS
EMPTY = 0
"""The number of the keep of no dice."""

_NUMBERS = {faces: number for number, faces in enumerate(MULTISETS)}
_BLOCKS = tuple(slice(_NUMBERS[(1,) * size], _NUMBERS[(6,) * size] + 1) for size in range(DICE + 1))


def _with_one_more(size: int) -> IntArray:
    """For each face, in rows, the numbers of the multisets of this size and that face."""
    block = MULTISETS[_BLOCKS[size]]
    return np.array([[_NUMBERS[_sorted(*faces, face)] for faces in block] for face in FACES])


def _with_one_less(size: int, filler: int | None) -> IntArray:
    """The numbers of what is left without one of the distinct faces, a column for each multiset.

    Columns are filled up to the same length with ``filler`` or, where it is None, by repetition.
    """
    columns = []
    for faces in MULTISETS[_BLOCKS[size]]:
        smaller = [_NUMBERS[removed(faces, (face,))] for face in dict.fromkeys(faces)]
        rest = smaller[0] if filler is None else filler
        columns.append(smaller + [rest] * (size - len(smaller)))
    return np.array(columns).T


def _sorted(*faces: int) -> tuple[int, ...]:
    return tuple(sorted(faces))


def removed(faces: tuple[int, ...], gone: tuple[int, ...]) -> tuple[int, ...]:
    """What is left of the faces, sorted, without some of them."""
    return tuple(sorted((Counter(faces) - Counter(gone)).elements()))


_ONE_MORE = tuple(map(_with_one_more, range(DICE)))
_ONE_LESS = tuple(_with_one_less(size, None) for size in range(1, DICE + 1))
_NOTHING = len(MULTISETS)
_ONE_LESS_OR_NOTHING = tuple(_with_one_less(size, _NOTHING) for size in range(1, DICE + 1))

ADDED: IntArray = np.concatenate(
    [block.T for block in _ONE_MORE] + [np.repeat(np.arange(KEEPS, _NOTHING)[:, None], 6, axis=1)]
)
"""(462, 6): the multiset after one more die with that face; a roll takes no further die."""

ROLL_CHANCES: FloatArray = np.array(
    [
        factorial(DICE) / prod(map(factorial, Counter(faces).values())) / len(FACES) ** DICE
        for faces in MULTISETS[KEEPS:]
    ]
)
"""(252,): how probable each roll of five dice is."""


def _holds(roll: tuple[int, ...]) -> list[int]:
    """What can be kept of the roll, all five excepted: more dice first, then higher faces."""
    keeps = {kept for size in range(DICE) for kept in combinations(roll, size)}
    ordered = sorted(keeps, key=lambda kept: (len(kept), kept[::-1]), reverse=True)
    return [_NUMBERS[kept] for kept in ordered]


HOLDS: tuple[tuple[int, ...], ...] = tuple(tuple(_holds(roll)) for roll in MULTISETS[KEEPS:])
"""For each roll the keeps that can be made of it, at most 31, in the order that decides ties."""

MOST_HOLDS = max(map(len, HOLDS))
NO_HOLD = -1

HOLD_TABLE: IntArray = np.array(
    [holds + (NO_HOLD,) * (MOST_HOLDS - len(holds)) for holds in HOLDS], dtype=np.intp
)
"""(252, 31): HOLDS as an array, its rows filled up with NO_HOLD."""


def roll_number(dice: Dice) -> int:
    """The number, 0 to 251, of the roll that the dice make in whatever order they lie."""
    return _NUMBERS[tuple(sorted(dice))] - KEEPS


def keep_number(dice: Dice, held: Held) -> int:
    """The number, 0 to 209, of the keep that the marks make of the dice; not of all five."""
    return _NUMBERS[tuple(sorted(face for face, stays in zip(dice, held, strict=True) if stays))]


def marks(dice: Dice, keep: int) -> Held:
    """The dice to hold for a keep: of those with an equal face the ones that lie further left."""
    wanted = list(MULTISETS[keep])
    held = [False] * DICE
    for place, face in enumerate(dice):
        if face in wanted:
            wanted.remove(face)
            held[place] = True
    first, second, third, fourth, fifth = held
    return first, second, third, fourth, fifth


def added_up(weights: FloatArray, cells: IntArray, count: int) -> FloatArray:
    """(count,): the sum of the weights of each cell, 0 to count - 1; both are of one shape."""
    # numpy's own stubs promise whole numbers, which is so only without weights.
    return cast("FloatArray", np.bincount(cells.ravel(), weights.ravel(), count))


def before_the_roll(rolled: FloatArray) -> FloatArray:
    """What each keep is worth, (210, n), where each roll that may come of it is worth ``rolled``.

    One die at a time: a keep is worth the mean of the six keeps that have one die more. That is
    a fortieth of the work of multiplying by the chances of all 252 rolls, and the same result.
    """
    values = np.empty((len(MULTISETS), rolled.shape[1]))
    values[KEEPS:] = rolled
    for size in reversed(range(DICE)):
        values[_BLOCKS[size]] = values.take(_ONE_MORE[size], axis=0).sum(axis=0) / len(FACES)
    return values[:KEEPS].copy()


def best_within(kept: FloatArray) -> FloatArray:
    """The highest worth of what can be kept of each roll, (252, n), from that of each keep."""
    best = np.empty((len(MULTISETS), kept.shape[1]))
    best[:KEEPS] = kept
    for size, smaller in enumerate(_ONE_LESS, 1):
        within = best.take(smaller, axis=0).max(axis=0)
        block = best[_BLOCKS[size]]
        if size < DICE:
            np.maximum(block, within, out=block)
        else:
            block[:] = within
    return best[KEEPS:]


def after_the_roll(kept: FloatArray) -> FloatArray:
    """How probable each roll is, (252, n), where each keep is rolled with the chance ``kept``."""
    reached = np.zeros((len(MULTISETS) + 1, kept.shape[1]))
    reached[:KEEPS] = kept
    for size, smaller in enumerate(_ONE_LESS_OR_NOTHING, 1):
        reached[_BLOCKS[size]] += reached.take(smaller, axis=0).sum(axis=0) / len(FACES)
    return reached[KEEPS:_NOTHING]
