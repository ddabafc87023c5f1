"""The command line: `yacht serve | migrate | openapi | verify | play`."""

import argparse
import json
import logging
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import uvicorn
from alembic.util import CommandError
from sqlalchemy.exc import DatabaseError

from app import chance, fairness, local, terminal
from app.api.connection import Connection
from app.config import Settings, SettingsError, load_settings
from app.main import create_app, openapi_document
from app.store.engine import (
    DatabaseInUseError,
    migrate,
    open_database,
    sole_owner,
    writing_engine,
)

SNAPSHOT = Path("openapi/openapi.json")
KEEP_ALIVE_SECONDS = 75
"""Longer than the 60 s after which common proxies let go of an idle connection."""
STOP_SECONDS = 5
"""How long a stopping server waits for requests that have begun; a client may send half of one."""

log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 if all went well, 1 if not, 2 for wrong usage."""
    options = vars(_parser().parse_args(arguments))
    run = options.pop("run")
    try:
        return int(run(**options))
    except (SettingsError, DatabaseInUseError, CommandError, OSError) as error:
        return _fail(error)
    except DatabaseError as error:
        return _fail(f"the database cannot be used: {error.orig}")


def serve(**flags: Any) -> int:
    """Bring the database up to date and answer requests until told to stop."""
    settings = load_settings(**flags)
    configure_logging(settings)
    with open_database(settings) as database, _listen(settings) as listening:
        config = uvicorn.Config(
            create_app(settings, database),
            http=Connection,
            log_config=None,
            access_log=False,  # ours knows the request's id and leaves its query out
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        # uvicorn ends by raising once more the signal that it was stopped with, which would kill
        # the process with the database still open.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _end)
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def migrate_database(down_to: str | None, **flags: Any) -> int:
    """Bring the tables up to date, or back down to a revision."""
    settings = load_settings(**flags)
    with sole_owner(settings.database_file):
        engine = writing_engine(settings.database_file)
        migrate(engine, down_to)
        engine.dispose()
    _say(f"{settings.database_url} is at {down_to or 'the newest revision'}")
    return 0


def write_openapi(file: str) -> int:
    """Write the OpenAPI document."""
    text = json.dumps(openapi_document(), indent=2, ensure_ascii=False) + "\n"
    if file == "-":
        sys.stdout.write(text)
    else:
        Path(file).write_text(text, encoding="utf-8")
    return 0


def verify(file: str) -> int:
    """Check the dice of an ended game, from its fairness record and its events."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        document = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        return _fail(f"{file} cannot be read as JSON: {error}")
    faults = fairness.verify_document(document)
    for fault in faults:
        _say(fault)
    _say("the dice do not hold" if faults else "the dice are those that were promised")
    return 1 if faults else 0


def play(**wishes: Any) -> int:
    """Play in this terminal, at a server of choice or at one of your own."""
    wishes["guest"] = tuple(wishes["guest"])
    return terminal.play(terminal.Wishes(**wishes), serve=local.serving, new_key=chance.new_token)


def configure_logging(settings: Settings) -> None:
    """Log to standard error, one line an event, for people or for machines."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonFormatter() if settings.log_format == "json" else _TEXT)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    logging.getLogger("app.access").setLevel("INFO" if settings.access_log else "WARNING")
    logging.getLogger("alembic").setLevel("WARNING")


def _listen(settings: Settings) -> socket.socket:
    host, port = settings.host, settings.port
    try:
        listening = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except (OSError, UnicodeError) as error:
        raise OSError(f"cannot listen on {host} port {port}: {error}") from error
    shown = f"[{host}]" if ":" in host else host
    log.info("listening on http://%s:%d (Ctrl+C to stop)", shown, listening.getsockname()[1])
    return listening


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="yacht",
        description="A game server for the dice game Yacht.",
        epilog="Every flag of `serve` is also an environment variable: --port is YACHT_PORT.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    serving = commands.add_parser("serve", help="answer requests", description=serve.__doc__)
    for name, field in Settings.model_fields.items():
        _add_setting(serving, name, f"{field.description} (default: {field.default})")
    serving.set_defaults(run=serve)
    migrating = commands.add_parser(
        "migrate", help="bring the database up to date", description=migrate_database.__doc__
    )
    _add_setting(migrating, "database_url", Settings.model_fields["database_url"].description)
    migrating.add_argument("--down-to", metavar="REVISION", help="go back to this revision")
    migrating.set_defaults(run=migrate_database)
    writing = commands.add_parser(
        "openapi", help="write the OpenAPI document", description=write_openapi.__doc__
    )
    writing.add_argument("file", nargs="?", default=str(SNAPSHOT), help="- for standard output")
    writing.set_defaults(run=write_openapi)
    verifying = commands.add_parser(
        "verify", help="check the dice of an ended game", description=verify.__doc__
    )
    verifying.add_argument(
        "file", help='{"fairness": …, "events": …} in JSON; - for standard input'
    )
    verifying.set_defaults(run=verify)
    _add_play(commands.add_parser("play", help="play in this terminal", description=play.__doc__))
    return parser


def _add_play(playing: argparse.ArgumentParser) -> None:
    playing.add_argument(
        "--server", metavar="URL", help="play there (default: YACHT_SERVER, else an own server)"
    )
    playing.add_argument("--name", help="who you are (default: who played there last)")
    playing.add_argument(
        "--guest", metavar="NAME", action="append", default=[], help="who else is at this keyboard"
    )
    playing.add_argument(
        "--open", metavar="N", type=int, default=0, help="seats to leave open for other players"
    )
    playing.add_argument("--join", metavar="GAME_ID", help="join this game, or come back to it")
    playing.add_argument("--ruleset", metavar="SLUG", help="what to play by (default: classic)")
    playing.add_argument("--save", metavar="FILE", help="write the finished game down in this file")
    playing.set_defaults(run=play)


def _add_setting(parser: argparse.ArgumentParser, name: str, description: str | None) -> None:
    # No default here: a flag that is not given leaves the word to the environment.
    parser.add_argument(f"--{name.replace('_', '-')}", dest=name, metavar="X", help=description)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _fail(reason: object) -> int:
    sys.stderr.write(f"yacht: {reason}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
