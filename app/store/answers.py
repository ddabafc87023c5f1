"""Answers as given to calls with an idempotency key, kept to be given again byte for byte."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, tuple_

from app.store.tables import answers

LIFETIME = 24 * 60 * 60 * 1000
"""Milliseconds for which a key is remembered."""


class Answer(NamedTuple):
    """What a call is answered: ``etag`` and ``location`` become headers where they are not None."""

    status: int
    body: bytes
    etag: int | None = None
    location: str | None = None


class KeyRow(NamedTuple):
    """An answer under its key: whose key, the key's hash, and what was asked."""

    player_id: str
    key_hash: str
    fingerprint: str
    answer: Answer
    created_at: int


def load_answers(
    connection: Connection, keys: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], KeyRow]:
    """The answers under these keys, by player id and key hash, even those past their lifetime."""
    statement = select(answers).where(_PLACE.in_(keys))
    return {
        (row.player_id, row.key_hash): KeyRow(
            row.player_id,
            row.key_hash,
            row.fingerprint,
            Answer(row.status, row.body, row.etag, row.location),
            row.created_at,
        )
        for row in connection.execute(statement)
    }


def insert_answers(connection: Connection, rows: Iterable[KeyRow]) -> None:
    """Remember answers."""
    connection.execute(
        insert(answers),
        [
            {
                "player_id": row.player_id,
                "key_hash": row.key_hash,
                "fingerprint": row.fingerprint,
                **row.answer._asdict(),
                "created_at": row.created_at,
            }
            for row in rows
        ],
    )


def forget_answers(connection: Connection, keys: Sequence[tuple[str, str]]) -> None:
    """Delete the answers under these keys, by player id and key hash."""
    connection.execute(delete(answers).where(_PLACE.in_(keys)))


def forget_old_answers(connection: Connection, now: int, limit: int) -> int:
    """Delete so many of the answers that are too old to be replayed; how many there were."""
    old = select(*_PLACE).where(answers.c.created_at <= now - LIFETIME).limit(limit)
    return connection.execute(delete(answers).where(_PLACE.in_(old))).rowcount


_PLACE = tuple_(answers.c.player_id, answers.c.key_hash)
