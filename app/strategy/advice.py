"""Advice: what every choice in a position is worth, which is best, and why. Knows no game."""

from dataclasses import dataclass

from app.rules import CARD, Category, Dice, Held
from app.strategy.choices import choice, kept_faces, options, worth
from app.strategy.multisets import marks
from app.strategy.position import Choice, Position, RollChoice, check_points
from app.strategy.solver import HOLD_CODE, Tables
from app.strategy.tips import Tip, first_roll_tip, roll_tip, score_tip


@dataclass(frozen=True, slots=True)
class HoldRow:
    """To roll again and keep these faces; ``loss`` is against the best choice of all."""

    held: Held
    kept: tuple[int, ...]
    expected_total: float
    loss: float


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """To fill this category; ``loss`` is against the best choice of all."""

    category: Category
    points: int
    expected_total: float
    loss: float


@dataclass(frozen=True, slots=True)
class Advice:
    """Every choice in a position, best first; totals are those of the finished card."""

    dice: Dice | None
    rolls_left: int
    expected_total: float
    best: Choice
    holds: tuple[HoldRow, ...]
    scores: tuple[ScoreRow, ...]
    tip: Tip


def advise(tables: Tables, position: Position) -> Advice:
    """What every choice in the position is worth under perfect play afterwards.

    Holds are told apart by the faces kept; of dice with an equal face those further left are
    marked. Of equally good choices the first is best: a category before rolling on, more points
    before fewer, then card order; more dice kept before fewer, then higher faces. Before the first
    roll there are no rows, as there is nothing to choose. Raises PositionError where a cell of the
    card holds points that the ruleset cannot bring there.
    """
    check_points(tables.ruleset, position.card)
    total = position.card.total
    expected = total + worth(tables, position)
    dice = position.dice
    if dice is None:
        tip = first_roll_tip(position.card.open_categories)
        return Advice(None, position.rolls_left, expected, RollChoice(), (), (), tip)
    found = options(tables, position)
    losses = found.losses()
    points = tables.points_of(dice)
    holds, scores = [], []
    ranked = found.ranked()
    for place in ranked:
        code, value, loss = found.codes[place], total + found.values[place], losses[place]
        if code < HOLD_CODE:
            scores.append(ScoreRow(CARD[code], points[code], value, loss))
        else:
            held = marks(dice, code - HOLD_CODE)
            holds.append(HoldRow(held, kept_faces(code), value, loss))
    code = found.codes[ranked[0]]
    if code < HOLD_CODE:
        brought = {row.category: row.points for row in scores}
        tip = score_tip(tables, dice, position.rolls_left, CARD[code], brought)
    else:
        tip = roll_tip(tables, position.card, dice, position.rolls_left, code - HOLD_CODE)
    best = choice(code, dice)
    return Advice(dice, position.rolls_left, expected, best, tuple(holds), tuple(scores), tip)
