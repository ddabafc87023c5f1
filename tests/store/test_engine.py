"""What SQLite is set to: durable commits, one writer, readers that cannot write, one process."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import QueuePool

from app.config import Settings
from app.store.engine import (
    Database,
    DatabaseInUseError,
    is_migrated,
    open_database,
    reading_engine,
    sole_owner,
    writing_engine,
)
from app.store.tables import players
from tests.store.desk import Desk, open_game, register, token


def pragma(engine: Engine, name: str) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


@pytest.mark.parametrize(
    ("name", "value"),
    [("synchronous", 2), ("journal_mode", "wal"), ("foreign_keys", 1), ("query_only", 0)],
)
def test_the_writing_connection_is_durable_and_strict(
    database: Database, name: str, value: object
) -> None:
    """Synchronous 2 is FULL: every commit is flushed to the disk."""
    assert pragma(database.writing, name) == value


@pytest.mark.parametrize(("name", "value"), [("query_only", 1), ("journal_mode", "wal")])
def test_a_reading_connection_only_reads(database: Database, name: str, value: object) -> None:
    assert pragma(database.reading, name) == value


def test_a_write_through_the_reading_engine_fails(desk: Desk) -> None:
    row = {"id": "dee", "name": "Dee", "created_at": 0, "token_hash": "hash"}
    with pytest.raises(OperationalError, match="readonly"):
        desk.read(lambda connection: connection.execute(insert(players), row))
    assert desk.player("Dee") is None


def test_a_second_writing_connection_is_never_opened(database: Database) -> None:
    pool = database.writing.pool
    assert isinstance(pool, QueuePool)
    assert (pool.size(), pool._max_overflow) == (1, 0)


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("INSERT INTO events VALUES ('none', 1, 'seat_left', 0, 0, '{}')", id="event"),
        pytest.param("INSERT INTO participants VALUES ('none', 'none', 'open')", id="participant"),
        pytest.param(
            "INSERT INTO answers VALUES ('none', 'hash', 'asked', 200, x'', NULL, NULL, 0)",
            id="answer",
        ),
    ],
)
def test_nothing_is_kept_of_a_game_or_player_that_is_not_there(desk: Desk, statement: str) -> None:
    with (
        pytest.raises(IntegrityError, match="FOREIGN KEY"),
        desk.database.writing.begin() as connection,
    ):
        connection.exec_driver_sql(statement)


def test_two_events_of_one_game_cannot_have_one_number(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"))
    with (
        pytest.raises(IntegrityError, match="UNIQUE"),
        desk.database.writing.begin() as connection,
    ):
        connection.exec_driver_sql("INSERT INTO events SELECT * FROM events WHERE seq = 1")


def test_an_error_of_the_database_tells_no_values(desk: Desk) -> None:
    with pytest.raises(IntegrityError) as caught:
        desk.do(register("Ada"))
    assert token("Ada") not in str(caught.value)


def test_a_reader_goes_on_while_a_batch_is_written(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"))
    with desk.database.writing.begin() as connection:
        connection.exec_driver_sql("DELETE FROM events")
        assert len(desk.kept("g").events) == 2
        connection.rollback()


@pytest.mark.parametrize("name", ["link.db", "../{here}/yacht.db", "yacht%20b.db"])
def test_a_database_has_one_owner_by_whatever_name(
    tmp_path: Path, migrated: Path, name: str
) -> None:
    shutil.copy(migrated, tmp_path / "yacht.db")
    (tmp_path / "link.db").symlink_to("yacht.db")
    shutil.copy(migrated, tmp_path / "yacht b.db")
    other = f"sqlite:///{tmp_path}/{name.format(here=tmp_path.name)}"
    with open_database(Settings(database_url=f"sqlite:///{tmp_path}/yacht.db")):
        if "%" in name:  # a file of that very name, beside the one that a URL might mean
            with open_database(Settings(database_url=other)):
                assert (tmp_path / name).is_file()
            return
        with pytest.raises(DatabaseInUseError), open_database(Settings(database_url=other)):
            pass


def test_a_database_has_one_owner(tmp_path: Path) -> None:
    file = tmp_path / "yacht.db"
    with (
        sole_owner(file),
        pytest.raises(DatabaseInUseError, match="in use by another yacht process"),
        sole_owner(file),
    ):
        pass
    with sole_owner(file):
        pass


def test_an_owner_that_fails_lets_go(tmp_path: Path) -> None:
    file = tmp_path / "yacht.db"
    with pytest.raises(ZeroDivisionError), sole_owner(file):
        raise ZeroDivisionError
    with sole_owner(file):
        pass


def test_no_directory_is_made_for_a_mistyped_database(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="directory"), sole_owner(tmp_path / "x" / "y.db"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_database_is_not_ready_before_its_migrations(tmp_path: Path) -> None:
    engine = writing_engine(tmp_path / "yacht.db")
    with engine.begin() as connection:
        assert not is_migrated(connection)
    engine.dispose()
    with (
        open_database(Settings(database_url=f"sqlite:///{tmp_path}/yacht.db")) as database,
        database.reading.begin() as connection,
    ):
        assert is_migrated(connection)


def test_what_was_committed_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/yacht.db")
    with open_database(settings) as database:
        Desk(database).do(register("Ada"))
    with open_database(settings) as database:
        assert Desk(database).player("Ada") is not None
    reading = reading_engine(tmp_path / "yacht.db")
    with reading.begin() as connection:
        names = connection.exec_driver_sql("SELECT name FROM players").scalars().all()
    reading.dispose()
    assert names == ["Ada"]
