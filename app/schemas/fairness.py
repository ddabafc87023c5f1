"""The dice of a game as clients check them."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app import fairness
from app.schemas.events import EventView, event_view
from app.schemas.fields import about
from app.schemas.games import FiveFaces, GameView, Round, SeatIndex, game_view
from app.store.games import EventRow, GameRow


class DrawView(TypedDict):
    """The five faces that one roll drew, those under held dice included."""

    seat: Annotated[SeatIndex, about("whose seat")]
    round: Annotated[Round, about("1 to 12, one for each category")]
    roll: Annotated[int, Field(ge=1, le=3, description="the first, second or third of the turn")]
    faces: Annotated[FiveFaces, about("what the draw gave each position, held or not")]


class FairnessView(TypedDict):
    """The promise made before the first roll and, once the game has ended, what it promised."""

    commitment: Annotated[
        str,
        Field(
            pattern=r"^[0-9a-f]{64}$",
            description="SHA-256 of the seed of the dice, in hex, published before any roll",
        ),
    ]
    entropy: Annotated[
        str, about("what the human seats added to the draw, in seat order, joined by commas")
    ]
    server_seed: Annotated[
        Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None,
        about("the seed, in hex; null until the game has ended"),
    ]
    draws: Annotated[
        list[DrawView] | None, about("every roll that was made; null until the game has ended")
    ]


class ExportView(TypedDict):
    """A game, all that happened in it, and the proof of its dice."""

    game: Annotated[GameView, about("the whole state")]
    events: Annotated[list[EventView], about("all that happened, oldest first")]
    fairness: Annotated[FairnessView, about("the proof of the dice")]


def export_view(row: GameRow, log: list[EventRow]) -> ExportView:
    """All of a game as the wire has it."""
    return {
        "game": game_view(row),
        "events": [event_view(event) for event in log],
        "fairness": fairness_view(row, log),
    }


def fairness_view(row: GameRow, log: list[EventRow]) -> FairnessView:
    """The record of a game's dice, from its log; seed and draws only once the game has ended."""
    entropy = fairness.entropy_text(row.game.entropies)
    return {
        "commitment": row.game.commitment,
        "entropy": entropy,
        "server_seed": row.seed.hex() if row.game.is_ended else None,
        "draws": _draws(row.seed, entropy, log) if row.game.is_ended else None,
    }


def _draws(seed: bytes, entropy: str, log: list[EventRow]) -> list[DrawView]:
    return [
        {
            "seat": event.seat,
            "round": event.data["round"],
            "roll": event.data["roll"],
            "faces": list(
                fairness.draw(seed, entropy, event.seat, event.data["round"], event.data["roll"])
            ),
        }
        for event in log
        if event.type == "dice_rolled" and event.seat is not None
    ]
