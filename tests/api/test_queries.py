"""Query strings: known parameters, once each, exactly written."""

import pytest

from tests.table import NOBODY, Visitor, assert_problem, faults, path_of

UNKNOWN = [
    "GET /v1/games?page=2",
    "GET /v1/games?Limit=2",
    "GET /v1/games?limit=2&x",
    "GET /v1/games?=",
    "GET /v1/games?q=%00",
    f"GET /v1/games/{NOBODY}?limit=1",
    f"GET /v1/games/{NOBODY}/events?cursor=1",
    f"GET /v1/games/{NOBODY}/fairness?x=1",
    f"POST /v1/games/{NOBODY}/rolls?held=0",
    f"DELETE /v1/games/{NOBODY}?force=true",
    "GET /v1/players/me?token=x",
    f"GET /v1/players/{NOBODY}?x=",
    "POST /v1/players?name=Ada",
    "GET /v1/rulesets?x=1",
    "GET /v1/rulesets/classic?language=en",
    "GET /healthz?x=1",
    "GET /readyz?x=1",
    "GET /v1/openapi.json?x=1",
]
MALFORMED = {
    "limit": ["0", "101", "-1", "1e2", "1.0", "", "abc", "+5", "%205", "1_0", "true", "null"],
    "cursor": ["", "x", "%00", "0", "-1", NOBODY.upper(), f"{{{NOBODY}}}", NOBODY.replace("-", "")],
    "status": ["", "open", "Active", "active,waiting", "null"],
    "ruleset": ["", "kniffel", "CLASSIC", "classic "],
    "mine": ["", "1", "yes", "True", "TRUE"],
}
HUGE = ["2147483648", "9223372036854775808", "1e30", "9" * 5000]


@pytest.mark.parametrize("call", UNKNOWN, ids=[call.replace(NOBODY, "ID") for call in UNKNOWN])
def test_an_unknown_parameter_is_refused_without_its_name(guest: Visitor, call: str) -> None:
    method, path = call.split()
    body = {"name": "Ada"} if call.startswith("POST /v1/players") else None
    assert ("query", "unknown") in faults(guest.send(method, path, body))


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games?limit=1&limit=1",
        "/v1/games?status=active&status=waiting",
        f"/v1/games/{NOBODY}/events?after=1&after=2",
    ],
)
def test_a_repeated_parameter_is_refused(guest: Visitor, path: str) -> None:
    assert faults(guest.get(path)) == {("query", "repeated")}


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        pytest.param(parameter, value, id=f"{parameter}={value!r}")
        for parameter, values in MALFORMED.items()
        for value in values
    ],
)
def test_a_malformed_parameter_of_the_list_is_refused(
    guest: Visitor, parameter: str, value: str
) -> None:
    response = guest.get(f"/v1/games?{parameter}={value}")
    assert [pointer for pointer, _ in faults(response)] == [f"query/{parameter}"]


@pytest.mark.parametrize("value", [*HUGE, "-1", "1.5", "", "x", "+1", "%201", "0x1", "1_0"])
@pytest.mark.parametrize("parameter", ["after", "limit"])
def test_a_malformed_parameter_of_the_log_is_refused(
    guest: Visitor, parameter: str, value: str
) -> None:
    response = guest.get(f"/v1/games/{NOBODY}/events?{parameter}={value}")
    assert [pointer for pointer, _ in faults(response)] == [f"query/{parameter}"]


@pytest.mark.parametrize("value", HUGE, ids=lambda value: value[:20])
def test_a_huge_limit_is_refused(guest: Visitor, value: str) -> None:
    response = guest.get(f"/v1/games?limit={value}")
    assert [pointer for pointer, _ in faults(response)] == ["query/limit"]


@pytest.mark.parametrize("limit", ["1", "100"])
def test_the_bounds_of_a_list_belong_to_it(guest: Visitor, limit: str) -> None:
    assert guest.get(f"/v1/games?limit={limit}").status_code == 200


@pytest.mark.parametrize("query", ["limit=1", "limit=1000", "after=0", "after=2147483647"])
def test_the_bounds_of_the_log_belong_to_it(guest: Visitor, query: str) -> None:
    game = guest.player().open()
    assert guest.get(path_of(game, f"/events?{query}")).status_code == 200


def test_the_log_ends_at_1_000_a_page(guest: Visitor) -> None:
    game = guest.player().open()
    assert faults(guest.get(path_of(game, "/events?limit=1001"))) == {
        ("query/limit", "out-of-range")
    }
    assert faults(guest.get(path_of(game, "/events?limit=0"))) == {("query/limit", "out-of-range")}


def test_an_empty_query_is_none(guest: Visitor) -> None:
    assert guest.get("/v1/rulesets?").status_code == 200


def test_a_query_in_broken_utf_8_is_refused(guest: Visitor) -> None:
    assert_problem(guest.get("/v1/games?status=%ff"), 422, "invalid-request")
