"""Players: making one, who it is, its name."""

import re

from tests.table import ME, NOBODY, OPEN, Visitor, assert_problem, friend, success

PROFILE = {"id", "name", "created_at"}
TIME = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def test_a_new_player_gets_a_token_this_once(guest: Visitor) -> None:
    response = guest.post("/v1/players", {"name": "Ada"})
    made = response.json()
    assert response.status_code == 201
    assert made.keys() == PROFILE | {"token"}
    assert response.headers["Location"] == f"/v1/players/{made['id']}"
    assert TIME.fullmatch(made["created_at"])
    profile = guest.get(response.headers["Location"])
    assert profile.json() == {name: made[name] for name in PROFILE}
    assert made["token"] not in profile.text


def test_a_player_learns_who_the_token_speaks_for(guest: Visitor) -> None:
    ada = guest.player()
    response = ada.get("/v1/players/me")
    assert response.status_code == 200
    assert response.json().keys() == PROFILE
    assert response.json()["id"] == ada.id


def test_a_profile_can_be_read_by_anyone(guest: Visitor) -> None:
    ada = guest.player()
    response = guest.get(f"/v1/players/{ada.id}")
    assert response.json() == ada.get("/v1/players/me").json()


def test_nobody_has_no_profile(guest: Visitor) -> None:
    assert_problem(guest.get(f"/v1/players/{NOBODY}"), 404, "not-found")


def test_a_player_may_change_the_name(guest: Visitor) -> None:
    ada = guest.player()
    before = ada.get("/v1/players/me").json()
    response = ada.send("PATCH", "/v1/players/me", {"name": "Augusta"})
    assert (response.status_code, response.json()) == (200, before | {"name": "Augusta"})
    assert guest.get(f"/v1/players/{ada.id}").json()["name"] == "Augusta"


def test_seats_already_taken_keep_their_name(guest: Visitor) -> None:
    ada, bo = guest.player(), guest.player("Bo")
    hosted = ada.open(ME, friend("Cy"))
    joined = ada.join(bo.open(ME, OPEN, OPEN))
    success(ada.send("PATCH", "/v1/players/me", {"name": "Augusta"}))
    assert ada.read(hosted)["seats"][0]["name"] == "Ada"
    assert ada.read(joined)["seats"][1]["name"] == "Ada"
    assert ada.open()["seats"][0]["name"] == "Augusta"


def test_a_name_is_no_way_into_a_seat(guest: Visitor) -> None:
    game = guest.player("Ada").open()
    namesake = guest.player("Ada")
    assert_problem(namesake.ask("roll", game), 403, "not-in-game")
    assert_problem(namesake.ask("join", game), 409, "already-started")
