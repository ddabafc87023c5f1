"""A server that the tests here share, since each start takes a second or two."""

from collections.abc import Iterator

import pytest

from tests.process.client import Client
from tests.process.server import Server, serving


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that logs all it can."""
    folder = tmp_path_factory.mktemp("shared")
    with serving(folder, log_level="debug", access_log="true") as server:
        yield server


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the settings it has by default."""
    with serving(tmp_path_factory.mktemp("plain")) as server:
        yield server


@pytest.fixture
def client(shared: Server) -> Iterator[Client]:
    with shared.client() as client:
        yield client
