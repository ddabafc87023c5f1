"""`yacht play`: the game in a terminal, at any Yacht server. Knows the server only over HTTP."""

from app.terminal.welcome import Wishes, play

__all__ = ["Wishes", "play"]
