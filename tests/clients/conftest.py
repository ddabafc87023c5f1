"""The tools that clients are made with, and an address to try the clients at."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest
from filelock import FileLock

from tests.docs.pages import ROOT
from tests.needs import lacking, registries
from tests.table import Visitor

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
INSTALL_SECONDS = 240
RUN_SECONDS = 90

Run: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]


def run(
    *words: str | Path, folder: Path, seconds: float = RUN_SECONDS, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """The command as it ended, whatever it found."""
    return subprocess.run(
        words,
        check=False,
        cwd=folder,
        env=environment(variables),
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment of the tools: the virtual environment's commands first, no small talk."""
    commands = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    quiet = {"NO_COLOR": "1", "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    return {**os.environ, **quiet, "PATH": commands, "NO_PROXY": "127.0.0.1", **variables}


def success(ended: "subprocess.CompletedProcess[str]") -> str:
    """What a command that must succeed has printed."""
    assert ended.returncode == 0, f"{ended.args}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


@pytest.fixture(scope="session")
def node() -> Path:
    """The folder with the commands of the pinned Node packages, installed here once."""
    registries()
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        lacking("Node and npm are not installed")
    wanted = HERE / "package-lock.json"
    installed = MODULES / ".installed-lock.json"
    with FileLock(HERE / "node_modules.lock"):  # the tests run in several processes
        if not installed.exists() or installed.read_bytes() != wanted.read_bytes():
            try:
                ended = run(npm, "ci", "--ignore-scripts", folder=HERE, seconds=INSTALL_SECONDS)
            except subprocess.TimeoutExpired:
                lacking("npm ci takes too long: is there a network?")
            if ended.returncode != 0:
                lacking(f"npm ci failed: {ended.stderr.strip()}")
            shutil.copy(wanted, installed)
    return MODULES / ".bin"


@pytest.fixture(scope="session")
def address(guest: Visitor) -> str:
    """Where the server that the clients call listens."""
    return str(guest.http.base_url).rstrip("/")


@pytest.fixture(scope="session")
def document() -> Path:
    """The snapshot that clients are generated from."""
    return ROOT / "openapi" / "openapi.json"
