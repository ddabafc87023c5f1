"""A turn: at most three rolls, holds between them, one category."""

import random

import pytest

from tests.api.dice import drawn, seed_where
from tests.api.folding import move_at_random
from tests.conftest import Serve
from tests.table import (
    CATEGORIES,
    ME,
    OPEN,
    Game,
    Json,
    Player,
    Visitor,
    assert_problem,
    faults,
    friend,
)

NONE = [False] * 5
ALL = [True] * 5
THIRD = [False, False, True, False, False]

ODD_CATEGORIES: tuple[Json, ...] = (
    *(None, "", " ", "s", "one", "ONES ", "Ones", 0, True, [], ["ones"], {}),
)


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def game(ada: Player) -> Game:
    return ada.open()


def test_the_first_roll_gives_five_dice(ada: Player, game: Game) -> None:
    response = ada.ask("roll", game)
    turn = response.json()["turn"]
    assert response.status_code == 201
    assert len(turn["dice"]) == 5
    assert (turn["rolls_used"], turn["rolls_left"], turn["held"]) == (1, 2, NONE)
    assert list(turn["options"]) == list(CATEGORIES)
    assert turn["options"]["choice"] == sum(turn["dice"])
    assert turn["actions"] == ["roll", "hold", "score"]


def test_the_first_roll_may_hold_nothing_explicitly(ada: Player, game: Game) -> None:
    assert ada.roll(game, NONE)["turn"]["rolls_used"] == 1


def test_nothing_can_be_held_or_scored_before_the_first_roll(ada: Player, game: Game) -> None:
    assert_problem(ada.ask("roll", game, {"held": THIRD}), 409, "roll-first")
    assert_problem(ada.ask("hold", game, {"held": THIRD}), 409, "roll-first")
    assert_problem(ada.ask("hold", game, {"held": NONE}), 409, "roll-first")
    assert_problem(ada.ask("score", game, {"category": "ones"}), 409, "roll-first")
    assert ada.read(game) == game


def test_held_dice_stay_where_they_are(guest: Visitor) -> None:
    """Each of the 32 ways to hold keeps exactly the held positions of the dice."""
    ada = guest.player()
    for marks in range(31):
        held = [bool(marks >> place & 1) for place in range(5)]
        game = ada.roll(ada.open())
        after = ada.roll(game, held)
        dice = zip(held, game["turn"]["dice"], after["turn"]["dice"], strict=True)
        assert all(old == new for is_held, old, new in dice if is_held)
        assert after["turn"]["held"] == held


def test_what_is_not_held_is_drawn_anew(serve: Serve) -> None:
    """With a known seed: held positions keep their face, the others show the draw of that roll."""
    seed = bytes(range(32))
    with serve(new_seed=lambda: seed) as guest:
        ada = guest.player()
        game = ada.roll(ada.open())
        assert game["turn"]["dice"] == [6, 4, 3, 3, 1]
        game = ada.roll(game, [False, False, True, True, False])
        assert game["turn"]["dice"] == [2, 3, 3, 3, 2]
        third = drawn(seed, 0, 1, 3)
        game = ada.roll(game, [False, True, True, True, False])
        assert game["turn"]["dice"] == [third[0], 3, 3, 3, third[4]]


def test_dice_are_never_sorted(guest: Visitor) -> None:
    ada = guest.player()
    games = [ada.roll(ada.open()) for _ in range(100)]
    rolls = [game["turn"]["dice"] for game in games]
    # By chance some three of a hundred are; that thirteen are happens once in 50,000 times.
    assert sum(dice == sorted(dice) for dice in rolls) < 13
    assert sum(dice == sorted(dice, reverse=True) for dice in rolls) < 13
    for game in games[:10]:
        assert ada.read(game)["turn"]["dice"] == game["turn"]["dice"]
        assert ada.events(game)[-1]["dice"] == game["turn"]["dice"]


def test_holds_survive_the_roll(ada: Player, game: Game) -> None:
    ada.roll(game)
    ada.hold(game, THIRD)
    assert ada.roll(game)["turn"]["held"] == THIRD


