"""Games from before there were clocks are played on, and games can go back to that time."""

import json
from pathlib import Path

from sqlalchemy import Engine

from app.store.engine import migrate, writing_engine
from app.store.games import late_games
from tests.live.players import Player, at, path
from tests.live.servers import Clock, inside

OLD = "0001"
"""The revision of the tables before clocks."""
TURN, SEATS = 13, 8


def aged(engine: Engine) -> str:
    """Take the one game back to before clocks, in the tables and in its state; the state."""
    migrate(engine, OLD)
    with engine.begin() as connection:
        (state,) = connection.exec_driver_sql("SELECT state FROM games").scalars()
    return str(state)


def test_a_state_goes_back_to_what_the_older_version_reads(tmp_path: Path) -> None:
    """It reads a list of known length: sixteen entries, eight of a seat, six of a turn."""
    with inside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.open({"type": "me"}, {"type": "guest", "name": "Di"}, turn_seconds=3600)
        ada.hold(ada.roll(game), 2)
    engine = writing_engine(tmp_path / "yacht.db")
    state = json.loads(aged(engine))
    engine.dispose()
    assert len(state) == 16
    assert [len(seat) for seat in state[SEATS]] == [8, 8]
    assert len(state[TURN]) == 6
    assert state[TURN][:2] == [0, 1]
    assert state[TURN][4] == [False, True, False, False, False]


def test_a_finished_game_goes_back_too(tmp_path: Path) -> None:
    """Its rematch is forgotten by the state; the log still has it."""
    with inside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.resign(ada.open())
        ada.ask("POST", path(game, "/rematch"))
    engine = writing_engine(tmp_path / "yacht.db")
    migrate(engine, OLD)
    with engine.begin() as connection:
        states = connection.exec_driver_sql("SELECT state FROM games ORDER BY id").scalars()
        assert [len(json.loads(state)) for state in states] == [16, 16]
    engine.dispose()


def test_an_older_game_is_played_on(tmp_path: Path) -> None:
    """With its time of last change taken from its log, so that it is not at once called off."""
    clock = Clock()
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.roll(ada.open())
    engine = writing_engine(tmp_path / "yacht.db")
    aged(engine)
    migrate(engine)
    with engine.begin() as connection:
        updated, deadline = connection.exec_driver_sql(
            "SELECT updated_at, deadline FROM games"
        ).one()
        last = connection.exec_driver_sql("SELECT max(at) FROM events").scalar_one()
        assert (updated, deadline) == (last, None)
        assert late_games(connection, clock() * 2, 10) == []
    engine.dispose()
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada.http = http
        assert ada.read(game) == game
        assert ada.score(game, "choice")["round"] == 2


def test_a_game_with_a_clock_loses_only_the_clock(tmp_path: Path) -> None:
    """Down and up again: its deadline is gone until the next turn begins."""
    clock = Clock()
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.open(turn_seconds=30)
    engine = writing_engine(tmp_path / "yacht.db")
    aged(engine)
    migrate(engine)
    engine.dispose()
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada.http = http
        assert ada.turn(game)["turn"]["deadline"] is not None
