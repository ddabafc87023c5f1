"""What can be done in one position and what each of it is worth, for all who advise or play.

A choice's value is what is still expected to come; the points on the card are not in it.
"""

from typing import NamedTuple

import numpy as np

from app.rules import CARD, Dice
from app.strategy.multisets import MULTISETS, marks, roll_number
from app.strategy.position import Choice, Position, RollChoice, ScoreChoice
from app.strategy.solver import HOLD_CODE, TIE, Choices, Tables, open_set


class Options(NamedTuple):
    """The choices of one position in the order that decides ties, and their values."""

    codes: list[int]
    values: list[float]

    def ranked(self) -> list[int]:
        """The places of the choices, best first; equally good ones stay in their order."""
        groups: list[list[int]] = []
        for place in sorted(range(len(self.values)), key=self.values.__getitem__, reverse=True):
            if groups and self.values[groups[-1][0]] - self.values[place] <= TIE:
                groups[-1].append(place)
            else:
                groups.append([place])
        return [place for group in groups for place in sorted(group)]

    def losses(self) -> list[float]:
        """What each choice is worth less than the best one; 0 for all that are equally good."""
        best = max(self.values)
        return [0.0 if best - value <= TIE else best - value for value in self.values]


def choices_after(tables: Tables, only: int, roll: int, rolls_left: int) -> Choices:
    """The choices with one roll on the table, m = 1."""
    return tables.turn(only).choices(np.array([0]), np.array([roll]), rolls_left)


def options(tables: Tables, position: Position) -> Options:
    """What can be done in the position; nothing before the first roll, which is no choice."""
    if position.dice is None:
        return Options([], [])
    roll = roll_number(position.dice)
    found = choices_after(tables, open_set(position.card), roll, position.rolls_left)
    codes, values = found.codes[0], found.values[0]
    is_open = values > -np.inf
    return Options(codes[is_open].tolist(), values[is_open].tolist())


def choice(code: int, dice: Dice) -> Choice:
    """The choice that the number stands for, with the marks for these dice."""
    if code < HOLD_CODE:
        return ScoreChoice(CARD[code])
    return RollChoice(marks(dice, code - HOLD_CODE))


def kept_faces(code: int) -> tuple[int, ...]:
    """The faces, sorted, that a choice to roll keeps."""
    return MULTISETS[code - HOLD_CODE]


def worth(tables: Tables, position: Position) -> float:
    """What is still expected to come in the position, the points on the card not included."""
    only = open_set(position.card)
    if position.dice is None:
        return float(tables.values[only])
    rolled = tables.turn(only).rolled[position.rolls_left]
    return float(rolled[roll_number(position.dice), 0])
