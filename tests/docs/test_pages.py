"""Every page: its links lead somewhere, its JSON is JSON, and what it names is there."""

import json
import re
from pathlib import Path

import pytest
from starlette.routing import Match, Route

from app.cli import _parser
from app.config import Settings
from app.main import routes
from tests.docs.pages import PAGES, ROOT, anchors, blocks, links, page_id, read, rows, spans

pages = pytest.mark.parametrize("page", PAGES, ids=page_id)
VARIABLES = {f"YACHT_{name}".upper() for name in Settings.model_fields} | {
    "YACHT_SERVER",
    "YACHT_TEST_REQUIRE_ALL",
}
METHODS = "GET|HEAD|POST|PUT|PATCH|DELETE"


def commands() -> set[str]:
    """The commands that the command line knows."""
    return {name for action in _parser()._actions for name in action.choices or ()}


def flags() -> set[str]:
    """The flags that any command takes."""
    return {
        flag
        for action in _parser()._actions
        for command in dict(action.choices or {}).values()
        for flag in command._option_string_actions
    }


def flags_of(command: str) -> set[str]:
    """The flags that one command takes, but for the one that every command has."""
    (choices,) = (action.choices for action in _parser()._actions if action.choices)
    found = dict(choices)[command]._option_string_actions
    return {flag for flag in found if flag.startswith("--")} - {"--help"}


def is_served(path: str, method: str | None = None) -> bool:
    """Whether a path, with names for what varies, is that of a route."""
    scope = {"type": "http", "path": path, "method": method}
    for route in routes():
        assert isinstance(route, Route)
        match, _ = route.matches(scope)
        if match is Match.FULL or (match is Match.PARTIAL and method is None):
            return True
    return False


def test_the_pages_are_found() -> None:
    assert {"README.md", "CONTRIBUTING.md", "docs/api.md", "docs/rules.md"} <= set(
        map(page_id, PAGES)
    )


@pages
def test_links_into_the_project_lead_somewhere(page: Path) -> None:
    for link in links(read(page)):
        if re.match(r"\w+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), link
        assert file.is_relative_to(ROOT), link
        assert not anchor or anchor in anchors(read(file)), link


@pages
def test_json_blocks_are_json(page: Path) -> None:
    for block in blocks(read(page), "json"):
        json.loads(block)


@pages
def test_every_setting_that_is_named_exists(page: Path) -> None:
    assert set(re.findall(r"\bYACHT_[A-Z_]+\b", read(page))) <= VARIABLES


@pages
def test_every_command_that_is_named_exists(page: Path) -> None:
    named = {
        words[1]
        for span in spans(read(page))
        if (words := span.split())[0] == "yacht" and len(words) > 1
    }
    assert named <= commands()


@pages
def test_every_flag_of_a_command_that_is_named_exists(page: Path) -> None:
    named = {
        flag
        for span in spans(read(page))
        if span.startswith(("yacht ", "make run", "--"))
        for flag in re.findall(r"--[a-z-]+", span)
    }
    if page_id(page) == "benchmarks/README.md":  # its own programs have flags too
        return
    assert named <= flags()


def test_every_flag_of_the_terminal_client_is_explained() -> None:
    text = read(ROOT / "docs" / "play.md")
    assert {spans(row[0])[0].split()[0] for row in rows(text, "flag", "means")} == flags_of("play")
    assert flags_of("watch") <= set(re.findall(r"--[a-z-]+", text))


@pages
def test_every_route_that_is_named_exists(page: Path) -> None:
    for span in spans(read(page)):
        call = re.fullmatch(rf"({METHODS}) (/[^\s?]*)(?:\?\S*)?", span)
        if call is not None:
            assert is_served(call[2], call[1]), span
        elif re.match(r"/v1/|/healthz|/readyz|/docs|/problems", span):
            assert is_served(span.partition("?")[0]), span


def test_a_route_that_does_not_exist_would_be_noticed() -> None:
    assert not is_served("/v1/games/{game_id}/dances")
    assert not is_served("/v1/games", "PUT")
    assert is_served("/v1/games/{id}/rolls", "POST")
