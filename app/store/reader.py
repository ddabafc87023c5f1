"""Reads: queries on a small pool of threads, each on a consistent view of what is committed."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.store.command import Unavailable
from app.store.engine import READERS

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class Reader:
    """Runs queries off the event loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
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
        """What the query finds. Raises Unavailable where the database fails."""

        def run() -> Found:
            try:
                with self._engine.begin() as connection:
                    return query(connection, *args, **kwargs)
            except DBAPIError as error:
                raise Unavailable from error

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)
