"""The headers that every answer has, whatever it answers."""

import re
import socket
from collections.abc import Callable

import httpx
import pytest

from tests.conftest import Serve
from tests.table import ME, NOBODY, OPEN, Visitor, assert_problem, path_of

Call = Callable[[Visitor], httpx.Response]
ORIGIN = "https://yacht.example"
PREFLIGHT = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
ALLOWED = (
    "Authorization",
    "Content-Type",
    "Accept-Language",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Last-Event-ID",
    "X-Request-ID",
)
EXPOSED = {
    "ETag",
    "Location",
    "Date",
    "Idempotent-Replayed",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Content-Language",
    "X-Request-ID",
}
FROM = {"Origin": ORIGIN}
KINDS: dict[str, Call] = {
    "200": lambda guest: guest.send("GET", "/healthz", headers=FROM),
    "200 of a game": lambda guest: guest.send("GET", path_of(guest.player().open()), headers=FROM),
    "200 of a ruleset": lambda guest: guest.send("GET", "/v1/rulesets/classic", headers=FROM),
    "200 of the docs": lambda guest: guest.send("GET", "/docs", headers=FROM),
    "200 of a page": lambda guest: guest.send("GET", "/problems/not-host", headers=FROM),
    "201": lambda guest: guest.send("POST", "/v1/players", {"name": "Ada"}, headers=FROM),
    "204": lambda guest: guest.player().send("DELETE", "/v1/players/me", headers=FROM),
    "304": lambda guest: guest.send(
        "GET", path_of(guest.player().open()), headers=FROM | {"If-None-Match": "*"}
    ),
    "400": lambda guest: guest.send(
        "POST", "/v1/players", content=b"{", headers=FROM | {"Content-Type": "application/json"}
    ),
    "401": lambda guest: guest.send("GET", "/v1/players/me", headers=FROM),
    "404": lambda guest: guest.send("GET", f"/v1/games/{NOBODY}", headers=FROM),
    "404 of no route": lambda guest: guest.send("GET", "/v1/nowhere", headers=FROM),
    "405": lambda guest: guest.send("PUT", "/v1/games", headers=FROM),
    "409": lambda guest: guest.player().send(
        "POST", path_of(guest.player().open(ME, OPEN), "/resignation"), headers=FROM
    ),
    "413": lambda guest: guest.send("POST", "/v1/players", content=b"x" * 70_000, headers=FROM),
    "415": lambda guest: guest.send("POST", "/v1/players", content=b"x", headers=FROM),
    "422": lambda guest: guest.send("GET", "/v1/games?x=1", headers=FROM),
}


def broken() -> bytes:
    raise RuntimeError("the well of chance is dry")


def fail(guest: Visitor) -> httpx.Response:
    return guest.player().send("POST", "/v1/games", headers=FROM)


def exposed(response: httpx.Response) -> set[str]:
    return set(re.split(r",\s*", response.headers["Access-Control-Expose-Headers"]))


@pytest.mark.parametrize("call", KINDS.values(), ids=KINDS.keys())
def test_every_answer_is_guarded_and_open_to_browsers(guest: Visitor, call: Call) -> None:
    response = call(guest)
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert "unsafe-eval" not in response.headers["Content-Security-Policy"]
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert exposed(response) == EXPOSED
    assert response.headers["RateLimit-Policy"] == '"default";q=600000;w=60'
    assert re.fullmatch(r'"default";r=\d+;t=\d+', response.headers["RateLimit"])
    assert response.headers["X-Request-ID"]
    assert response.headers["Date"]
    assert "Server" not in response.headers
    assert "Set-Cookie" not in response.headers
    for name in response.headers:
        assert len(response.headers.get_list(name)) == 1 or name == "vary", name


