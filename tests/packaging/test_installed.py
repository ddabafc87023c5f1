"""The wheel at work: in an environment of its own, run from an empty folder."""

import json
import re
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app import cli
from app.main import openapi_document
from tests.contract import CONTRACT
from tests.needs import registries
from tests.packaging.conftest import Archives, run, success
from tests.table import Visitor

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("packaging")]

START_SECONDS = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server is started: nothing lies there."""
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(scope="module")
def visitor(installed: Path, folder: Path) -> Iterator[Visitor]:
    """Someone without a token, at the installed server."""
    log = folder / "log.txt"
    with log.open("wb") as stderr:
        server = subprocess.Popen(
            [installed / "yacht", "serve", "--port", "0"], cwd=folder, stderr=stderr
        )
    try:
        limit = time.monotonic() + START_SECONDS
        while not (found := re.search(r"listening on (http://\S+)", log.read_text("utf-8"))):
            assert server.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < limit, log.read_text("utf-8")
            time.sleep(0.02)
        hooks = {"response": [CONTRACT.check]}
        with httpx.Client(base_url=found[1], event_hooks=hooks, timeout=START_SECONDS) as http:
            yield Visitor(http)
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def test_what_runs_is_what_was_installed(installed: Path, tmp_path: Path) -> None:
    script = "import app, migrations; print(app.__file__, *migrations.__path__)"
    for place in success(run(installed / "python", "-c", script, folder=tmp_path)).split():
        assert Path(place).is_relative_to(installed.parent)


def test_the_command_says_what_it_can_do(installed: Path, tmp_path: Path) -> None:
    printed = success(run(installed / "yacht", "--help", folder=tmp_path))
    assert printed == cli._parser().format_help()


def test_it_writes_the_same_document(installed: Path, tmp_path: Path) -> None:
    printed = success(run(installed / "yacht", "openapi", "-", folder=tmp_path))
    assert json.loads(printed) == json.loads(json.dumps(openapi_document()))


def test_the_source_archive_installs_what_the_wheel_does(
    archives: Archives, tmp_path: Path
) -> None:
    """Built by pip itself, with a builder of its own."""
    registries()
    into = ("--target", tmp_path / "installed")
    success(
        run(
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-deps",
            *into,
            archives.sdist,
            folder=tmp_path,
        )
    )
    with zipfile.ZipFile(archives.wheel) as wheel:
        files = {name for name in wheel.namelist() if ".dist-info/" not in name}
    found = [file for file in (tmp_path / "installed").rglob("*") if file.is_file()]
    names = {file.relative_to(tmp_path / "installed").as_posix() for file in found}
    assert {name for name in names if name.startswith(("app/", "migrations/"))} - {
        name for name in names if "__pycache__" in name
    } == files


def test_a_whole_game_is_played(visitor: Visitor) -> None:
    ada = visitor.player()
    game = ada.open()
    while game["status"] == "active":
        game = ada.turn(game)
    assert game["status"] == "finished"
    assert game["seats"][0]["total"] == sum(game["seats"][0]["scorecard"].values())


def test_its_tables_lie_in_the_folder(visitor: Visitor, folder: Path) -> None:
    visitor.player().open()
    database = sqlite3.connect(folder / "yacht.db")
    try:
        assert database.execute("SELECT count(*) > 0 FROM games").fetchone() == (1,)
    finally:
        database.close()


def test_pages_and_what_they_are_made_of_are_served(visitor: Visitor) -> None:
    page = visitor.get("/docs").text
    assets = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert len(assets) > 2
    for address in [*assets, "/problems/roll-first"]:
        response = visitor.get(address)
        assert response.status_code == 200, address
        assert len(response.content) > 100, address


def test_the_tables_can_be_taken_back_and_made_again(installed: Path, tmp_path: Path) -> None:
    """For which the migrations themselves must be there, not only the tables' last state."""
    yacht = installed / "yacht"
    success(run(yacht, "migrate", folder=tmp_path))
    success(run(yacht, "migrate", "--down-to", "0001", folder=tmp_path))
    success(run(yacht, "migrate", folder=tmp_path))
    assert (tmp_path / "yacht.db").exists()
