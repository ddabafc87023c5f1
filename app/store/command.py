"""What the ledger is asked and what it answers. Knows neither wire models nor the database."""

from collections.abc import Callable
from typing import ClassVar, NamedTuple, TypeAlias

from app.rules import Event
from app.store.answers import Answer
from app.store.games import GameRow
from app.store.players import PlayerRow


class Refusal(Exception):
    """A command that changes nothing; ``code`` says why, in the words of the contract."""

    code: ClassVar[str]


class Unauthenticated(Refusal):
    """No player has the token, or none was given."""

    code = "unauthenticated"


class NotFound(Refusal):
    """Nothing has the id or slug that the path names."""

    code = "not-found"


class KeyReused(Refusal):
    """The idempotency key came before with another method, path or body."""

    code = "idempotency-key-reused"


class Unavailable(Refusal):
    """The store cannot take the command now; the same call may work a moment later."""

    code = "unavailable"


class Key(NamedTuple):
    """An idempotency key, by its hash, and the hash of what it was sent with."""

    hash: str
    fingerprint: str


class Loaded(NamedTuple):
    """What a verb decides on: the time, who asks, and what the command has named.

    ``draw`` gives uniform numbers in [0, 1), for those who play by chance.
    """

    at: int
    draw: Callable[[], float]
    player: PlayerRow | None = None
    row: GameRow | None = None
    open_games: int = 0
    rematch: GameRow | None = None
    account: "Account | None" = None


class Account(NamedTuple):
    """Games in which a player is or was seated: all of them, or a portion, ended ones first."""

    rows: tuple[GameRow, ...]
    is_whole: bool


class Move(NamedTuple):
    """A game as a verb leaves it, and the events that led there; none where nothing changed."""

    row: GameRow
    events: tuple[Event, ...] = ()


class Change(NamedTuple):
    """What a verb has decided; the ledger writes it in one transaction, or nothing of it."""

    moves: tuple[Move, ...] = ()
    new_player: PlayerRow | None = None
    changed_player: PlayerRow | None = None
    deleted_player: PlayerRow | None = None
    forgotten_in: tuple[str, ...] = ()
    """The ids of games whose logs are to know the player no more, nor the player the games."""
    refusal: Exception | None = None
    """With what the caller is refused although something has changed: a move that came too late."""


Verb: TypeAlias = Callable[[Loaded], Change]


class Command(NamedTuple):
    """One call: the verb, how its change is put in bytes, and what must be loaded for it."""

    verb: Verb
    answer: Callable[[Change], Answer]
    token_hash: str | None = None
    game_id: str | None = None
    key: Key | None = None
    counts_games: bool = False
    loads_account: bool = False
    loads_rematch: bool = False


class Outcome(NamedTuple):
    """The answer to a command, and whether it is a replay of an earlier one."""

    answer: Answer
    is_replay: bool = False
