"""The log of a game and the proof of its dice: what anyone needs to check a game."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import PlainTextResponse, Response

from app import play
from app.api.answers import game_answer, game_response, json_response
from app.api.call import Call, StrictRoute
from app.api.describe import PathId, operation
from app.api.examples import EVENTS, EXPORT, FAIRNESS, TRANSCRIPT, WAITING
from app.rules import format_game
from app.schemas.events import EventsView, events_view
from app.schemas.fairness import ExportView, FairnessView, export_view, fairness_view
from app.schemas.games import GameView
from app.schemas.requests import EntropyRequest, EventsQuery
from app.store.games import stored_event

router = APIRouter(prefix="/v1/games/{game_id}", tags=["fairness"], route_class=StrictRoute)


@router.get(
    "/events",
    **operation(
        "listEvents",
        "Read a game's log",
        200,
        EventsView,
        example=EVENTS,
        problems=["not-found"],
        takes_if_match=True,
    ),
)
async def events(call: Call, game_id: PathId, query: Annotated[EventsQuery, Query()]) -> Response:
    """What has happened in the game, oldest first. Folding all of it gives the game's state."""
    _, log = await call.log(game_id, query.after, query.limit + 1)
    return json_response(events_view(log, query.limit))


@router.get(
    "/fairness",
    **operation(
        "getFairness",
        "Read the proof of the dice",
        200,
        FairnessView,
        example=FAIRNESS,
        problems=["not-found"],
        takes_if_match=True,
    ),
)
async def fairness(call: Call, game_id: PathId) -> Response:
    """The commitment to the dice and, once the game has ended, the seed and every draw."""
    row = await call.game(game_id)
    if not row.game.is_ended:  # of its log nothing would be shown
        return json_response(fairness_view(row, []))
    return json_response(fairness_view(*await call.log(game_id)))


@router.get(
    "/export",
    **operation(
        "exportGame",
        "Take a whole game along",
        200,
        ExportView,
        example=EXPORT,
        text_example=TRANSCRIPT,
        problems=["not-found"],
        takes_if_match=True,
    ),
)
async def export(call: Call, game_id: PathId) -> Response:
    """The game, its log and its fairness record as JSON; as text/plain, a score sheet to read."""
    row, log = await call.log(game_id)
    if call.prefers("text/plain", "application/json"):
        text = format_game([stored_event(event) for event in log])
        return PlainTextResponse(text, headers={"Vary": "Accept"})
    return json_response(export_view(row, log), headers={"Vary": "Accept"})


@router.put(
    "/entropy",
    **operation(
        "setEntropy",
        "Add to the dice",
        200,
        GameView,
        example=WAITING,
        body={"value": "correct.horse-7"},
        problems=["not-found", "not-in-game", "game-over", "entropy-closed"],
        needs_token=True,
        takes_if_match=True,
        headers=["ETag"],
    ),
)
async def set_entropy(call: Call, game_id: PathId, body: EntropyRequest) -> Response:
    """Add your own text to the dice, before the first roll of the game; the last one counts."""
    verb = partial(play.set_entropy, value=body.value, if_match=call.if_match)
    return game_response(await call.submit(verb, game_answer(200), game_id))
