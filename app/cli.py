"""The command line: `yacht serve | migrate | prune | solve | openapi | verify | play | watch`."""

import argparse
import json
import logging
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from sqlalchemy.exc import DatabaseError

from app import fairness
from app.chance import new_draws, new_token
from app.clock import now
from app.config import Settings, SettingsError, load_settings, shape, unknown_variables
from app.locale import text
from app.main import openapi_document
from app.rules import RULESETS, Level
from app.server import configure_logging, run
from app.store.engine import (
    DatabaseInUseError,
    MigrationError,
    migrate,
    open_database,
    sole_owner,
    writing_engine,
)
from app.store.games import delete_ended_games

UNCHECKED = 2
"""The exit status of `yacht verify` where there was nothing to check."""
INTERRUPTED = 130
"""The exit status of a command that Ctrl+C has ended, as shells have it."""
SCORE_SHEET = "Yacht, ruleset "
"""How the written form of a game begins, which has no proof in it."""
SNAPSHOT = Path("openapi/openapi.json")

log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 if all went well, 1 if not, 2 for wrong usage."""
    parser = _parser()
    options = vars(parser.parse_args(arguments))
    command = options.pop("command", None)
    if command is None:
        parser.print_help(sys.stderr)
        return 2
    try:
        return int(command(**options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except (SettingsError, DatabaseInUseError, MigrationError, OSError) as error:
        return _fail(error)
    except DatabaseError as error:
        given = {name: options.get(name) for name in Settings.model_fields}
        file = load_settings(**given).database_file
        return _fail(f"the database {file} cannot be used: {error.orig}")


def serve(**flags: Any) -> int:
    """Bring the database up to date and answer requests until told to stop."""
    settings = load_settings(**flags)
    configure_logging(settings)
    for name in unknown_variables():
        log.warning("%s is no setting and changes nothing; yacht serve --help lists them", name)
    with open_database(settings) as database:
        run(settings, database)
    return 0


def prune(days: int, **flags: Any) -> int:
    """Delete games that were finished or cancelled longer ago than some days."""
    settings = load_settings(**flags)
    with open_database(settings) as database, database.writing.begin() as connection:
        count = delete_ended_games(connection, now() - days * 24 * 60 * 60 * 1000)
    _say(f"{count} games deleted")
    return 0


def migrate_database(down_to: str | None, **flags: Any) -> int:
    """Bring the tables up to date, or back down to a revision."""
    settings = load_settings(**flags)
    with sole_owner(settings.database_file):
        engine = writing_engine(settings.database_file)
        revision = migrate(engine, down_to)
        engine.dispose()
    _say(f"{settings.database_url} is at revision {revision}")
    return 0


def solve(ruleset: str, simulate: int | None) -> int:
    """Show what perfect play of a ruleset comes to, and with --simulate how the bots fare."""
    from app.solving import simulated, solved  # noqa: PLC0415 - as in play

    for line in solved(ruleset):
        _say(line)
    if simulate is not None:
        for line in simulated(ruleset, simulate, new_draws()):
            _say(line)
    return 0


def write_openapi(file: str) -> int:
    """Write the OpenAPI document."""
    written = json.dumps(openapi_document(), indent=2, ensure_ascii=False) + "\n"
    if file == "-":
        sys.stdout.write(written)
    else:
        try:
            Path(file).write_text(written, encoding="utf-8")
        except FileNotFoundError:
            return _fail(f"{file}: no such folder; name another file, or - for standard output")
    return 0


def verify(file: str) -> int:
    """Check the dice of an ended game, from its export.

    The exit status is 0 if all dice are those that were promised, 1 if they are not, and 2 where
    there was nothing to check: no file, no export, or a game that is not over.
    """
    try:
        document = _document(file)
    except _UncheckedError as unchecked:
        return _fail(unchecked, UNCHECKED)
    faults = fairness.verify_document(document)
    for fault in faults:
        _say(fault)
    _say(text("verify.broken" if faults else "verify.kept"))
    return 1 if faults else 0


class _UncheckedError(Exception):
    """There is nothing to check in what was given, which accuses nobody."""


def _document(file: str) -> object:
    """An ended game's document, from a file or with `-` from standard input."""
    try:
        given = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _UncheckedError(text("verify.no-file", file=file)) from None
    except OSError as error:
        raise _UncheckedError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _UncheckedError(text("verify.no-export")) from None
    if not given.strip():
        key = "verify.empty-input" if file == "-" else "verify.empty-file"
        raise _UncheckedError(text(key, file=file))
    if given.startswith(SCORE_SHEET):
        raise _UncheckedError(text("verify.score-sheet"))
    try:
        document = json.loads(given)
    except (ValueError, RecursionError):
        raise _UncheckedError(text("verify.no-export")) from None
    if (reason := fairness.why_unchecked(document)) is not None:
        raise _UncheckedError(text(f"verify.{reason}"))
    return document


