"""Addresses and methods: what is there, what is not, and what works where."""

import re
from collections.abc import Callable

import pytest
from fastapi.routing import APIRoute

from app.main import routes
from tests.table import ME, NOBODY, OPEN, Visitor, assert_problem, path_of

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
STAND_INS = {"{game_id}": NOBODY, "{player_id}": NOBODY, "{slug}": "classic", "{code}": "not-host"}
SPELLINGS: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "without hyphens": lambda known: known.replace("-", ""),
    "in braces": lambda known: f"{{{known}}}",
    "as a URN": lambda known: f"urn:uuid:{known}",
    "with a blank": lambda known: f"%20{known}",
    "with a line feed": lambda known: f"{known}%0A",
    "cut short": lambda known: known[:-1],
    "too long": lambda known: f"{known}0",
    "hyphens elsewhere": lambda known: f"{known[:7]}-{known[7]}{known[9:]}",
}
ODD_IDS = [
    "%00",
    "%FF%FE",
    "0",
    "-1",
    "2147483648",
    "9223372036854775808",
    "1e30",
    "null",
    "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
    "'%20OR%201=1--",
    "..%2F..%2Fetc%2Fpasswd",
    "%F0%9F%8E%B2",
    "x" * 4000,
]


def addresses() -> dict[str, set[str]]:
    """What works at each address, HEAD wherever GET does; the more exact address rules."""
    found: dict[str, set[str]] = {}
    for route in routes():
        assert isinstance(route, APIRoute)
        path = route.path_format.replace("{asset}", "start.js")
        for name, value in STAND_INS.items():
            path = path.replace(name, value)
        found.setdefault(path, set()).update(route.methods or ())
    # A player's public profile is at an address of the same shape as the own one.
    return {
        path: methods | ({"HEAD"} if "GET" in methods else set()) for path, methods in found.items()
    }


WORKING = addresses()
WRONG = [
    pytest.param(method, path, id=f"{method} {path.replace(NOBODY, 'ID')}")
    for path, methods in WORKING.items()
    for method in METHODS
    if method not in methods
]


@pytest.mark.parametrize("path", ["/healthz%0A", "/v1/games%0A", "/docs%0A", "/v1/players/me%0A"])
def test_a_line_feed_at_the_end_is_part_of_an_address(guest: Visitor, path: str) -> None:
    assert guest.get(path).status_code == 404


@pytest.mark.parametrize(("method", "path"), WRONG)
def test_another_method_is_told_which_ones_work(guest: Visitor, method: str, path: str) -> None:
    response = guest.send(method, path)
    allowed = set(response.headers["Allow"].split(", "))
    assert allowed == WORKING[path]
    if method == "HEAD":
        assert (response.status_code, response.content) == (405, b"")
    else:
        assert_problem(response, 405, "method-not-allowed")


@pytest.mark.parametrize("path", WORKING, ids=lambda path: path.replace(NOBODY, "ID"))
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_slash_at_the_end_is_another_address(guest: Visitor, method: str, path: str) -> None:
    response = guest.send(method, f"{path}/")
    assert "Location" not in response.headers
    assert_problem(response, 404, "not-found")


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v2/games",
        "/v1/game",
        "/V1/games",
        "/v1//games",
        "/v1/games/%2e%2e",
        f"/v1/games/{NOBODY}/rolls/1",
        f"/v1/games/{NOBODY}/seats/0",
        f"/v1/players/{NOBODY}/games",
        "/openapi.json",
        "/problems/teapot",
        "/problems/%3Cscript%3E",
        "/docs/secret.js",
        "/docs/..%2F..%2Fpyproject.toml",
        "/.env",
        "/%00",
        "/%FF",
    ],
)
def test_where_nothing_is_the_answer_is_404(guest: Visitor, path: str) -> None:
    response = guest.get(path)
    assert_problem(response, 404, "not-found")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_an_id_in_another_spelling_names_nothing(
    guest: Visitor, spell: Callable[[str], str]
) -> None:
    ada = guest.player()
    game = ada.open(ME, OPEN)
    other = spell(game["id"])
    for below in ("", "/events", "/fairness"):
        assert_problem(guest.get(f"/v1/games/{other}{below}"), 404, "not-found")
    assert_problem(guest.get(f"/v1/players/{spell(ada.id)}"), 404, "not-found")
    assert_problem(ada.post(f"/v1/games/{other}/rolls"), 404, "not-found")
    assert_problem(ada.send("DELETE", f"/v1/games/{other}"), 404, "not-found")
    assert guest.read(game) == game


