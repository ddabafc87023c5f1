"""A server inside this process, for whoever plays on this computer alone or with neighbours."""

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

from app.config import load_settings
from app.main import create_app
from app.server import Server
from app.store.engine import DatabaseInUseError, open_database

HOST = "127.0.0.1"
PATIENCE_SECONDS = 30
LOOK_SECONDS = 0.01


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server whose games are kept in the folder; it ends with the context.

    Where another process of this user serves them already, the address is that one's. Raises
    DatabaseInUseError, OSError or SettingsError where neither works.
    """
    address = folder / "address"
    settings = load_settings(
        database_url=f"sqlite:///{folder / 'yacht.db'}", host=HOST, port=0, trusted_proxies=""
    )
    _log_into(folder / "server.log")
    try:
        with open_database(settings) as database, socket.create_server((HOST, 0)) as listening:
            url = f"http://{HOST}:{listening.getsockname()[1]}"
            address.unlink(missing_ok=True)  # of a server that was killed; another may listen there
            try:
                with _running(Server(create_app(settings, database), settings), listening):
                    address.write_text(url, encoding="utf-8")
                    yield url
            finally:
                address.unlink(missing_ok=True)
    except DatabaseInUseError:
        limit = monotonic() + PATIENCE_SECONDS
        while not address.exists():  # the other one may be about to start
            if monotonic() > limit:
                raise
            sleep(LOOK_SECONDS)
        yield address.read_text(encoding="utf-8")


@contextmanager
def _running(server: Server, listening: socket.socket) -> Iterator[None]:
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, name="server")
    thread.start()
    try:
        limit = monotonic() + PATIENCE_SECONDS
        while not server.started:
            if not thread.is_alive() or monotonic() > limit:
                raise OSError("the local server does not start; server.log may say why")
            sleep(LOOK_SECONDS)
        yield
    finally:
        server.should_exit = True
        thread.join()


def _log_into(file: Path) -> None:
    # The terminal belongs to the game.
    logging.basicConfig(
        level="WARNING",
        handlers=[logging.FileHandler(file, delay=True, encoding="utf-8")],
        format="%(asctime)s %(levelname)-7s %(name)s: %(message)s",
        force=True,
    )
