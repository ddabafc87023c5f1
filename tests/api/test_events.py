"""The log: what happened, in order, and enough of it to tell the game again."""

import random
from typing import Any

import pytest

from tests.api.folding import assert_log_gives_state, game_from, move_at_random
from tests.table import ME, OPEN, Game, Player, Visitor, friend, path_of, success

MARKS = [True, False, False, False, True]


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def bo(guest: Visitor) -> Player:
    return guest.player("Bo")


def last(reader: Visitor, game: Game) -> Any:
    """The last event, without its place and time."""
    event = reader.events(game)[-1]
    return {name: value for name, value in event.items() if name not in {"seq", "at"}}


def test_a_game_begins_with_how_it_was_opened(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"), ruleset="fixed-house", hints=False, visibility="public")
    created, started = ada.events(game)
    commitment = ada.fairness(game)["commitment"]
    seats = [
        {"index": 0, "type": "human", "name": "Ada", "player_id": ada.id, "level": None},
        {"index": 1, "type": "guest", "name": "Bo", "player_id": ada.id, "level": None},
    ]
    assert created == {
        "seq": 1,
        "type": "game_created",
        "at": game["created_at"],
        "seat": None,
        "ruleset": "fixed-house",
        "visibility": "public",
        "hints": False,
        "turn_seconds": None,
        "host": ada.id,
        "commitment": commitment,
        "seats": seats,
        "daily": None,
    }
    assert started == {
        "seq": 2,
        "type": "game_started",
        "at": game["created_at"],
        "seat": None,
        "seats": seats,
        "next": {"seat": 0, "round": 1, "deadline": None},
    }


def test_joining_and_leaving_are_events(ada: Player, bo: Player) -> None:
    game = bo.join(ada.open(ME, OPEN, OPEN))
    joined = {"type": "seat_joined", "seat": 1, "name": "Bo", "player_id": bo.id}
    assert last(ada, game) == joined
    bo.leave(game)
    assert last(ada, game) == {"type": "seat_left", "seat": 1}
    ada.cancel(game)
    assert last(ada, game) == {"type": "game_cancelled", "seat": None, "reason": "host"}


def test_joining_with_entropy_is_two_events(ada: Player, bo: Player) -> None:
    game = bo.join(ada.open(ME, OPEN, OPEN), "salt")
    assert [event["type"] for event in ada.events(game)][-2:] == ["seat_joined", "entropy_set"]
    assert last(ada, game) == {"type": "entropy_set", "seat": 1, "value": "salt"}


def test_a_roll_tells_its_holds_and_dice(ada: Player) -> None:
    game = ada.roll(ada.open())
    assert last(ada, game) == {
        "type": "dice_rolled",
        "seat": 0,
        "round": 1,
        "roll": 1,
        "held": [False] * 5,
        "dice": game["turn"]["dice"],
    }
    game = ada.roll(game, MARKS)
    assert last(ada, game) == {
        "type": "dice_rolled",
        "seat": 0,
        "round": 1,
        "roll": 2,
        "held": MARKS,
        "dice": game["turn"]["dice"],
    }
    ada.hold(game, [True] * 5)
    assert last(ada, game) == {"type": "dice_held", "seat": 0, "held": [True] * 5}


def test_a_score_tells_points_dice_and_who_is_next(ada: Player) -> None:
    rolled = ada.roll(ada.open(ME, friend("Bo")))
    game = ada.score(rolled, "choice")
    assert last(ada, game) == {
        "type": "category_scored",
        "seat": 0,
        "round": 1,
        "category": "choice",
        "points": sum(rolled["turn"]["dice"]),
        "dice": rolled["turn"]["dice"],
        "next": {"seat": 1, "round": 1, "deadline": None},
    }


def test_resigning_tells_why_and_who_is_next(ada: Player, bo: Player, guest: Visitor) -> None:
    cy = guest.player("Cy")
    game = ada.resign(cy.join(bo.join(ada.open(ME, OPEN, OPEN))))
    following = {"seat": 1, "round": 1, "deadline": None}
    assert last(ada, game) == {
        "type": "seat_resigned",
        "seat": 0,
        "reason": "player",
        "next": following,
    }
    game = cy.resign(game)
    resigned = ada.events(game)[-2]
    assert (resigned["type"], resigned["seat"], resigned["next"]) == ("seat_resigned", 2, None)
    finished = {"type": "game_finished", "seat": None, "winners": [1], "ranks": [2, 1, 2]}
    assert last(ada, game) == finished


def test_the_log_is_read_page_by_page(ada: Player) -> None:
    game = ada.open()
    for _ in range(4):
        game = ada.turn(game)
    whole = ada.events(game)
    told: list[Any] = []
    after: str | None = "0"
    while after is not None:
        page = success(ada.get(path_of(game, f"/events?limit=3&after={after}")))
        assert len(page["items"]) == 3 or page["next_cursor"] is None
        assert page["next_cursor"] in {None, str(page["items"][-1]["seq"])}
        told += page["items"]
        after = page["next_cursor"]
    assert told == whole
    assert [event["seq"] for event in whole] == list(range(1, game["version"] + 1))


@pytest.mark.parametrize("after", [2, 3, 2_147_483_647])
def test_after_the_last_event_there_is_nothing(ada: Player, after: int) -> None:
    game = ada.open()
    page = success(ada.get(path_of(game, f"/events?after={after}")))
    assert page == {"items": [], "next_cursor": None}


def test_a_full_page_that_is_the_last_has_no_next(ada: Player) -> None:
    game = ada.open()
    page = success(ada.get(path_of(game, "/events?limit=2")))
    assert (len(page["items"]), page["next_cursor"]) == (2, None)


def test_who_was_away_reads_what_was_missed(ada: Player, bo: Player) -> None:
    game = bo.join(ada.open(ME, OPEN))
    seen = game["version"]
    ada.roll(game)
    ada.hold(game, MARKS)
    now = ada.score(game, "choice")
    missed = success(bo.get(path_of(game, f"/events?after={seen}")))["items"]
    assert [event["type"] for event in missed] == ["dice_rolled", "dice_held", "category_scored"]
    assert missed[-1]["seq"] == now["version"]
    assert bo.roll(now)["turn"]["seat"] == 1


def test_the_log_only_grows(ada: Player) -> None:
    game = ada.open()
    log: list[Any] = []
    for _ in range(12):
        game = ada.turn(game)
        now = ada.events(game)
        assert now[: len(log)] == log
        log = now


@pytest.mark.parametrize("seed", range(3))
def test_folding_the_log_gives_the_game(guest: Visitor, seed: int) -> None:
    """Whole games at random, with joins, leaves, resignations, guests and entropy."""
    chance = random.Random(seed)
    players = [guest.player(name) for name in ("Ada", "Bo", "Cy", "Di")]
    host, *others = players
    seats = [ME, OPEN, OPEN, OPEN, *[friend("Flo")] * chance.randint(0, 1)]
    chance.shuffle(seats)
    rulesets = ["classic", "fixed-house", "short-straights", "sum-of-five"]
    game = host.open(*seats, ruleset=chance.choice(rulesets))
    for player in others:
        if chance.random() < 0.8:
            game = player.join(game, chance.choice([None, f"salt-{seed}"]))
            if chance.random() < 0.3 and game["status"] == "waiting":
                game = player.leave(game)
    if chance.random() < 0.5:
        game = host.set_entropy(game, "from-the-host")
    if game["status"] == "waiting":
        game = host.start(game)
    assert_log_gives_state(guest, game)
    by_id = {player.id: player for player in players}
    while game["status"] == "active":
        acting = by_id[game["seats"][game["turn"]["seat"]]["player_id"]]
        if chance.random() < 0.01:
            leaving = chance.choice([s for s in game["seats"] if s["state"] == "playing"])
            game = by_id[leaving["player_id"]].resign(game, leaving["index"])
        else:
            game = move_at_random(acting, game, chance)
    assert_log_gives_state(guest, game)


def test_every_answer_is_the_fold_up_to_its_version(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"))
    answers = [game]
    chance = random.Random(3)
    for _ in range(30):
        game = move_at_random(ada, game, chance)
        answers.append(game)
    log = ada.events(game)
    for answer in answers:
        assert game_from(log[: answer["version"]], game["id"]) == answer
