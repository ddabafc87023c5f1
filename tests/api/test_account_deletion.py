"""Deleting an account: the player is gone, the games of others go on, nameless."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.api.folding import assert_log_gives_state
from tests.conftest import Serve
from tests.table import ME, OPEN, Game, Player, Visitor, assert_problem, friend, path_of


def delete(player: Player) -> None:
    response = player.send("DELETE", "/v1/players/me")
    assert (response.status_code, response.content) == (204, b"")


def types(player: Visitor, game: Game, after: Game) -> list[str]:
    """What has happened since the earlier state."""
    return [event["type"] for event in player.events(game) if event["seq"] > after["version"]]


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player("Ada-who-leaves")


@pytest.fixture
def bo(guest: Visitor) -> Player:
    return guest.player("Bo")


def test_a_deleted_player_is_nobody(guest: Visitor, ada: Player) -> None:
    unused = ada.with_token(ada.post("/v1/players/me/token").json()["token"])
    delete(ada)
    for token_holder in (ada, unused):
        assert_problem(token_holder.get("/v1/players/me"), 401, "unauthenticated")
        assert_problem(token_holder.send("DELETE", "/v1/players/me"), 401, "unauthenticated")
        assert_problem(token_holder.post("/v1/games"), 401, "unauthenticated")
    assert_problem(guest.get(f"/v1/players/{ada.id}"), 404, "not-found")


def test_a_player_without_games_can_go(ada: Player) -> None:
    delete(ada)


def test_a_hosted_waiting_game_is_cancelled(ada: Player, bo: Player) -> None:
    before = bo.join(ada.open(ME, OPEN, OPEN, friend("Cy")))
    delete(ada)
    game = bo.read(before)
    assert (game["status"], game["winners"], game["turn"]) == ("cancelled", [], None)
    assert game["host"] is None
    assert [seat["name"] for seat in game["seats"]] == [None, "Bo", None, None]
    assert [seat["player_id"] for seat in game["seats"]] == [None, bo.id, None, None]
    cancelled = bo.events(game)[before["version"]]
    assert (cancelled["type"], cancelled["reason"]) == ("game_cancelled", "account")
    assert types(bo, game, before)[1:] == ["seat_anonymised"] * 2


def test_a_joined_waiting_game_is_left(ada: Player, bo: Player) -> None:
    before = ada.join(bo.open(ME, OPEN, OPEN))
    delete(ada)
    game = bo.read(before)
    assert (game["status"], game["host"]) == ("waiting", bo.id)
    assert [seat["state"] for seat in game["seats"]] == ["playing", "open", "open"]
    # Of a seat that has been left nobody could tell any more whose it was.
    assert types(bo, game, before) == ["seat_anonymised", "seat_left"]


def test_active_seats_resign(ada: Player, bo: Player) -> None:
    before = ada.roll(bo.join(ada.open(ME, friend("Cy"), OPEN)))
    delete(ada)
    game = bo.read(before)
    assert [seat["state"] for seat in game["seats"]] == ["resigned", "resigned", "playing"]
    assert (game["status"], game["winners"]) == ("finished", [2])
    resigned = [event for event in bo.events(game) if event["type"] == "seat_resigned"]
    assert [(event["seat"], event["reason"]) for event in resigned] == [
        (0, "account"),
        (1, "account"),
    ]


def test_the_others_play_on(ada: Player, bo: Player, guest: Visitor) -> None:
    cy = guest.player("Cy")
    game = cy.join(bo.join(ada.open(ME, OPEN, OPEN)))
    delete(ada)
    game = bo.read(game)
    assert (game["status"], game["turn"]["seat"]) == ("active", 1)
    game = cy.turn(bo.turn(game))
    assert (game["round"], game["turn"]["seat"]) == (2, 1)
    assert_log_gives_state(guest, game)


def test_a_seat_that_had_resigned_does_not_resign_again(ada: Player, bo: Player) -> None:
    game = bo.join(ada.open(ME, OPEN, friend("Cy")))
    before = ada.resign(game, 0)
    delete(ada)
    resigned = [e for e in bo.events(before) if e["type"] == "seat_resigned"]
    assert [event["seat"] for event in resigned] == [0, 2]


def test_a_finished_game_keeps_its_result(ada: Player, bo: Player) -> None:
    before = ada.resign(bo.join(ada.open(ME, OPEN)))
    delete(ada)
    game = bo.read(before)
    assert types(bo, game, before) == ["seat_anonymised"]
    assert (game["winners"], game["finished_at"]) == (before["winners"], before["finished_at"])
    assert [seat["rank"] for seat in game["seats"]] == [2, 1]
    assert game["seats"][0]["name"] is None


def test_nothing_readable_names_the_player_any_more(
    guest: Visitor, ada: Player, bo: Player
) -> None:
    games = [
        bo.join(ada.open(ME, OPEN, visibility="public")),
        ada.join(bo.open(ME, OPEN)),
        ada.join(bo.open(ME, OPEN, OPEN)),
        ada.open(ME, OPEN),
        ada.leave(ada.join(bo.open(ME, OPEN, OPEN))),
        ada.cancel(ada.open(ME, OPEN)),
        ada.open(ME, friend("Ada-who-leaves")),
    ]
    delete(ada)
    for game in games:
        for below in ("", "/events", "/fairness"):
            text = guest.get(path_of(game, below)).text
            assert ada.id not in text
            assert ada.name not in text
    assert ada.id not in guest.get("/v1/games?limit=100").text


def test_the_log_still_gives_the_state(guest: Visitor, ada: Player, bo: Player) -> None:
    games = [
        ada.roll(bo.join(ada.open(ME, OPEN))),
        ada.join(bo.open(ME, OPEN)),
        ada.join(bo.open(ME, OPEN, OPEN)),
        ada.open(ME, friend("Cy"), OPEN),
        ada.leave(ada.join(bo.open(ME, OPEN, OPEN))),
        ada.resign(bo.join(ada.open(ME, OPEN, friend("Di")))),
    ]
    delete(ada)
    for game in games:
        assert_log_gives_state(guest, game)


def test_another_s_name_stays(ada: Player, bo: Player) -> None:
    game = bo.join(ada.open(ME, OPEN))
    delete(ada)
    log = json.dumps(bo.events(game))
    assert bo.id in log
    assert '"Bo"' in log


def test_stored_answers_are_dropped(serve: Serve, file: Path) -> None:
    with serve() as guest, closing(sqlite3.connect(file)) as store:
        ada = guest.player("Ada-who-leaves")
        ada.post("/v1/games", key="k")
        assert store.execute("SELECT count(*) FROM answers").fetchone() == (1,)
        delete(ada)
        assert store.execute("SELECT count(*) FROM answers").fetchone() == (0,)
        assert_problem(ada.post("/v1/games", key="k"), 401, "unauthenticated")


def test_a_deletion_outlives_the_server(serve: Serve) -> None:
    with serve() as guest:
        ada = guest.player()
        game = ada.open()
        delete(ada)
    with serve() as guest:
        assert_problem(guest.get(f"/v1/players/{ada.id}"), 404, "not-found")
        assert guest.read(game)["seats"][0]["name"] is None
        assert_log_gives_state(guest, game)
