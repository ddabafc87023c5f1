"""Places at the server that these tests share."""

from pathlib import Path

import pytest

from tests.table import Visitor
from tests.terminal.seat import Seat


@pytest.fixture
def url(guest: Visitor) -> str:
    """Where the server is."""
    return str(guest.http.base_url).rstrip("/")


@pytest.fixture
def seat(tmp_path: Path, url: str) -> Seat:
    """A terminal where nobody has played before."""
    return Seat(tmp_path, url)


@pytest.fixture
def neighbour(tmp_path: Path, url: str) -> Seat:
    """Another terminal, of somebody else."""
    folder = tmp_path / "neighbour"
    folder.mkdir()
    return Seat(folder, url)
