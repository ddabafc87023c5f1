"""Someone at a terminal: the real client, with lines typed by a test and a screen it can read."""

import re
from collections.abc import Callable, Iterable
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import TypeAlias

from rich.console import Console

from app import chance
from app.terminal.client import Server
from app.terminal.keep import PlayerFile
from app.terminal.screen import Screen
from app.terminal.watching import watch_game
from app.terminal.ways import Ways
from app.terminal.welcome import Visit, Wishes

Reply: TypeAlias = Callable[[str], str]
IMPATIENT = (0.0,) * 5
LETTERS = "abcdefghijkl"
ONE_CARD = [line for letter in LETTERS for line in ("r", letter)]
"""A whole card: each category after one roll."""


class Typist:
    """Types what ``reply`` makes of each prompt; nobody is there who could be asked a question."""

    is_interactive = False

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self.prompts: list[str] = []

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self._reply(prompt)

    def drop_earlier(self) -> None:
        """Whoever types here waits for each prompt."""


class Person(Typist):
    """Types, and can be asked."""

    is_interactive = True


class Seat:
    """A place with a folder of its own; each visit adds to ``shown``."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url = url
        self.is_own = False
        self.players = PlayerFile(folder / "players.json")
        self._shown = StringIO()

    @property
    def shown(self) -> str:
        return self._shown.getvalue()

    @property
    def game_id(self) -> str:
        """The game that was played last."""
        return str(re.findall(r"Game ([0-9a-f-]{36})", self.shown)[-1])

    @property
    def _ways(self) -> Ways:
        return Ways(None if self.is_own else self.url)

    def visit(self, typist: Typist, wishes: Wishes) -> int:
        """Come, play and leave; the exit status."""
        screen = Screen(Console(file=self._shown, width=100, markup=False, highlight=False))
        with closing(
            Server(self.url, new_key=chance.new_token, notice=screen.say, pauses=IMPATIENT)
        ) as server:
            return Visit(server, screen, typist, self.players, self._ways, poll_seconds=0.01).run(
                wishes
            )

    def watch(self, game_id: str) -> int:
        """Watch a game; the exit status."""
        screen = Screen(Console(file=self._shown, width=100, markup=False, highlight=False))
        with closing(
            Server(self.url, new_key=chance.new_token, notice=screen.say, pauses=IMPATIENT)
        ) as server:
            return watch_game(server, screen, game_id, ways=self._ways, poll_seconds=0.01)

    def play(self, lines: Iterable[str], **wishes: object) -> int:
        """A visit with lines that were written down before."""
        return self.visit(Typist(typed(lines)), Wishes(**{"name": "Ada", **wishes}))  # type: ignore[arg-type]

    def ask(self, reply: Reply, **wishes: object) -> int:
        """A visit by somebody who answers questions."""
        return self.visit(Person(reply), Wishes(**{"name": "Ada", **wishes}))  # type: ignore[arg-type]


def typed(lines: Iterable[str]) -> Reply:
    """Type the lines whatever is asked, then no more."""
    left = iter(lines)

    def reply(_prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return reply


def playing(name: str, lines: Iterable[str] = ONE_CARD, **answers: str) -> Reply:
    """Type the lines at the player's own prompt, and agree to whatever else is asked but a rematch.

    ``answers`` go by a word of the question: ``save="game.txt"``.
    """
    play = typed(lines)

    def reply(prompt: str) -> str:
        if prompt.startswith(f"{name}>"):
            return play(prompt)
        for word, answer in ({"again": "n"} | answers).items():
            if word in prompt:
                return answer
        return "y" if "[y/N]" in prompt else ""

    return reply
