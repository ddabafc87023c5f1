"""Servers to test: one in a thread, whose inside can be looked at, or one as a process of its own.

Knows nothing of the game.
"""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep, time
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from app.config import Settings
from app.live import Live
from app.main import create_app
from app.server import STALLED_SECONDS, Server, listen
from app.store.engine import open_database

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
PATIENCE = 30
"""Seconds after which anything here has failed; a busy machine takes some of them."""

Given = TypeVar("Given")


class Clock:
    """The time, in milliseconds since 1970, which a test can put forward."""

    def __init__(self) -> None:
        self._ahead = 0

    def __call__(self) -> int:
        return int(time() * 1000) + self._ahead

    def forward(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self._ahead += int(seconds * 1000)


class Inside:
    """A server in a thread of this process."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self.app = app
        self.port = port

    @property
    def live(self) -> Live:
        """Its open streams."""
        live: Live = self.app.state.live
        return live

    def run(self, work: Callable[[], Coroutine[Any, Any, Given]]) -> Given:
        """What a coroutine gives that runs on the server's own event loop."""
        loop: asyncio.AbstractEventLoop = self.app.state.ledger._loop
        return asyncio.run_coroutine_threadsafe(work(), loop).result(PATIENCE)

    def tasks(self) -> int:
        """How many tasks its event loop has, apart from the one that counts them."""

        async def count() -> int:
            return len(asyncio.all_tasks()) - 1

        return self.run(count)


@contextmanager
def inside(
    folder: Path,
    *,
    stalled_seconds: float = STALLED_SECONDS,
    send_buffer: int | None = None,
    now: Callable[[], int] | None = None,
    ping_seconds: float | None = None,
    life_seconds: float | None = None,
    sweep_seconds: float | None = None,
    **settings: Any,
) -> Iterator[Inside]:
    """A server in a thread, on the database of the folder."""
    wiring: dict[str, Any] = {
        "now": now,
        "ping_seconds": ping_seconds,
        "life_seconds": life_seconds,
        "sweep_seconds": sweep_seconds,
    }
    given = {name: value for name, value in wiring.items() if value is not None}
    all_settings = Settings(database_url=f"sqlite:///{folder / 'yacht.db'}", **settings)
    with open_database(all_settings) as database, listen(HOST, 0, stalled_seconds) as listening:
        if send_buffer is not None:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        app = create_app(all_settings, database, **given)
        server = Server(app, all_settings)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, name="server")
        thread.start()
        try:
            wait_until(lambda: server.started or not thread.is_alive())
            assert server.started
            yield Inside(app, listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()


class Outside:
    """`yacht serve` as a process; its log is a file."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.log_file = folder / f"server-{len(list(folder.glob('server-*.log')))}.log"
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", "serve", "--port", "0"],
                cwd=folder,
                env=environment(**settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.port = 0

    @property
    def log(self) -> str:
        """What it has logged so far."""
        return self.log_file.read_text(encoding="utf-8")

    def wait_until_ready(self) -> None:
        """Return once it answers, with its port known."""

        def found() -> re.Match[str] | None:
            assert self.process.poll() is None, self.log
            return re.search(r"listening on http://127\.0\.0\.1:(\d+)", self.log)

        wait_until(lambda: found() is not None)
        listening = found()
        assert listening is not None
        self.port = int(listening[1])
        with httpx.Client(base_url=f"http://{HOST}:{self.port}", timeout=PATIENCE) as http:
            assert http.get("/readyz").status_code == 200

    def terminate(self) -> None:
        """Tell it to stop."""
        self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait(PATIENCE)


@contextmanager
def outside(folder: Path, **settings: object) -> Iterator[Outside]:
    """A server process on the database of the folder; gone afterwards whatever happens."""
    server = Outside(folder, **settings)
    try:
        server.wait_until_ready()
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


def environment(**settings: object) -> dict[str, str]:
    """This environment, with these YACHT_* settings and no others, and this checkout's code."""
    inherited = {name: v for name, v in os.environ.items() if not name.startswith("YACHT_")}
    own = {f"YACHT_{name.upper()}": str(value) for name, value in settings.items()}
    return inherited | own | {"PYTHONPATH": str(ROOT)}


def wait_until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Return as soon as it is so; fail where that takes too long."""
    limit = monotonic() + seconds
    while not is_so():
        assert monotonic() < limit, "this takes too long"
        sleep(0.01)
