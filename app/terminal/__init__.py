"""`yacht play` and `yacht watch`: the game in a terminal, at any Yacht server.

Knows the server only over HTTP.
"""

from app.terminal.entrance import play, watch
from app.terminal.welcome import Wishes

__all__ = ["Wishes", "play", "watch"]
