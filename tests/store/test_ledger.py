"""The ledger: batches of what waits, answered after the commit, and nobody failing for another."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from threading import Event as Signal

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from app.rules import Category
from app.store.answers import LIFETIME, Answer, KeyRow, insert_answers
from app.store.command import Change, Command, Loaded, Outcome, Unavailable
from app.store.engine import Database, writing_engine
from app.store.games import load_games
from app.store.ledger import MAX_BATCH, MAX_WAITING, PURGE_ROWS, Ledger
from tests.store.conftest import Clock, running
from tests.store.desk import (
    AT,
    Desk,
    codes,
    command,
    key,
    open_game,
    register,
    roll,
    score,
    token,
)

pytestmark = pytest.mark.anyio
PATIENCE = 20


class Gate:
    """Holds the next commit of an engine until it is opened: what comes meanwhile is one batch."""

    def __init__(self, engine: Engine) -> None:
        self.entered = Signal()
        self._opened = Signal()
        event.listen(engine, "commit", self._hold, once=True)

    def _hold(self, _connection: Connection) -> None:
        self.entered.set()
        assert self._opened.wait(PATIENCE)

    def open(self) -> None:
        self._opened.set()


class Commits:
    """How many transactions an engine has committed."""

    def __init__(self, engine: Engine) -> None:
        self.count = 0
        event.listen(engine, "commit", self._add)

    def _add(self, _connection: Connection) -> None:
        self.count += 1


async def held(ledger: Ledger) -> tuple[Gate, asyncio.Task[Outcome]]:
    """A gate at which the ledger now stands, and the answer to it."""
    gate = Gate(ledger._engine)
    task = asyncio.create_task(ledger.submit(command(lambda _: Change())))
    assert await asyncio.to_thread(gate.entered.wait, PATIENCE)
    return gate, task


async def queued(ledger: Ledger, commands: Sequence[Command]) -> list[asyncio.Task[Outcome]]:
    tasks = [asyncio.create_task(ledger.submit(command)) for command in commands]
    await asyncio.sleep(0)
    return tasks


async def results(tasks: Sequence[Awaitable[Outcome]]) -> list[Outcome | Exception]:
    async with asyncio.timeout(PATIENCE):
        told = await asyncio.gather(*tasks, return_exceptions=True)
    return [one for one in told if isinstance(one, Outcome | Exception)]


async def together(ledger: Ledger, *commands: Command) -> list[Outcome | Exception]:
    """What becomes of the commands when the ledger takes them as one batch."""
    gate, first = await held(ledger)
    tasks = await queued(ledger, commands)
    gate.open()
    return (await results([first, *tasks]))[1:]


async def test_what_waits_becomes_one_transaction(desk: Desk, ledger: Ledger) -> None:
    await ledger.submit(open_game("Ada", "g"))
    commits = Commits(desk.database.writing)
    told = await together(ledger, *[roll("Ada", "g")] * 3, score("Ada", "g", Category.ONES))
    assert codes(told) == [201] * 4
    assert commits.count == 2  # the gate's, and one for all four


async def test_a_batch_has_an_end_however_many_wait(desk: Desk, ledger: Ledger) -> None:
    commits = Commits(desk.database.writing)
    told = await together(ledger, *[register(f"P{i}") for i in range(2 * MAX_BATCH + 1)])
    assert codes(told) == [204] * len(told)
    assert commits.count == 4
    assert desk.count("players") == 3 + len(told)


async def test_an_idle_ledger_commits_a_single_command_at_once(desk: Desk, ledger: Ledger) -> None:
    commits = Commits(desk.database.writing)
    for seen in range(1, 4):
        await ledger.submit(register(f"P{seen}"))
        assert commits.count == seen


async def test_nobody_is_answered_before_the_commit(desk: Desk, ledger: Ledger) -> None:
    """While a slow commit is under way no reader sees the move and no future is done."""
    await ledger.submit(open_game("Ada", "g"))
    tasks: list[asyncio.Task[Outcome]] = []
    seen: list[tuple[bool, int]] = []

    def version() -> int:
        return desk.read(load_games, ["g"])["g"].game.version

    @event.listens_for(desk.database.writing, "commit")
    def dawdle(_connection: Connection) -> None:
        time.sleep(0.2)
        seen.append((any(task.done() for task in tasks), version()))

    tasks += await queued(ledger, [roll("Ada", "g")])
    await results(tasks)
    assert seen == [(False, 2)]
    assert version() == 3


async def test_another_connection_has_the_move_as_soon_as_it_is_answered(
    desk: Desk, ledger: Ledger
) -> None:
    await ledger.submit(open_game("Ada", "g"))
    for category in Category:
        for command_ in (roll("Ada", "g"), score("Ada", "g", category)):
            outcome = await ledger.submit(command_)
            assert desk.kept("g").game.version >= (outcome.answer.etag or 0)
    assert desk.kept("g").game.status == "finished"


async def test_whoever_breaks_a_constraint_fails_alone(
    desk: Desk, ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    """The batch fails in the database and is run again one by one."""
    await ledger.submit(open_game("Ada", "g"))
    told = await together(
        ledger, roll("Ada", "g"), register("Bo"), roll("Ada", "g"), register("Dee")
    )
    assert codes(told) == [201, "unavailable", 201, 204]
    assert [one.answer.etag for one in told if isinstance(one, Outcome)] == [3, 4, None]
    assert [event.seq for event in desk.kept("g").events] == [1, 2, 3, 4]
    assert desk.player("Dee") is not None
    assert "a command failed in the database" in caplog.text


async def test_what_fails_in_the_database_puts_no_value_into_the_log(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    """Among the values are seeds and hashes of tokens."""
    with pytest.raises(Unavailable):
        await ledger.submit(register("Bo"))
    assert "IntegrityError" in caplog.text
    assert token("Bo") not in caplog.text


async def test_a_key_has_one_effect_though_its_batch_was_run_again(
    desk: Desk, ledger: Ledger
) -> None:
    await ledger.submit(open_game("Ada", "g"))
    keyed = roll("Ada", "g", key=key("k"))
    told = await together(ledger, keyed, register("Bo"), keyed)
    assert codes(told) == [201, "unavailable", 201]
    assert [one.is_replay for one in told if isinstance(one, Outcome)] == [False, True]
    assert desk.kept("g").game.version == 3


async def test_a_full_disk_refuses_moves_until_there_is_room(
    desk: Desk, ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite has a page limit that acts like a full disk."""
    await ledger.submit(open_game("Ada", "g"))
    pages = [1]

    @event.listens_for(desk.database.writing, "begin")
    def limit(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages[0]}")

    refused = 0
    with caplog.at_level(logging.CRITICAL):  # a hundred traces tell no more than one
        for i in range(100):
            try:
                await ledger.submit(open_game("Ada", f"g{i}"))
            except Unavailable:
                refused += 1
    assert refused
    pages[0] = 100_000
    assert (await ledger.submit(open_game("Ada", "last"))).answer.status == 201
    assert (await ledger.submit(roll("Ada", "g"))).answer.etag == 3
    assert desk.count("games") == 100 - refused + 2


