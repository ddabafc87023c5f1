"""Bearer tokens: who needs one, and how one follows another."""

import re
from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.table import ME, OPEN, Player, Visitor, assert_problem, path_of, success

WRONG = {
    "unknown": "Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "empty": "Bearer",
    "of another scheme": "Basic QWRhOnB3",
    "without a scheme": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "nothing": "",
    "long": "Bearer " + "x" * 10_000,
    "not ASCII": "Bearer é".encode(),
    "a quotation": "Bearer ' OR 1=1 --",
}


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


def renewed(player: Player) -> Player:
    return player.with_token(success(player.post("/v1/players/me/token"))["token"])


def test_a_token_has_256_random_bits(guest: Visitor) -> None:
    tokens = {guest.player().token for _ in range(20)}
    assert len(tokens) == 20
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens)


@pytest.mark.parametrize(
    "call",
    [
        "GET /v1/players/me",
        "PATCH /v1/players/me",
        "DELETE /v1/players/me",
        "POST /v1/players/me/token",
        "GET /v1/games?mine=true",
        "POST /v1/games",
        "DELETE /v1/games/ID",
        "POST /v1/games/ID/seats",
        "DELETE /v1/games/ID/seats/me",
        "POST /v1/games/ID/start",
        "POST /v1/games/ID/rolls",
        "PUT /v1/games/ID/holds",
        "POST /v1/games/ID/scores",
        "POST /v1/games/ID/resignation",
        "PUT /v1/games/ID/entropy",
    ],
)
def test_what_changes_something_needs_a_token(guest: Visitor, ada: Player, call: str) -> None:
    method, path = call.split()
    game = ada.open(ME, OPEN)
    bodies = {
        "/holds": {"held": [False] * 5},
        "/scores": {"category": "ones"},
        "/entropy": {"value": "x"},
    }
    body = next((body for end, body in bodies.items() if path.endswith(end)), None)
    body = {"name": "Bo"} if method == "PATCH" else body
    response = guest.send(method, path.replace("ID", game["id"]), body)
    assert_problem(response, 401, "unauthenticated")
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert guest.read(game) == game


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_token_is_nobody(guest: Visitor, value: str | bytes) -> None:
    wrong = {"Authorization": value}
    for method, path in (("GET", "/v1/players/me"), ("POST", "/v1/games")):
        response = guest.send(method, path, headers=wrong)
        assert_problem(response, 401, "unauthenticated")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_written_in_any_case(guest: Visitor, ada: Player, scheme: str) -> None:
    headers = {"Authorization": f"{scheme} {ada.token}"}
    assert success(guest.send("GET", "/v1/players/me", headers=headers))["id"] == ada.id


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG.keys())
def test_where_no_token_is_needed_none_is_looked_at(guest: Visitor, value: str | bytes) -> None:
    game = guest.player().open()
    wrong = {"Authorization": value}
    for path in (
        path_of(game),
        path_of(game, "/events"),
        path_of(game, "/fairness"),
        "/v1/games",
        "/v1/games?mine=false",
        "/v1/rulesets/classic",
        "/healthz",
        "/v1/openapi.json",
    ):
        assert guest.send("GET", path, headers=wrong).status_code == 200
    assert guest.send("POST", "/v1/players", {"name": "Bo"}, headers=wrong).status_code == 201
    dice = {"dice": [1, 1, 1, 1, 1]}
    assert guest.send("POST", "/v1/rulesets/classic/scores", dice, headers=wrong).is_success


def test_a_renewal_gives_another_token_and_nothing_else(ada: Player) -> None:
    response = ada.post("/v1/players/me/token")
    assert (response.status_code, response.json().keys()) == (201, {"token"})
    assert response.json()["token"] != ada.token


