"""The numbered rules and the tests that cite them are one set; what the page shows is true."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.rules import RULESETS, RuleViolation, format_game, parse_game

HERE = Path(__file__).parent
DOCUMENT = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
NUMBERS = [int(number) for number in re.findall(r"^- \*\*R(\d+)\*\* ", DOCUMENT, re.MULTILINE)]


def cited() -> Iterator[tuple[int, str]]:
    """Each rule that a test cites at the head of its docstring, and the name of the test."""
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            head = re.match(r"R\d+(?:, R\d+)*(?=:)", ast.get_docstring(node) or "")
            if head is not None:
                for number in re.findall(r"\d+", head[0]):
                    yield int(number), node.name


def test_rules_are_numbered_from_one_without_a_gap() -> None:
    assert list(range(1, len(NUMBERS) + 1)) == NUMBERS


def test_each_rule_is_cited_by_a_test_and_each_citation_is_a_rule() -> None:
    assert {number for number, _ in cited()} == set(NUMBERS)


def test_every_test_of_the_rules_cites_one() -> None:
    citing = {name for _, name in cited()}
    for path in HERE.glob("test_*.py"):
        if path != Path(__file__):
            names = re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert set(names) <= citing


def test_every_reason_for_a_refusal_is_documented() -> None:
    reasons = DOCUMENT.partition("## Refusals")[2].partition("## Written games")[0]
    documented = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", reasons))
    assert documented == {violation.code for violation in RuleViolation.__subclasses__()}


@pytest.mark.parametrize("slug", RULESETS)
def test_each_named_ruleset_is_documented_with_its_maximum(slug: str) -> None:
    rulesets = DOCUMENT.partition("## Rulesets")[2].partition("##")[0]
    described = rulesets.replace("\n ", "").partition(f"`{slug}`")[2]
    maximum = re.search(r"at most (\d+)", described)
    assert maximum is not None
    assert int(maximum[1]) == RULESETS[slug].maximum


def test_the_written_game_on_the_page_is_a_game() -> None:
    text = DOCUMENT.partition("```\nYacht")[2].partition("```")[0]
    assert format_game(parse_game(f"Yacht{text}")) == f"Yacht{text}"
