"""Games as the database keeps them: the log, the state it adds up to, and who takes part."""

import json
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import TypeAdapter
from pydantic_core import to_json
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from app.rules import EVENT_TYPES, Event, Game
from app.store.tables import IS_PUBLIC, events, games, participants

Standing: TypeAlias = Literal["open", "ended", "left"]

_STATE = TypeAdapter(Game)
_NAMING = ("game_created", "seat_joined", "game_started")
"""The types of events that tell who somebody is."""
_COLUMNS = {"seq", "type", "at", "seat"}
_NAMED = (games.c.id, games.c.seed, games.c.state)


class GameRow(NamedTuple):
    """A game with what the rules must not know: its id, and the seed of its dice."""

    id: str
    seed: bytes
    game: Game


class EventRow(NamedTuple):
    """One entry of a game's log; ``data`` holds the fields that only its type has."""

    seq: int
    type: str
    at: int
    seat: int | None
    data: dict[str, Any]


class Participant(NamedTuple):
    """How a player stands to a game."""

    player_id: str
    game_id: str
    standing: Standing


class Listing(NamedTuple):
    """Which games to list, newest first: public ones, or all in which ``player_id`` is seated."""

    player_id: str | None
    status: str | None
    ruleset: str | None
    before: str | None
    limit: int


def load_games(connection: Connection, ids: Collection[str]) -> dict[str, GameRow]:
    """The games with these ids, by id."""
    rows = connection.execute(_BY_ID, {"ids": list(ids)})
    return {row.id: _game(row) for row in rows}


def get_game(connection: Connection, game_id: str) -> GameRow | None:
    """The game with that id, if there is one."""
    row = connection.execute(select(*_NAMED).where(games.c.id == game_id)).one_or_none()
    return None if row is None else _game(row)


def list_games(connection: Connection, listing: Listing) -> list[GameRow]:
    """The newest games that the listing asks for, as many as its limit."""
    statement = select(*_NAMED).limit(listing.limit)
    if listing.player_id is None:
        newest = games.c.id
        statement = statement.where(IS_PUBLIC)
    else:
        newest = participants.c.game_id  # of the same value, and in the order of an index
        statement = statement.join(participants).where(
            participants.c.player_id == listing.player_id, participants.c.standing != "left"
        )
    statement = statement.order_by(newest.desc())
    if listing.status is not None:
        statement = statement.where(games.c.status == listing.status)
    if listing.ruleset is not None:
        statement = statement.where(games.c.ruleset == listing.ruleset)
    if listing.before is not None:
        statement = statement.where(newest < listing.before)
    return [_game(row) for row in connection.execute(statement)]


def list_events(
    connection: Connection, game_id: str, after: int = 0, limit: int | None = None
) -> list[EventRow]:
    """The log after ``seq`` ``after``, oldest first, as many entries as the limit allows."""
    return _events(connection, game_id, events.c.seq > after, limit)


def _events(
    connection: Connection, game_id: str, which: ColumnElement[bool], limit: int | None = None
) -> list[EventRow]:
    statement = (
        select(events.c.seq, events.c.type, events.c.at, events.c.seat, events.c.data)
        .where(events.c.game_id == game_id, which)
        .order_by(events.c.seq)
        .limit(limit)
    )
    return [EventRow(*row[:4], json.loads(row.data)) for row in connection.execute(statement)]


def read_log(
    connection: Connection, game_id: str, after: int = 0, limit: int | None = None
) -> tuple[GameRow, list[EventRow]] | None:
    """The game with that id and a part of its log, of one moment; None if there is no such game."""
    row = get_game(connection, game_id)
    return None if row is None else (row, list_events(connection, game_id, after, limit))


def open_games(connection: Connection, player_ids: Collection[str]) -> dict[str, int]:
    """How many waiting and active games each of the players takes part in."""
    statement = (
        select(participants.c.player_id, func.count())
        .where(participants.c.player_id.in_(player_ids), participants.c.standing == "open")
        .group_by(participants.c.player_id)
    )
    return {row[0]: row[1] for row in connection.execute(statement)}


def games_of(connection: Connection, player_id: str, limit: int) -> list[str]:
    """The ids of games in which the player is or was seated, open ones last."""
    statement = (
        select(participants.c.game_id)
        .where(participants.c.player_id == player_id)
        .order_by(participants.c.standing, participants.c.game_id)  # ended, left, open
        .limit(limit)
    )
    return list(connection.execute(statement).scalars())


def late_games(connection: Connection, now: int, limit: int) -> list[str]:
    """The ids of games whose open turn is late, the latest first."""
    statement = (
        select(games.c.id).where(games.c.deadline < now).order_by(games.c.deadline).limit(limit)
    )
    return list(connection.execute(statement).scalars())


