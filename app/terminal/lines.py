"""Where a player's lines come from: a keyboard, or a pipe that somebody has filled before."""

import sys
from typing import Protocol

from rich.console import Console

if sys.platform == "win32":
    import msvcrt

    def _discard_typed() -> None:
        while msvcrt.kbhit():
            msvcrt.getwch()

else:
    import termios

    def _discard_typed() -> None:
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


class Lines(Protocol):
    """A source of lines."""

    is_interactive: bool
    """Whether somebody is there who can be asked; else questions have answers of their own."""

    def read(self, prompt: str) -> str:
        """The next line; raises EOFError after the last one."""

    def drop_earlier(self) -> None:
        """What somebody types before the next prompt is no answer to it."""


class StandardInput:
    """The lines that are typed, or piped in."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.is_interactive = sys.stdin.isatty()
        self._drops_earlier = True  # it may have taken a while to come here

    def read(self, prompt: str) -> str:
        """The next line; raises EOFError after the last one."""
        if self.is_interactive:
            if self._drops_earlier:
                self._drops_earlier = False
                _discard_typed()
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        # Nobody saw it being typed, and what follows is to be understood all the same.
        self._console.print(f"{prompt}{line.rstrip()}")
        return line

    def drop_earlier(self) -> None:
        """What somebody types before the next prompt is no answer to it; a pipe keeps all."""
        self._drops_earlier = True