def test_a_fault_of_the_server_is_told_without_its_trace(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    with serve(new_seed=broken) as guest:
        response = fail(guest)
        problem = assert_problem(response, 500, "internal-error")
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert exposed(response) == EXPOSED
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        for word in ("Traceback", "RuntimeError", "dry", ".py"):
            assert word not in response.text
        assert problem["instance"] in caplog.text
        assert guest.get("/v1/games").json()["items"] == []


def test_a_fault_uses_no_idempotency_key(serve: Serve) -> None:
    made = iter([None, bytes(32)])

    def new_seed() -> bytes:
        return next(made) or broken()

    with serve(new_seed=new_seed) as guest:
        ada = guest.player()
        assert_problem(ada.post("/v1/games", key="k"), 500, "internal-error")
        assert ada.post("/v1/games", key="k").status_code == 201


CACHING: dict[str, tuple[Call, str]] = {
    "a game": (lambda guest: guest.get(path_of(guest.player().open())), "private, no-cache"),
    "a game unchanged": (
        lambda guest: guest.get(path_of(guest.player().open()), if_none_match="*"),
        "private, no-cache",
    ),
    "a game opened": (lambda guest: guest.player().post("/v1/games"), "private, no-cache"),
    "a roll": (
        lambda guest: (ada := guest.player()).ask("roll", ada.open()),
        "private, no-cache",
    ),
    "the rulesets": (lambda guest: guest.get("/v1/rulesets"), "public, max-age=300"),
    "a ruleset": (lambda guest: guest.get("/v1/rulesets/classic"), "public, max-age=300"),
    "no ruleset": (lambda guest: guest.get("/v1/rulesets/kniffel"), "no-store"),
    "a preview": (
        lambda guest: guest.post("/v1/rulesets/classic/scores", {"dice": [1, 2, 3, 4, 5]}),
        "no-store",
    ),
    "a new player": (lambda guest: guest.post("/v1/players", {"name": "Ada"}), "no-store"),
    "the own player": (lambda guest: guest.player().get("/v1/players/me"), "no-store"),
    "a profile": (lambda guest: guest.get(f"/v1/players/{guest.player().id}"), "no-store"),
    "a new token": (lambda guest: guest.player().post("/v1/players/me/token"), "no-store"),
    "an account deleted": (
        lambda guest: guest.player().send("DELETE", "/v1/players/me"),
        "no-store",
    ),
    "the games": (lambda guest: guest.get("/v1/games"), "no-store"),
    "the log": (lambda guest: guest.get(path_of(guest.player().open(), "/events")), "no-store"),
    "the proof": (
        lambda guest: guest.get(path_of(guest.player().open(), "/fairness")),
        "no-store",
    ),
    "the document": (lambda guest: guest.get("/v1/openapi.json"), "no-store"),
    "no game": (lambda guest: guest.get(f"/v1/games/{NOBODY}"), "no-store"),
    "no route": (lambda guest: guest.get("/v1/nowhere"), "no-store"),
    "no such method": (lambda guest: guest.send("PUT", "/v1/games"), "no-store"),
    "a refusal": (
        lambda guest: (ada := guest.player()).ask("hold", ada.open(), {"held": [True] * 5}),
        "no-store",
    ),
}


@pytest.mark.parametrize(("call", "policy"), CACHING.values(), ids=CACHING.keys())
def test_what_may_be_kept_is_said(guest: Visitor, call: Call, policy: str) -> None:
    assert call(guest).headers["Cache-Control"] == policy


@pytest.mark.parametrize("offered", ["a", "Z" * 64, "0.9_-", "01a0a1b2-c3d4-7e5f"])
def test_a_request_id_is_taken(guest: Visitor, offered: str) -> None:
    response = guest.send("GET", "/v1/nowhere", headers={"X-Request-ID": offered})
    assert response.headers["X-Request-ID"] == offered
    assert assert_problem(response, 404, "not-found")["instance"] == offered


@pytest.mark.parametrize(
    "offered", ["", "x" * 65, "a b", "a/b", "a,b", "é".encode(), b"a\tb", "<b>"], ids=repr
)
def test_another_request_id_is_made(guest: Visitor, offered: str | bytes) -> None:
    response = guest.send("GET", "/healthz", headers={"X-Request-ID": offered})
    made = response.headers["X-Request-ID"]
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", made)
    assert made != offered


def test_each_request_has_an_id_of_its_own(guest: Visitor) -> None:
    assert len({guest.get("/healthz").headers["X-Request-ID"] for _ in range(10)}) == 10


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
def test_a_preflight_allows_every_method(guest: Visitor, method: str) -> None:
    headers = FROM | {"Access-Control-Request-Method": method}
    response = guest.send("OPTIONS", "/v1/games", headers=headers)
    assert response.status_code == 200
    assert method in response.headers["Access-Control-Allow-Methods"]
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.parametrize("name", ALLOWED)
def test_a_preflight_allows_every_header_that_means_something(guest: Visitor, name: str) -> None:
    headers = PREFLIGHT | {"Access-Control-Request-Headers": name.lower()}
    response = guest.send("OPTIONS", path_of({"id": NOBODY}, "/rolls"), headers=headers)
    assert response.status_code == 200
    allowed = response.headers["Access-Control-Allow-Headers"].lower()
    assert name.lower() in re.split(r",\s*", allowed)


def test_a_preflight_refuses_an_unknown_header(guest: Visitor) -> None:
    headers = PREFLIGHT | {"Access-Control-Request-Headers": "x-evil"}
    refused = guest.send("OPTIONS", "/v1/games", headers=headers)
    assert_problem(refused, 400, "malformed-request")
    assert "x-evil" not in refused.headers["Access-Control-Allow-Headers"]


def test_only_the_origins_of_the_setting_are_allowed(serve: Serve) -> None:
    with serve(cors_origins=f"{ORIGIN},http://localhost:3000") as guest:
        for path in ("/healthz", "/v1/nowhere", "/v1/games?x=1"):
            allowed = guest.send("GET", path, headers=FROM)
            assert allowed.headers["Access-Control-Allow-Origin"] == ORIGIN
            assert "Origin" in allowed.headers["Vary"]
            other = guest.send("GET", path, headers={"Origin": "https://evil.example"})
            assert "Access-Control-Allow-Origin" not in other.headers
        preflight = guest.send("OPTIONS", "/v1/games", headers=PREFLIGHT)
        assert preflight.headers["Access-Control-Allow-Origin"] == ORIGIN
        evil = PREFLIGHT | {"Origin": "https://evil.example"}
        refused = guest.send("OPTIONS", "/v1/games", headers=evil)
        assert_problem(refused, 400, "malformed-request")
        assert "Access-Control-Allow-Origin" not in refused.headers


@pytest.mark.parametrize(
    "line",
    [
        b"Idempotency-Key: a\x00b",
        b"X-Request-ID: a\x00b",
        b"Authorization: Bearer \x00",
        b"A\x00: b",
    ],
    ids=["key", "request id", "token", "name"],
)
def test_a_nul_in_a_header_is_no_request(guest: Visitor, line: bytes) -> None:
    """No client library sends one, so this is written by hand."""
    url = guest.http.base_url
    request = b"POST /v1/games HTTP/1.1\r\nHost: yacht\r\n" + line + b"\r\n\r\n"
    with socket.create_connection((url.host, url.port), timeout=10) as raw:
        raw.sendall(request)
        status = raw.recv(65_536).split(b"\r\n", 1)[0]
    assert status.split()[1][:1] == b"4"


def test_texts_say_their_language(guest: Visitor) -> None:
    for path in ("/v1/rulesets", "/v1/rulesets/classic", "/v1/nowhere", "/problems/not-host"):
        response = guest.get(path)
        assert response.headers["Content-Language"] == "en"
        assert "Accept-Language" in response.headers["Vary"]


@pytest.mark.parametrize(
    "value",
    [
        ";",
        "*",
        "*;q=0",
        "en-gb;q=1.0000",
        "q=0.47,-BE",
        "es-ES_tradnl",
        "en;q=abc",
        "en;q=nan",
        "," * 8192,
        "ñ".encode("latin-1"),
        "xx-YY",
        "../../etc",
    ],
    ids=lambda value: repr(value)[:20],
)
def test_an_odd_accept_language_is_ignored(guest: Visitor, value: str | bytes) -> None:
    for path, status in (("/v1/rulesets/classic", 200), ("/v1/nowhere", 404)):
        response = guest.send("GET", path, headers={"Accept-Language": value})
        assert (response.status_code, response.headers["Content-Language"]) == (status, "en")
