"""The servers that tests here share: one that can be looked into, and one process."""

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple, TypeAlias

import httpx
import pytest

from app.cli import main
from tests.live.players import Player, at
from tests.live.servers import Inside, Outside, inside, outside


class Done(NamedTuple):
    """How a command ended and what it said."""

    status: object
    out: str
    err: str


Yacht: TypeAlias = Callable[..., Done]


@pytest.fixture(scope="package")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server in a thread."""
    with inside(tmp_path_factory.mktemp("inside")) as server:
        yield server


@pytest.fixture(scope="package")
def connections(shared: Inside) -> Iterator[httpx.Client]:
    """Connections to the shared server."""
    with at(shared.port) as http:
        yield http


@pytest.fixture
def ada(connections: httpx.Client) -> Player:
    """A player at the shared server."""
    return Player(connections, "Ada")


@pytest.fixture(scope="package")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """A server process."""
    with outside(tmp_path_factory.mktemp("outside")) as server:
        yield server


@pytest.fixture
def yacht(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Yacht:
    """Runs one command of the command line, in the test's folder and in this process."""

    def run(*arguments: str, text: str = "") -> Done:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.stdin", StringIO(text))
        try:
            status = main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        told = capsys.readouterr()
        return Done(status, told.out, told.err)

    return run
