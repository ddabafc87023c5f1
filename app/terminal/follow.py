"""Waiting for what others do. Asks again and again; a live stream could do the same job."""

import time
from collections.abc import Iterator

from app.schemas.games import GameView
from app.terminal.client import Server

POLL_SECONDS = 1.0


def changes(server: Server, game: GameView, poll_seconds: float) -> Iterator[GameView]:
    """Each newer state of the game, as it comes about; ends with the game."""
    while game["status"] in ("waiting", "active"):
        newer = server.newer(game)
        if newer is None:
            time.sleep(poll_seconds)
        else:
            game = newer
            yield game
