"""Games: opening, finding and reading them, and everything about seats before play begins."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app import play
from app.api.answers import (
    found_game,
    game_answer,
    game_response,
    json_response,
    no_content,
    opened_answer,
    plain_response,
    rematch_answer,
    unchanged_game,
)
from app.api.call import Call, StrictRoute
from app.api.describe import PathId, operation
from app.api.examples import GAME, WAITING
from app.play import Opening, SeatWish
from app.schemas.games import GamesView, GameView, games_view
from app.schemas.requests import (
    BotSeat,
    GameRequest,
    GamesQuery,
    GuestSeat,
    JoinRequest,
    SeatRequest,
)
from app.store.games import Listing, list_games

router = APIRouter(prefix="/v1/games", tags=["games"], route_class=StrictRoute)


@router.post(
    "",
    **operation(
        "openGame",
        "Open a game",
        201,
        GameView,
        example=GAME,
        body={"seats": [{"type": "me"}, {"type": "guest", "name": "Bo"}]},
        is_body_optional=True,
        needs_token=True,
        headers=["ETag", "Location"],
        takes_key=True,
    ),
)
async def open_game(call: Call, body: GameRequest) -> Response:
    """Open a game; the caller is its host. Without an open seat it starts at once."""
    opening = Opening(
        id=call.new_id(),
        seed=call.new_seed(),
        seats=tuple(map(_wish, body.seats)),
        ruleset=body.ruleset,
        visibility=body.visibility,
        hints=body.hints,
        turn_seconds=body.turn_seconds,
        max_open_games=call.max_open_games,
    )
    verb = partial(play.open_game, opening=opening)
    return game_response(await call.submit(verb, opened_answer, counts_games=True))


@router.get(
    "",
    **operation(
        "listGames",
        "List games",
        200,
        GamesView,
        example={"items": [GAME], "next_cursor": None},
        may_need_token=True,
    ),
)
async def list_(call: Call, query: Annotated[GamesQuery, Query()]) -> Response:
    """Public games, or with `mine=true` the caller's own, newest first."""
    listing = Listing(
        player_id=(await call.identify()).id if query.mine == "true" else None,
        status=query.status,
        ruleset=query.ruleset,
        before=query.cursor,
        limit=query.limit + 1,
    )
    return json_response(games_view(await call.reader.read(list_games, listing), query.limit))


@router.get(
    "/{game_id}",
    **operation(
        "getGame",
        "Read a game",
        200,
        GameView,
        example=GAME,
        problems=["not-found"],
        headers=["ETag"],
        takes_if_match=True,
        takes_if_none_match=True,
    ),
)
async def get(call: Call, game_id: PathId) -> Response:
    """The whole state of a game. Reading needs no token, only the id."""
    row = await call.game(game_id)
    if call.is_known(row.game.version):
        return unchanged_game(row.game.version)
    return found_game(row)


@router.delete(
    "/{game_id}",
    **operation(
        "cancelGame",
        "Cancel a waiting game",
        204,
        None,
        has_body=True,
        problems=["not-found", "not-host", "already-started", "game-over"],
        needs_token=True,
        takes_if_match=True,
    ),
)
async def cancel(call: Call, game_id: PathId) -> Response:
    """The host calls a waiting game off. It stays readable; doing so again changes nothing."""
    verb = partial(play.cancel, if_match=call.if_match)
    return plain_response(await call.submit(verb, no_content, game_id))


@router.post(
    "/{game_id}/seats",
    **operation(
        "takeSeat",
        "Take a seat",
        201,
        GameView,
        example=GAME,
        body={"entropy": "correct.horse-7"},
        is_body_optional=True,
        problems=["not-found", "already-started", "game-over", "already-seated"],
        needs_token=True,
        takes_key=True,
        takes_if_match=True,
        headers=["ETag"],
    ),
)
async def take_seat(call: Call, game_id: PathId, body: JoinRequest) -> Response:
    """Take the first open seat; the last one taken starts the game."""
    verb = partial(
        play.join,
        entropy=body.entropy,
        if_match=call.if_match,
        max_open_games=call.max_open_games,
    )
    return game_response(await call.submit(verb, game_answer(201), game_id, counts_games=True))


@router.delete(
    "/{game_id}/seats/me",
    **operation(
        "leaveSeat",
        "Leave a seat",
        200,
        GameView,
        example=WAITING,
        has_body=True,
        problems=["not-found", "not-in-game", "already-started", "game-over", "host-must-cancel"],
        needs_token=True,
        takes_if_match=True,
        headers=["ETag"],
    ),
)
async def leave_seat(call: Call, game_id: PathId) -> Response:
    """Give the own seat in a waiting game back."""
    verb = partial(play.leave, if_match=call.if_match)
    return game_response(await call.submit(verb, game_answer(200), game_id))


@router.post(
    "/{game_id}/start",
    **operation(
        "startGame",
        "Start a game",
        200,
        GameView,
        example=GAME,
        has_body=True,
        problems=["not-found", "not-host", "already-started", "game-over"],
        needs_token=True,
        takes_key=True,
        takes_if_match=True,
        headers=["ETag"],
    ),
)
async def start(call: Call, game_id: PathId) -> Response:
    """The host starts without waiting longer; open seats are dropped."""
    verb = partial(play.start, if_match=call.if_match)
    return game_response(await call.submit(verb, game_answer(200), game_id))


@router.post(
    "/{game_id}/rematch",
    **operation(
        "openRematch",
        "Meet again",
        201,
        GameView,
        example=WAITING,
        has_body=True,
        again="Someone has opened the rematch before: this is it",
        problems=["not-found", "not-in-game", "not-finished"],
        needs_token=True,
        takes_key=True,
        takes_if_match=True,
        headers=["ETag", "Location"],
    ),
)
async def rematch(call: Call, game_id: PathId) -> Response:
    """Open a new game with the same players, the caller its host; the others' seats are open."""
    verb = partial(
        play.rematch,
        game_id=call.new_id(),
        seed=call.new_seed(),
        if_match=call.if_match,
        max_open_games=call.max_open_games,
    )
    outcome = await call.submit(
        verb, rematch_answer, game_id, counts_games=True, loads_rematch=True
    )
    return game_response(outcome)


def _wish(seat: SeatRequest) -> SeatWish:
    match seat:
        case GuestSeat(name=name):
            return SeatWish("guest", name)
        case BotSeat(level=level):
            return SeatWish("bot", level=level)
        case _:
            return SeatWish(seat.type)
