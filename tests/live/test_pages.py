"""Pages of a log are shared by who asks at the same moment, and by nobody else."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from sqlalchemy import Connection

from app.api.pages import Page, Pages
from app.store.engine import READERS
from tests.live.players import Game, Player
from tests.live.servers import Inside


@contextmanager
def readers_busy(server: Inside) -> Iterator[None]:
    """While this lasts every reader has a query that does not end, so that others queue up."""
    is_over = Event()

    def wait(_connection: Connection) -> None:
        is_over.wait()

    tasks = [asyncio.create_task(server.app.state.reader.read(wait)) for _ in range(READERS)]
    try:
        yield
    finally:
        is_over.set()
    assert len(tasks) == READERS


async def asked(pages: Pages, game: Game, count: int = 1) -> list[asyncio.Task[Page]]:
    """So many who have asked for the log from its beginning, and still wait."""
    asking = [asyncio.create_task(pages.after(game["id"], 0)) for _ in range(count)]
    await asyncio.sleep(0.01)
    assert not any(task.done() for task in asking)
    return asking


def test_who_asks_at_the_same_moment_gets_the_same_page(shared: Inside, ada: Player) -> None:
    game = ada.open()

    async def ask() -> list[Page]:
        with readers_busy(shared):
            asking = await asked(shared.app.state.pages, game, 5)
        return await asyncio.gather(*asking)

    first, *others = shared.run(ask)
    assert first.frames.count(b"event: ") == 2
    assert (first.last, first.is_full, first.ends_game) == (2, False, False)
    assert all(page is first for page in others)


def test_a_page_is_not_shared_across_a_change(shared: Inside, ada: Player) -> None:
    """Who asks after it must not be given what was read before it."""
    game = ada.open()

    async def ask() -> list[Page]:
        with readers_busy(shared):
            before = await asked(shared.app.state.pages, game)
            shared.live.wake([game["id"]])
            after = await asked(shared.app.state.pages, game, 2)
        return await asyncio.gather(*before, *after)

    before, after, beside = shared.run(ask)
    assert before is not after
    assert after is beside


def test_who_goes_away_takes_the_page_from_nobody(shared: Inside, ada: Player) -> None:
    """Not even the one who asked first; and nothing of it is kept."""
    game = ada.open()

    async def ask() -> Page:
        with readers_busy(shared):
            first, second = await asked(shared.app.state.pages, game, 2)
            first.cancel()
            await asyncio.sleep(0)
        return await second

    assert shared.run(ask).last == 2
    assert shared.app.state.pages._readings == {}
