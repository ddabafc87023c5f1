"""Commands as the ledger takes them, and a desk that runs batches of them without a server.

The verbs are those of `app.play`; only how a change is put in bytes is made up here.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection, func, select

from app import play
from app.rules import Category, Event, Visibility
from app.rules import Game as Rules
from app.store.answers import Answer
from app.store.batch import Batch, Result
from app.store.command import Change, Command, Key, Outcome, Verb
from app.store.engine import Database
from app.store.games import GameRow, read_log, stored_event
from app.store.known import Known
from app.store.players import PlayerRow
from app.store.tables import metadata

AT = 1_764_536_400_000
"""The time at which a desk begins, in milliseconds since 1970."""
ME = play.SeatWish("me")
OPEN = play.SeatWish("open")
SEED = bytes(range(32))

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")
Told: TypeAlias = list[Result]


def guest(name: str) -> play.SeatWish:
    return play.SeatWish("guest", name)


def token(name: str) -> str:
    """What stands for the hash of that player's token."""
    return f"{name.lower()}'s token"


def key(name: str, asked: str = "asked") -> Key:
    return Key(f"hash of {name}", asked)


def versioned(change: Change) -> Answer:
    """An answer that tells the version of the game that changed."""
    if not change.moves:
        return Answer(204, b"")
    version = change.moves[0].row.game.version
    return Answer(201, f"version {version}".encode(), version)


def command(verb: Verb, by: str | None = None, game: str | None = None, **more: Any) -> Command:
    """A command of the player with that name; ``more`` are further fields of Command."""
    return Command(verb, versioned, None if by is None else token(by), game, **more)


def register(name: str) -> Command:
    return command(
        partial(play.register, player_id=name.lower(), name=name, token_hash=token(name))
    )


def open_game(
    by: str,
    game: str,
    *seats: play.SeatWish,
    visibility: Visibility = "unlisted",
    limit: int | None = None,
    turn_seconds: int | None = None,
    **more: Any,
) -> Command:
    opening = play.Opening(
        id=game,
        seed=SEED,
        seats=seats or (ME,),
        ruleset="classic",
        visibility=visibility,
        hints=True,
        turn_seconds=turn_seconds,
        max_open_games=limit,
    )
    return command(partial(play.open_game, opening=opening), by, counts_games=True, **more)


def join(by: str, game: str, limit: int | None = None) -> Command:
    verb = partial(play.join, entropy=None, if_match=None, max_open_games=limit)
    return command(verb, by, game, counts_games=True)


def move(by: str, game: str, verb: Callable[..., Change], *arguments: Any, **more: Any) -> Command:
    """A command whose verb takes `if_match` last; any version will do."""
    return command(lambda loaded: verb(loaded, *arguments, None), by, game, **more)


def roll(by: str, game: str, **more: Any) -> Command:
    return move(by, game, play.roll, None, **more)


def score(by: str, game: str, category: Category, **more: Any) -> Command:
    return move(by, game, play.score, category, **more)


def rematch(by: str, game: str, new_game: str) -> Command:
    verb = partial(play.rematch, game_id=new_game, seed=SEED, if_match=None, max_open_games=None)
    return command(verb, by, game, counts_games=True, loads_rematch=True)


def renew(by: str, new_hash: str, **more: Any) -> Command:
    return command(partial(play.renew_token, token_hash=new_hash), by, **more)


def delete_account(by: str) -> Command:
    return command(play.delete_account, by, loads_account=True)


def draw() -> float:
    """A number for those who play by chance, of whom there are none here."""
    return 0.5


class Kept(NamedTuple):
    """A game as the database has it: its columns, and the log."""

    row: GameRow
    events: tuple[Event, ...]

    @property
    def game(self) -> Rules:
        return self.row.game


class Desk:
    """Runs batches on a database, one transaction each, and looks at what is kept."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.known = Known()
        self.at = AT
        self.stopwatch: Callable[[], float] = lambda: 0.0  # deciding takes no time

    def batch(self, *commands: Command) -> Told:
        with self.database.writing.begin() as connection:
            batch = Batch(connection, self.known, self.at, draw, self.stopwatch)
            told = batch.run(commands)
        batch.remember()
        return told

    def do(self, *commands: Command) -> list[Answer]:
        """The answers to commands of one batch, none of which is refused."""
        return answers(self.batch(*commands))

    def read(
        self,
        query: Callable[Concatenate[Connection, Arguments], Found],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Found:
        with self.database.reading.begin() as connection:
            return query(connection, *args, **kwargs)

    def kept(self, game: str) -> Kept:
        found = self.read(read_log, game)
        assert found is not None, f"there is no game {game}"
        row, log = found
        return Kept(row, tuple(map(stored_event, log)))

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        return self.read(
            lambda connection: [
                dict(row) for row in connection.execute(select(metadata.tables[table])).mappings()
            ]
        )

    def count(self, table: str) -> int:
        statement = select(func.count()).select_from(metadata.tables[table])
        return self.read(lambda connection: connection.execute(statement).scalar_one())

    def player(self, name: str) -> PlayerRow | None:
        rows = [PlayerRow(**row) for row in self.rows("players") if row["id"] == name.lower()]
        return rows[0] if rows else None


def answers(told: Told) -> list[Answer]:
    """The answers of results that are all outcomes."""
    for result in told:
        if isinstance(result, Exception):
            raise result
    return [result.answer for result in told if isinstance(result, Outcome)]


def codes(told: Told) -> list[str | int]:
    """What became of each command, in a word: a status, or the code of the refusal."""
    return [
        result.answer.status
        if isinstance(result, Outcome)
        else getattr(result, "code", type(result).__name__)
        for result in told
    ]
