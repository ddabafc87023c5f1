"""Players as clients see them."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.schemas.fields import Id, Timestamp, about, timestamp
from app.store.players import PlayerRow


class PlayerView(TypedDict):
    """A player's public profile."""

    id: Annotated[Id, about("names the player")]
    name: Annotated[str, about("what others see")]
    created_at: Timestamp


class TokenView(TypedDict):
    """A bearer token, shown this once."""

    token: Annotated[
        str,
        Field(
            examples=["R0ll-5d6-mQ3v4Zb8xK1nT7yWcE2sJf9uLhAoPgDiXtM"],
            description="a password: whoever has it acts as the player",
        ),
    ]


class NewPlayerView(PlayerView, TokenView):
    """A new player and the token that speaks for it, shown this once."""


def player_view(player: PlayerRow) -> PlayerView:
    """The player as the wire has it."""
    return {
        "id": player.id,
        "name": player.name,
        "created_at": timestamp(player.created_at),
    }
