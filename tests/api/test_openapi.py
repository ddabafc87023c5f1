"""The OpenAPI document says all that the server does, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from app import play
from app.api.problems import STATUS
from app.locale.en import TEXTS
from app.main import openapi_document, routes
from app.rules import RuleViolation
from app.store.command import Refusal
from tests.contract import CONTRACT
from tests.table import ME, OPEN, Visitor, bot, friend, success

SNAPSHOT = Path(__file__).parents[2] / "openapi" / "openapi.json"
OPERATIONS = {
    "adviseOnPosition",
    "cancelGame",
    "createPlayer",
    "deleteMe",
    "exportGame",
    "getAdvice",
    "getFairness",
    "getGame",
    "getHealth",
    "getMe",
    "getOdds",
    "getOpenApi",
    "getPlayer",
    "getReadiness",
    "getReview",
    "getRuleset",
    "hold",
    "leaveSeat",
    "listEvents",
    "listGames",
    "listRulesets",
    "openGame",
    "openRematch",
    "previewScores",
    "renameMe",
    "renewToken",
    "resign",
    "roll",
    "score",
    "setEntropy",
    "startGame",
    "streamGame",
    "takeSeat",
}
FURTHER_SUCCESS = {"openRematch": "200", "streamGame": "204"}
"""Where there is a second one: a rematch that is there, a stream with nothing left to send."""
FIELDS = [
    pytest.param(described, id=f"{name}.{field}")
    for name, schema in openapi_document()["components"]["schemas"].items()
    for field, described in schema.get("properties", {}).items()
]
MEDIA_TYPES = {
    "exportGame": {"application/json", "text/plain"},
    "streamGame": {"text/event-stream"},
}


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


EACH = [pytest.param(m, p, o, id=o["operationId"]) for m, p, o in operations()]


def of(operation_id: str) -> dict[str, Any]:
    return next(o for _, _, o in operations() if o["operationId"] == operation_id)


def request_example(operation_id: str) -> Any:
    return of(operation_id)["requestBody"]["content"]["application/json"]["example"]


def below(kind: type[Exception]) -> Iterator[type[Exception]]:
    for child in kind.__subclasses__():
        yield child
        yield from below(child)


def test_the_snapshot_is_the_document_of_this_version() -> None:
    committed = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    assert committed == json.loads(json.dumps(openapi_document())), "run `make openapi`"


def test_the_server_serves_its_document(guest: Visitor) -> None:
    response = guest.get("/v1/openapi.json")
    assert response.json() == json.loads(json.dumps(openapi_document()))
    assert response.headers["Cache-Control"] == "no-store"


def test_routes_and_document_name_the_same_calls() -> None:
    served = {
        (method.lower(), route.path_format)
        for route in routes()
        if isinstance(route, APIRoute) and route.include_in_schema
        for method in route.methods or ()
    }
    assert {(method, path) for method, path, _ in operations()} == served


def test_every_route_is_of_a_kind_that_can_be_documented() -> None:
    assert all(isinstance(route, APIRoute) for route in routes())


def test_operation_ids_are_those_that_generated_clients_use() -> None:
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert sorted(ids) == sorted(OPERATIONS)


@pytest.mark.parametrize(("method", "path", "operation"), EACH)
def test_an_operation_has_a_summary_and_a_description(
    method: str, path: str, operation: dict[str, Any]
) -> None:
    assert operation["summary"], (method, path)
    assert operation["description"], (method, path)


@pytest.mark.parametrize(("method", "path", "operation"), EACH)
def test_an_operation_shows_a_success_that_fits_its_schema(
    method: str, path: str, operation: dict[str, Any]
) -> None:
    operation_id = operation["operationId"]
    successes = {s: r for s, r in operation["responses"].items() if s.startswith("2")}
    further = successes.pop(FURTHER_SUCCESS.get(operation_id, ""), None)
    assert (further is not None) == (operation_id in FURTHER_SUCCESS)
    [(status, usual)] = successes.items()
    told = usual.get("content", {})
    expected = MEDIA_TYPES.get(operation_id, {"application/json"})
    assert told.keys() == (set() if status == "204" else expected), (method, path)
    if further is not None and operation_id not in MEDIA_TYPES:
        assert further["content"] == told
    for content in told.values():
        CONTRACT.validator(content["schema"]).validate(json.loads(json.dumps(content["example"])))


@pytest.mark.parametrize(("method", "path", "operation"), EACH)
def test_an_operation_shows_a_request_that_fits_its_schema(
    method: str, path: str, operation: dict[str, Any]
) -> None:
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        CONTRACT.validator(content["schema"]).validate(content["example"])
    else:
        assert method in {"get", "delete"} or path.endswith(("/start", "/token", "/rematch"))


@pytest.mark.parametrize(("method", "path", "operation"), EACH)
def test_parameters_are_described(method: str, path: str, operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", []):
        assert parameter["description"], (method, path, parameter["name"])


@pytest.mark.parametrize("described", FIELDS)
def test_every_field_of_every_schema_is_described(described: dict[str, Any]) -> None:
    assert described["description"]
    assert not described["description"].endswith(".")


def test_the_request_examples_are_accepted(guest: Visitor) -> None:
    ada = success(guest.post("/v1/players", request_example("createPlayer")))
    player = guest.player("Bo")
    success(player.send("PATCH", "/v1/players/me", request_example("renameMe")))
    assert ada["name"] == "Ada"
    opened = success(player.post("/v1/games", request_example("openGame")))
    assert opened["status"] == "active"
    assert player.ask("roll", opened).is_success
    assert player.ask("hold", opened, request_example("hold")).is_success
    assert player.ask("roll", opened, request_example("roll")).is_success
    assert player.ask("score", opened, request_example("score")).is_success
    assert player.ask("resign", opened, request_example("resign")).is_success
    waiting = guest.player("Cy").open(ME, OPEN)
    assert player.ask("join", waiting, request_example("takeSeat")).is_success
    assert player.ask("set_entropy", waiting, request_example("setEntropy")).is_success
    preview = guest.post("/v1/rulesets/classic/scores", request_example("previewScores"))
    assert preview.is_success
    asked = request_example("adviseOnPosition")
    assert guest.post("/v1/rulesets/classic/advice", asked).is_success


def test_every_problem_code_is_declared_by_an_operation() -> None:
    declared = {
        code
        for _, _, operation in operations()
        for response in operation["responses"].values()
        for code in response.get("content", {})
        .get("application/problem+json", {})
        .get("examples", {})
    }
    # No operation has it: it is about addresses that have no such operation.
    assert declared | {"method-not-allowed"} == set(STATUS)


def test_every_problem_example_fits_the_schema() -> None:
    document = openapi_document()
    validator = CONTRACT.validator({"$ref": "#/components/schemas/ProblemView"})
    assert document["components"]["examples"].keys() == STATUS.keys() - {"method-not-allowed"}
    for example in document["components"]["examples"].values():
        validator.validate(example["value"])


@pytest.mark.parametrize("code", STATUS)
def test_every_problem_code_has_texts(code: str) -> None:
    assert TEXTS[f"problem.{code}.title"]
    assert TEXTS[f"problem.{code}.detail"]


def test_no_text_is_about_an_unknown_problem() -> None:
    told = {key.split(".")[1] for key in TEXTS if key.startswith("problem.")}
    assert told == set(STATUS)


@pytest.mark.parametrize("code", STATUS)
def test_every_problem_code_has_its_page(guest: Visitor, code: str) -> None:
    page = guest.get(f"/problems/{code}")
    assert page.status_code == 200
    assert page.headers["Content-Type"].startswith("text/html")
    assert code in page.text
    assert str(STATUS[code]) in page.text


@pytest.mark.parametrize("reason", [*below(RuleViolation), *below(Refusal)])
def test_every_refusal_has_a_code_with_a_status(reason: type[Refusal]) -> None:
    assert reason.code in STATUS


def test_the_refusals_of_the_verbs_are_among_them() -> None:
    assert set(below(Refusal)) >= {play.NotHost, play.NotInGame, play.StaleVersion}


def test_the_document_offers_no_seat_that_the_server_refuses(guest: Visitor) -> None:
    kinds = openapi_document()["components"]["schemas"]["GameRequest"]["properties"]["seats"]
    seats = {"me": ME, "open": OPEN, "guest": friend("Bo"), "bot": bot("casual")}
    assert kinds["items"]["discriminator"]["mapping"].keys() == seats.keys()
    others = [seat for kind, seat in seats.items() if kind != "me"]
    assert guest.player().open(ME, *others)["seats"][1]["type"] == "open"


def test_what_needs_a_token_says_so() -> None:
    secured = {o["operationId"] for _, _, o in operations() if {"token": []} in o["security"]}
    free = {o["operationId"] for _, _, o in operations() if o["security"] != [{"token": []}]}
    assert free == {
        "adviseOnPosition",
        "createPlayer",
        "exportGame",
        "getAdvice",
        "getFairness",
        "getGame",
        "getHealth",
        "getOdds",
        "getOpenApi",
        "getPlayer",
        "getReadiness",
        "getReview",
        "getRuleset",
        "listEvents",
        "listGames",
        "listRulesets",
        "previewScores",
        "streamGame",
    }
    assert secured == OPERATIONS - free | {"listGames"}


def test_keys_are_taken_by_every_post_with_a_token_but_the_renewal() -> None:
    takers = {
        o["operationId"]
        for _, _, o in operations()
        if any(p["name"] == "Idempotency-Key" for p in o.get("parameters", []))
    }
    assert takers == {
        "openGame",
        "openRematch",
        "takeSeat",
        "startGame",
        "roll",
        "score",
        "resign",
    }
