"""Reviews over HTTP: every decision of a finished game and what it cost, luck and skill apart."""

import random
from typing import Any

import pytest

from app.api.examples import REVIEW
from app.rules import RULESETS
from app.schemas.advice import review_view
from app.strategy import review as reviewed
from app.strategy import tables
from tests.api.folding import move_at_random
from tests.api.test_advice import advise, rounded
from tests.builders import created
from tests.conftest import Serve
from tests.strategy.games import play_game
from tests.table import (
    CATEGORIES,
    ME,
    OPEN,
    Game,
    Json,
    Player,
    Visitor,
    assert_problem,
    bot,
    friend,
    path_of,
    success,
)

CLASSIC = RULESETS["classic"]
SUMS = ("expectation", "luck", "loss")


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


def test_the_example_is_what_is_computed_of_a_game() -> None:
    """Its first two decisions, to three places."""
    events, game = play_game(tables(CLASSIC), created("Ada"), ("casual",), random.Random(1))
    told: Any = rounded(review_view(reviewed(tables(CLASSIC), events)))
    [seat] = told["seats"]
    [shown] = REVIEW["seats"]
    assert seat["total"] == game.seats[0].card.total
    assert seat | {"decisions": seat["decisions"][:2]} == shown


def review(reader: Visitor, game: Game) -> list[Json]:
    told = success(reader.get(path_of(game, "/review")))
    assert told.keys() == {"seats"}
    seats: list[Json] = told["seats"]
    assert [seat["seat"] for seat in seats] == list(range(len(game["seats"])))
    return seats


def assert_adds_up(seat: Json) -> None:
    assert seat["total"] == pytest.approx(
        seat["expectation"] + seat["luck"] - seat["loss"], abs=1e-6
    )
    assert seat["loss"] == pytest.approx(sum(d["loss"] for d in seat["decisions"]), abs=1e-9)


def choice_of(event: Json) -> Json:
    """What an event says was chosen, as advice has it."""
    if event["type"] == "category_scored":
        return {"action": "score", "category": event["category"]}
    return {"action": "roll", "held": event["held"]}


def kept(dice: list[int], choice: Json) -> Any:
    """What a choice comes to: the category, or the faces that stay."""
    if choice["action"] == "score":
        return choice["category"]
    return sorted(face for face, stays in zip(dice, choice["held"], strict=True) if stays)


def random_game(player: Player, chance: random.Random, *seats: Json) -> tuple[Game, list[Json]]:
    """A whole game, and the advice and the version before each decision."""
    game = player.open(*seats)
    asked = []
    while game["status"] == "active":
        if game["turn"]["dice"] is not None:
            asked.append(advise(player, game) | {"version": game["version"]})
        game = move_at_random(player, game, chance)
    return game, asked


@pytest.fixture(scope="module")
def played(guest: Visitor) -> tuple[Visitor, Game, list[Json]]:
    """A game of two with holds put and taken back, and what was advised at each step."""
    ada = guest.player()
    return (guest, *random_game(ada, random.Random(5), ME, friend("Bo")))


Played = tuple[Visitor, Game, list[Json]]


def test_a_total_is_expectation_plus_luck_minus_loss(played: Played) -> None:
    guest, game, _ = played
    for told, seat in zip(review(guest, game), game["seats"], strict=True):
        assert told["total"] == seat["total"]
        assert told["expectation"] == pytest.approx(166.95506770457, abs=1e-9)
        assert_adds_up(told)


def test_there_is_one_decision_a_roll_made_and_putting_holds_is_none(played: Played) -> None:
    guest, game, _ = played
    log = guest.events(game)
    assert any(event["type"] == "dice_held" for event in log)
    for told in review(guest, game):
        rolls = [e for e in log if e["type"] == "dice_rolled" and e["seat"] == told["seat"]]
        decisions = [(d["round"], d["roll"]) for d in told["decisions"]]
        assert decisions == [(roll["round"], roll["roll"]) for roll in rolls]


def test_a_decision_has_the_seq_of_the_event_that_did_it(played: Played) -> None:
    guest, game, _ = played
    log = {event["seq"]: event for event in guest.events(game)}
    for told in review(guest, game):
        for decision in told["decisions"]:
            event = log[decision["seq"]]
            assert event["type"] in {"dice_rolled", "category_scored"}
            assert (event["seat"], event["round"]) == (told["seat"], decision["round"])
            assert decision["chosen"] == choice_of(event)


