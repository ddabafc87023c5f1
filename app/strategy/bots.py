"""The bots: one policy at four levels. A bot sees its position and one number between 0 and 1.

Each choice is made with a chance that falls off with what it loses: exp(-loss / temperature), over
all holds and categories. The perfect bot's temperature is 0: it makes the best choice.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from app.rules import Level
from app.strategy.choices import choice, choices_after
from app.strategy.multisets import FloatArray, IntArray, roll_number
from app.strategy.position import Choice, Position, RollChoice, check_points
from app.strategy.solver import Choices, Tables, open_set

TEMPERATURES: Mapping[Level, float] = MappingProxyType(
    {"novice": 1.4, "casual": 0.75, "expert": 0.4, "perfect": 0.0}
)
"""In points: a choice that loses this much is made 1/e times as often as the best one."""


def choose(tables: Tables, position: Position, level: Level, draw: float) -> Choice:
    """What a bot of the level does; ``draw`` is a number in [0, 1), uniform for a fair bot.

    The same position, level and number give the same choice. The choices share [0, 1) in the
    order that decides ties. Raises PositionError where a cell of the card holds points that the
    ruleset cannot bring there.
    """
    check_points(tables.ruleset, position.card)
    if position.dice is None:
        return RollChoice()
    roll = roll_number(position.dice)
    found = choices_after(tables, open_set(position.card), roll, position.rolls_left)
    chosen = pick(found, TEMPERATURES[level], np.array([draw]))
    return choice(int(found.codes[0, chosen[0]]), position.dice)


def pick(found: Choices, temperature: float, draws: FloatArray) -> IntArray:
    """The column of what is chosen in each of m positions, (m,), by a number in [0, 1) for each."""
    if not temperature:
        return found.best
    best = found.values.max(axis=1, keepdims=True)
    shares = np.cumsum(np.exp((found.values - best) / temperature), axis=1)
    total = shares[:, -1]
    # A draw just below 1 may be rounded up to the total, which no share is above.
    reached = np.minimum(draws * total, np.nextafter(total, 0.0))
    chosen: IntArray = np.argmax(shares > reached[:, None], axis=1)
    return chosen
