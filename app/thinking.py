"""Exact play beside the event loop: its tables take seconds to make, its answers milliseconds.

What is never asked for is never made.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from app.autoplay import Unsolved
from app.rules import Ruleset
from app.store.command import Command, Outcome
from app.store.ledger import Ledger

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class Thinker:
    """One thread for all of it, so that it takes no more than its share of the processor."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinker")

    def stop(self) -> None:
        """End the thread; what is being computed is given up."""
        self._thread.shutdown(cancel_futures=True)

    async def think(
        self,
        about: Callable[Arguments, Found],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Found:
        """What a function of the strategy finds."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: about(*args, **kwargs))

    async def solve(self, ruleset: Ruleset) -> None:
        """Have the tables of a ruleset ready from now on."""
        from app.strategy import tables  # noqa: PLC0415 - who never asks never loads it

        if tables.ready(ruleset) is None:
            await self.think(tables, ruleset)

    async def submit(self, command: Command) -> Outcome:
        """Run a command, and where it reaches a bot that cannot think yet, let it prepare first."""
        while True:
            try:
                return await self._ledger.submit(command)
            except Unsolved as unsolved:
                await self.solve(unsolved.ruleset)
