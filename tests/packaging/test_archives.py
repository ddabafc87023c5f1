"""The wheel has what a server needs and nothing else; the source archive all that tests need."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.needs import lacking
from tests.packaging.conftest import Archives, run, success

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("packaging")]

# Needed only by those who have the repository: how it is checked in, and how the gate begins.
NOT_HANDED_OUT = {".ci/run", ".gitignore"}  # of the latter the builder makes its own choice


@pytest.fixture(scope="module")
def wheel(archives: Archives) -> set[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(archives.wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def unpacked(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the unpacked source archive."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archives.sdist) as archive:
        archive.extractall(folder, filter="data")
    (inside,) = folder.iterdir()
    return inside


def files_below(folder: Path, *names: str) -> set[str]:
    """The files of the checkout below these folders, without what tools leave behind."""
    return {
        file.relative_to(folder).as_posix()
        for name in names
        for file in (folder / name).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_the_wheel_has_the_program_and_its_migrations(wheel: set[str]) -> None:
    packed = {name for name in wheel if ".dist-info/" not in name}
    assert packed == files_below(ROOT, "app", "migrations")


def test_the_wheel_names_its_licence_and_its_command(wheel: set[str], archives: Archives) -> None:
    (entry_points,) = (name for name in wheel if name.endswith("/entry_points.txt"))
    with zipfile.ZipFile(archives.wheel) as archive:
        assert "yacht = app.cli:main" in archive.read(entry_points).decode()
    assert any(name.endswith("/licenses/LICENSE") for name in wheel)


def test_the_source_archive_has_every_file_of_the_repository(unpacked: Path) -> None:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        lacking("this is no clone: nobody knows which files are of the repository")
    tracked = listed("--cached")
    packed = {
        file.relative_to(unpacked).as_posix() for file in unpacked.rglob("*") if file.is_file()
    }
    assert tracked - packed <= NOT_HANDED_OUT
    # Files that are not checked in yet may be in it, those that git is told to ignore may not.
    assert packed - tracked - listed("--others", "--exclude-standard") == {"PKG-INFO"}


def listed(*which: str) -> set[str]:
    """The files that git names and that are there."""
    command = ["git", "-C", str(ROOT), "ls-files", *which]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name for name in names if (ROOT / name).exists()}


def test_all_tests_are_found_in_the_source_archive_and_some_are_run(unpacked: Path) -> None:
    flags = ("-q", "-p", "no:cacheprovider", "--rootdir", ".", "-k", "transcript")
    printed = success(
        run(
            sys.executable,
            "-m",
            "pytest",
            *flags,
            "tests/rules",
            "tests/docs",
            "tests/api",
            folder=unpacked,
            PYTHONPATH=".",
        )
    )
    assert re.search(r"\d\d+ passed, \d\d+ deselected", printed), printed
