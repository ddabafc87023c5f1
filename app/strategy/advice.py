"""Advice: what every choice in a position is worth, which is best, and why. Knows no game."""

from dataclasses import dataclass

from app.rules import CARD, Category, Dice, Held
from app.strategy.choices import choice, kept_faces, options
from app.strategy.multisets import marks
from app.strategy.position import Choice, Position, RollChoice, check_points
from app.strategy.solver import HOLD_CODE, Tables, open_set
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
    card, dice, rolls_left = position.card, position.dice, position.rolls_left
    only, total = open_set(card), card.total
    if dice is None:
        expected = total + float(tables.values[only])
        tip = first_roll_tip(card.open_categories)
        return Advice(None, rolls_left, expected, RollChoice(), (), (), tip)
    found = options(tables, only, dice, rolls_left)
    points = tables.points_of(dice)
    holds, scores = [], []
    for code, value, loss in found:
        if code < HOLD_CODE:
            scores.append(ScoreRow(CARD[code], points[code], total + value, loss))
        else:
            held = marks(dice, code - HOLD_CODE)
            holds.append(HoldRow(held, kept_faces(code), total + value, loss))
    best = found[0].code
    if best < HOLD_CODE:
        brought = {row.category: row.points for row in scores}
        tip = score_tip(tables, dice, rolls_left, CARD[best], brought)
    else:
        tip = roll_tip(tables, card, dice, rolls_left, best - HOLD_CODE)
    return Advice(
        dice,
        rolls_left,
        total + found[0].value,
        choice(best, dice),
        tuple(holds),
        tuple(scores),
        tip,
    )
