"""Trustworthy dice: promised before the first roll, shown at the end, checkable by anyone."""

import base64
import hashlib
import json
import random
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from app.cli import main
from app.fairness import verify_document
from tests.api.dice import drawn
from tests.api.folding import move_at_random
from tests.conftest import Serve
from tests.live.readers import Reader
from tests.table import (
    ME,
    OPEN,
    Game,
    Json,
    Player,
    Visitor,
    assert_problem,
    at_once,
    bot,
    friend,
    path_of,
    success,
)

SEED = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def bo(guest: Visitor) -> Player:
    return guest.player("Bo")


def document(reader: Visitor, game: Game) -> Json:
    """What anyone needs to check a game."""
    return {"fairness": reader.fairness(game), "events": reader.events(game)}


def test_the_promise_is_made_when_the_game_is_opened(ada: Player) -> None:
    game = ada.open(ME, OPEN)
    record = ada.fairness(game)
    assert record.keys() == {"commitment", "entropy", "server_seed", "draws"}
    assert record["commitment"] == ada.events(game)[0]["commitment"]
    assert (record["server_seed"], record["draws"]) == (None, None)


def test_the_seed_stays_unknown_while_the_game_runs(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"))
    for _ in range(5):
        game = ada.turn(game)
        record = ada.fairness(game)
        assert (record["server_seed"], record["draws"]) == (None, None)


def test_an_ended_game_shows_the_seed_that_was_promised(ada: Player) -> None:
    game = ada.open()
    promised = ada.fairness(game)["commitment"]
    ada.resign(ada.turn(game))
    seed = ada.fairness(game)["server_seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == promised


def test_no_answer_holds_the_seed_of_a_game_that_runs_or_a_token(serve: Serve) -> None:
    """Whatever is asked, by whomever, and however it is refused; in hex, in base64, as bytes."""
    with serve(new_seed=lambda: SEED) as guest:
        said: list[bytes] = []
        ada, bo, cy = guest.player(), guest.player("Bo"), guest.player("Cy")
        hooks = guest.http.event_hooks
        hooks["response"].append(lambda response: said.append(response.content))
        guest.http.event_hooks = hooks
        game = bo.join(ada.open(ME, OPEN, friend("Kid"), bot("novice"), visibility="public"), "bo")
        ada.roll(game)
        game = ada.hold(game, [True, False, False, False, False])
        for response, code in (
            (guest.post(path_of(game, "/rolls")), "unauthenticated"),
            (cy.ask("roll", game), "not-in-game"),
            (cy.ask("cancel", game), "not-host"),
            (bo.ask("roll", game), "not-your-turn"),
            (ada.ask("start", game), "already-started"),
            (ada.ask("set_entropy", game, {"value": "x"}), "entropy-closed"),
            (ada.ask("roll", game, if_match='"1"'), "stale-version"),
            (ada.ask("roll", game, {"held": [ada.token]}), "invalid-request"),
            (ada.ask("hold", game, content_of(ada.token)), "invalid-request"),
            (guest.get(path_of(game, "/review")), "not-finished"),
            (guest.get(f"/v1/games/{ada.token}"), "not-found"),
            (guest.send("TRACE", path_of(game)), "method-not-allowed"),
        ):
            assert response.json()["code"] == code, response.text
        for below in ("", "/events", "/fairness", "/export", "/advice", "/odds"):
            assert guest.get(path_of(game, below)).is_success
        assert guest.get(path_of(game, "/export"), accept="text/plain").is_success
        for address in ("/v1/games", "/v1/games?mine=true", "/v1/players/me"):
            assert ada.get(address).is_success
        assert ada.turn(ada.open())["version"] > 3
        for after in ("", "?after=0"):
            port = guest.http.base_url.port
            assert port is not None
            with Reader(port, path_of(game, f"/stream{after}"), ada.headers) as reader:
                said += [json.dumps(message.data).encode() for message in reader.take(1)]
                if after:
                    said += [json.dumps(m.data).encode() for m in reader.take(game["version"] - 1)]
    assert len(said) > 30
    assert any(game["id"].encode() in body for body in said)
    forms = (SEED, SEED.hex().encode(), SEED.hex().upper().encode(), repr(SEED).encode())
    encoded = (base64.b64encode(SEED).rstrip(b"="), base64.urlsafe_b64encode(SEED).rstrip(b"="))
    tokens = [player.token.encode() for player in (ada, bo, cy)]
    assert [s for s in (*forms, *encoded, *tokens) if any(s in body for body in said)] == []


def content_of(token: str) -> Json:
    """A body that no call takes and that has a token in it."""
    return {"held": [True] * 5, "token": token}


def test_every_roll_made_is_among_the_draws(ada: Player) -> None:
    game = ada.roll(ada.roll(ada.turn(ada.open())), [True] * 4 + [False])
    ada.resign(game)
    record = ada.fairness(game)
    seed = bytes.fromhex(record["server_seed"])
    assert record["draws"] == [
        {"seat": 0, "round": round_, "roll": roll, "faces": list(drawn(seed, 0, round_, roll))}
        for round_, roll in ((1, 1), (2, 1), (2, 2))
    ]


def test_the_documented_vectors_are_drawn(serve: Serve) -> None:
    with serve(new_seed=lambda: SEED) as guest:
        ada = guest.player()
        game = ada.open()
        assert ada.fairness(game)["commitment"] == COMMITMENT
        assert ada.roll(game)["turn"]["dice"] == [6, 4, 3, 3, 1]
        assert ada.roll(game)["turn"]["dice"] == [2, 3, 4, 1, 2]
        ada.resign(game)
        assert ada.fairness(game)["server_seed"] == SEED.hex()


def test_entropy_changes_the_dice_as_documented(serve: Serve) -> None:
    """Seat 1, round 12, roll 3 of the documented seed, with the entropy Ada,Bo."""
    with serve(new_seed=lambda: SEED) as guest:
        ada, bo = guest.player(), guest.player("Bo")
        game = bo.join(ada.set_entropy(ada.open(ME, OPEN), "Ada"), "Bo")
        assert ada.fairness(game)["entropy"] == "Ada,Bo"
        for _ in range(11):
            game = bo.turn(ada.turn(game))
        game = ada.turn(game)
        for _ in range(3):
            game = bo.roll(game)
        assert game["turn"]["dice"] == [2, 6, 2, 1, 4]


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_verifies(guest: Visitor, seed: int) -> None:
    chance = random.Random(seed)
    ada, bo = guest.player(), guest.player("Bo")
    game = ada.open(OPEN, friend("Cy"), ME, OPEN)
    game = bo.join(game, chance.choice([None, "bo-1"]))
    if chance.random() < 0.5:
        game = ada.set_entropy(game, "ada_2")
    game = ada.start(game)
    players = {ada.id: ada, bo.id: bo}
    for _ in range(chance.choice([40, 1000])):
        if game["status"] != "active":
            break
        acting = players[game["seats"][game["turn"]["seat"]]["player_id"]]
        game = move_at_random(acting, game, chance)
    if game["status"] == "active":
        game = bo.resign(ada.resign(game, 1))
        game = game if game["status"] == "finished" else ada.resign(game)
    told = document(guest, game)
    assert verify_document(told) == []
    told["events"] = success(guest.get(path_of(game, "/events")))
    assert verify_document(told) == []


def test_a_cancelled_game_verifies(ada: Player) -> None:
    game = ada.cancel(ada.set_entropy(ada.open(ME, OPEN), "x"))
    told = document(ada, game)
    assert told["fairness"]["draws"] == []
    assert told["fairness"]["server_seed"] is not None
    assert verify_document(told) == []


def test_a_changed_die_does_not_verify(ada: Player) -> None:
    game = ada.resign(ada.turn(ada.open()))
    told = document(ada, game)
    roll = next(event for event in told["events"] if event["type"] == "dice_rolled")
    roll["dice"][0] = 1 + roll["dice"][0] % 6
    assert verify_document(told) != []


def test_the_command_line_checks_what_the_server_tells(
    ada: Player, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = ada.resign(ada.turn(ada.open()))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(document(ada, game)), encoding="utf-8")
    assert main(["verify", str(file)]) == 0
    assert "promised" in capsys.readouterr().out


def test_a_deleted_player_s_game_still_verifies(ada: Player, bo: Player) -> None:
    game = bo.turn(ada.turn(bo.join(ada.open(ME, OPEN), "bo")))
    ada.send("DELETE", "/v1/players/me")
    assert verify_document(document(bo, game)) == []


class TestEntropy:
    def test_a_seated_human_adds_to_the_draw(self, ada: Player) -> None:
        game = ada.open(ME, OPEN)
        response = ada.ask("set_entropy", game, {"value": "correct.horse-7"})
        assert response.status_code == 200
        assert response.json()["version"] == game["version"] + 1
        assert ada.fairness(game)["entropy"] == "correct.horse-7"

    def test_the_last_value_counts(self, ada: Player) -> None:
        game = ada.open(ME, OPEN)
        ada.set_entropy(game, "one")
        ada.set_entropy(game, "two")
        assert ada.fairness(game)["entropy"] == "two"

    def test_it_may_come_after_the_start_and_before_the_first_roll(self, ada: Player) -> None:
        game = ada.set_entropy(ada.open(), "late")
        assert ada.fairness(game)["entropy"] == "late"
        ada.roll(game)
        assert_problem(ada.ask("set_entropy", game, {"value": "later"}), 409, "entropy-closed")
        assert ada.fairness(game)["entropy"] == "late"

    def test_values_stand_in_seat_order_and_one_not_given_is_empty(
        self, guest: Visitor, ada: Player, bo: Player
    ) -> None:
        cy = guest.player("Cy")
        game = ada.open(OPEN, friend("Di"), ME, OPEN)
        bo.join(game)
        assert guest.fairness(game)["entropy"] == ","
        cy.join(game, "c")
        assert guest.fairness(game)["entropy"] == ",,c"
        bo.set_entropy(game, "b")
        assert guest.fairness(game)["entropy"] == "b,,c"

    def test_who_leaves_takes_it_along(self, guest: Visitor, ada: Player, bo: Player) -> None:
        cy = guest.player("Cy")
        game = ada.open(ME, OPEN, OPEN)
        bo.join(game, "b")
        bo.leave(game)
        cy.join(game)
        assert guest.fairness(game)["entropy"] == ","

    def test_it_moves_with_its_seat(self, guest: Visitor, ada: Player, bo: Player) -> None:
        cy = guest.player("Cy")
        game = ada.open(ME, OPEN, OPEN, OPEN)
        bo.join(game, "b")
        cy.join(game, "c")
        bo.leave(game)
        ada.start(game)
        assert guest.fairness(game)["entropy"] == ",c"

    def test_it_is_no_business_of_others(self, ada: Player, bo: Player) -> None:
        game = ada.open(ME, OPEN)
        response = bo.ask("set_entropy", game, {"value": "x"})
        assert_problem(response, 403, "not-in-game")

    def test_setting_the_same_again_is_no_event(self, ada: Player) -> None:
        game = ada.set_entropy(ada.open(ME, OPEN), "x")
        assert ada.set_entropy(game, "x") == game

    def test_it_takes_1_to_64_characters(self, ada: Player) -> None:
        game = ada.open(ME, OPEN)
        for value in ("a", "A-Z.a_z-09" + "x" * 54):
            assert ada.set_entropy(game, value)
            assert ada.fairness(game)["entropy"] == value


def test_a_hundred_games_at_once_do_not_share_their_dice(guest: Visitor) -> None:
    """Full hands match as often as chance has it, about 0.6 pairs of 4,950."""
    ada = guest.player()
    games = [ada.open() for _ in range(100)]
    rolled = at_once([partial(ada.roll, game) for game in games])
    hands = [tuple(game["turn"]["dice"]) for game in rolled]
    assert len(set(hands)) > 92


def test_dice_do_not_repeat_after_a_restart(serve: Serve) -> None:
    rolls = []
    for _ in range(2):
        with serve() as guest:
            ada = guest.player()
            games = [ada.roll(ada.open()) for _ in range(20)]
            rolls.append(list(chain(*(game["turn"]["dice"] for game in games))))
    assert rolls[0] != rolls[1]
