"""The one writer: turns whatever commands are waiting into one transaction, then answers them all.

A batch is what arrived while the last one was committing, so under load one flush to disk serves
many moves, and an idle server commits a single move at once. Nobody is answered before the commit.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.store.answers import forget_old_answers
from app.store.batch import Batch, Result
from app.store.command import Command, Outcome, Unavailable
from app.store.known import Known

MAX_BATCH = 64
MAX_WAITING = 2_000
PURGE_INTERVAL = 60 * 60 * 1000
PURGE_ROWS = 2 * MAX_BATCH
"""Of old answers, after a batch: more than a batch can add, and a few milliseconds' work."""

log = logging.getLogger(__name__)


class _Waiting(NamedTuple):
    command: Command
    future: "asyncio.Future[Outcome]"


class _Committed(NamedTuple):
    """What became of the commands of a batch, and the ids of the games that changed."""

    results: Sequence[Result]
    touched: set[str]


class Ledger:
    """Takes commands from the event loop and runs them on a thread of its own."""

    def __init__(
        self,
        engine: Engine,
        clock: Callable[[], int],
        draw: Callable[[], float],
        wake: Callable[[Iterable[str]], None],
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._draw = draw
        self._wake = wake
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="ledger", daemon=True)
        self._known = Known()
        self._is_open = False
        self._next_purge = 0

    def start(self) -> None:
        """Begin to take commands, on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._is_open = True
        self._thread.start()

    async def stop(self) -> None:
        """Take no more commands, finish those that wait, and end the thread."""
        self._is_open = False
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    async def submit(self, command: Command) -> Outcome:
        """Run a command; its answer comes when it is on the disk.

        Raises the Refusal or RuleViolation for which it is refused, Unavailable where the
        database fails or too many commands wait.
        """
        if not self._is_open or self._queue.qsize() >= MAX_WAITING:
            raise Unavailable
        future: asyncio.Future[Outcome] = self._loop.create_future()
        self._queue.put(_Waiting(command, future))
        return await future

    def _work(self) -> None:
        with self._engine.connect() as connection:
            left: Sequence[_Waiting] = ()
            while batch := self._next_batch(left):
                done = self._commit(connection, [waiting.command for waiting in batch])
                decided, left = batch[: len(done.results)], batch[len(done.results) :]
                futures = [waiting.future for waiting in decided]
                self._loop.call_soon_threadsafe(self._deliver, futures, done)
                self._purge(connection)

    def _next_batch(self, left: Sequence[_Waiting]) -> list[_Waiting]:
        """What the last batch has left and all that waits; empty when the ledger is to stop."""
        batch = list(left)
        while len(batch) < MAX_BATCH:
            try:
                waiting = self._queue.get(block=not batch)
            except Empty:
                break
            if waiting is None:
                if batch:
                    self._queue.put(None)  # for when this batch is done
                break
            batch.append(waiting)
        return batch

    def _commit(self, connection: Connection, commands: Sequence[Command]) -> "_Committed":
        try:
            with connection.begin():
                batch = Batch(connection, self._known, self._clock(), self._draw)
                results = batch.run(commands)
            batch.remember()
            return _Committed(results, batch.touched)
        except Exception as error:
            self._known.clear()  # what the database says counts, should the two ever disagree
            if len(commands) == 1:
                log.exception("a command failed in the database")
                result = Unavailable() if isinstance(error, DBAPIError) else error
                return _Committed([result], set())
        # Nobody fails for a neighbour: what one command broke, the others do again without it.
        alone = [self._commit(connection, [command]) for command in commands]
        return _Committed(
            [result for done in alone for result in done.results],
            {game_id for done in alone for game_id in done.touched},
        )

    def _purge(self, connection: Connection) -> None:
        if (now := self._clock()) < self._next_purge:
            return
        try:
            with connection.begin():
                gone = forget_old_answers(connection, now, PURGE_ROWS)
            # Where there was more, the next batch goes on: nobody waits for all of it.
            self._next_purge = now if gone == PURGE_ROWS else now + PURGE_INTERVAL
        except DBAPIError:
            self._next_purge = now + PURGE_INTERVAL
            log.exception("old answers could not be deleted; trying again later")

    def _deliver(self, futures: Sequence["asyncio.Future[Outcome]"], done: _Committed) -> None:
        self._wake(done.touched)
        for future, result in zip(futures, done.results, strict=True):
            if future.done():  # whoever asked has gone; what was done stays done
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