def test_a_roll_without_holds_leaves_the_marks(ada: Player, game: Game) -> None:
    before = ada.hold(ada.roll(game), THIRD)
    after = ada.roll(game)
    assert after["turn"]["dice"][2] == before["turn"]["dice"][2]
    assert ada.events(game)[-1]["held"] == THIRD


def test_a_roll_with_holds_is_one_event(ada: Player, game: Game) -> None:
    before = ada.roll(game)
    after = ada.roll(game, THIRD)
    assert after["version"] == before["version"] + 1
    assert ada.events(game)[-1]["type"] == "dice_rolled"


def test_holds_may_change_until_the_next_roll(ada: Player, game: Game) -> None:
    ada.roll(game)
    assert ada.hold(game, THIRD)["turn"]["held"] == THIRD
    assert ada.hold(game, ALL)["turn"]["held"] == ALL
    response = ada.ask("hold", game, {"held": NONE})
    assert (response.status_code, response.json()["turn"]["held"]) == (200, NONE)
    assert [event["type"] for event in ada.events(game)][-3:] == ["dice_held"] * 3


def test_holding_the_same_again_is_no_event(ada: Player, game: Game) -> None:
    ada.roll(game)
    before = ada.hold(game, THIRD)
    assert ada.hold(game, THIRD) == before


def test_all_five_held_leaves_nothing_to_roll(ada: Player, game: Game) -> None:
    ada.roll(game)
    held = ada.hold(game, ALL)
    assert held["turn"]["actions"] == ["hold", "score"]
    assert_problem(ada.ask("roll", game), 409, "all-dice-held")
    assert_problem(ada.ask("roll", game, {"held": ALL}), 409, "all-dice-held")
    assert ada.read(game) == held
    assert ada.roll(game, THIRD)["turn"]["rolls_used"] == 2


def test_there_is_no_fourth_roll(ada: Player, game: Game) -> None:
    ada.roll(ada.roll(game))
    before = ada.roll(game)
    assert before["turn"]["actions"] == ["score"]
    assert (before["turn"]["rolls_used"], before["turn"]["rolls_left"]) == (3, 0)
    assert_problem(ada.ask("roll", game), 409, "no-rolls-left")
    assert_problem(ada.ask("hold", game, {"held": THIRD}), 409, "no-rolls-left")
    assert ada.read(game) == before
    assert ada.score(game, "choice")["turn"]["rolls_used"] == 0


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_a_turn_may_end_after_any_roll(ada: Player, game: Game, rolls: int) -> None:
    rolled = ada.roll(game)
    for _ in range(rolls - 1):
        rolled = ada.roll(game)
    response = ada.ask("score", game, {"category": "choice"})
    assert response.status_code == 201
    assert response.json()["seats"][0]["scorecard"]["choice"] == sum(rolled["turn"]["dice"])


def test_scoring_clears_the_turn(ada: Player, game: Game) -> None:
    ada.hold(ada.roll(game), THIRD)
    after = ada.score(game, "choice")
    assert (after["round"], after["turn"]["dice"], after["turn"]["held"]) == (2, None, NONE)
    assert (after["turn"]["options"], after["turn"]["actions"]) == ({}, ["roll"])


def test_the_options_are_what_scoring_brings(ada: Player, game: Game) -> None:
    for _ in CATEGORIES:
        turn = ada.roll(game)["turn"]
        category, points = random.choice(list(turn["options"].items()))
        game = ada.score(game, category)
        assert game["seats"][0]["scorecard"][category] == points
    card = game["seats"][0]["scorecard"]
    assert game["seats"][0]["total"] == sum(card.values())


def test_a_filled_category_is_no_option(ada: Player, game: Game) -> None:
    ada.turn(game, "choice")
    assert "choice" not in ada.roll(game)["turn"]["options"]


def test_a_category_is_filled_once(ada: Player, game: Game) -> None:
    before = ada.turn(game, "choice")
    rolled = ada.roll(before)
    assert_problem(ada.ask("score", game, {"category": "choice"}), 409, "category-used")
    assert ada.read(game) == rolled
    assert rolled["seats"] == before["seats"]


