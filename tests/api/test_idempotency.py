"""Idempotency-Key: the same call with the same key has one effect and one answer."""

from itertools import count

import httpx
import pytest

from tests.conftest import Serve
from tests.table import (
    ME,
    OPEN,
    Game,
    Player,
    Visitor,
    assert_problem,
    assert_reused,
    faults,
    path_of,
)

DAY = 24 * 60 * 60 * 1000
MARKS = [True, False, False, False, False]
KEPT = ("ETag", "Location", "Content-Type", "Cache-Control")


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def game(ada: Player) -> Game:
    return ada.open()


def assert_replay(again: httpx.Response, first: httpx.Response) -> None:
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status_code, again.content) == (first.status_code, first.content)
    for name in KEPT:
        assert again.headers.get(name) == first.headers.get(name)


def test_the_first_answer_is_no_replay(ada: Player, game: Game) -> None:
    assert "Idempotent-Replayed" not in ada.ask("roll", game, key="k").headers
    assert "Idempotent-Replayed" not in ada.ask("roll", game).headers


def test_a_call_repeated_with_its_key_is_answered_byte_for_byte(ada: Player, game: Game) -> None:
    first = ada.ask("roll", game, key="k")
    ada.roll(game)
    assert_replay(ada.ask("roll", game, key="k"), first)
    assert ada.read(game)["turn"]["rolls_used"] == 2


def test_opening_is_replayed_with_its_location(ada: Player) -> None:
    first = ada.post("/v1/games", key="k")
    again = ada.post("/v1/games", key="k")
    assert_replay(again, first)
    assert again.headers["Location"] == path_of(again.json())


