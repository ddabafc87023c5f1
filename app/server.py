"""Runs the app: its socket, its process, its end and its log."""

import asyncio
import errno
import json
import logging
import signal
import socket
import sys
from types import FrameType
from typing import NoReturn

import uvicorn
from fastapi import FastAPI

from app.api.connection import Connection
from app.config import Settings
from app.live import Live
from app.main import create_app
from app.store.engine import Database

KEEP_ALIVE_SECONDS = 75
"""Longer than the 60 s after which common proxies let go of an idle connection."""
STOP_SECONDS = 1
"""How long a stopping server waits for requests that have begun; a client may send half of one."""
DRAIN_SECONDS = 0.2
"""How long a stopping server is still reached, and says at `/readyz` that it is about to go."""
STALLED_SECONDS = 30
"""How long a client may leave what was sent to it unread before the system drops it."""
BACKLOG = 2_048
OPEN_MAX = 10_240
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - listened on only where an operator says so
"""Addresses to listen on that no browser can go to."""

log = logging.getLogger(__name__)


def run(settings: Settings, database: Database) -> None:
    """Answer requests until told to stop. Raises OSError where it cannot listen."""
    _allow_many_files()
    server = Server(create_app(settings, database), settings)
    # uvicorn ends by raising once more the signal that it was stopped with, which would kill
    # the process with the database still open.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    with listen(settings.host, settings.port) as listening:
        server.run(sockets=[listening])


class Server(uvicorn.Server):
    """Serves an app; ends its streams when told to stop, since it would wait for them otherwise."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                log_config=None,
                access_log=False,  # ours knows the request's id and leaves its query out
                server_header=False,
                proxy_headers=bool(settings.trusted_proxies),
                forwarded_allow_ips=settings.trusted_proxies,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=STOP_SECONDS,
                backlog=BACKLOG,
            )
        )
        self._live: Live = app.state.live

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """What a signal does; a second one nothing, since the end is a second or two away."""
        self._live.close()
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let go of what is connected, a little after having said so."""
        log.info("stopping")
        self._live.close()
        await asyncio.sleep(DRAIN_SECONDS)
        await super().shutdown(sockets)


def listen(host: str, port: int, stalled_seconds: float = STALLED_SECONDS) -> socket.socket:
    """A socket that listens; raises OSError where it cannot.

    A client that leaves what was sent to it unread for ``stalled_seconds`` is dropped.
    """
    try:
        listening = socket.create_server(
            (host, port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=BACKLOG,
        )
    except (OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise OSError(
                f"port {port} is taken by another program; choose another with --port or YACHT_PORT"
            ) from error
        raise OSError(f"cannot listen on {host} port {port}: {error}") from error
    # Accepted connections inherit this. Without it a reader that stops reading would be kept for
    # as long as its system answers, with all that is buffered for it.
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        limit = int(stalled_seconds * 1000)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, limit)
    bound = listening.getsockname()[1]
    reached = "localhost" if host in EVERYWHERE else host
    at, docs_at = (
        f"http://[{name}]:{bound}" if ":" in name else f"http://{name}:{bound}"
        for name in (host, reached)
    )
    log.info("listening on %s (Ctrl+C to stop); the API in a browser: %s/docs", at, docs_at)
    return listening


def configure_logging(settings: Settings) -> None:
    """Log to standard error, one line an event, for people or for machines."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonFormatter() if settings.log_format == "json" else _TEXT)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    logging.getLogger("app.access").setLevel("INFO" if settings.access_log else "WARNING")
    logging.getLogger("alembic").setLevel("WARNING")
    # By this name, which looks like a fault, uvicorn also tells that it starts, as we do.
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger().level))


def _allow_many_files() -> None:
    """As many open files, and so connections, as this user may have."""
    try:
        import resource  # noqa: PLC0415 - not every system has it
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (hard, OPEN_MAX):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        except (ValueError, OSError):  # macOS calls its limit infinite and takes no more than this
            continue
        return


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


_TEXT = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
