"""Reads: what fails is told in the log, what is too much is sent away, and lists read few rows."""

import asyncio
import logging
from threading import Event as Signal
from typing import Any

import pytest
from sqlalchemy import Connection, event

from app.store.command import Unavailable
from app.store.games import Listing, list_games
from app.store.reader import MAX_WAITING, Reader
from tests.store.desk import ME, OPEN, Desk, open_game

pytestmark = pytest.mark.anyio


async def test_a_query_that_fails_is_logged(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    reader = Reader(desk.database.reading)
    with caplog.at_level(logging.ERROR), pytest.raises(Unavailable):
        await reader.read(lambda connection: connection.exec_driver_sql("SELECT * FROM nowhere"))
    reader.stop()
    assert "no such table" in caplog.text


async def test_queries_past_a_bound_are_sent_away(desk: Desk) -> None:
    reader = Reader(desk.database.reading)
    gate = Signal()

    def wait(_: Connection) -> bool:
        return gate.wait(20)

    tasks = [asyncio.create_task(reader.read(wait)) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await reader.read(wait)
    gate.set()
    assert all(await asyncio.gather(*tasks))
    assert await reader.read(wait)
    reader.stop()


def _plan(connection: Connection, listing: Listing) -> list[str]:
    """How SQLite would find the games of a listing."""
    plans: list[str] = []

    @event.listens_for(connection, "before_cursor_execute")
    def explain(*call: Any) -> None:
        _, _, statement, parameters, *_ = call
        rows = call[1].connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        plans.extend(row[3] for row in rows)

    list_games(connection, listing)
    return plans


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        ({}, "ix_games_public "),
        ({"status": "waiting"}, "ix_games_public_status"),
        ({"ruleset": "short-straights"}, "ix_games_public_ruleset"),
        ({"status": "waiting", "ruleset": "short-straights"}, "ix_games_public_"),
        ({"player_id": "ada"}, "participants"),
    ],
    ids=lambda value: "-".join(value) or "all" if isinstance(value, dict) else "",
)
def test_a_list_reads_only_the_games_it_asks_for(
    desk: Desk, asked: dict[str, str], index: str
) -> None:
    desk.do(open_game("Ada", "g", ME, OPEN, visibility="public"))
    listing = Listing(
        **{"player_id": None, "status": None, "ruleset": None, **asked}, before="z", limit=20
    )
    plans = desk.read(_plan, listing)
    assert any(index in f"{line} " for line in plans), plans
    assert not any(line.startswith("SCAN games") and "INDEX" not in line for line in plans), plans
    assert not any("TEMP B-TREE" in line for line in plans), plans
