"""Players as the database keeps them. A token is known only by its hash."""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, insert, or_, select, update

from app.store.tables import players


class PlayerRow(NamedTuple):
    """A player; ``next_token_hash`` is a new token's until that is first used."""

    id: str
    name: str
    created_at: int
    token_hash: str
    next_token_hash: str | None = None


def players_by_token(connection: Connection, hashes: Collection[str]) -> dict[str, PlayerRow]:
    """The players whom the token hashes name, by each hash that is theirs."""
    found: dict[str, PlayerRow] = {}
    for row in map(_player, connection.execute(_BY_TOKEN, {"hashes": list(hashes)})):
        found[row.token_hash] = row
        if row.next_token_hash is not None:
            found[row.next_token_hash] = row
    return found


def get_player(connection: Connection, player_id: str) -> PlayerRow | None:
    """The player with that id, if there is one."""
    row = connection.execute(select(players).where(players.c.id == player_id)).one_or_none()
    return None if row is None else _player(row)


def insert_players(connection: Connection, rows: Iterable[PlayerRow]) -> None:
    """Add players."""
    connection.execute(insert(players), [row._asdict() for row in rows])


def update_players(connection: Connection, rows: Iterable[PlayerRow]) -> None:
    """Write what a player may change: the name and the tokens."""
    statement = (
        update(players)
        .where(players.c.id == bindparam("of"))
        .values(
            name=bindparam("name"),
            token_hash=bindparam("token_hash"),
            next_token_hash=bindparam("next_token_hash"),
        )
    )
    connection.execute(statement, [{**row._asdict(), "of": row.id} for row in rows])


def delete_player(connection: Connection, player_id: str) -> None:
    """Remove a player, with the standings in games and the stored answers."""
    connection.execute(delete(players).where(players.c.id == player_id))


# Statements of the hot path are made once: making one costs as much as running it.
_BY_TOKEN = select(players).where(
    or_(
        players.c.token_hash.in_(bindparam("hashes", expanding=True)),
        players.c.next_token_hash.in_(bindparam("hashes", expanding=True)),
    )
)


def _player(row: Row[Any]) -> PlayerRow:
    return PlayerRow(row.id, row.name, row.created_at, row.token_hash, row.next_token_hash)