def test_the_old_token_lives_until_the_new_one_is_used(ada: Player) -> None:
    anew = renewed(ada)
    assert ada.get("/v1/players/me").is_success
    assert ada.post("/v1/games").is_success
    assert anew.post("/v1/games").is_success
    assert_problem(ada.get("/v1/players/me"), 401, "unauthenticated")
    assert_problem(ada.post("/v1/games"), 401, "unauthenticated")
    assert anew.get("/v1/players/me").is_success


@pytest.mark.parametrize("path", ["/v1/players/me", "/v1/games?mine=true"])
def test_reading_is_a_first_use_too(ada: Player, path: str) -> None:
    anew = renewed(ada)
    assert anew.get(path).is_success
    assert_problem(ada.get(path), 401, "unauthenticated")
    assert_problem(ada.post("/v1/games"), 401, "unauthenticated")


def test_a_first_use_counts_even_where_the_call_is_refused(guest: Visitor, ada: Player) -> None:
    """Whoever asked held the new token; that the rules said no changes nothing about that."""
    game = ada.open()
    anew = renewed(ada)
    assert_problem(anew.ask("score", game, {"category": "ones"}), 409, "roll-first")
    assert_problem(ada.get("/v1/players/me"), 401, "unauthenticated")
    assert guest.read(game) == game


def test_a_token_never_used_gives_way_to_the_next_one(ada: Player) -> None:
    lost, kept = renewed(ada), renewed(ada)
    assert_problem(lost.get("/v1/players/me"), 401, "unauthenticated")
    assert ada.get("/v1/players/me").is_success
    assert kept.get("/v1/players/me").is_success
    assert_problem(ada.get("/v1/players/me"), 401, "unauthenticated")


def test_a_renewal_may_be_asked_for_by_the_new_token(ada: Player) -> None:
    second = renewed(ada)
    third = renewed(second)
    assert_problem(ada.get("/v1/players/me"), 401, "unauthenticated")
    assert third.get("/v1/players/me").is_success
    assert_problem(second.get("/v1/players/me"), 401, "unauthenticated")


def test_a_new_token_plays_the_old_games(ada: Player) -> None:
    game = ada.roll(ada.open())
    assert renewed(ada).score(game, "choice")["seats"][0]["total"] > 0


def test_a_wrong_token_hurts_nobody(guest: Visitor, ada: Player) -> None:
    game = ada.roll(ada.open())
    stranger = ada.with_token("A" * 43)
    for _ in range(20):
        assert_problem(stranger.ask("resign", game), 401, "unauthenticated")
    assert guest.read(game) == game
    assert ada.score(game, "choice")


def test_tokens_outlive_the_server(serve: Serve) -> None:
    with serve() as guest:
        ada = guest.player()
        waiting = renewed(ada)
    with serve() as guest:
        assert Player(guest.http, vars(ada)).get("/v1/players/me").is_success
        assert Player(guest.http, vars(waiting)).get("/v1/players/me").is_success
        assert_problem(Player(guest.http, vars(ada)).get("/v1/players/me"), 401, "unauthenticated")


def test_the_store_keeps_no_token(serve: Serve, file: Path) -> None:
    with serve() as guest:
        ada = guest.player()
        ada.post("/v1/games", key="key-of-ada")
        anew = renewed(ada)
    kept = b"".join(path.read_bytes() for path in file.parent.iterdir())
    for secret in (ada.token, anew.token, "key-of-ada"):
        assert secret.encode() not in kept


def test_no_answer_holds_a_secret(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    game = bo.join(ada.open(ME, OPEN, visibility="public"), "salt")
    ada.ask("roll", game, key="key-of-ada")
    paths = [path_of(game), path_of(game, "/events"), path_of(game, "/fairness"), "/v1/games"]
    paths += [f"/v1/players/{ada.id}", "/v1/nowhere", "/v1/games?mine=true"]
    for reader in (guest, ada, bo):
        for path in paths:
            text = reader.get(path).text
            for secret in (ada.token, bo.token, "key-of-ada", "127.0.0.1"):
                assert secret not in text
    assert guest.fairness(game)["server_seed"] is None
