"""The archives, built once, and an environment into which nothing but the wheel was put."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.pages import ROOT
from tests.needs import lacking, registries

SECONDS = 240


class Archives(NamedTuple):
    """What `python -m build` makes."""

    wheel: Path
    sdist: Path


def run(*words: str | Path, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """The command as it ended, in an environment that names neither the checkout nor a setting."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("YACHT_", "PYTHON", "VIRTUAL_ENV", "COV"))
    }
    return subprocess.run(
        words,
        check=False,
        cwd=folder,
        env=inherited | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def success(ended: "subprocess.CompletedProcess[str]") -> str:
    """What a command that must succeed has printed."""
    assert ended.returncode == 0, f"{ended.args}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """The wheel and the source archive of this checkout."""
    folder = tmp_path_factory.mktemp("built")
    flags = ("--no-isolation", "--outdir", folder)
    # The wheel is built from the unpacked source archive: what that lacks, the wheel lacks too.
    success(run(sys.executable, "-m", "build", *flags, ROOT, folder=folder))
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return Archives(wheel, sdist)


@pytest.fixture(scope="session")
def installed(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the commands of a fresh environment: locked dependencies and the wheel."""
    registries()
    folder = tmp_path_factory.mktemp("installed")
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    commands = environment / "bin"
    uv = (shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv", "pip", "install")
    into = ("--quiet", "--python", str(commands / "python"))
    lock = ("--require-hashes", "-r", str(ROOT / "requirements.lock"))
    ended = run(*uv, *into, *lock, folder=folder)
    if ended.returncode != 0:
        lacking(f"the locked dependencies cannot be installed: {ended.stderr.strip()}")
    success(run(*uv, *into, "--no-deps", archives.wheel, folder=folder))
    return commands
