"""What SQLite needs before it can be trusted with games: connections, durability, one owner."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from app.config import Settings
from app.store.tables import REVISION

READERS = 4
MIGRATIONS = Path(__file__).parents[2] / "migrations"

log = logging.getLogger(__name__)


class Database(NamedTuple):
    """An open database: one connection that writes, and some that only read."""

    writing: Engine
    reading: Engine


class DatabaseInUseError(RuntimeError):
    """Another process owns the database."""


class MigrationError(RuntimeError):
    """The tables cannot be brought to the revision."""


@contextmanager
def sole_owner(database: Path) -> Iterator[None]:
    """Hold the database for this process alone; the lock dies with the process, even killed.

    Raises DatabaseInUseError where another process holds it, OSError where the lock's file, which
    is beside the database, cannot be written.
    """
    if not database.parent.is_dir():  # the lock would make directories, whatever was mistyped
        raise FileNotFoundError(f"{database} cannot be used: its directory does not exist")
    lock = FileLock(f"{database}.lock")
    try:
        lock.acquire(blocking=False)
    except (Timeout, OSError) as error:
        # Where the system finds no place for a new file, the lock is waited for as if it were held.
        if isinstance(error, Timeout) and Path(lock.lock_file).exists():
            raise DatabaseInUseError(
                f"{database} is in use by another yacht process, and SQLite takes one at a time; "
                "stop that one, or give this one a database of its own with YACHT_DATABASE_URL"
            ) from None
        raise OSError(
            f"the folder {database.parent} cannot be written; "
            "YACHT_DATABASE_URL chooses another one"
        ) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def open_database(settings: Settings) -> Iterator[Database]:
    """The database of the settings, owned by this process and with its tables up to date.

    Raises DatabaseInUseError where another process has it, OSError or DatabaseError where the file
    cannot be used.
    """
    file = settings.database_file
    with sole_owner(file):
        database = Database(writing_engine(file), reading_engine(file))
        try:
            if not _is_up_to_date(database.writing):
                migrate(database.writing)
            yield database
        finally:
            database.reading.dispose()
            database.writing.dispose()


def writing_engine(database: Path) -> Engine:
    """The engine of the one connection that writes, durable at every commit."""
    engine = _engine(database, connections=1)

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=5000",
            "temp_store=MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that turns into a writer half-way can be refused, and no timeout helps.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    log.info("SQLite %s at %s", sqlite3.sqlite_version, database)
    return engine


def reading_engine(database: Path) -> Engine:
    """The engine of the connections that only read, each a consistent view of what is committed."""
    engine = _engine(database, connections=READERS)

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA query_only=ON")
        connection.execute("PRAGMA busy_timeout=5000")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def _engine(database: Path, connections: int) -> Engine:
    return create_engine(
        URL.create("sqlite", database=str(database)),  # in a text, % would stand for something
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,  # an error is logged, and no log may hold a seed
    )


def migrate(engine: Engine, down_to: str | None = None) -> str:
    """Bring the tables up to date, or back down to a revision, in one transaction.

    Gives the revision at which they are then, `base` where there are none. Raises MigrationError
    where there is no such revision.
    """
    # Only here: Alembic takes as long to import as all else that a start needs of the database.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        try:
            if down_to is None:
                command.upgrade(config, "head")
            else:
                command.downgrade(config, down_to)
        except CommandError as error:
            raise MigrationError(str(error)) from error
        return _revision(connection) or "base"


def is_migrated(connection: Connection) -> bool:
    """Whether the tables are those that this version of the code expects."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    return _revision(connection) == REVISION


def _revision(connection: Connection) -> str | None:
    versions = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
    return versions.scalar_one_or_none()


def _is_up_to_date(engine: Engine) -> bool:
    with engine.begin() as connection:
        return is_migrated(connection)
