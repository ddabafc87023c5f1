"""Players: making one, its name, its token, its end."""

from functools import partial
from http import HTTPStatus

from fastapi import APIRouter
from pydantic_core import to_json
from starlette.responses import Response

from app import play
from app.api.answers import json_response, plain_response
from app.api.call import Call, StrictRoute, hash_token, known_id
from app.api.describe import PathId, operation
from app.api.examples import PLAYER, TOKEN
from app.chance import new_token
from app.schemas.players import NewPlayerView, PlayerView, TokenView, player_view
from app.schemas.requests import PlayerRequest
from app.store.answers import Answer
from app.store.command import Change, Command, NotFound
from app.store.players import get_player

router = APIRouter(prefix="/v1/players", tags=["players"], route_class=StrictRoute)


@router.post(
    "",
    **operation(
        "createPlayer",
        "Make a player",
        201,
        NewPlayerView,
        example={**PLAYER, **TOKEN},
        body={"name": "Ada"},
        headers=["Location"],
    ),
)
async def create(call: Call, body: PlayerRequest) -> Response:
    """Make a player. The answer holds the player's token, the only time it is shown."""
    player_id, token = call.new_id(), new_token()

    def answer(change: Change) -> Answer:
        assert change.new_player is not None
        view: NewPlayerView = {**player_view(change.new_player), "token": token}
        return Answer(201, to_json(view), location=f"/v1/players/{player_id}")

    verb = partial(play.register, player_id=player_id, name=body.name, token_hash=hash_token(token))
    return plain_response(await call.ledger.submit(Command(verb, answer)))


@router.get(
    "/me", **operation("getMe", "Who am I", 200, PlayerView, example=PLAYER, needs_token=True)
)
async def me(call: Call) -> Response:
    """Who the token speaks for."""
    return json_response(player_view(await call.identify()))


@router.patch(
    "/me",
    **operation(
        "renameMe",
        "Change the name",
        200,
        PlayerView,
        example=PLAYER,
        body={"name": "Ada L."},
        needs_token=True,
    ),
)
async def rename(call: Call, body: PlayerRequest) -> Response:
    """Change the name; seats already taken keep the old one."""
    return plain_response(await call.submit(partial(play.rename, name=body.name), _changed_player))


@router.post(
    "/me/token",
    **operation(
        "renewToken",
        "Get a new token",
        201,
        TokenView,
        example=TOKEN,
        has_body=True,
        needs_token=True,
    ),
)
async def renew_token(call: Call) -> Response:
    """Get a new token; the old one dies when the new one is first used."""
    token = new_token()
    view: TokenView = {"token": token}
    return plain_response(
        await call.submit(
            partial(play.renew_token, token_hash=hash_token(token)),
            lambda _: Answer(201, to_json(view)),
            is_keyed=False,
        )
    )


@router.delete(
    "/me", **operation("deleteMe", "Delete the account", 204, None, needs_token=True, has_body=True)
)
async def delete(call: Call) -> Response:
    """Delete the account: games are left or resigned, and name and id vanish from all of them."""
    while True:
        outcome = await call.submit(play.delete_account, _parted, loads_account=True)
        if outcome.answer.status == HTTPStatus.NO_CONTENT:
            return plain_response(outcome)


@router.get(
    "/{player_id}",
    **operation(
        "getPlayer",
        "Read a player's profile",
        200,
        PlayerView,
        example=PLAYER,
        problems=["not-found"],
    ),
)
async def get(call: Call, player_id: PathId) -> Response:
    """A player's public profile."""
    player = await call.reader.read(get_player, known_id(player_id))
    if player is None:
        raise NotFound
    return json_response(player_view(player))


def _parted(change: Change) -> Answer:
    """Whether that was all of the account, or others may move before the next portion goes."""
    is_gone = change.deleted_player is not None
    return Answer(HTTPStatus.NO_CONTENT if is_gone else HTTPStatus.ACCEPTED, b"")


def _changed_player(change: Change) -> Answer:
    assert change.changed_player is not None
    return Answer(200, to_json(player_view(change.changed_player)))
