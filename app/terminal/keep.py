"""What stays on this computer between two games: a folder, and the players' tokens in it.

A token is a password: its file is readable by its owner only, from the moment it exists.
"""

import contextlib
import getpass
import json
import os
import tempfile
import unicodedata
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


class KnownPlayer(NamedTuple):
    """A player who was here before."""

    name: str
    token: str


def usable_folder(wanted: Path) -> Path:
    """The folder, made if need be; where it cannot be written, one below the system's own TMP."""
    if _is_usable(wanted):
        return wanted
    spare = Path(tempfile.gettempdir()) / f"yacht-{user_name()}"
    # Anybody may have made a folder of that name there: it has to be ours, and no link.
    if not spare.is_symlink() and _is_usable(spare) and _is_own(spare):
        return spare
    return Path(tempfile.mkdtemp(prefix="yacht-"))


def user_name() -> str:
    """What the system calls whoever is at the keyboard."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, as in some containers
        return "player"


class PlayerFile:
    """The players known at each server, by name; the one who played last comes first."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def find(self, server: str, name: str | None = None) -> KnownPlayer | None:
        """The player of that name at the server, or without a name who played there last."""
        players = self._read().get(server, [])
        return next((known for known in players if name is None or known.name == _tidy(name)), None)

    def keep(self, server: str, player: KnownPlayer) -> None:
        """Remember the player, as the one who played there last. Raises OSError."""
        # Two terminals may do so at once, and a token that is written over cannot be had again.
        with FileLock(self._file.with_suffix(".lock")):
            everything = self._read()
            others = [known for known in everything.get(server, []) if known.name != player.name]
            everything[server] = [player, *others]
            self._write({url: [known._asdict() for known in everything[url]] for url in everything})

    def _read(self) -> dict[str, list[KnownPlayer]]:
        try:
            content = json.loads(self._file.read_text(encoding="utf-8"))
            return {
                str(server): [KnownPlayer(str(p["name"]), str(p["token"])) for p in players]
                for server, players in content.items()
            }
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, KeyError, AttributeError):
            # Broken by hand: what can still be read there is for its owner to save.
            self._file.replace(self._file.with_suffix(".broken"))
            return {}

    def _write(self, content: Any) -> None:
        # Beside it and then in its place: never half a file, and never one that others can read.
        fresh = self._file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as writing:
            json.dump(content, writing, indent=2, ensure_ascii=False)
        fresh.replace(self._file)


def _tidy(name: str) -> str:
    """The name as a server keeps it."""
    return unicodedata.normalize("NFC", name).strip()


def _is_usable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_own(folder: Path) -> bool:
    if not hasattr(os, "getuid"):  # Windows gives each user a TMP of their own
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o077
