"""The dice of a game as clients check them."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app import fairness
from app.schemas.events import EventView, event_view
from app.schemas.games import FiveFaces, GameView, Round, SeatIndex, game_view
from app.store.games import EventRow, GameRow


class DrawView(TypedDict):
    """The five faces that one roll drew, those under held dice included."""

    seat: SeatIndex
    round: Round
    roll: Annotated[int, Field(ge=1, le=3)]
    faces: FiveFaces


class FairnessView(TypedDict):
    """The promise made before the first roll and, once the game has ended, what it promised."""

    commitment: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    entropy: str
    server_seed: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None
    draws: list[DrawView] | None


class ExportView(TypedDict):
    """A game, all that happened in it, and the proof of its dice."""

    game: GameView
    events: list[EventView]
    fairness: FairnessView


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
