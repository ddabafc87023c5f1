"""The page's TypeScript: its types are generated, it compiles strictly, and it plays."""

import shutil
from pathlib import Path

import pytest

from tests.clients.conftest import HERE, MODULES, run, success
from tests.clients.page import command, program
from tests.clients.played import FAULTS, assert_once, assert_played, going_wrong

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("typescript")]

# The compiler objects to the comment where it does not object to the line below it.
WRONG = """import type { components } from "./yacht.js";
// @ts-expect-error: there is no such category
export const category: components["schemas"]["Category"] = "sevens";
"""


@pytest.fixture(scope="module")
def compiled(node: Path, document: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the page's program lies compiled; and what is wrong has not compiled."""
    folder = tmp_path_factory.mktemp("typescript")
    for file in (HERE / "package.json", HERE / "tsconfig.json", document):
        shutil.copy(file, folder)
    (folder / "node_modules").symlink_to(MODULES, target_is_directory=True)
    (folder / "play.ts").write_text(program("ts"), encoding="utf-8")
    (folder / "wrong.ts").write_text(WRONG, encoding="utf-8")
    tool, *flags = command("openapi-typescript")
    success(run(node / tool, *flags, folder=folder))
    success(run(node / "tsc", "--project", folder, folder=folder))
    return folder


def test_the_program_plays_a_whole_game(compiled: Path, address: str) -> None:
    printed = success(run("node", "built/play.js", folder=compiled, YACHT=address))
    assert_played(printed)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_program_plays_on_when_something_goes_wrong(
    compiled: Path, address: str, fault: str
) -> None:
    with going_wrong(address, FAULTS[fault]()) as proxy:
        printed = success(run("node", "built/play.js", folder=compiled, YACHT=proxy.url))
        assert_played(printed)
        assert_once(proxy)
