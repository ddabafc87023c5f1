"""Exact play for those who ask: advice, odds and the review of a finished game."""

from typing import TYPE_CHECKING, cast

from fastapi import APIRouter
from starlette.responses import Response

from app import play
from app.api.answers import json_response
from app.api.call import Call, StrictRoute
from app.api.describe import PathId, PathSlug, operation
from app.api.examples import ADVICE, ODDS, POSITION, REVIEW
from app.api.problems import Problem, fault
from app.api.rulesets import TEXTS, named_ruleset
from app.rules import Dice, GameOver, NotFinished, NotStarted, Ruleset, Scorecard
from app.schemas.advice import (
    AdviceView,
    OddsView,
    ReviewView,
    advice_view,
    odds_view,
    review_view,
)
from app.schemas.requests import PositionRequest
from app.store.games import EventRow, GameRow, stored_event

if TYPE_CHECKING:
    from app.strategy import Advice, SeatOdds, SeatReview

router = APIRouter(prefix="/v1", tags=["advice"], route_class=StrictRoute)

_LOCALISED = {name: TEXTS[name] for name in ("Content-Language", "Vary")}


@router.get(
    "/games/{game_id}/advice",
    **operation(
        "getAdvice",
        "What is best now",
        200,
        AdviceView,
        example=ADVICE,
        problems=["not-found", "hints-off", "not-started", "game-over"],
        takes_if_match=True,
        is_localised=True,
    ),
)
async def game_advice(call: Call, game_id: PathId) -> Response:
    """The exact value of every choice that the seat on turn has now, best first, and why."""
    row = await _hinted(call, game_id)
    turn = row.game.turn
    if turn is None:
        raise GameOver if row.game.is_ended else NotStarted
    card = row.game.seats[turn.seat].card
    advice = await call.thinker.think(_advise, row.game.rules, card, turn.dice, turn.rolls_left)
    return json_response(advice_view(row.game.ruleset, turn.seat, advice), headers=_LOCALISED)


@router.post(
    "/rulesets/{slug}/advice",
    **operation(
        "adviseOnPosition",
        "What is best in any position",
        200,
        AdviceView,
        example=ADVICE | {"seat": None},
        body=POSITION,
        problems=["not-found"],
        is_localised=True,
    ),
)
async def position_advice(call: Call, slug: PathSlug, body: PositionRequest) -> Response:
    """The same for any position that can come up; no game needed."""
    ruleset = named_ruleset(slug)
    card = Scorecard(**body.scorecard.model_dump())
    dice = None if body.dice is None else cast("Dice", tuple(body.dice))
    advice = await call.thinker.think(_advise, ruleset, card, dice, body.rolls_left)
    return json_response(advice_view(slug, None, advice), headers=_LOCALISED)


@router.get(
    "/games/{game_id}/odds",
    **operation(
        "getOdds",
        "Who will win",
        200,
        OddsView,
        example=ODDS,
        problems=["not-found", "hints-off", "not-started", "game-over"],
        takes_if_match=True,
    ),
)
async def odds(call: Call, game_id: PathId) -> Response:
    """How each seat's total will come out, and who wins, under perfect play from here.

    Every seat is taken to maximise its own expected total. After the end: the totals as they are.
    """
    row = await _hinted(call, game_id)
    if row.game.status == "waiting":
        raise NotStarted
    if row.game.status == "cancelled":
        raise GameOver
    return json_response(odds_view(await call.thinker.think(_odds, row)))


@router.get(
    "/games/{game_id}/review",
    **operation(
        "getReview",
        "What every decision cost",
        200,
        ReviewView,
        example=REVIEW,
        problems=["not-found", "not-finished"],
        takes_if_match=True,
    ),
)
async def review(call: Call, game_id: PathId) -> Response:
    """Every decision of a finished game and what it gave away, luck and skill apart."""
    row, log = await call.log(game_id)
    if row.game.status != "finished":
        raise NotFinished
    return json_response(review_view(await call.thinker.think(_review, row.game.rules, log)))


async def _hinted(call: Call, game_id: str) -> GameRow:
    """The game, if its players allow hints or it has ended."""
    row = await call.any_game(game_id)
    if row.game.status == "active" and not row.game.hints:
        raise play.HintsOff
    play.check_version(row, call.if_match)
    return row


# What follows runs on the thinker's thread. The first call loads what exact play is built on, and
# the first of a ruleset makes its tables: a server that is never asked never pays.


def _advise(ruleset: Ruleset, card: Scorecard, dice: Dice | None, rolls_left: int) -> "Advice":
    from app.strategy import Position, PositionError, advise, tables  # noqa: PLC0415

    try:
        return advise(tables(ruleset), Position(card, dice, rolls_left))
    except PositionError as error:
        pointer = "#/" + "/".join(map(str, error.where))
        raise Problem("invalid-request", [fault(pointer, error.code)]) from None


def _odds(row: GameRow) -> "tuple[SeatOdds, ...]":
    from app.strategy import distributions, final_odds, odds, standings  # noqa: PLC0415

    if row.game.is_ended:
        return final_odds(row.game)
    return odds(distributions(row.game.rules), standings(row.game))


def _review(ruleset: Ruleset, log: list[EventRow]) -> "tuple[SeatReview, ...]":
    from app.strategy import review, tables  # noqa: PLC0415

    return review(tables(ruleset), map(stored_event, log))
