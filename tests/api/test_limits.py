"""Limits: requests a minute, and games at a time."""

import re
import time
from collections.abc import Callable

import httpx

from app.play import MAX_OPEN_GAMES
from tests.conftest import Serve
from tests.table import ME, OPEN, Player, Visitor, assert_problem

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


def full(guest: Visitor) -> Player:
    """A player in as many open games as one may take part in."""
    ada = guest.player()
    for _ in range(MAX_OPEN_GAMES):
        ada.open()
    return ada


def assert_too_many(response: httpx.Response) -> None:
    assert_problem(response, 429, "rate-limited")
    assert "Retry-After" not in response.headers


def test_a_player_takes_part_in_200_open_games(guest: Visitor) -> None:
    ada = full(guest)
    bo = guest.player("Bo")
    inviting = bo.open(ME, OPEN)
    assert_too_many(ada.post("/v1/games"))
    assert_too_many(ada.ask("join", inviting))
    assert guest.read(inviting) == inviting
    assert bo.post("/v1/games").is_success
    newest = ada.get("/v1/games?mine=true&limit=1").json()["items"][0]
    ada.resign(newest)
    ada.join(inviting)
    assert_too_many(ada.post("/v1/games"))


def test_waiting_games_count_and_ended_ones_do_not(guest: Visitor) -> None:
    ada, bo = guest.player(), guest.player("Bo")
    for _ in range(MAX_OPEN_GAMES - 2):
        ada.open(ME, OPEN)
    for _ in range(3):
        ada.resign(ada.open())
    ada.cancel(ada.open(ME, OPEN))
    joined = ada.join(bo.open(ME, OPEN, OPEN))
    ada.open()
    assert_too_many(ada.post("/v1/games"))
    ada.leave(joined)
    assert ada.post("/v1/games").status_code == 201


def test_without_limits_there_may_be_more(serve: Serve) -> None:
    with serve(rate_limit=0) as guest:
        ada = full(guest)
        assert ada.post("/v1/games").status_code == 201
        assert ada.join(guest.player("Bo").open(ME, OPEN))


def test_that_limit_does_not_go_before_the_rules(guest: Visitor) -> None:
    """Who cannot join anyway is told that, however many games there are."""
    ada = guest.player()
    for _ in range(MAX_OPEN_GAMES - 1):
        ada.open()
    own = ada.open(ME, OPEN)
    assert_problem(ada.ask("join", own), 409, "already-seated")
