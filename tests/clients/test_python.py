"""The page's Python: its client is generated, both are of sound types, and it plays."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.clients.conftest import run, success
from tests.clients.page import command, program
from tests.clients.played import FAULTS, assert_once, assert_played, going_wrong
from tests.docs.pages import ROOT

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("python client")]


@pytest.fixture(scope="module")
def generated(document: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the page's program and, below it, the client that it imports."""
    folder = tmp_path_factory.mktemp("python")
    shutil.copy(document, folder)
    (folder / "play.py").write_text(program("python", "\n\n"), encoding="utf-8")
    told = success(run(*command("openapi-python-client"), folder=folder))
    assert told == "Generating yacht-client\n", "the generator has left something out"
    return folder


def test_every_operation_has_its_function(generated: Path, document: Path) -> None:
    files = (generated / "yacht-client" / "yacht_client" / "api").glob("*/*.py")
    made = [file.stem for file in files if file.stem != "__init__"]
    paths = json.loads(document.read_text(encoding="utf-8"))["paths"]
    operations = [
        operation["operationId"] for path in paths.values() for operation in path.values()
    ]
    assert sorted(made) == sorted(re.sub("[A-Z]", r"_\g<0>", name).lower() for name in operations)


def test_client_and_program_pass_the_strict_type_check(generated: Path) -> None:
    cache = ROOT / ".mypy_cache" / "clients"
    flags = ("--strict", "--config-file", "", "--cache-dir", str(cache))
    checked = ("play.py", "yacht-client/yacht_client")
    ended = run(
        *(sys.executable, "-m", "mypy", *flags, *checked),
        folder=generated,
        MYPYPATH=str(generated / "yacht-client"),
    )
    success(ended)


def test_the_program_plays_a_whole_game(generated: Path, address: str) -> None:
    client = str(generated / "yacht-client")
    ended = run(sys.executable, "play.py", folder=generated, YACHT=address, PYTHONPATH=client)
    assert_played(success(ended))


@pytest.mark.parametrize("fault", FAULTS)
def test_the_program_plays_on_when_something_goes_wrong(
    generated: Path, address: str, fault: str
) -> None:
    client = str(generated / "yacht-client")
    with going_wrong(address, FAULTS[fault]()) as proxy:
        ended = run(sys.executable, "play.py", folder=generated, YACHT=proxy.url, PYTHONPATH=client)
        assert_played(success(ended))
        assert_once(proxy)
