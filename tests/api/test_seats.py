"""Before play: joining, leaving, starting, cancelling."""

import pytest

from tests.table import ME, OPEN, Game, Player, Visitor, assert_problem, friend


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def bo(guest: Visitor) -> Player:
    return guest.player("Bo")


@pytest.fixture
def cy(guest: Visitor) -> Player:
    return guest.player("Cy")


@pytest.fixture
def table(ada: Player) -> Game:
    """A waiting game with two open seats."""
    return ada.open(ME, OPEN, OPEN)


def names(game: Game) -> list[str | None]:
    return [seat["name"] for seat in game["seats"]]


def test_a_player_takes_the_first_open_seat(bo: Player, table: Game) -> None:
    response = bo.ask("join", table)
    game = response.json()
    assert response.status_code == 201
    assert names(game) == ["Ada", "Bo", None]
    assert game["seats"][1]["player_id"] == bo.id
    assert (game["seats"][1]["type"], game["seats"][1]["state"]) == ("human", "playing")
    assert game["status"] == "waiting"


def test_the_last_seat_taken_starts_the_game(bo: Player, cy: Player, table: Game) -> None:
    bo.join(table)
    game = cy.join(table)
    assert (game["status"], game["round"], game["turn"]["seat"]) == ("active", 1, 0)
    assert [event["type"] for event in bo.events(game)] == [
        "game_created",
        "seat_joined",
        "seat_joined",
        "game_started",
    ]


def test_a_player_sits_once(bo: Player, table: Game) -> None:
    before = bo.join(table)
    assert_problem(bo.ask("join", table), 409, "already-seated")
    assert bo.read(table) == before


def test_nobody_joins_a_game_that_runs(bo: Player, cy: Player, ada: Player) -> None:
    game = bo.join(ada.open(ME, OPEN))
    assert_problem(cy.ask("join", game), 409, "already-started")


def test_a_player_may_leave_while_the_game_waits(bo: Player, table: Game) -> None:
    bo.join(table)
    response = bo.ask("leave", table)
    game = response.json()
    assert response.status_code == 200
    assert names(game) == ["Ada", None, None]
    assert game["seats"][1]["state"] == game["seats"][1]["type"] == "open"
    assert game["seats"][1]["player_id"] is None


def test_who_has_left_is_out_also_when_another_sits_there(
    bo: Player, cy: Player, table: Game
) -> None:
    bo.leave(bo.join(table))
    assert_problem(bo.ask("leave", table), 403, "not-in-game")
    cy.join(table)
    assert_problem(bo.ask("leave", table), 403, "not-in-game")
    assert_problem(bo.ask("roll", table), 403, "not-in-game")
    assert_problem(bo.ask("set_entropy", table, {"value": "x"}), 403, "not-in-game")


def test_who_has_left_may_come_back(bo: Player, table: Game) -> None:
    bo.leave(bo.join(table))
    assert names(bo.join(table)) == ["Ada", "Bo", None]


def test_a_seat_left_is_the_first_to_be_taken(guest: Visitor, ada: Player, bo: Player) -> None:
    game = ada.open(ME, OPEN, OPEN, OPEN)
    bo.join(game)
    guest.player("Cy").join(game)
    bo.leave(game)
    assert names(guest.player("Di").join(game)) == ["Ada", "Di", "Cy", None]


def test_a_host_cannot_leave(ada: Player, table: Game) -> None:
    assert_problem(ada.ask("leave", table), 409, "host-must-cancel")


def test_nobody_leaves_a_game_that_runs(ada: Player, bo: Player) -> None:
    game = bo.join(ada.open(ME, OPEN))
    assert_problem(bo.ask("leave", game), 409, "already-started")


def test_the_host_starts_without_the_open_seats(ada: Player, cy: Player, table: Game) -> None:
    """Open seats are dropped and the others renumbered in order."""
    game = ada.open(friend("Zoe"), OPEN, ME, OPEN, OPEN)
    cy.join(game)
    response = ada.ask("start", game)
    started = response.json()
    assert response.status_code == 200
    assert names(started) == ["Zoe", "Cy", "Ada"]
    assert [seat["index"] for seat in started["seats"]] == [0, 1, 2]
    assert (started["status"], started["turn"]["seat"]) == ("active", 0)
    assert names(ada.start(table)) == ["Ada"]


def test_seats_move_up_when_the_game_starts(ada: Player, bo: Player, cy: Player) -> None:
    game = ada.open(ME, OPEN, OPEN, OPEN)
    bo.join(game)
    cy.join(game)
    bo.leave(game)
    started = ada.start(game)
    assert names(started) == ["Ada", "Cy"]
    assert started["seats"][1]["player_id"] == cy.id
    cy_turn = ada.turn(started)
    assert cy.roll(cy_turn)["turn"]["seat"] == 1


def test_a_game_starts_once(ada: Player, table: Game) -> None:
    ada.start(table)
    assert_problem(ada.ask("start", table), 409, "already-started")


def test_only_the_host_starts_and_cancels(bo: Player, table: Game) -> None:
    bo.join(table)
    assert_problem(bo.ask("start", table), 403, "not-host")
    assert_problem(bo.ask("cancel", table), 403, "not-host")


def test_a_cancelled_game_stays_readable(ada: Player, bo: Player, table: Game) -> None:
    bo.join(table)
    response = ada.ask("cancel", table)
    assert (response.status_code, response.content) == (204, b"")
    game = bo.read(table)
    assert (game["status"], game["turn"], game["winners"]) == ("cancelled", None, [])
    assert {seat["rank"] for seat in game["seats"]} == {None}
    last = bo.events(game)[-1]
    assert (last["type"], last["reason"]) == ("game_cancelled", "host")


def test_cancelling_again_changes_nothing(ada: Player, table: Game) -> None:
    before = ada.cancel(table)
    assert ada.cancel(table) == before


def test_a_game_that_runs_is_not_cancelled(ada: Player) -> None:
    game = ada.open()
    assert_problem(ada.ask("cancel", game), 409, "already-started")
    assert_problem(ada.ask("cancel", ada.resign(game)), 409, "game-over")


def test_a_cancelled_game_is_over_for_everything(ada: Player, bo: Player, table: Game) -> None:
    ada.cancel(table)
    assert_problem(bo.ask("join", table), 409, "game-over")
    assert_problem(ada.ask("start", table), 409, "game-over")
    assert_problem(ada.ask("leave", table), 409, "game-over")
    assert_problem(ada.ask("resign", table), 409, "game-over")


def test_nothing_is_played_while_the_game_waits(ada: Player, table: Game) -> None:
    for verb, body in (
        ("roll", None),
        ("hold", {"held": [False] * 5}),
        ("score", {"category": "ones"}),
        ("resign", None),
    ):
        assert_problem(ada.ask(verb, table, body), 409, "not-started")
