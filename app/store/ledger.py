"""The one writer: turns whatever commands are waiting into one transaction, then answers them all.

A batch is what arrived while the last one was committing, so under load one flush to disk serves
many moves, and an idle server commits a single move at once. Nobody is answered before the commit.

Batches are decided on the event loop, one after the other; a thread waits for the disk. A thread
for all of it would fight the event loop for the interpreter at every statement.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from sqlalchemy import Engine
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
    """Takes commands on the event loop and runs them in batches."""

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
        self._waiting: deque[_Waiting] = deque()
        self._working: asyncio.Task[None] | None = None
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._known = Known()
        self._is_open = False
        self._next_purge = 0

    def start(self) -> None:
        """Begin to take commands, on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._connection = self._engine.connect()
        self._is_open = True

    async def stop(self) -> None:
        """Take no more commands, finish those that wait, and let go of the database."""
        self._is_open = False
        if self._working is not None:
            await self._working
        self._connection.close()
        self._disk.shutdown()

    async def submit(self, command: Command) -> Outcome:
        """Run a command; its answer comes when it is on the disk.

        Raises the Refusal or RuleViolation for which it is refused, Unavailable where the
        database fails or too many commands wait.
        """
        if not self._is_open or len(self._waiting) >= MAX_WAITING:
            raise Unavailable
        future: asyncio.Future[Outcome] = self._loop.create_future()
        self._waiting.append(_Waiting(command, future))
        if (
            self._working is None
        ):  # its first batch has all that is submitted in this turn of the loop
            self._working = self._loop.create_task(self._work())
        return await future

    async def _work(self) -> None:
        try:
            while self._waiting:
                count = min(MAX_BATCH, len(self._waiting))
                batch = [self._waiting.popleft() for _ in range(count)]
                done = await self._commit([waiting.command for waiting in batch])
                decided = len(done.results)
                self._waiting.extendleft(reversed(batch[decided:]))
                self._deliver([waiting.future for waiting in batch[:decided]], done)
                await self._purge()
        finally:
            self._working = None

    async def _commit(self, commands: Sequence[Command]) -> "_Committed":
        try:
            transaction = self._connection.begin()
            try:
                batch = Batch(self._connection, self._known, self._clock(), self._draw)
                results = batch.run(commands)
                await self._loop.run_in_executor(self._disk, transaction.commit)
            except Exception:
                transaction.rollback()
                raise
            batch.remember()
            return _Committed(results, batch.touched)
        except Exception as error:
            self._known.clear()  # what the database says counts, should the two ever disagree
            if len(commands) == 1:
                log.exception("a command failed in the database")
                result = Unavailable() if isinstance(error, DBAPIError) else error
                return _Committed([result], set())
        # Nobody fails for a neighbour: what one command broke, the others do again without it.
        alone = [await self._commit([command]) for command in commands]
        return _Committed(
            [result for done in alone for result in done.results],
            {game_id for done in alone for game_id in done.touched},
        )

    async def _purge(self) -> None:
        if (now := self._clock()) >= self._next_purge:
            gone = await self._loop.run_in_executor(self._disk, self._forget_old_answers, now)
            # Where there was more, the next batch goes on: nobody waits for all of it.
            self._next_purge = now if gone == PURGE_ROWS else now + PURGE_INTERVAL

    def _forget_old_answers(self, now: int) -> int:
        try:
            with self._connection.begin():
                return forget_old_answers(self._connection, now, PURGE_ROWS)
        except DBAPIError:
            log.exception("old answers could not be deleted; trying again later")
            return 0

    def _deliver(self, futures: Sequence["asyncio.Future[Outcome]"], done: _Committed) -> None:
        self._wake(done.touched)
        for future, result in zip(futures, done.results, strict=True):
            if future.done():  # whoever asked has gone; what was done stays done
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
