"""The moves of a turn: roll, hold, score; and giving up."""

from functools import partial
from typing import Any, cast

from fastapi import APIRouter
from starlette.responses import Response

from app import play
from app.api.answers import game_answer, game_response
from app.api.call import Call, StrictRoute
from app.api.describe import PathId, operation
from app.api.examples import GAME
from app.rules import Held
from app.schemas.games import GameView
from app.schemas.requests import HoldRequest, ResignRequest, RollRequest, ScoreRequest

router = APIRouter(prefix="/v1/games/{game_id}", tags=["turns"], route_class=StrictRoute)

_MOVE: dict[str, Any] = {
    "example": GAME,
    "needs_token": True,
    "takes_if_match": True,
    "headers": ["ETag"],
}
_REFUSED = ["not-found", "not-in-game", "not-started", "game-over", "not-your-turn", "turn-expired"]
_created = game_answer(201)
_done = game_answer(200)


@router.post(
    "/rolls",
    **operation(
        "roll",
        "Roll",
        201,
        GameView,
        body={"held": [True, True, True, False, False]},
        is_body_optional=True,
        problems=[*_REFUSED, "roll-first", "no-rolls-left", "all-dice-held"],
        takes_key=True,
        **_MOVE,
    ),
)
async def roll(call: Call, game_id: PathId, body: RollRequest) -> Response:
    """Roll the dice that are not held. `held` sets the holds first, in the same step."""
    held = _marks(body.held) if "held" in body.model_fields_set else None
    verb = partial(play.roll, held=held, if_match=call.if_match)
    return game_response(await call.submit(verb, _created, game_id))


@router.put(
    "/holds",
    **operation(
        "hold",
        "Hold dice",
        200,
        GameView,
        body={"held": [True, True, True, False, False]},
        problems=[*_REFUSED, "roll-first", "no-rolls-left"],
        **_MOVE,
    ),
)
async def hold(call: Call, game_id: PathId, body: HoldRequest) -> Response:
    """Change which dice stay on the next roll, as often as you like."""
    verb = partial(play.hold, held=_marks(body.held), if_match=call.if_match)
    return game_response(await call.submit(verb, _done, game_id))


@router.post(
    "/scores",
    **operation(
        "score",
        "Score",
        201,
        GameView,
        body={"category": "fives"},
        problems=[*_REFUSED, "roll-first", "category-used"],
        takes_key=True,
        **_MOVE,
    ),
)
async def score(call: Call, game_id: PathId, body: ScoreRequest) -> Response:
    """Fill an open category with the dice on the table, which ends the turn."""
    verb = partial(play.score, category=body.category, if_match=call.if_match)
    return game_response(await call.submit(verb, _created, game_id))


@router.post(
    "/resignation",
    **operation(
        "resign",
        "Resign",
        201,
        GameView,
        body={"seat": 0},
        is_body_optional=True,
        problems=["not-found", "not-in-game", "not-started", "game-over", "already-resigned"],
        takes_key=True,
        **_MOVE,
    ),
)
async def resign(call: Call, game_id: PathId, body: ResignRequest) -> Response:
    """Give up one seat, or every seat for which the caller acts; in or out of turn."""
    verb = partial(play.resign, seat=body.seat, if_match=call.if_match)
    return game_response(await call.submit(verb, _created, game_id))


def _marks(marks: list[bool]) -> Held:
    return cast("Held", tuple(marks))  # five of them, or the body had been refused
