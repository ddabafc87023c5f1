"""Many games of one bot at once, for measuring. Dice come from the numbers that are passed in."""

from collections.abc import Callable

import numpy as np

from app.rules import CARD, ROLLS_A_TURN, Level
from app.strategy.bots import TEMPERATURES, pick
from app.strategy.multisets import ADDED, DICE, EMPTY, FACES, KEEPS, FloatArray, IntArray
from app.strategy.solver import ALL_OPEN, HOLD_CODE, Tables, Turns

_PORTION = 4096  # games at a time: some 20 MB at most

Uniform = Callable[[int], FloatArray]
"""Gives so many independent numbers, uniform in [0, 1)."""


def simulate(tables: Tables, games: int, level: Level, uniform: Uniform) -> IntArray:
    """The totals of so many solo games of a bot of the level, (games,)."""
    portions = [min(_PORTION, games - first) for first in range(0, games, _PORTION)]
    totals = [_play(tables, portion, TEMPERATURES[level], uniform) for portion in portions]
    return np.concatenate([*totals, np.empty(0, np.intp)])


def _play(tables: Tables, games: int, temperature: float, uniform: Uniform) -> IntArray:
    sets = np.full(games, ALL_OPEN)
    totals = np.zeros(games, np.intp)
    for _ in CARD:
        known, columns = np.unique(sets, return_inverse=True)
        turns = tables.turns(known)
        rolls, categories = _take_turn(turns, columns, temperature, uniform)
        totals += tables.points[categories, rolls].astype(np.intp)
        sets &= ~(1 << categories)
    return totals


def _take_turn(
    turns: Turns, columns: IntArray, temperature: float, uniform: Uniform
) -> tuple[IntArray, IntArray]:
    """The rolls that are written, and the categories they are written in."""
    rolls = _roll(np.full(len(columns), EMPTY), uniform)
    categories = np.full(len(columns), HOLD_CODE)
    deciding = np.arange(len(columns))
    for rolls_left in reversed(range(ROLLS_A_TURN)):
        found = turns.choices(columns[deciding], rolls[deciding], rolls_left)
        chosen = pick(found, temperature, uniform(len(deciding)))
        codes = found.codes[np.arange(len(deciding)), chosen]
        is_written = codes < HOLD_CODE
        categories[deciding[is_written]] = codes[is_written]
        deciding = deciding[~is_written]
        rolls[deciding] = _roll(codes[~is_written] - HOLD_CODE, uniform)
    return rolls, categories


def _roll(keeps: IntArray, uniform: Uniform) -> IntArray:
    """The rolls that come of the keeps, one die after the other until there are five."""
    reached = keeps
    for _ in range(DICE):
        faces = (uniform(len(keeps)) * len(FACES)).astype(np.intp)
        reached = ADDED[reached, faces]
    return reached - KEEPS
