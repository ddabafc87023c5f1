"""schemathesis reads the OpenAPI document, attacks a server with it, and finds nothing.

All its phases: the document's examples, every boundary of every schema, what is generated, and
chains of calls along the links. What it is told to pass over stands in `excused.py`.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.attack.excused import EXCUSED
from tests.conftest import Serve

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "openapi/openapi.json"
PHASES = ("Examples", "Coverage", "Fuzzing", "Stateful")
LOG = "log.ndjson"
LINKS = 6
"""So many different links are followed at least, in a run of a few seconds."""
MOST_EXCUSED = {
    "cancelled-readable": 0.01,
    "key-reused": 0.03,
    "name-accepted": 0.02,
    "name-refused": 0.02,
    "points-impossible": 0.03,
    "stream-schema": 0.02,
    "whole-float": 0.03,
}
"""Which share of all calls may be excused, by the kind of the excuse; there are no other kinds."""


class Report(NamedTuple):
    """What schemathesis did: its own summary, the links it followed, what was excused."""

    text: str
    links: frozenset[str]
    """`<operation> -> [<status>] <name> -> <operation>`, where the id of an answer was passed on"""
    excused: Counter[str]

    def numbers(self, line: str) -> list[int]:
        """The numbers in the one line of the summary that is like the pattern."""
        (found,) = re.finditer(line, self.text)
        return [int(number) for number in found.groups()]


def attack(serve: Serve, folder: Path, *flags: str) -> Report:
    """What schemathesis reports of a server of its own. AssertionError where it found a fault."""
    with serve(rate_limit=0) as guest:
        ended = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli"),
                # Read from an address, the document loses the operation that it came by.
                *("--config-file", HERE / "schemathesis.toml", "run", DOCUMENT),
                *("--url", str(guest.http.base_url).rstrip("/")),
                *("--report", "ndjson", "--report-ndjson-path", LOG),
                *flags,
            ],
            check=False,
            cwd=folder,
            env=os.environ
            | {
                "PYTHONPATH": str(HERE.parents[1]),
                "SCHEMATHESIS_HOOKS": "tests.attack.excused",
                "NO_PROXY": "127.0.0.1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    assert ended.returncode == 0, ended.stdout
    kinds = Counter((folder / EXCUSED).read_text().split())
    with (folder / LOG).open() as log:
        links = frozenset(link for line in log for link in followed(json.loads(line)))
    return Report(ended.stdout, links, kinds)


def followed(event: dict[str, Any]) -> Iterator[str]:
    """The links that a line of the log has been along."""
    for case in event.get("ScenarioFinished", {}).get("recorder", {}).get("cases", {}).values():
        if case.get("transition") is not None and case["is_transition_applied"]:
            yield case["transition"]["id"]


def assert_whole(report: Report) -> None:
    """Every phase ran, and over every operation: a run that tests nothing finds nothing too."""
    paths = json.loads(DOCUMENT.read_text())["paths"].values()
    operations = sum("operationId" in operation for path in paths for operation in path.values())
    for phase in PHASES:
        assert f"✅ {phase}" in report.text, report.text
    assert "No issues found" in report.text, report.text
    assert report.numbers(r"Operations: +(\d+) selected / (\d+) total") == [operations] * 2
    assert len(report.links) >= LINKS, report.links
    (calls,) = report.numbers(r"(\d+) generated, ")
    print("excused, of", calls, "calls:", dict(report.excused))  # noqa: T201 - shown by -rP
    for kind, times in report.excused.items():
        assert times <= MOST_EXCUSED[kind] * calls, report.excused


def linked() -> set[str]:
    """The operations to which the document's links lead, as `<METHOD> <path>`."""
    document = json.loads(DOCUMENT.read_text())
    ids = {link["operationId"] for link in document["components"]["links"].values()}
    return {
        f"{method.upper()} {path}"
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if operation["operationId"] in ids
    }


@pytest.mark.timeout(300)
def test_a_short_attack_finds_nothing(serve: Serve, tmp_path: Path) -> None:
    assert_whole(attack(serve, tmp_path))


@pytest.mark.soak
def test_a_long_attack_finds_nothing_and_comes_to_every_operation_by_a_link(
    serve: Serve, tmp_path: Path
) -> None:
    report = attack(serve, tmp_path, "--max-time", "600", "--continue-on-failure")
    assert_whole(report)
    assert linked() <= {link.rpartition(" -> ")[2] for link in report.links}
