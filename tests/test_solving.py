"""`yacht solve`: what it prints of a ruleset, measured by figures that are known without it."""

import re

import pytest

from app.cli import main
from app.rules import RULESETS
from app.solving import ROWS

TOTALS = {"classic": 166.95506770457, "fixed-house": 171.10239870241}
ROW = re.compile(r"  (?P<action>(?:keep|score) .+?) +(?P<value>\d+\.\d\d)")
LAST = re.compile(r"  (?P<name>[A-Z][A-Za-z -]+?) +(?P<value>\d+\.\d\d)")
LEVEL = re.compile(r"  (\w+) +mean +(\d+\.\d\d) \+- (\d+\.\d\d)")


def solve(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that the command prints."""
    assert main(["solve", *arguments]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out.splitlines()


@pytest.mark.parametrize("slug", RULESETS)
def test_it_begins_with_the_expected_total(capsys: pytest.CaptureFixture[str], slug: str) -> None:
    begin, _, value = solve(capsys, slug)[0].rpartition(" ")
    assert begin == f"{slug}: expected total under perfect play"
    assert re.fullmatch(r"\d{3}\.\d{11}", value)
    if slug in TOTALS:
        assert float(value) == pytest.approx(TOTALS[slug], abs=1e-9)


def test_without_a_ruleset_it_is_the_classic_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert solve(capsys) == solve(capsys, "classic")


def test_it_shows_the_best_first_turns_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is better than a yacht, which no other dice can be worth."""
    lines = solve(capsys, "classic")
    start = lines.index("The best that a first roll can be followed by:") + 1
    rows = [ROW.fullmatch(line) for line in lines[start : start + ROWS]]
    actions = [row["action"] for row in rows if row]
    values = [float(row["value"]) for row in rows if row]
    assert len(actions) == ROWS
    assert len(set(actions)) == ROWS
    assert values == sorted(values, reverse=True)
    assert actions[0] == "score Yacht for 50"
    assert values[0] > 166.96
    assert lines[start + ROWS] == ""


def test_it_shows_what_a_turn_brings_in_each_category_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A face is caught with chance 1 - (5/6)^3 a die; a die of choice is worth 14/3."""
    lines = solve(capsys, "classic")
    start = lines.index("What a turn brings in a category that is the only one left:") + 1
    rows = [LAST.fullmatch(line) for line in lines[start:]]
    worth = [float(row["value"]) for row in rows if row]
    assert len(rows) == len(worth) == 12
    caught = 5 * (1 - (5 / 6) ** 3)
    assert worth[:6] == pytest.approx([face * caught for face in range(1, 7)], abs=0.005)
    assert worth[10] == pytest.approx(5 * 14 / 3, abs=0.005)
    assert worth[11] == pytest.approx(50 * 0.0460286, abs=0.005)


def test_on_demand_bots_of_each_level_play(capsys: pytest.CaptureFixture[str]) -> None:
    plain = solve(capsys, "classic")
    lines = solve(capsys, "classic", "--simulate", "400")
    assert lines[: len(plain)] == plain
    blank, title, *rows = lines[len(plain) :]
    assert (blank, title) == ("", "Totals of 400 simulated games a level:")
    found = [LEVEL.fullmatch(row) for row in rows]
    told = {row[1]: (float(row[2]), float(row[3])) for row in found if row}
    assert list(told) == ["novice", "casual", "expert", "perfect"]
    mean, error = told["perfect"]
    assert 1 < error < 3
    assert mean == pytest.approx(166.955, abs=6 * error)
    assert told["novice"][0] < 150


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["kniffel"], "invalid choice: 'kniffel'"),
        (["Classic"], "invalid choice: 'Classic'"),
        (["classic", "fixed-house"], "unrecognized arguments"),
        (["--simulate"], "expected one argument"),
        (["--simulate", "0"], "--simulate"),
        (["--simulate", "-5"], "--simulate"),
        (["--simulate", "many"], "--simulate"),
        (["--simulate", "10000001"], "--simulate"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_told_and_solves_nothing(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["solve", *arguments])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    assert reason in told.err
