"""Redocly's linter, with its recommended rules, has nothing to say about the document."""

import json
import shutil
from pathlib import Path

import pytest

from tests.clients.conftest import HERE, run

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("linter")]

NAMES = ("ours.json", "lesser.json")


@pytest.fixture(scope="module")
def complaints(
    node: Path, document: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, set[str]]:
    """The rules that the linter finds broken: in the document, and in one without a licence."""
    folder = tmp_path_factory.mktemp("linter")
    shutil.copy(document, folder / "ours.json")
    lesser = json.loads(document.read_text(encoding="utf-8"))
    del lesser["info"]["license"]
    (folder / "lesser.json").write_text(json.dumps(lesser), encoding="utf-8")
    flags = ("--config", HERE / "redocly.yaml", "--format", "json")
    # One report for each document, one after the other.
    printed = run(node / "redocly", "lint", *NAMES, *flags, folder=folder).stdout
    found: dict[str, set[str]] = {}
    end = 0
    for name in NAMES:
        report, end = json.JSONDecoder().raw_decode(printed, printed.index("{", end))
        assert sum(report["totals"].values()) == len(report["problems"])
        found[name] = {problem["ruleId"] for problem in report["problems"]}
    return found


def test_the_linter_finds_no_error_and_no_warning(complaints: dict[str, set[str]]) -> None:
    assert complaints["ours.json"] == set()


def test_the_linter_finds_what_is_wrong_elsewhere(complaints: dict[str, set[str]]) -> None:
    assert complaints["lesser.json"] == {"info-license"}
