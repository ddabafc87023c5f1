"""What happens without anybody asking: late turns are played, forgotten games called off.

Every time is in the database and is looked at again in the transaction, so a sweep may come late,
twice, or after a restart: what is due happens once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from app import play
from app.config import Settings
from app.store.answers import Answer
from app.store.command import Change, Command, Unavailable, Verb
from app.store.games import abandoned_games, late_games
from app.store.reader import Reader
from app.thinking import Thinker

CLOCK_SECONDS = 0.25
FORGOTTEN_SECONDS = 60.0
AT_ONCE = 200

_HOUR = 60 * 60 * 1000

log = logging.getLogger(__name__)


async def sweep(
    thinker: Thinker,
    reader: Reader,
    now: Callable[[], int],
    settings: Settings,
    clock_seconds: float = CLOCK_SECONDS,
) -> None:
    """Look for what is due, over and over, until cancelled; late turns every ``clock_seconds``."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_every(clock_seconds, partial(play_late_turns, thinker, reader, now)))
        tasks.create_task(
            _every(FORGOTTEN_SECONDS, partial(cancel_forgotten, thinker, reader, now, settings))
        )


async def play_late_turns(thinker: Thinker, reader: Reader, now: Callable[[], int]) -> None:
    """Play the turns whose time is up."""
    ids = await reader.read(late_games, now(), AT_ONCE)
    await _run(thinker, ids, play.expire)


async def cancel_forgotten(
    thinker: Thinker, reader: Reader, now: Callable[[], int], settings: Settings
) -> None:
    """Call off the games that nobody joined or played for as long as the settings allow."""
    waiting_since = now() - settings.waiting_hours * _HOUR
    idle_since = now() - settings.idle_days * 24 * _HOUR
    ids = await reader.read(abandoned_games, waiting_since, idle_since, AT_ONCE)
    verb = partial(play.abandon, waiting_since=waiting_since, idle_since=idle_since)
    await _run(thinker, ids, verb)


async def _run(thinker: Thinker, ids: list[str], verb: Verb) -> None:
    commands = [Command(verb, _unanswered, game_id=game_id) for game_id in ids]
    done = await asyncio.gather(*map(thinker.submit, commands), return_exceptions=True)
    failed = [e for e in done if isinstance(e, Exception) and not isinstance(e, Unavailable)]
    if failed:
        raise ExceptionGroup("not every game could be moved on", failed)


async def _every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    told = ""
    while True:
        try:
            await work()
            told = ""
        except Unavailable:  # a busy server; what is due stays due
            pass
        except Exception as error:  # whatever went wrong with one game, others are waiting
            if repr(error) != told:  # not four times a second what is wrong for hours
                told = repr(error)
                log.exception("a sweep failed; the next ones try again")
        await asyncio.sleep(seconds)


def _unanswered(_change: Change) -> Answer:
    return Answer(204, b"")
