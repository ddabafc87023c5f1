"""Exact play beside the event loop: its tables take seconds to make, its answers milliseconds.

What is never asked for is never made.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from app.autoplay import Unsolved
from app.rules import Ruleset
from app.store.command import Command, Outcome, Unavailable
from app.store.ledger import Ledger

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


MAX_WAITING = 256
"""Questions under way and waiting: a second's worth of them, more would only be answered later."""


class Thinker:
    """One thread for questions and one for tables, so that neither takes the whole processor."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinker")
        # A bot that needs tables does not wait until all questions of others are answered.
        self._solver = ThreadPoolExecutor(1, thread_name_prefix="solver")

    def stop(self) -> None:
        """End the threads. What waits is given up; what is being computed is finished first."""
        self._thread.shutdown(cancel_futures=True)
        self._solver.shutdown(cancel_futures=True)

    async def think(
        self,
        about: Callable[Arguments, Found],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Found:
        """What a function of the strategy finds. Raises Unavailable where too many wait."""
        if self._waiting >= MAX_WAITING:
            raise Unavailable
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, lambda: about(*args, **kwargs))
        finally:
            self._waiting -= 1

    async def solve(self, ruleset: Ruleset) -> None:
        """Have the tables of a ruleset ready from now on."""
        await asyncio.get_running_loop().run_in_executor(self._solver, _solve, ruleset)

    async def submit(self, command: Command) -> Outcome:
        """Run a command, and where it reaches a bot that cannot think yet, let it prepare first."""
        while True:
            try:
                return await self._ledger.submit(command)
            except Unsolved as unsolved:
                await self.solve(unsolved.ruleset)


def _solve(ruleset: Ruleset) -> None:
    # Loading takes longer than others may wait, so it is the solver's too.
    from app.strategy import tables  # noqa: PLC0415 - who never asks never loads it

    tables(ruleset)