async def test_whoever_stops_waiting_loses_no_effect(desk: Desk, ledger: Ledger) -> None:
    await ledger.submit(open_game("Ada", "g"))
    gate, first = await held(ledger)
    gone, stays = await queued(ledger, [roll("Ada", "g"), roll("Ada", "g")])
    gone.cancel()
    gate.open()
    await results([first])
    assert (await results([stays]))[0] == Outcome(Answer(201, b"version 4", 4))
    assert gone.cancelled()
    assert desk.kept("g").game.version == 4


async def test_stopping_finishes_what_waits_and_then_refuses(desk: Desk, ledger: Ledger) -> None:
    gate, first = await held(ledger)
    tasks = await queued(ledger, [register(f"P{i}") for i in range(3 * MAX_BATCH + 1)])
    stopping = asyncio.create_task(ledger.stop())
    await asyncio.sleep(0.05)
    with pytest.raises(Unavailable):
        await ledger.submit(register("Late"))
    assert not stopping.done()
    gate.open()
    told = await results([first, *tasks])
    async with asyncio.timeout(PATIENCE):
        await stopping
    assert codes(told) == [204] * len(told)
    assert desk.count("players") == 3 + len(tasks)
    with pytest.raises(Unavailable):
        await ledger.submit(register("Later"))


async def test_too_many_that_wait_are_sent_away(desk: Desk, ledger: Ledger) -> None:
    gate, first = await held(ledger)
    idle = command(lambda _: Change(), "Ada")
    tasks = await queued(ledger, [idle] * MAX_WAITING)
    with pytest.raises(Unavailable):
        await ledger.submit(register("Late"))
    gate.open()
    told = await results([first, *tasks])
    assert codes(told) == [204] * (MAX_WAITING + 1)
    assert (await ledger.submit(register("Late"))).answer.status == 204
    assert desk.player("Late") is not None


