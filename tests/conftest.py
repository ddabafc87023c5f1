"""A real server for the tests that speak HTTP: a thread, a SQLite file and a port of its own."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeAlias

import httpx
import pytest

from app.config import Settings
from app.main import create_app
from app.server import Server
from app.store.engine import open_database
from tests.contract import CONTRACT
from tests.table import Visitor

Serve: TypeAlias = Callable[..., AbstractContextManager[Visitor]]
_PATIENCE = 20
_KEEP_ALIVE = 120
_WIRING = ("now", "new_seed")


@contextmanager
def serving(file: Path, **options: Any) -> Iterator[Visitor]:
    """A server on this database; options are settings, or `now` and `new_seed` of the app."""
    wiring = {name: options.pop(name) for name in _WIRING if name in options}
    settings = Settings(database_url=f"sqlite:///{file}", **options)
    with open_database(settings) as database, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = Server(create_app(settings, database, **wiring), settings)
        server.config.timeout_keep_alive = _KEEP_ALIVE
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, name="server")
        thread.start()
        try:
            _wait_for(server, thread)
            with _client(f"http://127.0.0.1:{listening.getsockname()[1]}") as http:
                yield Visitor(http)
        finally:
            server.should_exit = True
            thread.join()


def _client(url: str) -> httpx.Client:
    return httpx.Client(
        base_url=url,
        event_hooks={"response": [CONTRACT.check]},
        timeout=_PATIENCE,
        # Never closed for being idle: a pool of this kind can close what another thread has just
        # been given.
        limits=httpx.Limits(max_keepalive_connections=None, keepalive_expiry=None),
    )


def _wait_for(server: Server, thread: Thread) -> None:
    limit = monotonic() + _PATIENCE
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert monotonic() < limit, "the server takes too long to start"
        sleep(0.005)


@pytest.fixture(scope="session")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Someone without a token, at the server that most tests share."""
    with serving(tmp_path_factory.mktemp("shared") / "yacht.db") as visitor:
        yield visitor


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    """Servers of one's own, each opened with its settings and closed again by `with`.

    One test's servers share a database file, so that a second one is the first one restarted.
    """
    return lambda **options: serving(tmp_path / "yacht.db", **options)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the servers of `serve` keep their games."""
    return tmp_path / "yacht.db"
