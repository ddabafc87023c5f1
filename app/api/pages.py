"""The log of a game in pages of server-sent events, each made once for all who follow it.

Whoever a change has woken asks at the same moment for the same page: one query, one text. Knows
neither connections nor who asks.
"""

import asyncio
from typing import NamedTuple

from fastapi.sse import format_sse_event
from pydantic_core import to_json

from app.live import Live
from app.schemas.events import event_view
from app.store.games import EventRow, list_events
from app.store.reader import Reader

SIZE = 200

_LAST = frozenset({"game_finished", "game_cancelled"})


class Page(NamedTuple):
    """Events as they are sent; ``last`` is the seq of the last one, or after which there is none.

    ``is_full``: there may be more; ``ends_game``: the end of the game is among them.
    """

    frames: bytes
    last: int
    is_full: bool
    ends_game: bool


class Pages:
    """Reads pages. Belongs to the event loop: not for other threads."""

    def __init__(self, reader: Reader, live: Live) -> None:
        self._reader = reader
        self._live = live
        self._readings: dict[tuple[str, int, int], asyncio.Task[Page]] = {}

    async def after(self, game_id: str, seq: int) -> Page:
        """The events after ``seq``, as many as go on a page. Raises Unavailable."""
        # Not shared with who asked before the last change: that page may have been read too early.
        key = (game_id, seq, self._live.changes)
        reading = self._readings.get(key)
        if reading is None:
            reading = asyncio.create_task(self._read(game_id, seq))
            self._readings[key] = reading
            reading.add_done_callback(lambda done: self._forget(key, done))
        # Whoever goes away in the meantime must not take the page from the others.
        return await asyncio.shield(reading)

    def _forget(self, key: tuple[str, int, int], done: asyncio.Task[Page]) -> None:
        del self._readings[key]
        if not done.cancelled():
            done.exception()  # nobody may be left to be told

    async def _read(self, game_id: str, seq: int) -> Page:
        log = await self._reader.read(list_events, game_id, seq, SIZE)
        return Page(
            frames=b"".join(map(_frame, log)),
            last=log[-1].seq if log else seq,
            is_full=len(log) == SIZE,
            ends_game=any(event.type in _LAST for event in log),
        )


def _frame(row: EventRow) -> bytes:
    data = to_json(event_view(row)).decode()
    return format_sse_event(data_str=data, event=row.type, id=str(row.seq))
