"""Compares what is in the database with what clients were told: nothing lost, nothing doubled."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from pydantic_core import to_json
from sqlalchemy import Connection, select

from app.rules import RULESETS, CategoryScored, Event, Game, create, evolve, score
from app.rules.events import GameCreated
from app.schemas.games import game_view
from app.store.engine import reading_engine
from app.store.games import GameRow, games_of, read_log, stored_event
from app.store.players import players_by_token
from app.store.tables import games
from tests.process.gambler import Gambler


def audit(file: Path, gamblers: Sequence[Gambler]) -> int:
    """Check every game in the database, and every answer against it; gives the games' number."""
    engine = reading_engine(file)
    try:
        with engine.begin() as connection:
            ids = connection.execute(select(games.c.id)).scalars().all()
            for game_id in ids:
                _check_game(connection, game_id)
            for gambler in gamblers:
                _check_gambler(connection, gambler)
            return len(ids)
    finally:
        engine.dispose()


def _load(connection: Connection, game_id: str) -> tuple[GameRow, list[Event]]:
    found = read_log(connection, game_id)
    assert found is not None, f"the acknowledged game {game_id} is lost"
    row, log = found
    return row, [stored_event(event) for event in log]


def _check_game(connection: Connection, game_id: str) -> None:
    row, events = _load(connection, game_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1)), game_id
    assert _states(events)[-1] == row.game, game_id
    for event in events:
        if isinstance(event, CategoryScored):
            assert event.points == score(RULESETS["classic"], event.category, event.dice)
    if row.game.status == "finished":
        scored = [event for event in events if isinstance(event, CategoryScored)]
        assert len(scored) == 12 * len(row.game.seats), game_id
        for index, seat in enumerate(row.game.seats):
            assert seat.card.open_categories == (), game_id
            points = [event.points for event in scored if event.seat == index]
            assert seat.card.total == sum(points), game_id


def _check_gambler(connection: Connection, gambler: Gambler) -> None:
    """Each answer is the state at its version; beyond the last there is at most one move."""
    for game_id, told in gambler.acknowledged.items():
        row, events = _load(connection, game_id)
        states = _states(events)
        for answer in told:
            assert answer["version"] <= len(states), f"an acknowledged move of {game_id} is lost"
            then = row._replace(game=states[answer["version"] - 1])
            assert answer == json.loads(to_json(game_view(then)))
        # A state that was looked up after a crash is known though no move was answered with it.
        known = max(answer["version"] for answer in (*told, *gambler.looked_up.get(game_id, ())))
        pending = gambler.pending
        if pending is not None and game_id in pending.path:
            added = row.game.version - known
            assert added == 0 or pending.may_add(added), (game_id, known, pending)
        else:
            assert row.game.version == known, game_id
    if gambler.token is not None:
        token_hash = sha256(gambler.token.encode()).hexdigest()
        player = players_by_token(connection, [token_hash])[token_hash]
        unknown = set(games_of(connection, player.id, 1_000_000)) - gambler.acknowledged.keys()
        opening = gambler.pending is not None and gambler.pending.path == "/v1/games"
        assert len(unknown) <= (1 if opening else 0), unknown


def _states(events: Sequence[Event]) -> list[Game]:
    """The game after each of its events."""
    first, *rest = events
    assert isinstance(first, GameCreated)
    states = [create(first)]
    for event in rest:
        states.append(evolve(states[-1], event))
    return states
