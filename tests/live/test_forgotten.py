"""Games that nobody joins or goes on with are called off, and old ones can be deleted."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from app.sweep import cancel_forgotten
from tests.live.conftest import Yacht
from tests.live.players import ME, OPEN, Game, Player, at, path, problem
from tests.live.readers import Reader
from tests.live.servers import Clock, inside

HOUR = 3600
DAY = 24 * HOUR


def sweep_after(folder: Path, clock: Clock, *, seconds: float, **settings: int) -> None:
    """Let so much time pass; then a server starts and has swept."""
    clock.forward(seconds)
    with inside(folder, now=clock, **settings) as server:
        state = server.app.state
        sweep = (state.ledger, state.reader, clock, state.settings)
        server.run(lambda: cancel_forgotten(*sweep))


def status(folder: Path, *games: Game) -> list[str]:
    """The statuses of the games, from the database."""
    engine = create_engine(f"sqlite:///{folder / 'yacht.db'}")
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT id, status FROM games").all()
    engine.dispose()
    found: dict[str, str] = {row[0]: row[1] for row in rows}
    return [found[game["id"]] for game in games]


@pytest.mark.parametrize(
    ("settings", "hours", "expected"),
    [
        ({}, 23.9, "waiting"),
        ({}, 24.1, "cancelled"),
        ({"waiting_hours": 2}, 2.1, "cancelled"),
        ({"waiting_hours": 48}, 47, "waiting"),
    ],
    ids=["a day less", "a day", "by setting", "not yet by setting"],
)
def test_a_waiting_game_is_called_off(
    tmp_path: Path, settings: dict[str, int], hours: float, expected: str
) -> None:
    clock = Clock()
    with inside(tmp_path, now=clock, **settings) as server, at(server.port) as http:
        game = Player(http, "Ada").open(ME, OPEN)
    sweep_after(tmp_path, clock, seconds=hours * HOUR, **settings)
    assert status(tmp_path, game) == [expected]


def test_an_idle_game_without_a_clock_is_called_off_and_others_are_not(tmp_path: Path) -> None:
    clock = Clock()
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        idle, busy, ended = ada.open(), ada.roll(ada.open()), ada.resign(ada.open())
        clock.forward(15 * DAY)
        clocked = ada.open(turn_seconds=1_209_600)
        ada.hold(busy, 3)
    sweep_after(tmp_path, clock, seconds=16 * DAY)
    # The one with a clock is late: that is played by the clock and is nothing to be idle about.
    assert status(tmp_path, idle, busy, ended, clocked) == [
        "cancelled",
        "active",
        "finished",
        "active",
    ]
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada.http = http
        (*_, event) = ada.events(idle)
        assert (event["type"], event["reason"], event["seat"]) == ("game_cancelled", "idle", None)
        assert ada.ask("GET", path(idle, "/fairness")).json()["server_seed"] is not None
        assert problem(ada.ask("POST", path(idle, "/rolls")), 409) == "game-over"
        assert ada.ask("GET", path(idle, f"/stream?after={event['seq']}")).status_code == 204
        with Reader(server.port, path(idle, "/stream?after=2")) as reader:
            assert [message.event for message in reader.rest()] == ["game_cancelled"]


def test_idle_days_are_a_setting(tmp_path: Path) -> None:
    clock = Clock()
    with inside(tmp_path, now=clock, idle_days=1) as server, at(server.port) as http:
        game = Player(http, "Ada").open()
    sweep_after(tmp_path, clock, seconds=1.1 * DAY, idle_days=1)
    assert status(tmp_path, game) == ["cancelled"]


def test_a_game_that_was_called_off_counts_no_longer_as_open(tmp_path: Path) -> None:
    """A player has two hundred open games at most; forgotten ones do not stay in the way."""
    clock = Clock()
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda _: ada.open(ME, OPEN), range(200)))
        assert problem(ada.ask("POST", "/v1/games"), 429) == "rate-limited"
    sweep_after(tmp_path, clock, seconds=25 * HOUR)
    with inside(tmp_path, now=clock) as server, at(server.port) as http:
        ada.http = http
        assert ada.open()["status"] == "active"


def aged(folder: Path, days: int, *games: Game) -> None:
    """Make the games look as if nothing had happened in them for so many days."""
    engine = create_engine(f"sqlite:///{folder / 'yacht.db'}")
    with engine.begin() as connection:
        for game in games:
            connection.exec_driver_sql(
                "UPDATE games SET updated_at = updated_at - ? WHERE id = ?",
                (days * DAY * 1000, game["id"]),
            )
    engine.dispose()


def counts(folder: Path) -> dict[str, int]:
    """How many rows each table has."""
    engine = create_engine(f"sqlite:///{folder / 'yacht.db'}")
    tables = ("games", "events", "participants", "players")
    with engine.connect() as connection:
        found = {
            table: connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608
            for table in tables
        }
        orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    engine.dispose()
    assert orphans == []
    return found


def test_prune_deletes_ended_games_of_a_certain_age_and_nothing_else(
    tmp_path: Path, yacht: Yacht
) -> None:
    with inside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        old = [ada.resign(ada.open()), ada.open(ME, OPEN)]
        assert ada.ask("DELETE", path(old[1])).status_code == 204
        running, waiting, young = ada.open(), ada.open(ME, OPEN), ada.resign(ada.open())
    aged(tmp_path, 31, *old, running, waiting)
    aged(tmp_path, 29, young)
    done = yacht("prune", "--days", "30")
    assert (done.status, done.out) == (0, "2 games deleted\n")
    assert status(tmp_path, running, waiting, young) == ["active", "waiting", "finished"]
    assert counts(tmp_path) == {"games": 3, "events": 2 + 1 + 4, "participants": 3, "players": 1}
    done = yacht("prune", "--days", "30")
    assert (done.status, done.out) == (0, "0 games deleted\n")
    with inside(tmp_path) as server, at(server.port) as http:
        ada.http = http
        assert problem(ada.ask("GET", path(old[0])), 404) == "not-found"
        assert ada.open()["status"] == "active"


def test_prune_refuses_while_the_server_runs(tmp_path: Path, yacht: Yacht) -> None:
    with inside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.resign(ada.open())
        done = yacht("prune", "--days", "0")
        assert (done.status, done.out) == (1, "")
        assert "is in use by another yacht process" in done.err
        assert ada.read(game)["status"] == "finished"


@pytest.mark.parametrize("days", ["-1", "x", "1.5", "", "100000", "\u0661"])
def test_prune_wants_a_number_of_days(tmp_path: Path, yacht: Yacht, days: str) -> None:
    done = yacht("prune", f"--days={days}")
    assert done.status == 2
    assert "--days: must be a number of days, 0 to 99999" in done.err
    assert not (tmp_path / "yacht.db").exists()


def test_prune_does_nothing_without_being_told_how_much(yacht: Yacht) -> None:
    done = yacht("prune")
    assert done.status == 2
    assert "--days" in done.err


def test_an_opened_rematch_may_be_pruned_away(tmp_path: Path, yacht: Yacht) -> None:
    """Whoever asks for one then opens another; the old id leads nowhere."""
    with inside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.resign(ada.open())
        first = ada.ask("POST", path(game, "/rematch")).json()
        ada.resign(first)
    aged(tmp_path, 31, first)
    assert yacht("prune", "--days", "30").out == "1 games deleted\n"
    with inside(tmp_path) as server, at(server.port) as http:
        ada.http = http
        second = ada.ask("POST", path(game, "/rematch"))
        assert second.status_code == 201
        assert second.json()["id"] != first["id"]
        assert ada.read(game)["rematch_id"] == second.json()["id"]
