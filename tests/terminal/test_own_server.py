"""The server that a terminal keeps for itself, and the terminals of neighbours that find it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

from app.local import serving
from app.store.engine import sole_owner

LEFT = "http://127.0.0.1:9"
"""The address of a server that was killed."""


def test_an_address_left_behind_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "address").write_text(LEFT, encoding="utf-8")
    with serving(tmp_path) as own, serving(tmp_path) as neighbour:
        assert own == neighbour != LEFT
    assert not (tmp_path / "address").exists()


def test_a_neighbour_waits_for_a_server_that_is_about_to_start(tmp_path: Path) -> None:
    def find() -> str:
        with serving(tmp_path) as url:
            return url

    with ThreadPoolExecutor(1) as threads, sole_owner(tmp_path / "yacht.db"):
        found = threads.submit(find)
        sleep(0.3)
        assert not found.done()
        (tmp_path / "address").write_text("http://127.0.0.1:12345", encoding="utf-8")
        assert found.result(20) == "http://127.0.0.1:12345"
