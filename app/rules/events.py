"""What has happened in a game. A game is its list of events; the fields are those clients read.

``seq`` counts 1, 2, 3 … within a game; ``at`` is in milliseconds since 1970 in UTC; ``seat`` is
None where an event concerns the game as a whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from app.rules.scoring import Category, Dice, Held

SeatType: TypeAlias = Literal["human", "guest", "bot", "open"]
Level: TypeAlias = Literal["novice", "casual", "expert", "perfect"]
Visibility: TypeAlias = Literal["unlisted", "public"]


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sits where. ``player_id`` is the player who acts for the seat: a guest's is its host."""

    index: int
    type: SeatType
    name: str | None = None
    player_id: str | None = None
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Next:
    """The turn that begins; ``deadline`` in milliseconds since 1970, None without a clock."""

    seat: int
    round: int
    deadline: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCreated:
    """The first event of every game."""

    seq: int
    at: int
    seat: None = None
    ruleset: str
    visibility: Visibility
    hints: bool
    turn_seconds: int | None
    host: str | None
    commitment: str
    seats: tuple[SeatRecord, ...]
    daily: str | None = None
    type: Literal["game_created"] = field(default="game_created", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatJoined:
    """A human took an open seat."""

    seq: int
    at: int
    seat: int
    name: str | None
    player_id: str | None
    type: Literal["seat_joined"] = field(default="seat_joined", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    """A human gave the seat back; it is open again."""

    seq: int
    at: int
    seat: int
    type: Literal["seat_left"] = field(default="seat_left", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAnonymised:
    """The player behind the seat has deleted the account."""

    seq: int
    at: int
    seat: int
    type: Literal["seat_anonymised"] = field(default="seat_anonymised", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropySet:
    """A human added to the draw."""

    seq: int
    at: int
    seat: int
    value: str
    type: Literal["entropy_set"] = field(default="entropy_set", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """Play begins; ``seats`` are the final ones, renumbered."""

    seq: int
    at: int
    seat: None = None
    seats: tuple[SeatRecord, ...]
    next: Next
    type: Literal["game_started"] = field(default="game_started", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRolled:
    """``dice`` as they lie after roll ``roll`` (1 to 3), of which ``held`` had stayed."""

    seq: int
    at: int
    seat: int
    round: int
    roll: int
    held: Held
    dice: Dice
    type: Literal["dice_rolled"] = field(default="dice_rolled", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceHeld:
    """Other dice are marked to stay."""

    seq: int
    at: int
    seat: int
    held: Held
    type: Literal["dice_held"] = field(default="dice_held", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnExpired:
    """The seat on turn ran out of time; what follows is played for it."""

    seq: int
    at: int
    seat: int
    round: int
    type: Literal["turn_expired"] = field(default="turn_expired", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryScored:
    """A cell is filled and the turn is over; ``next`` is None after the last turn of the game."""

    seq: int
    at: int
    seat: int
    round: int
    category: Category
    points: int
    dice: Dice
    next: Next | None
    type: Literal["category_scored"] = field(default="category_scored", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResigned:
    """A seat gave up. ``next`` is None where that ends no turn, or ends the game."""

    seq: int
    at: int
    seat: int
    reason: str
    next: Next | None
    type: Literal["seat_resigned"] = field(default="seat_resigned", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFinished:
    """The result: ``ranks`` has one entry a seat, None for all where nobody is left to win."""

    seq: int
    at: int
    seat: None = None
    winners: tuple[int, ...]
    ranks: tuple[int | None, ...]
    type: Literal["game_finished"] = field(default="game_finished", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCancelled:
    """The game was called off: before it started, or because nobody went on with it."""

    seq: int
    at: int
    seat: None = None
    reason: str
    type: Literal["game_cancelled"] = field(default="game_cancelled", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchOpened:
    """The players of a finished game meet again, in the game of this id."""

    seq: int
    at: int
    seat: None = None
    game_id: str
    type: Literal["rematch_opened"] = field(default="rematch_opened", init=False)


Event: TypeAlias = (
    GameCreated
    | SeatJoined
    | SeatLeft
    | SeatAnonymised
    | EntropySet
    | GameStarted
    | DiceRolled
    | DiceHeld
    | TurnExpired
    | CategoryScored
    | SeatResigned
    | GameFinished
    | GameCancelled
    | RematchOpened
)

EVENT_TYPES: Mapping[str, type[Event]] = MappingProxyType(
    {
        str(known.default): kind
        for kind in get_args(Event)
        for known in fields(kind)
        if known.name == "type"
    }
)
"""The kinds of events by their ``type``."""
