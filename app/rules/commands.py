"""What can be asked of a game. Who may ask is not known here: a command names a seat."""

from dataclasses import dataclass
from typing import TypeAlias

from app.rules.scoring import Category, Dice, Held


@dataclass(frozen=True, slots=True)
class Join:
    """Take the first open seat; the last one taken starts the game."""

    name: str
    player_id: str
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Give a taken seat back while the game waits."""

    seat: int


@dataclass(frozen=True, slots=True)
class Start:
    """Begin without waiting for the seats that are still open."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Call a waiting game off."""

    reason: str


@dataclass(frozen=True, slots=True)
class SetEntropy:
    """Add a human seat's own text to the draw, or replace it."""

    seat: int
    value: str


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice that are not held; ``held`` None leaves the marks as they are.

    ``faces`` is chance made explicit: one face for each of the five positions, of which only
    those that are not held come to lie on the table.
    """

    seat: int
    faces: Dice
    held: Held | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """Say which dice stay on the next roll."""

    seat: int
    held: Held


@dataclass(frozen=True, slots=True)
class Score:
    """Fill a category with the dice on the table and end the turn."""

    seat: int
    category: Category


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up one or several seats at once, in turn or out of it."""

    seats: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Expire:
    """Play the open turn for a seat whose time is up; ``faces`` for the roll it may still need."""

    faces: Dice


@dataclass(frozen=True, slots=True)
class Abandon:
    """Call off a game in which nothing has happened for too long."""


@dataclass(frozen=True, slots=True)
class OpenRematch:
    """Note that the players meet again in another game."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Anonymise:
    """Take a player's name and id from every seat that the player acts for."""

    player_id: str


Command: TypeAlias = (
    Join
    | Leave
    | Start
    | Cancel
    | SetEntropy
    | Roll
    | Hold
    | Score
    | Resign
    | Expire
    | Abandon
    | OpenRematch
    | Anonymise
)
