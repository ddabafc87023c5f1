"""The log of a game, live: replay and waiting are one loop over the log.

A stream keeps nothing while it waits but its place in the log: no thread, no database connection.
A reader that stops reading is let go by the operating system: see the listening socket.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from time import monotonic
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.sse import format_sse_event
from pydantic_core import to_json
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from app.api.call import Call, StrictRoute
from app.api.describe import PathId, operation
from app.api.examples import STREAM
from app.api.problems import RETRY_SECONDS, Problem
from app.live import TooManyStreamsError
from app.schemas.events import event_view
from app.schemas.games import game_view
from app.schemas.requests import StreamQuery
from app.store.command import Unavailable
from app.store.games import EventRow, GameRow, list_events

PING_SECONDS = 14
LIFE_SECONDS = 14 * 60
PAGE = 200
RETRY_MILLISECONDS = 1_000

_LAST = frozenset({"game_finished", "game_cancelled"})
_HEADERS = {"X-Accel-Buffering": "no"}  # nginx would hold the events back

router = APIRouter(prefix="/v1/games/{game_id}", tags=["fairness"], route_class=StrictRoute)


class LogStream(StreamingResponse):
    """A stream whose generator ends with it, not when the collector comes by."""

    media_type = "text/event-stream"

    body_iterator: AsyncGenerator[bytes, None]

    async def stream_response(self, send: Send) -> None:
        """Send until the end, or until the client has gone."""
        async with aclosing(self.body_iterator):
            await super().stream_response(send)


@router.get(
    "/stream",
    **operation(
        "streamGame",
        "Follow a game",
        200,
        str,
        example=STREAM,
        response_class=LogStream,
        nothing="The game has ended and the client has all of it; do not come again",
        problems=["not-found"],
        takes_if_match=True,
        takes_last_event_id=True,
    ),
)
async def stream(call: Call, game_id: PathId, query: Annotated[StreamQuery, Query()]) -> Response:
    """The game's log, live, as server-sent events.

    Without an id: a `snapshot` of the game, then each event as it happens. After a `Last-Event-ID`
    (which browsers send by themselves) or `after`: exactly the events after it. The stream ends
    with the game, or after fifteen minutes: then come again with the last id.
    """
    row = await call.game(game_id)
    after = _place(call, query, row.game.version)
    if row.game.is_ended and after == row.game.version:
        return Response(status_code=204)
    try:
        call.live.admit(call.address)
    except TooManyStreamsError as error:
        code = "rate-limited" if error.is_address else "unavailable"
        raise Problem(code, headers={"Retry-After": str(RETRY_SECONDS)}) from None
    if call.is_head:
        return Response(media_type=LogStream.media_type, headers=_HEADERS)
    return LogStream(_frames(call, row, after), headers=_HEADERS)


async def _frames(call: Call, row: GameRow, after: int | None) -> AsyncGenerator[bytes, None]:
    end = monotonic() + LIFE_SECONDS
    with call.live.watch(row.id, call.address) as woken:
        yield format_sse_event(retry=RETRY_MILLISECONDS)
        try:
            if after is None:
                row = await call.game(row.id)
                after = row.game.version
                yield _snapshot(row)
            is_over = row.game.is_ended
            while not call.live.is_closing:
                # Cleared before the log is read: what comes in between wakes us once more.
                woken.clear()
                log = await call.reader.read(list_events, row.id, after, PAGE)
                for event in log:
                    yield _frame(event)
                    after = event.seq
                    is_over = is_over or event.type in _LAST
                if len(log) == PAGE:
                    continue
                if is_over or monotonic() >= end:
                    return
                if not await _is_woken(woken, end):
                    yield format_sse_event(comment="ping")
        except Unavailable:
            return  # the client comes again, with the id of the last event it got


async def _is_woken(woken: asyncio.Event, end: float) -> bool:
    try:
        async with asyncio.timeout(min(PING_SECONDS, max(0, end - monotonic()))):
            await woken.wait()
    except TimeoutError:
        return False
    return True


def _place(call: Call, query: StreamQuery, version: int) -> int | None:
    """After which event the stream begins; None for a snapshot first."""
    place: int | None
    header = call.headers.get("last-event-id")
    if header is None:
        place = query.after
    else:
        place = int(header) if re.fullmatch(r"[0-9]{1,10}", header) else None
    return place if place is not None and place <= version else None


def _snapshot(row: GameRow) -> bytes:
    data = to_json(game_view(row)).decode()
    return format_sse_event(data_str=data, event="snapshot", id=str(row.game.version))


def _frame(row: EventRow) -> bytes:
    data = to_json(event_view(row)).decode()
    return format_sse_event(data_str=data, event=row.type, id=str(row.seq))