def abandoned_games(
    connection: Connection, waiting_since: int, idle_since: int, limit: int
) -> list[str]:
    """The ids of games that wait, or without a clock are played, unchanged since those times."""
    statement = (
        select(games.c.id)
        .where(
            or_(
                and_(games.c.status == "waiting", games.c.updated_at < waiting_since),
                and_(
                    games.c.status == "active",
                    games.c.deadline.is_(None),
                    games.c.updated_at < idle_since,
                ),
            )
        )
        .limit(limit)
    )
    return list(connection.execute(statement).scalars())


def delete_ended_games(connection: Connection, before: int) -> int:
    """Delete finished and cancelled games that were last changed before; how many there were."""
    statement = delete(games).where(
        games.c.status.in_(("finished", "cancelled")), games.c.updated_at < before
    )
    return connection.execute(statement).rowcount


def insert_games(connection: Connection, rows: Iterable[GameRow]) -> None:
    """Add games."""
    connection.execute(
        _INSERT_GAMES,
        [
            {
                "id": row.id,
                **_moving(row),
                "ruleset": row.game.ruleset,
                "visibility": row.game.visibility,
                "seed": row.seed,
            }
            for row in rows
        ],
    )


def update_games(connection: Connection, rows: Iterable[GameRow]) -> None:
    """Write what a move changes of games."""
    connection.execute(
        _UPDATE,
        [{"of": row.id, **_moving(row)} for row in rows],
    )


def append_events(connection: Connection, logs: Iterable[tuple[str, Event]]) -> None:
    """Add events, each to the log of the game whose id stands beside it."""
    connection.execute(
        _INSERT_EVENTS,
        [
            {
                "game_id": game_id,
                "seq": event.seq,
                "type": event.type,
                "at": event.at,
                "seat": event.seat,
                "data": _form(event.type).dump_json(event, exclude=_COLUMNS).decode(),
            }
            for game_id, event in logs
        ],
    )


def event_row(event: Event) -> EventRow:
    """An event as it will be read from the log."""
    data = _form(event.type).dump_python(event, exclude=_COLUMNS, mode="json")
    return EventRow(event.seq, event.type, event.at, event.seat, data)


def stored_event(row: EventRow) -> Event:
    """The event that an entry of the log holds."""
    return _form(row.type).validate_python({**row._asdict(), **row.data}, strict=False)


@cache
def _form(event_type: str) -> TypeAdapter[Event]:
    """How events of a type are written and read.

    One a type, because the fields alone do not tell every event: a seat is left and is anonymised
    alike. Made when first needed: to make them all takes a start a tenth of a second.
    """
    return TypeAdapter(EVENT_TYPES[event_type])


def write_participants(connection: Connection, rows: Sequence[Participant]) -> None:
    """Set how players stand to games, whether or not they stood there before."""
    forget_participants(connection, rows)
    connection.execute(insert(participants), [row._asdict() for row in rows])


def forget_participants(connection: Connection, rows: Sequence[Participant]) -> None:
    """Take players and games apart, as if they had never met."""
    connection.execute(_FORGET, [{"player": row.player_id, "game": row.game_id} for row in rows])


def anonymise_events(connection: Connection, game_id: str, player_id: str) -> None:
    """Take a player's name and id out of a game's earlier events."""
    for row in _events(connection, game_id, events.c.type.in_(_NAMING)):
        nameless = _without(player_id, row.data)
        if nameless != row.data:
            connection.execute(
                update(events)
                .where(events.c.game_id == game_id, events.c.seq == row.seq)
                .values(data=to_json(nameless).decode())
            )


# Statements of the hot path are made once: making one costs as much as running it.
_BY_ID = select(*_NAMED).where(games.c.id.in_(bindparam("ids", expanding=True)))
_INSERT_GAMES = insert(games)
_INSERT_EVENTS = insert(events)
_MOVING = ("version", "status", "updated_at", "deadline", "state")
_UPDATE = (
    update(games)
    .where(games.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in _MOVING})
)
_FORGET = delete(participants).where(
    participants.c.player_id == bindparam("player"), participants.c.game_id == bindparam("game")
)


def _without(player_id: str, value: Any) -> Any:
    match value:
        case {"player_id": found} if found == player_id:
            return {**value, "name": None, "player_id": None}
        case dict():
            return {
                key: None if key == "host" and entry == player_id else _without(player_id, entry)
                for key, entry in value.items()
            }
        case list():
            return [_without(player_id, entry) for entry in value]
        case _:
            return value


def _moving(row: GameRow) -> dict[str, Any]:
    """The columns that a move changes."""
    game = row.game
    return {
        "version": game.version,
        "status": game.status,
        "updated_at": game.updated_at,
        "deadline": None if game.turn is None else game.turn.deadline,
        "state": _STATE.dump_json(game).decode(),
    }


def _game(row: Row[str, bytes, str]) -> GameRow:
    return GameRow(row.id, row.seed, _STATE.validate_json(row.state))