def play(**wishes: Any) -> int:
    """Play in this terminal, at a server of choice or at one of your own."""
    # Only here: a server that starts need not wait for what only a terminal needs.
    from app import local, terminal  # noqa: PLC0415

    wishes["guest"], wishes["bot"] = tuple(wishes["guest"]), tuple(wishes["bot"])
    return terminal.play(terminal.Wishes(**wishes), serve=local.serving, new_key=new_token)


def watch(game: str, server: str | None) -> int:
    """Watch a game to its end, from the state that it is in; nobody has to be a player."""
    from app import local, terminal  # noqa: PLC0415 - as in play

    return terminal.watch(game, server, serve=local.serving, new_key=new_token)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="yacht",
        description="A game server for the dice game Yacht.",
        epilog="Every flag of `serve` is also an environment variable: --port is YACHT_PORT.",
    )
    commands = parser.add_subparsers(metavar="COMMAND")
    serving = commands.add_parser("serve", help="answer requests", description=serve.__doc__)
    for name in Settings.model_fields:
        _add_setting(serving, name)
    serving.set_defaults(command=serve)
    migrating = commands.add_parser(
        "migrate", help="bring the database up to date", description=migrate_database.__doc__
    )
    _add_setting(migrating, "database_url")
    migrating.add_argument("--down-to", metavar="REVISION", help="go back to this revision")
    migrating.set_defaults(command=migrate_database)
    pruning = commands.add_parser("prune", help="delete old games", description=prune.__doc__)
    _add_setting(pruning, "database_url")
    pruning.add_argument("--days", type=_days, required=True, help="keep what is younger")
    pruning.set_defaults(command=prune)
    solving = commands.add_parser("solve", help="work a ruleset out", description=solve.__doc__)
    solving.add_argument("ruleset", nargs="?", default="classic", choices=list(RULESETS))
    solving.add_argument(
        "--simulate", type=_games, metavar="N", help="let bots of each level play N games"
    )
    solving.set_defaults(command=solve)
    writing = commands.add_parser(
        "openapi", help="write the OpenAPI document", description=write_openapi.__doc__
    )
    writing.add_argument(
        "file",
        nargs="?",
        default=str(SNAPSHOT),
        help="where to, - for standard output (default: %(default)s)",
    )
    writing.set_defaults(command=write_openapi)
    verifying = commands.add_parser(
        "verify", help="check the dice of an ended game", description=verify.__doc__
    )
    verifying.add_argument(
        "file", help="what GET /v1/games/ID/export of its server answers; - for standard input"
    )
    verifying.set_defaults(command=verify)
    _add_play(commands.add_parser("play", help="play in this terminal", description=play.__doc__))
    watching = commands.add_parser("watch", help="watch a game", description=watch.__doc__)
    watching.add_argument("game", metavar="GAME", help="its id, or its address")
    watching.add_argument(
        "--server", metavar="URL", help="where it is (default: YACHT_SERVER, else an own server)"
    )
    watching.set_defaults(command=watch)
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
        "--bot",
        metavar="LEVEL",
        action="append",
        default=[],
        choices=get_args(Level),
        help=f"a bot to play against: {', '.join(get_args(Level))}",
    )
    playing.add_argument(
        "--open", metavar="N", type=int, default=0, help="seats to leave open for other players"
    )
    playing.add_argument(
        "--join", metavar="GAME", help="join this game, or come back to it: its id, or its address"
    )
    playing.add_argument("--ruleset", metavar="SLUG", help="what to play by (default: classic)")
    playing.add_argument(
        "--turn-seconds", metavar="N", type=int, help="how long a turn may take (default: no clock)"
    )
    playing.add_argument("--save", metavar="FILE", help="write the finished game down in this file")
    playing.add_argument("--hints", action="store_true", help="show what is best on each turn")
    playing.set_defaults(command=play)


def _games(given: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,6}", given):
        raise argparse.ArgumentTypeError("must be a number of games, 1 to 9999999")
    return int(given)


def _days(given: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", given):
        raise argparse.ArgumentTypeError("must be a number of days, 0 to 99999")
    return int(given)


def _add_setting(parser: argparse.ArgumentParser, name: str) -> None:
    # No default here: a flag that is not given leaves the word to the environment.
    schema = shape(name)
    flag: dict[str, Any]
    match schema:
        case {"enum": choices}:
            flag = {"metavar": "|".join(choices)}
        case {"type": "boolean"}:
            flag = {"metavar": "true|false", "nargs": "?", "const": "true"}
        case {"type": "integer"}:
            flag = {"metavar": "N"}
        case _:
            flag = {"metavar": name.rpartition("_")[2].upper()}
    default = str(schema["default"]).lower() or "none"
    flag["help"] = f"{schema['description']} (default: {default})"
    parser.add_argument(f"--{name.replace('_', '-')}", dest=name, **flag)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _fail(reason: object, status: int = 1) -> int:
    sys.stderr.write(f"yacht: {reason}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
