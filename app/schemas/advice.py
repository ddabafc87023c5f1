"""Advice, odds and reviews as clients see them."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, cast

from pydantic import Field
from typing_extensions import TypedDict

from app.locale import listed, text
from app.rules import Category
from app.schemas.fields import Face, about
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

    action: Annotated[Literal["roll"], about("to roll again")]
    held: Annotated[FiveMarks, about("for each position, whether that die stays")]


class ScoreActionView(TypedDict):
    """Fill a category."""

    action: Annotated[Literal["score"], about("to fill a category")]
    category: Annotated[Category, about("the category to fill")]


ActionView: TypeAlias = Annotated[RollActionView | ScoreActionView, Field(discriminator="action")]


class HoldAdviceView(TypedDict):
    """What it is worth to keep these faces and roll again."""

    held: Annotated[FiveMarks, about("for each position, whether that die stays")]
    kept: Annotated[list[Face], about("the faces of those dice, sorted")]
    expected_total: ExpectedTotal
    loss: Loss


class ScoreAdviceView(TypedDict):
    """What it is worth to fill this category now."""

    category: Annotated[Category, about("which category")]
    points: Annotated[Points, about("what the dice bring there now")]
    expected_total: ExpectedTotal
    loss: Loss


class TipView(TypedDict):
    """Why the best choice is best, in words."""

    code: Annotated[TipCode, about("which of the strategy tips it is")]
    text: Annotated[str, about("the tip, in the reader's language")]


class AdviceView(TypedDict):
    """Every choice in a position, best first."""

    ruleset: Annotated[str, about("the slug of the ruleset")]
    seat: Annotated[SeatIndex | None, about("the seat on turn; null for a posted position")]
    dice: Annotated[
        FiveFaces | None, about("the five faces, by position; null before the first roll")
    ]
    rolls_left: Annotated[int, Field(ge=0, le=3, description="how many rolls the turn still has")]
    expected_total: ExpectedTotal
    best: Annotated[ActionView, about("what has the highest expected total")]
    holds: Annotated[
        list[HoldAdviceView],
        about("every way to roll again, best first; empty where no roll is left or none was made"),
    ]
    scores: Annotated[
        list[ScoreAdviceView],
        about("every category that is open, best first; empty before the first roll"),
    ]
    tip: Annotated[TipView, about("why the best choice is best")]


class PercentilesView(TypedDict):
    """The smallest totals that are reached or not exceeded with these chances, in percent."""

    p5: Annotated[int, about("the total that is not exceeded in 5 of 100 games")]
    p25: Annotated[int, about("the total that is not exceeded in 25 of 100 games")]
    p50: Annotated[int, about("the total that is not exceeded in 50 of 100 games")]
    p75: Annotated[int, about("the total that is not exceeded in 75 of 100 games")]
    p95: Annotated[int, about("the total that is not exceeded in 95 of 100 games")]


class SeatOddsView(TypedDict):
    """What is to be expected of a seat."""

    seat: Annotated[SeatIndex, about("whose seat")]
    expected_total: ExpectedTotal
    percentiles: Annotated[PercentilesView, about("how the final total is spread")]
    win_probability: Annotated[
        float, Field(ge=0, le=1, description="0 to 1; a tie counts as a part of a win for each")
    ]


class OddsView(TypedDict):
    """How the game will come out if every seat plays perfectly from here."""

    seats: Annotated[list[SeatOddsView], about("every seat, in order")]


class DecisionView(TypedDict):
    """What was done after a roll, by the event `seq`, and what would have been best."""

    seq: Annotated[int, Field(ge=1, description="the event that was the decision")]
    round: Annotated[Round, about("1 to 12, one for each category")]
    roll: Annotated[int, Field(ge=1, le=3, description="after which roll of the turn it was made")]
    chosen: Annotated[ActionView, about("what was done")]
    best: Annotated[ActionView, about("what has the highest expected total")]
    loss: Loss


class SeatReviewView(TypedDict):
    """A seat's game: total = expectation + luck - loss; null where the card is not full."""

    seat: Annotated[SeatIndex, about("whose seat")]
    total: Annotated[int, Field(ge=0, description="the points of the card")]
    expectation: Annotated[
        float | None,
        about("the total that perfect play can expect of a new card; null as the loss"),
    ]
    luck: Annotated[float | None, about("what the dice gave or took, in points; null as the loss")]
    loss: Annotated[
        Loss | None,
        about("points given away by all decisions together; null where the card is not full"),
    ]
    decisions: Annotated[list[DecisionView], about("every decision of the seat, in order")]


class ReviewView(TypedDict):
    """Every decision of a game and what it cost, luck and skill apart."""

    seats: Annotated[list[SeatReviewView], about("every seat, in order")]


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
