"""What can be done in one position and what each of it is worth, for all who advise or play.

A choice's value is what is still expected to come; the points on the card are not in it.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from app.rules import CARD, Dice
from app.strategy.multisets import MULTISETS, marks, roll_number
from app.strategy.position import Choice, RollChoice, ScoreChoice
from app.strategy.solver import HOLD_CODE, TIE, Choices, Tables


class Option(NamedTuple):
    """One choice, its value, and what it loses against the best one."""

    code: int
    value: float
    loss: float


def choices_after(tables: Tables, only: int, roll: int, rolls_left: int) -> Choices:
    """The choices with one roll on the table, m = 1."""
    return tables.turn(only).choices(np.array([0]), np.array([roll]), rolls_left)


def options(tables: Tables, only: int, dice: Dice, rolls_left: int) -> list[Option]:
    """What can be done with the dice and these categories open, best first.

    Choices that are equally good stand in the order that decides ties, with one and the same value.
    """
    found = choices_after(tables, only, roll_number(dice), rolls_left)
    codes, values = found.codes[0].tolist(), found.values[0].tolist()
    places = [place for place, value in enumerate(values) if value > -inf]
    groups: list[list[int]] = []
    for place in sorted(places, key=values.__getitem__, reverse=True):
        if groups and values[groups[-1][0]] - values[place] <= TIE:
            groups[-1].append(place)
        else:
            groups.append([place])
    best = values[groups[0][0]]
    return [
        Option(codes[place], values[group[0]], best - values[group[0]])
        for group in groups
        for place in sorted(group)
    ]


def choice(code: int, dice: Dice) -> Choice:
    """The choice that the number stands for, with the marks for these dice."""
    if code < HOLD_CODE:
        return ScoreChoice(CARD[code])
    return RollChoice(marks(dice, code - HOLD_CODE))


def kept_faces(code: int) -> tuple[int, ...]:
    """The faces, sorted, that a choice to roll keeps."""
    return MULTISETS[code - HOLD_CODE]
