"""Of several faults in one call, the first in the documented order is the one that is told."""

import pytest

from tests.conftest import Serve
from tests.table import (
    ME,
    NOBODY,
    OPEN,
    Player,
    Visitor,
    assert_problem,
    assert_reused,
    friend,
    path_of,
)

JSON = {"Content-Type": "application/json"}
TEXT = {"Content-Type": "text/plain"}
BAD_KEY = {"Idempotency-Key": "a b"}
HUGE = b"x" * 70_000
MARKS = [True, False, False, False, False]


def test_the_rate_limit_is_asked_before_everything(serve: Serve) -> None:
    with serve(rate_limit=1) as guest:
        assert guest.get("/healthz").is_success
        assert_problem(guest.get("/nowhere"), 429, "rate-limited")
        assert_problem(guest.send("PUT", "/v1/games"), 429, "rate-limited")
        response = guest.send("POST", "/v1/players", content=HUGE, headers=TEXT)
        assert_problem(response, 429, "rate-limited")


def test_an_unknown_route_goes_before_the_body(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/nowhere", content=HUGE, headers=TEXT)
    assert_problem(response, 404, "not-found")


def test_an_unknown_route_goes_before_the_method(guest: Visitor) -> None:
    assert_problem(guest.send("PROPFIND", "/v1/nowhere"), 404, "not-found")


def test_the_method_goes_before_the_body(guest: Visitor) -> None:
    response = guest.send("PUT", "/v1/games", content=HUGE, headers=TEXT)
    assert_problem(response, 405, "method-not-allowed")


def test_the_size_goes_before_the_content_type(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/players", content=HUGE, headers=TEXT)
    assert_problem(response, 413, "too-large")


def test_the_content_type_goes_before_the_json(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/players", content=b"{]", headers=TEXT)
    assert_problem(response, 415, "unsupported-media-type")


def test_the_json_goes_before_the_query(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/players?x=1", content=b"{]", headers=JSON)
    assert_problem(response, 400, "malformed-request")


def test_the_json_goes_before_the_key(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/games", content=b"{]", headers=JSON | BAD_KEY)
    assert_problem(response, 400, "malformed-request")


@pytest.mark.parametrize(
    ("method", "below", "body"),
    [
        ("POST", "/rolls", {"held": [1]}),
        ("PUT", "/holds", {}),
        ("POST", "/scores", {"category": "none"}),
        ("DELETE", "?x=1", None),
    ],
    ids=["roll", "hold", "score", "cancel"],
)
def test_what_is_invalid_goes_before_the_token(
    guest: Visitor, method: str, below: str, body: object
) -> None:
    response = guest.send(method, f"/v1/games/{NOBODY}{below}", body)
    assert_problem(response, 422, "invalid-request")


def test_a_malformed_key_goes_before_the_token(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/games", headers=BAD_KEY)
    assert_problem(response, 422, "invalid-request")


@pytest.mark.parametrize("game_id", [NOBODY, "x", NOBODY.upper()], ids=["unknown", "odd", "upper"])
def test_the_token_goes_before_the_game(guest: Visitor, game_id: str) -> None:
    assert_problem(guest.post(f"/v1/games/{game_id}/rolls"), 401, "unauthenticated")
    assert_problem(guest.send("DELETE", f"/v1/games/{game_id}"), 401, "unauthenticated")


def test_what_is_invalid_goes_before_the_ruleset(guest: Visitor) -> None:
    response = guest.post("/v1/rulesets/kniffel/scores", {"dice": [1]})
    assert_problem(response, 422, "invalid-request")


def test_what_is_invalid_goes_before_the_game(guest: Visitor) -> None:
    assert_problem(guest.get("/v1/games/x?y=1"), 422, "invalid-request")
    assert_problem(guest.get("/v1/games/x/events?after=-1"), 422, "invalid-request")


def test_the_key_goes_before_the_game(guest: Visitor) -> None:
    ada = guest.player()
    ada.post("/v1/games", key="k")
    assert_reused(ada.post(f"/v1/games/{NOBODY}/rolls", key="k"))


def test_a_replay_goes_before_the_version(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open()
    first = ada.ask("roll", game, key="k", if_match='"2"')
    again = ada.ask("roll", game, key="k", if_match='"2"')
    assert (again.status_code, again.content) == (201, first.content)


def test_the_game_goes_before_the_permission(guest: Visitor) -> None:
    response = guest.player().post(f"/v1/games/{NOBODY}/start")
    assert_problem(response, 404, "not-found")


def test_the_permission_goes_before_the_version(guest: Visitor) -> None:
    game = guest.player().open(ME, OPEN)
    cy = guest.player("Cy")
    assert_problem(cy.ask("roll", game, if_match='"99"'), 403, "not-in-game")
    assert_problem(cy.ask("start", game, if_match='"99"'), 403, "not-host")
    assert_problem(cy.ask("leave", game, if_match='"99"'), 403, "not-in-game")
    entropy = {"value": "x"}
    assert_problem(cy.ask("set_entropy", game, entropy, if_match='"99"'), 403, "not-in-game")


def test_the_permission_goes_before_the_state(guest: Visitor) -> None:
    game = guest.player().open()
    cy = guest.player("Cy")
    assert_problem(cy.ask("start", game), 403, "not-host")
    assert_problem(cy.ask("cancel", game), 403, "not-host")
    assert_problem(cy.ask("resign", game), 403, "not-in-game")
    assert_problem(cy.ask("hold", game, {"held": MARKS}), 403, "not-in-game")


def test_the_version_goes_before_the_state(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open(ME, OPEN)
    assert_problem(ada.ask("roll", game, if_match='"99"'), 412, "stale-version")
    assert_problem(ada.ask("join", game, if_match='"99"'), 412, "stale-version")
    ended = ada.cancel(game)
    assert_problem(ada.ask("roll", ended, if_match='"99"'), 412, "stale-version")


def test_the_status_of_the_game_goes_before_the_turn(guest: Visitor) -> None:
    ada, bo = guest.player(), guest.player("Bo")
    waiting = ada.open(ME, OPEN, OPEN)
    bo.join(waiting)
    assert_problem(bo.ask("roll", waiting), 409, "not-started")
    assert_problem(bo.ask("score", waiting, {"category": "ones"}), 409, "not-started")
    ended = ada.cancel(waiting)
    assert_problem(bo.ask("roll", ended), 409, "game-over")
    assert_problem(bo.ask("hold", ended, {"held": MARKS}), 409, "game-over")
    assert_problem(bo.ask("score", ended, {"category": "ones"}), 409, "game-over")
    assert_problem(bo.ask("resign", ended), 409, "game-over")
    assert_problem(bo.ask("set_entropy", ended, {"value": "x"}), 409, "game-over")
    assert_problem(bo.ask("leave", ended), 409, "game-over")
    assert_problem(bo.ask("join", ended), 409, "game-over")


@pytest.fixture
def two(guest: Visitor) -> tuple[Player, Player, dict[str, object]]:
    ada, bo = guest.player(), guest.player("Bo")
    return ada, bo, bo.join(ada.open(ME, OPEN))


def test_the_turn_goes_before_the_roll(two: tuple[Player, Player, dict[str, object]]) -> None:
    ada, bo, game = two
    assert_problem(bo.ask("roll", game, {"held": MARKS}), 409, "not-your-turn")
    assert_problem(bo.ask("score", game, {"category": "ones"}), 409, "not-your-turn")
    assert_problem(bo.ask("hold", game, {"held": MARKS}), 409, "not-your-turn")
    ada.turn(game, "ones")
    assert_problem(ada.ask("score", game, {"category": "ones"}), 409, "not-your-turn")


def test_the_rolls_go_before_the_choice(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open()
    ada.turn(game, "ones")
    assert_problem(ada.ask("score", game, {"category": "ones"}), 409, "roll-first")
    assert_problem(ada.ask("roll", game, {"held": [True] * 5}), 409, "roll-first")
    for _ in range(3):
        ada.roll(game)
    assert_problem(ada.ask("roll", game, {"held": [True] * 5}), 409, "no-rolls-left")


def test_joining_looks_at_the_status_before_the_seats(guest: Visitor) -> None:
    ada = guest.player()
    assert_problem(ada.ask("join", ada.open()), 409, "already-started")
    assert_problem(ada.ask("join", ada.open(ME, OPEN)), 409, "already-seated")


def test_a_host_s_leaving_looks_at_the_status_first(guest: Visitor) -> None:
    ada = guest.player()
    assert_problem(ada.ask("leave", ada.open()), 409, "already-started")
    assert_problem(ada.ask("leave", ada.open(ME, OPEN)), 409, "host-must-cancel")


def test_refused_calls_leave_no_trace(guest: Visitor) -> None:
    ada, bo = guest.player(), guest.player("Bo")
    game = bo.join(ada.open(ME, friend("Cy"), OPEN))
    before, log = guest.read(game), guest.events(game)
    for verb, body in (
        ("join", None),
        ("leave", None),
        ("start", None),
        ("cancel", None),
        ("roll", {"held": MARKS}),
        ("hold", {"held": MARKS}),
        ("score", {"category": "yacht"}),
        ("resign", {"seat": 5}),
        ("roll", {"held": MARKS, "x": 1}),
    ):
        for player in (ada, bo, guest.player("Di")):
            assert player.ask(verb, game, body, key=verb).status_code >= 400
        assert guest.send("POST", path_of(game, "/rolls")).status_code == 401
    assert guest.read(game) == before
    assert guest.events(game) == log
