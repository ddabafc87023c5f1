"""docs/api.md and the server describe the same API, compared as sets, both ways."""

import json
import re
from collections.abc import Iterator
from typing import get_args, get_type_hints

from pydantic import TypeAdapter
from starlette.routing import Route

from app.api.body import MAX_BODY, MAX_DEPTH
from app.api.cors import ALLOWED_HEADERS, EXPOSED_HEADERS
from app.api.problems import STATUS
from app.config import Settings
from app.locale.en import TEXTS
from app.main import openapi_document, routes
from app.play import MAX_OPEN_GAMES
from app.rules import CARD, RULESETS
from app.schemas.events import EventView
from app.schemas.games import GameView
from app.schemas.players import PlayerView
from app.schemas.problems import ProblemView
from app.schemas.requests import GameRequest
from app.store.answers import LIFETIME
from tests.docs.pages import API, blocks, read, rows, section, span, spans

TEXT = read(API)
OF_EVERY_EVENT = {"seq", "type", "at", "seat"}


def served() -> Iterator[tuple[str, str]]:
    """Method and path of each route, but those of the files that the page /docs is made of."""
    for route in routes():
        assert isinstance(route, Route)
        for method in route.methods or ():
            if method != "HEAD" and route.path != "/docs/{asset}":
                yield method, route.path


def operations() -> Iterator[tuple[str, str, list[dict[str, list[str]]]]]:
    """Method, path and security of each operation of the OpenAPI document."""
    for path, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation["security"]


def documented() -> Iterator[tuple[str, str, bool]]:
    """Method and path of each call that has a heading, and whether it is said to need a token."""
    for call, told in re.findall(r"^### `([A-Z]+ /\S*)`\n\n(.*)$", TEXT, re.MULTILINE):
        method, path = call.split()
        assert "Answers " in section(TEXT, f"`{call}`")
        yield method, path, told.startswith("Needs a token. ")


def test_every_route_has_its_heading() -> None:
    calls = [(method, path) for method, path, _ in documented()]
    assert len(calls) == len(set(calls))
    assert set(calls) == set(served())


def test_every_operation_of_the_openapi_document_is_described() -> None:
    calls = {(method, path) for method, path, _ in documented()}
    assert {(method, path) for method, path, _ in operations()} <= calls


def test_the_calls_marked_for_a_token_are_those_that_need_one() -> None:
    marked = {(method, path) for method, path, is_marked in documented() if is_marked}
    assert marked == {
        (method, path) for method, path, security in operations() if security == [{"token": []}]
    }


def test_the_problem_codes_and_their_statuses_are_those_of_the_server() -> None:
    """Each code has its heading, and below it when it comes and what to do."""
    problems = section(TEXT, "Problems")
    told = re.findall(r"(?ms)^### `([a-z-]+)`\n\n(\d+): (.+?)\.(?=\n\n|\s*\Z)", problems)
    assert len(told) == len(STATUS)
    assert {code: int(status) for code, status, _ in told} == dict(STATUS)
    assert all("What to do: " in " ".join(text.split()) for _, _, text in told)


def test_the_codes_of_the_entries_of_a_422_are_those_of_the_server() -> None:
    codes = {span(code) for code, _ in rows(TEXT, "code of an entry")}
    assert codes == {key.split(".")[1] for key in TEXTS if key.startswith("invalid.")}


def test_the_types_of_events_and_their_fields_are_those_of_the_server() -> None:
    table = {
        span(kind): set(spans(fields)) for kind, fields, _ in rows(TEXT, "type", "further fields")
    }
    views = get_args(get_args(EventView)[0])
    assert table == {
        get_args(get_type_hints(view)["type"])[0]: set(get_type_hints(view)) - OF_EVERY_EVENT
        for view in views
    }


def test_the_members_for_opening_a_game_are_those_of_the_request() -> None:
    table = {span(row[0]) for row in rows(TEXT, "member", "value", "default")}
    assert table == set(GameRequest.model_fields)


def test_the_game_on_the_page_is_a_game() -> None:
    (block,) = blocks(section(TEXT, "The Game"), "json")
    TypeAdapter(GameView).validate_json(block, strict=True, extra="forbid")


def test_the_player_on_the_page_is_a_player() -> None:
    (block,) = blocks(section(TEXT, "Players"), "json")
    TypeAdapter(PlayerView).validate_json(block, extra="forbid")


def test_the_problem_on_the_page_is_one_that_the_server_sends() -> None:
    (block,) = blocks(section(TEXT, "Problems"), "json")
    problem = TypeAdapter(ProblemView).validate_json(block, extra="forbid")
    detail = TEXTS[f"problem.{problem['code']}.detail"].format(version=problem["version"])
    assert (problem["detail"], problem["status"]) == (detail, STATUS[problem["code"]])


def test_the_headers_for_other_origins_are_those_of_the_server() -> None:
    paragraph = TEXT.partition("**CORS.**")[2].partition("\n\n")[0]
    sent, _, exposed = paragraph.partition("and read")
    assert set(spans(sent)) == set(ALLOWED_HEADERS)
    assert set(spans(exposed)) == set(EXPOSED_HEADERS)


def test_categories_and_rulesets_are_those_of_the_rules() -> None:
    named = set(spans(section(TEXT, "Rulesets") + section(TEXT, "Moves")))
    assert set(CARD) | set(RULESETS) <= named
    assert {name for name in named if re.fullmatch(r"[a-z]+-(house|straights|of-five)", name)} == {
        slug for slug in RULESETS if "-" in slug
    }


def test_the_limits_are_those_of_the_server() -> None:
    table = {what: much for what, much, _ in rows(TEXT, "what", "how much")}
    assert f"{Settings.model_fields['rate_limit'].default:,}" in table["requests from one address"]
    assert str(MAX_OPEN_GAMES) in table["waiting and active games in which a player has a seat"]
    assert table["body"] == f"{MAX_BODY:,} bytes, {MAX_DEPTH} levels"
    assert f"for {LIFETIME // 3_600_000}\n  hours" in section(TEXT, "Send again safely")


def test_the_snapshot_that_the_page_links_to_has_the_same_paths() -> None:
    snapshot = json.loads((API.parents[1] / "openapi" / "openapi.json").read_text("utf-8"))
    paths = {path for _, path, _ in documented()}
    assert set(snapshot["paths"]) == paths - {"/docs", "/problems", "/problems/{code}"}
