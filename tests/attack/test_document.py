"""schemathesis reads the OpenAPI document, attacks a server with it, and finds nothing.

All its phases: the document's examples, every boundary of every schema, what is generated, and
chains of calls along the links. What it is told to pass over stands in `excused.py`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Serve

HERE = Path(__file__).parent
PHASES = ("Examples", "Coverage", "Fuzzing", "Stateful")


def attack(serve: Serve, folder: Path, *flags: str) -> str:
    """What schemathesis reports of a server of its own. AssertionError where it found a fault."""
    with serve(rate_limit=0) as guest:
        document = f"{guest.http.base_url}".rstrip("/") + "/v1/openapi.json"
        ended = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli"),
                *("--config-file", HERE / "schemathesis.toml", "run", document),
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
    return ended.stdout


def assert_whole(report: str) -> None:
    """Every phase ran, and over every operation: a run that tests nothing finds nothing too."""
    for phase in PHASES:
        assert f"✅ {phase}" in report, report
    assert "No issues found" in report, report
    selected = next(line for line in report.splitlines() if "selected /" in line).split()
    assert selected[1] == selected[4] != "0", report


@pytest.mark.timeout(300)
def test_a_short_attack_finds_nothing(serve: Serve, tmp_path: Path) -> None:
    assert_whole(attack(serve, tmp_path))


@pytest.mark.soak
def test_a_long_attack_finds_nothing(serve: Serve, tmp_path: Path) -> None:
    assert_whole(attack(serve, tmp_path, "--max-time", "600", "--continue-on-failure"))
