"""How a command comes to a server: the screen, the folder, which server, and what may go wrong."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rich.console import Console

from app.locale import text
from app.terminal.client import Server
from app.terminal.keep import PlayerFile, usable_folder
from app.terminal.lines import StandardInput
from app.terminal.refusals import NoServer
from app.terminal.screen import Screen, plain_console
from app.terminal.settings import PlaySettings
from app.terminal.watching import watch_game
from app.terminal.ways import Ways, split_game
from app.terminal.welcome import Visit, Wishes

Serve: TypeAlias = Callable[[Path], AbstractContextManager[str]]
"""Runs a server whose games are kept in the folder, and gives its address."""


class Place(NamedTuple):
    """Where a command has come to."""

    server: Server
    screen: Screen
    lines: StandardInput
    folder: Path
    ways: Ways
    game_id: str
    """The game that was named; empty where none was."""


def play(wishes: Wishes, *, serve: Serve, new_key: Callable[[], str]) -> int:
    """Play at this terminal; the exit status is 0 also where the player leaves early."""

    def visit(place: Place) -> int:
        if place.ways.is_own:
            place.screen.say(text("play.local", url=place.server.url, folder=place.folder))
        players = PlayerFile(place.folder / "players.json")
        visit = Visit(place.server, place.screen, place.lines, players, place.ways)
        return visit.run(wishes._replace(join=place.game_id or None))

    return _enter(wishes.join, wishes.server, visit, serve, new_key)


def watch(game: str, server: str | None, *, serve: Serve, new_key: Callable[[], str]) -> int:
    """Watch a game, named by its id or its address; the exit status is 0 also on Ctrl+C."""

    def visit(place: Place) -> int:
        return watch_game(place.server, place.screen, place.game_id, ways=place.ways)

    return _enter(game, server, visit, serve, new_key)


def _enter(
    game: str | None,
    server: str | None,
    visit: Callable[[Place], int],
    serve: Serve,
    new_key: Callable[[], str],
) -> int:
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):  # a name that cannot be shown here ends no game
            stream.reconfigure(errors="replace")
    console = plain_console(Console(markup=False, highlight=False, emoji=False))
    settings = PlaySettings()
    folder = usable_folder(settings.data_folder)
    screen, lines = Screen(console), StandardInput(console)

    def tell_of_pause(message: str) -> None:
        screen.say(message)
        lines.drop_earlier()

    try:
        game_id, wanted = split_game(game or "", server)
        url = wanted or settings.server
        with (
            serve(folder) if url is None else nullcontext(url) as address,
            closing(Server(address, new_key=new_key, notice=tell_of_pause)) as reached,
        ):
            ways = Ways(None if url is None else reached.url, settings.data_home)
            return visit(Place(reached, screen, lines, folder, ways, game_id))
    except NoServer as error:
        screen.say(str(error))
        return 1
    except KeyboardInterrupt:
        return 0
