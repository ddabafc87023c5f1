"""Waiting for what others do: the game's stream, or asking again and again where there is none."""

import time
from collections.abc import Generator
from contextlib import closing
from typing import Any, TypeAlias

from app.schemas.games import GameView
from app.terminal.client import NoStream, Server
from app.terminal.sse import MAX_DIGITS, Retry

POLL_SECONDS = 1.0
LONGEST_RETRY = 30.0

Event: TypeAlias = dict[str, Any]
_LAST = ("game_finished", "game_cancelled")


def happenings(
    server: Server, game: GameView, poll_seconds: float
) -> Generator[tuple[Event, GameView], None, None]:
    """Each event after this state of the game, once, with a state that it is part of.

    That state may be newer than the event: then the next ones are known already. Ends with the
    game. Raises NoServer, and Refused where the game is gone.
    """
    with closing(_events(server, game, poll_seconds)) as events:
        for event in events:
            if event["seq"] > game["version"]:
                game = server.game(game["id"])
            yield event, game


def _events(server: Server, game: GameView, poll_seconds: float) -> Generator[Event, None, None]:
    last = game["version"]
    for source in (_streamed, _polled):
        with closing(source(server, game, last, poll_seconds)) as events:
            for event in events:
                if event["seq"] <= last:
                    continue
                last = event["seq"]
                yield event
                if event["type"] in _LAST:
                    return


def _streamed(
    server: Server, game: GameView, after: int, poll_seconds: float
) -> Generator[Event, None, None]:
    """The events of one stream after the other; ends where there is no stream to be had."""
    while True:
        pause, is_mute = poll_seconds, True
        try:
            with closing(server.stream(game["id"], after)) as stream:
                for told in stream:
                    is_mute = False
                    if isinstance(told, Retry):
                        pause = min(told.seconds, LONGEST_RETRY)
                        continue
                    yield server.event(told)
                    if told.id.isdecimal() and len(told.id) <= MAX_DIGITS:
                        after = int(told.id)
        except NoStream:
            return
        if is_mute:  # something on the way keeps everything back until the stream ends
            return
        time.sleep(pause)


def _polled(
    server: Server, game: GameView, after: int, poll_seconds: float
) -> Generator[Event, None, None]:
    while game["status"] in ("waiting", "active"):
        newer = server.newer(game)
        if newer is None:
            time.sleep(poll_seconds)
            continue
        game = newer
        for event in server.events(game["id"], after):
            yield event
            after = event["seq"]
