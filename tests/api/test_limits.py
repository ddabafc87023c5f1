"""Limits: requests a minute, and games at a time."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator

import httpx
import pytest

from app.play import MAX_OPEN_GAMES
from tests.conftest import Serve
from tests.table import ME, OPEN, Game, Player, Visitor, assert_problem, at_once

ASK: list[Callable[[Visitor], httpx.Response]] = [
    lambda guest: guest.get("/healthz", origin="https://yacht.example"),
    lambda guest: guest.get("/v1/rulesets", origin="https://yacht.example"),
    lambda guest: guest.get("/v1/nowhere", origin="https://yacht.example"),
    lambda guest: guest.send("POST", "/v1/games", headers={"Origin": "https://yacht.example"}),
]


def away_from_the_minute() -> None:
    """Wait where the count would begin anew within the test."""
    if time.monotonic() % 60 > 55:
        time.sleep(60 - time.monotonic() % 60)


def test_past_the_limit_every_call_is_refused(serve: Serve) -> None:
    away_from_the_minute()
    with serve(rate_limit=5) as guest:
        for left in (4, 3, 2, 1, 0):
            response = guest.get("/healthz")
            assert response.headers["RateLimit-Policy"] == '"default";q=5;w=60'
            assert re.fullmatch(rf'"default";r={left};t=\d+', response.headers["RateLimit"])
        for ask in ASK:
            response = ask(guest)
            problem = assert_problem(response, 429, "rate-limited")
            assert 1 <= int(response.headers["Retry-After"]) <= 60
            assert response.headers["RateLimit-Policy"] == '"default";q=5;w=60'
            assert response.headers["RateLimit"].startswith('"default";r=0;t=')
            assert response.headers["Access-Control-Allow-Origin"] == "*"
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert problem["instance"] == response.headers["X-Request-ID"]


def test_a_forged_address_does_not_help(serve: Serve) -> None:
    away_from_the_minute()
    with serve(rate_limit=3) as guest:
        for number in range(3):
            assert guest.get("/healthz", x_forwarded_for=f"203.0.113.{number}").is_success
        for name in ("x_forwarded_for", "forwarded", "x_real_ip", "cf_connecting_ip"):
            for number in range(5):
                response = guest.get("/healthz", **{name: f"203.0.113.{number}"})
                assert_problem(response, 429, "rate-limited")


def test_a_trusted_proxy_names_its_clients(serve: Serve) -> None:
    away_from_the_minute()
    with serve(rate_limit=2, trusted_proxies="127.0.0.1") as guest:
        for client in ("203.0.113.1", "203.0.113.2"):
            for _ in range(2):
                assert guest.get("/healthz", x_forwarded_for=client).is_success
            response = guest.get("/healthz", x_forwarded_for=client)
            assert_problem(response, 429, "rate-limited")


def test_without_a_limit_none_is_announced(serve: Serve) -> None:
    with serve(rate_limit=0) as guest:
        for ask in ASK:
            response = ask(guest)
            assert "RateLimit" not in response.headers
            assert "RateLimit-Policy" not in response.headers


def assert_too_many(response: httpx.Response) -> None:
    assert_problem(response, 429, "rate-limited")
    assert "Retry-After" not in response.headers


def open_games(player: Player) -> list[Game]:
    """The newest open games that the player takes part in."""
    pages = [player.get(f"/v1/games?mine=true&status={s}").json() for s in ("waiting", "active")]
    return [game for page in pages for game in page["items"]]


def open_many(guest: Visitor, player: Player, count: int) -> None:
    """Open games, some waiting and some active; what is answered other tests look at."""
    with httpx.Client(base_url=guest.http.base_url, headers=player.headers) as http:
        for number in range(count):
            seats = [ME, OPEN] if number % 2 else [ME]
            assert http.post("/v1/games", json={"seats": seats}).status_code == 201


@pytest.fixture(scope="module")
def crowd(guest: Visitor) -> Player:
    """A player in two open games fewer than there may be."""
    ada = guest.player()
    open_many(guest, ada, MAX_OPEN_GAMES - 2)
    return ada


@pytest.fixture
def ada(crowd: Player) -> Iterator[Player]:
    """That player; what a test opens or joins is ended after it."""
    before = {game["id"] for game in open_games(crowd)}
    yield crowd
    for game in open_games(crowd):
        if game["id"] not in before:
            is_waiting, is_host = game["status"] == "waiting", game["host"] == crowd.id
            verb = ("cancel" if is_host else "leave") if is_waiting else "resign"
            crowd.ask(verb, game)


def test_a_player_takes_part_in_200_open_games(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    inviting = bo.open(ME, OPEN)
    ada.open()
    newest = ada.open(ME, OPEN)
    assert_too_many(ada.post("/v1/games"))
    assert_too_many(ada.ask("join", inviting))
    assert guest.read(inviting) == inviting
    assert bo.post("/v1/games").is_success
    ada.cancel(newest)
    ada.join(inviting)
    assert_too_many(ada.post("/v1/games"))


def test_games_that_have_ended_or_were_left_do_not_count(guest: Visitor, ada: Player) -> None:
    for _ in range(3):
        ada.resign(ada.open())
        ada.cancel(ada.open(ME, OPEN))
        ada.leave(ada.join(guest.player("Bo").open(ME, OPEN, OPEN)))
    ada.open()
    ada.open()
    assert_too_many(ada.post("/v1/games"))


def test_joined_games_count(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    joined = [ada.join(bo.open(ME, OPEN, OPEN)) for _ in range(2)]
    assert_too_many(ada.post("/v1/games"))
    ada.leave(joined[0])
    assert ada.post("/v1/games").status_code == 201


def test_that_limit_does_not_go_before_the_rules(ada: Player) -> None:
    """Who cannot join anyway is told that, however many games there are."""
    ada.open()
    own = ada.open(ME, OPEN)
    assert_problem(ada.ask("join", own), 409, "already-seated")


def test_that_limit_holds_against_many_at_once(ada: Player) -> None:
    responses = at_once([lambda: ada.post("/v1/games")] * 12)
    assert Counter(response.status_code for response in responses) == {201: 2, 429: 10}


def test_without_limits_there_may_be_more(serve: Serve) -> None:
    with serve(rate_limit=0) as guest:
        ada = guest.player()
        open_many(guest, ada, MAX_OPEN_GAMES)
        assert ada.post("/v1/games").status_code == 201
        assert ada.join(guest.player("Bo").open(ME, OPEN))
