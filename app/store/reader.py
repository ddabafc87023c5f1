"""Reads: queries on a small pool of threads, each on a consistent view of what is committed."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.store.command import Unavailable
from app.store.engine import READERS

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


MAX_WAITING = 2_000
"""Queries under way and waiting, on all threads together."""

log = logging.getLogger(__name__)


class Reader:
    """Runs queries off the event loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting = 0
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    def stop(self) -> None:
        """Finish the queries under way and end the threads."""
        self._threads.shutdown()

    async def read(
        self,
        query: Callable[Concatenate[Connection, Arguments], Found],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Found:
        """What the query finds. Raises Unavailable where the database fails or too many wait."""

        def run() -> Found:
            try:
                with self._engine.begin() as connection:
                    return query(connection, *args, **kwargs)
            except DBAPIError as error:
                log.exception("a query failed in the database")
                raise Unavailable from error

        if self._waiting >= MAX_WAITING:
            raise Unavailable
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, run)
        finally:
            self._waiting -= 1
