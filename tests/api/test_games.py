"""Opening a game, and what it looks like."""

import re

import pytest

from tests.table import CATEGORIES, ME, NOBODY, OPEN, Visitor, assert_problem, friend, path_of

EMPTY_CARD = dict.fromkeys(CATEGORIES)
TIME = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def test_a_game_alone_starts_at_once(guest: Visitor) -> None:
    ada = guest.player()
    response = ada.post("/v1/games")
    game = response.json()
    assert response.status_code == 201
    assert response.headers["Location"] == path_of(game)
    assert TIME.fullmatch(game["created_at"])
    assert game == {
        "id": game["id"],
        "version": 2,
        "status": "active",
        "ruleset": "classic",
        "visibility": "unlisted",
        "host": ada.id,
        "hints": True,
        "turn_seconds": None,
        "round": 1,
        "daily": None,
        "seats": [
            {
                "index": 0,
                "type": "human",
                "name": "Ada",
                "player_id": ada.id,
                "level": None,
                "state": "playing",
                "scorecard": EMPTY_CARD,
                "total": 0,
                "rank": None,
            }
        ],
        "turn": {
            "seat": 0,
            "rolls_used": 0,
            "rolls_left": 3,
            "dice": None,
            "held": [False] * 5,
            "options": {},
            "actions": ["roll"],
            "deadline": None,
        },
        "winners": [],
        "rematch_id": None,
        "created_at": game["created_at"],
        "updated_at": game["created_at"],
        "finished_at": None,
    }
    assert guest.read(game) == game


def test_with_an_open_seat_the_game_waits(guest: Visitor) -> None:
    game = guest.player().open(ME, OPEN)
    assert (game["status"], game["version"], game["round"], game["turn"]) == (
        "waiting",
        1,
        None,
        None,
    )
    assert game["seats"][1] == {
        "index": 1,
        "type": "open",
        "name": None,
        "player_id": None,
        "level": None,
        "state": "open",
        "scorecard": EMPTY_CARD,
        "total": 0,
        "rank": None,
    }


def test_a_guest_s_seat_is_acted_for_by_the_host(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open(ME, friend("Bo"), friend("Cy"))
    assert game["status"] == "active"
    assert [seat["type"] for seat in game["seats"]] == ["human", "guest", "guest"]
    assert [seat["name"] for seat in game["seats"]] == ["Ada", "Bo", "Cy"]
    assert {seat["player_id"] for seat in game["seats"]} == {ada.id}


def test_seats_stand_in_the_order_asked_for(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open(friend("Bo"), OPEN, ME)
    assert [seat["type"] for seat in game["seats"]] == ["guest", "open", "human"]
    assert [seat["index"] for seat in game["seats"]] == [0, 1, 2]


def test_eight_seats_are_the_most(guest: Visitor) -> None:
    assert len(guest.player().open(ME, *[friend("Bo")] * 7)["seats"]) == 8


@pytest.mark.parametrize(
    "wishes",
    [
        {"ruleset": "fixed-house"},
        {"ruleset": "short-straights"},
        {"ruleset": "sum-of-five"},
        {"ruleset": "classic"},
        {"visibility": "public"},
        {"visibility": "unlisted"},
        {"hints": False},
        {"turn_seconds": None},
    ],
    ids=str,
)
def test_a_wish_is_granted_and_shown(guest: Visitor, wishes: dict[str, object]) -> None:
    game = guest.player().open(ME, **wishes)
    assert {name: game[name] for name in wishes} == wishes
    created = guest.events(game)[0]
    assert {name: created[name] for name in wishes} == wishes


def test_reading_needs_the_id_and_nothing_else(guest: Visitor) -> None:
    game = guest.player().open()
    assert guest.get(path_of(game)).status_code == 200
    assert guest.player("Bo").read(game) == game


def test_no_game_is_not_found(guest: Visitor) -> None:
    ada = guest.player()
    for below in ("", "/events", "/fairness"):
        assert_problem(guest.get(f"/v1/games/{NOBODY}{below}"), 404, "not-found")
    for verb, body in (
        ("join", None),
        ("leave", None),
        ("start", None),
        ("cancel", None),
        ("roll", None),
        ("hold", {"held": [False] * 5}),
        ("score", {"category": "ones"}),
        ("resign", None),
        ("set_entropy", {"value": "x"}),
    ):
        assert_problem(ada.ask(verb, {"id": NOBODY}, body), 404, "not-found")


def test_the_version_counts_the_events(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open()
    for _ in range(3):
        game = ada.turn(game)
        assert game["version"] == len(guest.events(game)) == guest.events(game)[-1]["seq"]


def test_times_move_forward(guest: Visitor) -> None:
    ada = guest.player()
    opened = ada.open()
    played = ada.turn(opened)
    assert played["created_at"] == opened["created_at"]
    assert played["updated_at"] >= opened["updated_at"]
    assert played["finished_at"] is None