def test_a_decision_costs_what_the_advice_for_it_said(played: Played) -> None:
    """The last advice before the event that did it: that of the roll, whatever was held since."""
    guest, game, asked = played
    for told in review(guest, game):
        for decision in told["decisions"]:
            advice = max(
                (a for a in asked if a["version"] < decision["seq"]), key=lambda a: a["version"]
            )
            assert advice["seat"] == told["seat"]
            assert decision["best"] == advice["best"]
            chosen = kept(advice["dice"], decision["chosen"])
            rows = {tuple(row["kept"]): row["loss"] for row in advice["holds"]}
            losses = rows | {row["category"]: row["loss"] for row in advice["scores"]}
            loss = losses[tuple(chosen) if isinstance(chosen, list) else chosen]
            assert decision["loss"] == pytest.approx(loss, abs=1e-8)


@pytest.mark.parametrize("hints", [True, False], ids=["hints", "no hints"])
def test_a_review_comes_with_the_end(ada: Player, *, hints: bool) -> None:
    waiting = ada.open(ME, OPEN, hints=hints)
    assert_problem(ada.get(path_of(waiting, "/review")), 409, "not-finished")
    cancelled = ada.cancel(waiting)
    assert_problem(ada.get(path_of(cancelled, "/review")), 409, "not-finished")
    game = ada.open(hints=hints)
    for category in CATEGORIES:
        assert_problem(ada.get(path_of(game, "/review")), 409, "not-finished")
        game = ada.turn(game, category)
    [seat] = review(ada, game)
    assert_adds_up(seat)


def test_the_version_goes_before_the_state(ada: Player) -> None:
    game = ada.open()
    assert_problem(ada.get(path_of(game, "/review"), if_match='"1"'), 412, "stale-version")


def test_where_the_card_is_not_full_there_are_no_sums(ada: Player) -> None:
    """Giving up after a roll is no decision about it."""
    game = ada.turn(ada.turn(ada.open(ME, friend("Bo"), friend("Cy"))))
    game = ada.resign(ada.roll(game), 2)
    while game["status"] == "active":
        game = ada.turn(game)
    first, second, gone = review(ada, game)
    for seat in (first, second):
        assert_adds_up(seat)
        assert len(seat["decisions"]) == 12
    assert [gone[name] for name in SUMS] == [None] * 3
    assert (gone["total"], gone["decisions"]) == (0, [])


def test_a_seat_that_gave_up_keeps_its_decisions(ada: Player) -> None:
    game = ada.resign(ada.roll(ada.roll(ada.turn(ada.open(), "choice"))))
    [seat] = review(ada, game)
    assert [seat[name] for name in SUMS] == [None] * 3
    assert seat["total"] == game["seats"][0]["total"]
    assert [(d["round"], d["roll"]) for d in seat["decisions"]] == [(1, 1), (2, 1)]


def test_a_perfect_bot_loses_nothing(ada: Player) -> None:
    game = ada.open(ME, bot("perfect"))
    while game["status"] == "active":
        game = ada.turn(game)
    _, perfect = review(ada, game)
    assert perfect["loss"] == 0
    assert all(d["chosen"] == d["best"] for d in perfect["decisions"])
    assert_adds_up(perfect)


def test_moves_made_by_the_clock_count_as_the_seat_s(serve: Serve) -> None:
    time = 1_800_000_000_000
    with serve(now=lambda: time) as guest:
        ada = guest.player()
        game = ada.open(turn_seconds=10)
        time += 10_001
        assert_problem(ada.ask("roll", game), 409, "turn-expired")
        game = ada.read(game)
        while game["status"] == "active":
            game = ada.turn(game)
        [seat] = review(ada, game)
        first = seat["decisions"][0]
        event = guest.events(game)[first["seq"] - 1]
        assert (event["type"], event["round"]) == ("category_scored", 1)
        assert first["chosen"] == choice_of(event)
        assert len(seat["decisions"]) == 12
        assert_adds_up(seat)
