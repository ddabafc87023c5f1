"""A database of one's own for every test, built by the migrations, and the ledger on top of it."""

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.config import Settings
from app.store.command import Change
from app.store.engine import Database, open_database
from app.store.ledger import Ledger
from tests.store.desk import AT, Desk, command, draw, register


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database as the migrations make it, to be copied, which is quicker."""
    file = tmp_path_factory.mktemp("migrated") / "yacht.db"
    with open_database(Settings(database_url=f"sqlite:///{file}")):
        return file


@pytest.fixture
def database(tmp_path: Path, migrated: Path) -> Iterator[Database]:
    file = shutil.copy(migrated, tmp_path / "yacht.db")
    with open_database(Settings(database_url=f"sqlite:///{file}")) as database:
        yield database


@pytest.fixture
def desk(database: Database) -> Desk:
    """A desk at which Ada, Bo and Cy have registered."""
    desk = Desk(database)
    desk.do(register("Ada"), register("Bo"), register("Cy"))
    return desk


class Clock:
    """The time as the ledger sees it; it stands until a test moves it."""

    def __init__(self) -> None:
        self.now = AT

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@asynccontextmanager
async def running(desk: Desk, clock: Clock) -> AsyncIterator[Ledger]:
    ledger = Ledger(desk.database.writing, clock, draw, lambda _: None)
    ledger.start()
    for _ in range(2):  # after its first batch the ledger purges: a commit that no test asked for
        await ledger.submit(command(lambda _: Change()))
    try:
        yield ledger
    finally:
        if ledger._is_open:
            await ledger.stop()


@pytest.fixture
async def ledger(desk: Desk, clock: Clock) -> AsyncIterator[Ledger]:
    """The ledger over the desk's database; stopped in the end where the test did not."""
    async with running(desk, clock) as ledger:
        yield ledger
