"""Advice, odds and reviews as clients see them."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, cast

from pydantic import Field
from typing_extensions import TypedDict

from app.locale import listed, text
from app.rules import Category
from app.schemas.fields import Face
from app.schemas.games import FiveFaces, FiveMarks, Points, Round, SeatIndex

if TYPE_CHECKING:  # a server that is never asked never loads it
    from app.strategy import (
        Advice,
        Choice,
        Decision,
        SeatOdds,
        SeatReview,
        Tip,
        TipValue,
    )

TipCode: TypeAlias = Literal[
    "keep-options-open",
    "exact-straights",
    "choice-as-insurance",
    "high-fours",
    "deliberate-zero",
    "whole-card",
]
Loss: TypeAlias = Annotated[float, Field(ge=0, description="points given away against the best")]
ExpectedTotal: TypeAlias = Annotated[
    float, Field(ge=0, description="final total under perfect play from here")
]


class RollActionView(TypedDict):
    """Roll again, and keep what is marked."""

    action: Literal["roll"]
    held: FiveMarks


class ScoreActionView(TypedDict):
    """Fill a category."""

    action: Literal["score"]
    category: Category


ActionView: TypeAlias = Annotated[RollActionView | ScoreActionView, Field(discriminator="action")]


class HoldAdviceView(TypedDict):
    """What it is worth to keep these faces and roll again."""

    held: FiveMarks
    kept: list[Face]
    expected_total: ExpectedTotal
    loss: Loss


class ScoreAdviceView(TypedDict):
    """What it is worth to fill this category now."""

    category: Category
    points: Points
    expected_total: ExpectedTotal
    loss: Loss


class TipView(TypedDict):
    """Why the best choice is best, in words."""

    code: TipCode
    text: str


class AdviceView(TypedDict):
    """Every choice in a position, best first."""

    ruleset: str
    seat: Annotated[SeatIndex, Field(description="null for a posted position")] | None
    dice: FiveFaces | None
    rolls_left: Annotated[int, Field(ge=0, le=3)]
    expected_total: ExpectedTotal
    best: ActionView
    holds: list[HoldAdviceView]
    scores: list[ScoreAdviceView]
    tip: TipView


class PercentilesView(TypedDict):
    """The smallest totals that are reached or not exceeded with these chances, in percent."""

    p5: int
    p25: int
    p50: int
    p75: int
    p95: int


class SeatOddsView(TypedDict):
    """What is to be expected of a seat."""

    seat: SeatIndex
    expected_total: ExpectedTotal
    percentiles: PercentilesView
    win_probability: Annotated[float, Field(ge=0, le=1)]


class OddsView(TypedDict):
    """How the game will come out if every seat plays perfectly from here."""

    seats: list[SeatOddsView]


class DecisionView(TypedDict):
    """What was done after a roll, by the event `seq`, and what would have been best."""

    seq: Annotated[int, Field(ge=1)]
    round: Round
    roll: Annotated[int, Field(ge=1, le=3)]
    chosen: ActionView
    best: ActionView
    loss: Loss


class SeatReviewView(TypedDict):
    """A seat's game: total = expectation + luck - loss; null where the card is not full."""

    seat: SeatIndex
    total: Annotated[int, Field(ge=0)]
    expectation: float | None
    luck: float | None
    loss: Loss | None
    decisions: list[DecisionView]


class ReviewView(TypedDict):
    """Every decision of a game and what it cost, luck and skill apart."""

    seats: list[SeatReviewView]


def advice_view(ruleset: str, seat: int | None, advice: "Advice") -> AdviceView:
    """Advice as the wire has it."""
    return {
        "ruleset": ruleset,
        "seat": seat,
        "dice": None if advice.dice is None else list(advice.dice),
        "rolls_left": advice.rolls_left,
        "expected_total": advice.expected_total,
        "best": _action(advice.best),
        "holds": [
            {
                "held": list(row.held),
                "kept": list(row.kept),
                "expected_total": row.expected_total,
                "loss": row.loss,
            }
            for row in advice.holds
        ],
        "scores": [
            {
                "category": row.category,
                "points": row.points,
                "expected_total": row.expected_total,
                "loss": row.loss,
            }
            for row in advice.scores
        ],
        "tip": {"code": advice.tip.code, "text": _tip_text(advice.tip)},
    }


def odds_view(odds: "tuple[SeatOdds, ...]") -> OddsView:
    """Odds as the wire has them."""
    return {
        "seats": [
            {
                "seat": seat.seat,
                "expected_total": seat.expected_total,
                "percentiles": cast("PercentilesView", dict(seat.percentiles)),
                "win_probability": round(seat.win_probability, 12),  # the sum of many, near 1
            }
            for seat in odds
        ]
    }


def review_view(reviewed: "tuple[SeatReview, ...]") -> ReviewView:
    """A review as the wire has it."""
    return {
        "seats": [
            {
                "seat": seat.seat,
                "total": seat.total,
                "expectation": seat.expectation,
                "luck": seat.luck,
                "loss": seat.loss,
                "decisions": [_decision(decision) for decision in seat.decisions],
            }
            for seat in reviewed
        ]
    }


def _decision(decision: "Decision") -> DecisionView:
    return {
        "seq": decision.seq,
        "round": decision.round,
        "roll": decision.roll,
        "chosen": _action(decision.chosen),
        "best": _action(decision.best),
        "loss": decision.loss,
    }


def _action(choice: "Choice") -> ActionView:
    if choice.action == "roll":
        return {"action": "roll", "held": list(choice.held)}
    return {"action": "score", "category": choice.category}


def _tip_text(tip: "Tip") -> str:
    return text(tip.key, **{name: _said(value) for name, value in tip.values.items()})


def _said(value: "TipValue") -> str:
    match value:
        case Category():
            return text(f"category.{value}.name")
        case tuple():
            return listed([_said(item) for item in value])
        case _:
            return str(value)