@pytest.mark.parametrize("odd", ODD_IDS, ids=[odd[:20] for odd in ODD_IDS])
def test_an_odd_id_names_nothing_and_is_not_echoed(guest: Visitor, odd: str) -> None:
    ada = guest.player()
    for response in (
        guest.get(f"/v1/games/{odd}"),
        guest.get(f"/v1/games/{odd}/events"),
        guest.get(f"/v1/players/{odd}"),
        guest.get(f"/v1/rulesets/{odd}"),
        ada.post(f"/v1/games/{odd}/scores", {"category": "ones"}),
    ):
        assert_problem(response, 404, "not-found")
        assert "script" not in response.text
        assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_another_s_id_of_another_kind_names_nothing(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open()
    assert_problem(guest.get(f"/v1/players/{game['id']}"), 404, "not-found")
    assert_problem(guest.get(f"/v1/games/{ada.id}"), 404, "not-found")


def test_ids_are_random_uuids_of_version_7(guest: Visitor) -> None:
    """The 74 bits that are not time differ for each, in many places."""
    ada = guest.player()
    ids = [ada.open()["id"] for _ in range(20)] + [guest.player().id for _ in range(20)]
    layout = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
    assert all(layout.fullmatch(each) for each in ids)
    tails = [int(each[24:], 16) for each in ids]
    assert len({tail >> 24 for tail in tails}) == len(ids)
    assert len({tail & 0xFFFFFF for tail in tails}) == len(ids)


HEADED = [path for path, methods in WORKING.items() if "HEAD" in methods]


@pytest.mark.parametrize("path", HEADED, ids=lambda path: path.replace(NOBODY, "ID"))
def test_head_is_get_without_the_body(guest: Visitor, path: str) -> None:
    ada = guest.player()
    game = ada.open()
    if path.endswith(("/review", "/stream")):  # which are whole when the game has ended
        ada.resign(game)
    real = path.replace("/players/" + NOBODY, "/players/" + ada.id).replace(NOBODY, game["id"])
    got, headed = ada.get(real), ada.send("HEAD", real)
    assert headed.status_code == got.status_code == 200
    assert headed.content == b""
    varying = {"date", "x-request-id", "ratelimit", "transfer-encoding"}
    assert {k: v for k, v in headed.headers.items() if k not in varying} == {
        k: v for k, v in got.headers.items() if k not in varying
    }


def test_head_of_what_is_refused_has_no_body_either(guest: Visitor) -> None:
    for path, status in ((f"/v1/games/{NOBODY}", 404), ("/v1/players/me", 401), ("/nowhere", 404)):
        response = guest.send("HEAD", path)
        assert (response.status_code, response.content) == (status, b"")
        assert response.headers["Content-Type"] == "application/problem+json"


def test_head_of_a_stream_is_its_headers_and_then_the_end(guest: Visitor) -> None:
    game = guest.player().open()
    response = guest.send("HEAD", path_of(game, "/stream"))
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert "Content-Length" not in response.headers


def test_head_of_a_review_before_the_end_is_refused_as_the_review_is(guest: Visitor) -> None:
    game = guest.player().open()
    response = guest.send("HEAD", path_of(game, "/review"))
    assert (response.status_code, response.content) == (409, b"")


def test_head_and_get_share_the_conditions(guest: Visitor) -> None:
    game = guest.player().open()
    response = guest.send("HEAD", path_of(game), headers={"If-None-Match": '"2"'})
    assert (response.status_code, response.content) == (304, b"")