def test_every_post_with_a_token_takes_a_key(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    game = ada.open(ME, OPEN, OPEN)
    for player, verb, body in (
        (bo, "join", {"entropy": "x"}),
        (ada, "start", None),
        (ada, "roll", None),
        (ada, "score", {"category": "ones"}),
        (bo, "resign", {"seat": 1}),
    ):
        first = player.ask(verb, game, body, key=f"{verb}-1")
        assert_replay(player.ask(verb, game, body, key=f"{verb}-1"), first)


def test_a_key_is_the_same_with_and_without_quotes(ada: Player, game: Game) -> None:
    first = ada.ask("roll", game, key="k")
    assert_replay(ada.ask("roll", game, key='"k"'), first)


def test_keys_differ_by_case(ada: Player, game: Game) -> None:
    ada.ask("roll", game, key="k")
    assert "Idempotent-Replayed" not in ada.ask("roll", game, key="K").headers


@pytest.mark.parametrize("key", ["k", "x" * 255, '"' + "x" * 255 + '"', "!#$%&'()*+,-./:;<=>?@[]~"])
def test_a_key_is_1_to_255_visible_characters(ada: Player, game: Game, key: str) -> None:
    first = ada.ask("roll", game, key=key)
    assert first.status_code == 201
    assert_replay(ada.ask("roll", game, key=key), first)


@pytest.mark.parametrize(
    "key",
    [
        "",
        '""',
        "x" * 256,
        '"' + "x" * 256 + '"',
        "a b",
        '"a b"',
        '"a',
        b"\xe9",
        b"a\tb",
        b"\xa0k",
        b"k\x85",
    ],
    ids=lambda key: repr(key)[:20],
)
def test_a_malformed_key_is_refused(ada: Player, game: Game, key: str | bytes) -> None:
    response = ada.send("POST", path_of(game, "/rolls"), headers={"Idempotency-Key": key})
    assert faults(response) == {("header/Idempotency-Key", "not-allowed")}
    assert ada.read(game) == game


def test_two_keys_are_none(ada: Player, game: Game) -> None:
    headers = [*ada.headers.items(), ("Idempotency-Key", "a"), ("Idempotency-Key", "b")]
    response = ada.http.post(path_of(game, "/rolls"), headers=headers)
    assert faults(response) == {("header/Idempotency-Key", "not-allowed")}


def test_another_body_under_the_key_is_refused(ada: Player, game: Game) -> None:
    ada.ask("roll", game, key="k")
    assert_reused(ada.ask("roll", game, {"held": MARKS}, key="k"))
    assert ada.read(game)["turn"]["rolls_used"] == 1


def test_another_path_under_the_key_is_refused(ada: Player, game: Game) -> None:
    ada.ask("roll", game, key="k")
    other = ada.open()
    assert_reused(ada.ask("roll", other, key="k"))
    assert_reused(ada.ask("start", game, key="k"))
    assert_reused(ada.post("/v1/games", key="k"))
    assert ada.read(other) == other


def test_bodies_are_compared_as_what_they_say(ada: Player, game: Game) -> None:
    def post(below: str, key: str, content: bytes | None) -> httpx.Response:
        kind = {} if content is None else {"Content-Type": "application/json"}
        headers = {"Idempotency-Key": key, **kind}
        return ada.send("POST", path_of(game, below), content=content, headers=headers)

    first = post("/rolls", "a", None)
    assert_replay(post("/rolls", "a", b""), first)
    assert_replay(post("/rolls", "a", b" { } "), first)
    second = post("/rolls", "b", b'{"held":[true,false,false,false,false]}')
    spaced = b'{ "\\u0068eld" : [true, false,\n false, false, false] }'
    assert_replay(post("/rolls", "b", spaced), second)
    opening = b'{"hints":true,"ruleset":"classic"}'
    swapped = b'{"ruleset":"classic","hints":true}'
    headers = {"Idempotency-Key": "c", "Content-Type": "application/json"}
    third = ada.send("POST", "/v1/games", content=opening, headers=headers)
    assert_replay(ada.send("POST", "/v1/games", content=swapped, headers=headers), third)


def test_the_same_key_of_another_player_is_another_key(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    first = ada.post("/v1/games", key="k")
    other = bo.post("/v1/games", key="k")
    assert "Idempotent-Replayed" not in other.headers
    assert other.json()["id"] != first.json()["id"]


def test_a_key_needs_its_player_s_token(guest: Visitor, ada: Player) -> None:
    ada.post("/v1/games", key="k")
    assert_problem(guest.post("/v1/games", key="k"), 401, "unauthenticated")


def test_a_renewed_token_replays_too(ada: Player) -> None:
    first = ada.post("/v1/games", key="k")
    renewed = ada.with_token(ada.post("/v1/players/me/token").json()["token"])
    assert_replay(renewed.post("/v1/games", key="k"), first)


def test_a_refusal_is_not_stored(ada: Player, game: Game) -> None:
    """It changed nothing, so the same call may run again, and succeed."""
    score = {"category": "ones"}
    assert_problem(ada.ask("score", game, score, key="k"), 409, "roll-first")
    ada.roll(game)
    again = ada.ask("score", game, score, key="k")
    assert again.status_code == 201
    assert "Idempotent-Replayed" not in again.headers


def test_a_refused_key_may_be_used_for_something_else(ada: Player, game: Game) -> None:
    assert_problem(ada.ask("score", game, {"category": "ones"}, key="k"), 409, "roll-first")
    assert ada.ask("roll", game, key="k").status_code == 201


def test_a_stale_call_is_not_stored(ada: Player, game: Game) -> None:
    assert_problem(ada.ask("roll", game, key="k", if_match='"9"'), 412, "stale-version")
    assert ada.ask("roll", game, key="k").status_code == 201


def test_keys_are_ignored_where_they_mean_nothing(guest: Visitor, ada: Player) -> None:
    game = ada.roll(ada.open())
    key = {"Idempotency-Key": "k"}
    malformed = {"Idempotency-Key": "a b"}
    for headers in (key, key, malformed):
        for method, path, body in (
            ("PUT", path_of(game, "/holds"), {"held": MARKS}),
            ("PATCH", "/v1/players/me", {"name": "Bo"}),
            ("POST", "/v1/players", {"name": "Cy"}),
            ("POST", "/v1/players/me/token", None),
            ("POST", "/v1/rulesets/classic/scores", {"dice": [1, 2, 3, 4, 5]}),
            ("GET", path_of(game), None),
            ("DELETE", path_of(ada.open(ME, OPEN)), None),
        ):
            response = ada.send(method, path, body, headers=headers)
            assert response.is_success, (method, path)
            assert "Idempotent-Replayed" not in response.headers
    assert guest.post("/v1/players", {"name": "Cy"}, key="k").json()["name"] == "Cy"


def test_two_new_players_with_one_key_are_two(guest: Visitor) -> None:
    ids = {guest.post("/v1/players", {"name": "Cy"}, key="k").json()["id"] for _ in range(2)}
    assert len(ids) == 2


def test_a_key_lives_24_hours(serve: Serve) -> None:
    time = count(1_800_000_000_000).__next__
    offset = 0
    with serve(now=lambda: time() + offset) as guest:
        ada = guest.player()
        first = ada.post("/v1/games", key="k")
        offset = DAY - 1000
        assert_replay(ada.post("/v1/games", key="k"), first)
        offset = DAY + 1000
        later = ada.post("/v1/games", key="k")
        assert "Idempotent-Replayed" not in later.headers
        assert later.json()["id"] != first.json()["id"]
        assert_replay(ada.post("/v1/games", key="k"), later)


def test_after_24_hours_a_key_is_free_for_anything(serve: Serve) -> None:
    time = count(1_800_000_000_000).__next__
    offset = 0
    with serve(now=lambda: time() + offset) as guest:
        ada = guest.player()
        game = ada.open()
        ada.ask("roll", game, key="k")
        offset = DAY + 1000
        assert ada.ask("score", game, {"category": "ones"}, key="k").status_code == 201


def test_a_restarted_server_remembers(serve: Serve) -> None:
    with serve() as guest:
        ada = guest.player()
        opened = ada.post("/v1/games", key="k")
        rolled = ada.ask("roll", opened.json(), key="r")
    with serve() as guest:
        ada = Player(guest.http, {"id": ada.id, "name": ada.name, "token": ada.token})
        assert_replay(ada.post("/v1/games", key="k"), opened)
        assert_replay(ada.ask("roll", opened.json(), key="r"), rolled)
        assert ada.read(opened.json()) == rolled.json()