def test_a_zero_fills_a_category_for_good(serve: Serve) -> None:
    seed = seed_where(lambda seed: len(set(drawn(seed, 0, 1, 1))) > 1)
    with serve(new_seed=lambda: seed) as guest:
        ada = guest.player()
        game = ada.turn(ada.open(), "yacht")
        assert game["seats"][0]["scorecard"]["yacht"] == 0
        ada.roll(game)
        assert_problem(ada.ask("score", game, {"category": "yacht"}), 409, "category-used")


def test_seats_take_turns_in_order(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"), friend("Cy"))
    seats = []
    for _ in range(7):
        seats.append((game["round"], game["turn"]["seat"]))
        game = ada.turn(game)
    assert seats == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0)]


def test_nobody_plays_another_s_turn(guest: Visitor, ada: Player) -> None:
    bo, cy = guest.player("Bo"), guest.player("Cy")
    game = ada.roll(bo.join(ada.open(ME, OPEN)))
    other = cy.open()
    for verb, body in (
        ("roll", None),
        ("hold", {"held": THIRD}),
        ("score", {"category": "choice"}),
    ):
        assert_problem(bo.ask(verb, game, body), 409, "not-your-turn")
        assert_problem(cy.ask(verb, game, body), 403, "not-in-game")
        assert_problem(ada.ask(verb, other, body), 403, "not-in-game")
    assert guest.read(game) == game


def test_a_host_plays_for_the_guests_only(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    game = ada.turn(bo.join(ada.open(ME, OPEN, friend("Cy"))))
    assert_problem(ada.ask("roll", game), 409, "not-your-turn")
    game = bo.turn(game)
    assert_problem(bo.ask("roll", game), 409, "not-your-turn")
    assert ada.turn(game)["turn"]["seat"] == 0


def test_whose_turn_it_is_follows_from_the_seats(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    game = bo.join(ada.open(ME, OPEN, friend("Cy")))
    for acting in (ada, bo, ada, ada):
        assert game["seats"][game["turn"]["seat"]]["player_id"] == acting.id
        game = acting.turn(game)


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        *(
            pytest.param(verb, {"held": held}, id=f"{verb} {held}")
            for verb in ("hold", "roll")
            for held in (
                [-1],
                [5],
                [0, 0],
                [0, 1, 2, 3, 4, 4],
                [99999999999],
                [0, 1, 2, 3, 4],
                [],
                [True] * 4,
                [True] * 6,
                [True, False, True, False, None],
                "10101",
                {"0": True},
                None,
            )
        ),
        *(
            pytest.param("score", {"category": category}, id=f"score {category!r}")
            for category in ODD_CATEGORIES
        ),
        pytest.param("score", {}, id="score without a category"),
    ],
)
def test_what_is_no_hold_and_no_category_changes_nothing_at_a_table(
    ada: Player, verb: str, body: Json
) -> None:
    """Dice on it, some of them held."""
    game = ada.hold(ada.roll(ada.open()), [True, False, False, True, False])
    pointers = {pointer for pointer, _ in faults(ada.ask(verb, game, body))}
    assert pointers
    assert all(pointer.startswith(("#/held", "#/category")) for pointer in pointers)
    assert ada.read(game) == game
    assert len(ada.events(game)) == game["version"]


def test_a_random_walk_keeps_the_turn_in_order(ada: Player) -> None:
    """Rolls used 0 to 3, one turn open, cells filled = turns done, whatever is tried."""
    chance = random.Random(7)
    game = ada.open(ME, friend("Bo"))
    done = 0
    while game["status"] == "active":
        verb = chance.choice(["roll", "hold", "score", "score"])
        held = [chance.random() < 0.5 for _ in range(5)]
        body = {"category": chance.choice(CATEGORIES)} if verb == "score" else {"held": held}
        response = ada.ask(verb, game, body)
        if response.status_code == 409:
            assert ada.read(game) == game
            game = move_at_random(ada, game, chance)
        else:
            game = response.json()
        cells = [c for seat in game["seats"] for c in seat["scorecard"].values() if c is not None]
        assert len(cells) - done in {0, 1}
        done = len(cells)
        assert game["turn"] is None or 0 <= game["turn"]["rolls_used"] <= 3
    assert done == sum(event["type"] == "category_scored" for event in ada.events(game)) == 24
