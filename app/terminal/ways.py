"""Addresses of servers and games as people give them, and the commands that lead to a game."""

import shlex
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

import httpx

from app.locale import text
from app.terminal.refusals import NoServer


class Address(NamedTuple):
    """Where a server is."""

    url: str
    """Without what somebody may have copied too much, so that one server has one address."""
    is_here: bool
    """Whether it can be on this computer only."""


class Ways(NamedTuple):
    """What is to be typed to come to the games of one server."""

    server: str | None
    """None where the server is the player's own, which is found without an address."""
    data_home: Path | None = None
    """Where this terminal has been told to keep data; another one may not have been."""

    @property
    def is_own(self) -> bool:
        """Whether the server is the player's own, on this computer."""
        return self.server is None

    def play(self, game_id: str, name: str) -> str:
        """The command that leads this player to the game."""
        return shlex.join(["yacht", "play", *self._place, "--name", name, "--join", game_id])

    def watch(self, game_id: str) -> str:
        """The command that shows the game."""
        return shlex.join(["yacht", "watch", *self._place, game_id])

    def invitation(self, game_id: str) -> str:
        """What to tell whoever is to take a seat, and where they can be."""
        command = self.play(game_id, "NAME")
        if not self.is_own:
            return text("play.invite", command=command)
        if self.data_home is not None:
            command = f"XDG_DATA_HOME={shlex.quote(str(self.data_home))} {command}"
        return text("play.invite-here", command=command)

    @property
    def _place(self) -> list[str]:
        return [] if self.server is None else ["--server", self.server]


def server_address(url: str) -> Address:
    """The address of a server; raises NoServer where it is none."""
    try:
        parsed = httpx.URL(url if "://" in url else f"http://{url}")
    except httpx.InvalidURL as error:
        raise NoServer(text("play.wrong-address", url=url)) from error
    if parsed.scheme not in ("http", "https") or not parsed.host or parsed.userinfo:
        raise NoServer(text("play.wrong-address", url=url))
    plain = str(parsed.copy_with(query=None, fragment=None)).rstrip("/")
    return Address(plain.removesuffix("/v1"), _is_loopback(parsed.host))


def split_game(game: str, server: str | None) -> tuple[str, str | None]:
    """The id of a game, and the server that its address or else ``server`` names.

    Raises NoServer where both do and mean different ones.
    """
    place, _, game_id = game.strip().rstrip("/").rpartition("/")
    if not place:
        return game_id, server
    named = server_address(place.removesuffix("/games")).url
    if server is not None and server_address(server).url != named:
        raise NoServer(text("play.two-servers", game=named, server=server))
    return game_id, named


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
