"""The log of a game, live: replay and waiting are one loop over the log.

A stream keeps nothing while it waits but its place in the log: no thread, no database connection.
A reader that stops reading is let go by the operating system: see the listening socket.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, aclosing
from functools import partial
from time import monotonic
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query
from fastapi.sse import format_sse_event
from pydantic_core import to_json
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.api.call import Call, StrictRoute
from app.api.describe import PathId, operation
from app.api.examples import STREAM
from app.api.problems import RETRY_SECONDS, Problem
from app.live import TooManyStreamsError
from app.schemas.games import game_view
from app.schemas.requests import StreamQuery
from app.store.command import Unavailable
from app.store.games import GameRow

RETRY_MILLISECONDS = 1_000

_HEADERS = {"X-Accel-Buffering": "no"}  # nginx would hold the events back

_Frames: TypeAlias = Callable[[asyncio.Event], AsyncGenerator[bytes, None]]
"""What is sent, given the event that wakes whoever sends it."""

router = APIRouter(prefix="/v1/games/{game_id}", tags=["fairness"], route_class=StrictRoute)


class LogStream(StreamingResponse):
    """A stream, from taking its place among the open ones to giving it back.

    The place is taken before the first byte is sent, and is free again however the stream ends.
    """

    media_type = "text/event-stream"

    def __init__(self, call: Call, game_id: str, frames: _Frames) -> None:
        super().__init__((), headers=_HEADERS)
        self._call = call
        self._game_id = game_id
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one stream. Raises Problem, still unsent, where there are too many."""
        live = self._call.live
        with ExitStack() as place:
            try:
                woken = place.enter_context(live.watch(self._game_id, self._call.address))
            except TooManyStreamsError as error:
                code = "rate-limited" if error.is_address else "unavailable"
                raise Problem(code, headers={"Retry-After": str(RETRY_SECONDS)}) from None
            # Closed with the stream, not when the collector comes by.
            async with aclosing(self._frames(woken)) as self.body_iterator:
                await super().__call__(scope, receive, send)


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
    version, is_over = row.game.version, row.game.is_ended
    after = _place(call, query, version)
    if is_over and after == version:
        return Response(status_code=204)
    if call.is_head:
        return LogStream(call, game_id, _no_frames)
    first = [format_sse_event(retry=RETRY_MILLISECONDS)]
    if after is None:
        first.append(_snapshot(row))
        after = version
    frames = partial(_frames, call, game_id, b"".join(first), after, is_over=is_over)
    return LogStream(call, game_id, frames)


async def _frames(
    call: Call, game_id: str, first: bytes, after: int, woken: asyncio.Event, *, is_over: bool
) -> AsyncGenerator[bytes, None]:
    live, pages = call.live, call.pages
    end = monotonic() + live.life_seconds
    yield first
    try:
        while not live.is_closing:
            # Cleared before the log is read: what comes in between wakes us once more.
            woken.clear()
            page = await pages.after(game_id, after)
            if page.frames:
                yield page.frames
            after, is_over = page.last, is_over or page.ends_game
            if page.is_full:
                continue
            if is_over or monotonic() >= end:
                return
            if not await _is_woken(woken, min(live.ping_seconds, end - monotonic())):
                yield format_sse_event(comment="ping")
    except Unavailable:
        return  # the client comes again, with the id of the last event it got


async def _no_frames(_woken: asyncio.Event) -> AsyncGenerator[bytes, None]:
    """What a HEAD is answered: headers, and the end."""
    yield b""


async def _is_woken(woken: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        return False
    return True


def _place(call: Call, query: StreamQuery, version: int) -> int | None:
    """After which event the stream begins; None for a snapshot first."""
    place: int | None
    header = call.sent.get("last-event-id", [None])[0]
    if header is None:
        place = query.after
    else:
        place = int(header) if re.fullmatch(r"[0-9]{1,10}", header) else None
    return place if place is not None and place <= version else None


def _snapshot(row: GameRow) -> bytes:
    data = to_json(game_view(row)).decode()
    return format_sse_event(data_str=data, event="snapshot", id=str(row.game.version))