async def test_old_answers_are_purged_after_24_hours(desk: Desk, clock: Clock) -> None:
    async with running(desk, clock) as ledger:
        await ledger.submit(open_game("Ada", "g"))
        await ledger.submit(roll("Ada", "g", key=key("old")))
        clock.now += LIFETIME - 1
        await ledger.submit(roll("Ada", "g", key=key("young")))
    assert desk.count("answers") == 2
    clock.now += 1
    async with running(desk, clock):
        pass
    assert [row["key_hash"] for row in desk.rows("answers")] == [key("young").hash]


async def test_many_old_answers_are_purged_a_portion_after_each_batch(
    desk: Desk, clock: Clock
) -> None:
    many = 6 * PURGE_ROWS
    rows = [KeyRow("ada", f"key {i}", "asked", Answer(204, b""), AT) for i in range(many)]
    with desk.database.writing.begin() as connection:
        insert_answers(connection, rows)
    clock.now += LIFETIME
    async with running(desk, clock) as ledger:
        for batches in range(3, 7):  # two have come before
            await ledger.submit(command(lambda _: Change()))
            assert desk.count("answers") >= many - batches * PURGE_ROWS > 0 or batches == 6
    assert desk.count("answers") == 0


async def test_what_the_database_refuses_is_read_anew(desk: Desk, ledger: Ledger) -> None:
    """Should what the ledger knows and what the database holds ever differ, the database is right.

    Here a second program, which nothing should let in, has moved.
    """
    await ledger.submit(open_game("Ada", "g"))
    await ledger.submit(roll("Ada", "g"))
    other = Desk(desk.database)
    path = desk.database.reading.url.database
    engine = writing_engine(Path(path or ""))
    other.database = Database(engine, desk.database.reading)
    other.do(roll("Ada", "g"))
    engine.dispose()
    with pytest.raises(Unavailable):
        await ledger.submit(score("Ada", "g", Category.CHOICE))
    assert (await ledger.submit(score("Ada", "g", Category.CHOICE))).answer.etag == 5
    assert [event.seq for event in desk.kept("g").events] == [1, 2, 3, 4, 5]


async def test_a_verb_that_ends_an_iteration_too_early_fails_alone(
    desk: Desk, ledger: Ledger
) -> None:
    """No future takes a StopIteration; its neighbours would wait for ever."""

    def broken(_: Loaded) -> Change:
        raise StopIteration

    async with asyncio.timeout(PATIENCE):
        told = await together(ledger, command(broken), register("Dee"))
    assert codes(told) == ["RuntimeError", 204]
    assert desk.player("Dee") is not None


async def test_an_expired_key_has_an_effect_of_its_own(
    desk: Desk, ledger: Ledger, clock: Clock
) -> None:
    await ledger.submit(open_game("Ada", "g"))
    await ledger.submit(roll("Ada", "g", key=key("k")))
    clock.now += LIFETIME
    again = await ledger.submit(roll("Ada", "g", key=key("k", "something else")))
    assert again == Outcome(Answer(201, b"version 4", 4))
    assert desk.kept("g").game.version == 4


async def test_a_reader_never_sees_half_a_batch(desk: Desk, ledger: Ledger) -> None:
    """Two games that advance together in every batch are always seen at one version."""
    await ledger.submit(open_game("Ada", "a"))
    await ledger.submit(open_game("Bo", "b"))
    over = Signal()
    seen: list[tuple[int, int]] = []

    def look() -> None:
        while not over.is_set():
            rows = desk.read(lambda c: (load_games(c, ["a"])["a"], load_games(c, ["b"])["b"]))
            seen.append((rows[0].game.version, rows[1].game.version))

    looking = asyncio.create_task(asyncio.to_thread(look))
    for category in Category:
        both = (roll("Ada", "a"), roll("Bo", "b"))
        await together(ledger, *both)
        await together(ledger, score("Ada", "a", category), score("Bo", "b", category))
    over.set()
    await looking
    assert [pair for pair in seen if pair[0] != pair[1]] == []
    assert len({pair[0] for pair in seen}) > 3


async def test_a_log_and_its_game_are_read_at_one_moment(desk: Desk, ledger: Ledger) -> None:
    await ledger.submit(open_game("Ada", "g"))
    over = Signal()
    apart: list[int] = []

    def look() -> int:
        looks = 0
        while not over.is_set():
            kept = desk.kept("g")
            looks += 1
            if kept.game.version != len(kept.events):
                apart.append(kept.game.version)
        return looks

    looking = asyncio.create_task(asyncio.to_thread(look))
    for category in Category:
        await ledger.submit(roll("Ada", "g"))
        await ledger.submit(score("Ada", "g", category))
    over.set()
    assert await looking > 3
    assert apart == []
