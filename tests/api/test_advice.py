"""Advice over HTTP: every choice once, best first, and the same for a game and for its position."""

import random
from itertools import combinations
from typing import Any

import pytest

from app.api.examples import ADVICE, POSITION
from app.rules import CARD, RULESETS, Ruleset
from app.strategy import TIP_CODES
from app.strategy.position import possible_points
from tests.api.folding import move_at_random
from tests.contract import CONTRACT
from tests.table import (
    CATEGORIES,
    ME,
    NOBODY,
    OPEN,
    Game,
    Json,
    Player,
    Visitor,
    assert_problem,
    bot,
    faults,
    friend,
    path_of,
    success,
)

NONE = [False] * 5
LYING = {"dice": [5, 5, 5, 2, 1], "rolls_left": 1, "scorecard": {}}
FULL = dict.fromkeys(CATEGORIES, 0) | {"choice": 20}
CALL = "/v1/rulesets/classic/advice"
POSITIONS = CONTRACT.validator({"$ref": "#/components/schemas/PositionRequest"})


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


def advise(reader: Visitor, game: Game) -> Json:
    return success(reader.get(path_of(game, "/advice")))


def posted(reader: Visitor, position: Json, ruleset: str = "classic") -> Json:
    return success(reader.post(f"/v1/rulesets/{ruleset}/advice", position))


def position_of(game: Game) -> Json:
    """The position of the seat on turn, to be posted."""
    turn = game["turn"]
    return {
        "dice": turn["dice"],
        "rolls_left": turn["rolls_left"],
        "scorecard": game["seats"][turn["seat"]]["scorecard"],
    }


def keeps(dice: list[int]) -> set[tuple[int, ...]]:
    """The distinct multisets of up to four of the faces."""
    return {tuple(sorted(kept)) for size in range(5) for kept in combinations(dice, size)}


def rounded(value: Any) -> Any:
    """The value with its fractions to three places, as examples have them."""
    match value:
        case float():
            return round(value, 3)
        case list():
            return [rounded(item) for item in value]
        case dict():
            return {name: rounded(item) for name, item in value.items()}
        case _:
            return value


def assert_sound(advice: Json) -> None:
    """Each choice has one row, the rows stand best first, and losses are against the best."""
    dice, holds, scores = advice["dice"], advice["holds"], advice["scores"]
    kept = [tuple(row["kept"]) for row in holds]
    assert len(kept) == len(set(kept))
    assert set(kept) == (keeps(dice) if advice["rolls_left"] else set())
    for row in holds:
        marked = (face for face, stays in zip(dice, row["held"], strict=True) if stays)
        assert sorted(marked) == row["kept"]
    best = max(row["expected_total"] for row in holds + scores)
    assert advice["expected_total"] == best
    for rows in (holds, scores):
        values = [row["expected_total"] for row in rows]
        assert values == sorted(values, reverse=True)
        for row in rows:
            assert row["loss"] == pytest.approx(best - row["expected_total"], abs=1e-9)
            assert row["loss"] >= 0
    if advice["best"]["action"] == "roll":
        assert advice["best"] == {"action": "roll", "held": holds[0]["held"]}
        assert holds[0]["loss"] == 0
    else:
        assert advice["best"] == {"action": "score", "category": scores[0]["category"]}
        assert scores[0]["loss"] == 0


class TestAGame:
    def test_each_choice_of_the_seat_on_turn_has_one_row_best_first(self, ada: Player) -> None:
        game = ada.open(ME, friend("Bo"))
        ada.turn(game, "choice")
        for _ in range(3):
            game = ada.roll(game)
            advice = advise(ada, game)
            turn = game["turn"]
            assert (advice["ruleset"], advice["seat"]) == ("classic", turn["seat"])
            assert (advice["dice"], advice["rolls_left"]) == (turn["dice"], turn["rolls_left"])
            points = {row["category"]: row["points"] for row in advice["scores"]}
            assert points == turn["options"]
            assert_sound(advice)

    def test_before_the_first_roll_there_is_nothing_to_choose(self, ada: Player) -> None:
        advice = advise(ada, ada.open())
        assert (advice["dice"], advice["rolls_left"], advice["seat"]) == (None, 3, 0)
        assert (advice["holds"], advice["scores"]) == ([], [])
        assert advice["best"] == {"action": "roll", "held": NONE}
        assert advice["expected_total"] == pytest.approx(166.95506770457, abs=1e-9)

    def test_after_the_third_roll_only_categories_are_left(self, ada: Player) -> None:
        game = ada.open()
        for _ in range(3):
            game = ada.roll(game)
        advice = advise(ada, game)
        assert advice["holds"] == []
        assert advice["best"]["action"] == "score"
        assert len(advice["scores"]) == 12

    @pytest.mark.parametrize("ruleset", ["classic", "sum-of-five"])
    def test_a_game_is_advised_as_its_position_is(self, ada: Player, ruleset: str) -> None:
        chance = random.Random(ruleset)
        game = ada.open(ME, friend("Bo"), ruleset=ruleset)
        for move in range(48):
            if move % 4 == 3:
                told = advise(ada, game)
                assert posted(ada, position_of(game), ruleset) == told | {"seat": None}
                assert told["seat"] == game["turn"]["seat"]
            game = move_at_random(ada, game, chance)

    def test_holds_that_are_marked_change_nothing(self, ada: Player) -> None:
        game = ada.roll(ada.open())
        before = advise(ada, game)
        ada.hold(game, [True] * 5)
        assert advise(ada, game) == before

    def test_anyone_may_ask_and_asking_changes_nothing(self, guest: Visitor, ada: Player) -> None:
        game = ada.roll(ada.open())
        assert advise(guest, game) == advise(ada, game) == advise(guest.player("Cy"), game)
        assert guest.read(game) == game

    def test_the_answer_has_words(self, ada: Player) -> None:
        game = ada.open()
        chance = random.Random(3)
        codes = set()
        for _ in range(40):
            response = ada.get(path_of(game, "/advice"))
            assert response.headers["Content-Language"] == "en"
            assert "Accept-Language" in response.headers["Vary"]
            assert response.headers["Cache-Control"] == "no-store"
            tip = response.json()["tip"]
            assert tip.keys() == {"code", "text"}
            assert tip["text"].endswith(".")
            assert "{" not in tip["text"]
            codes.add(tip["code"])
            game = move_at_random(ada, game, chance)
            if game["status"] != "active":
                game = ada.open()
        assert codes <= set(TIP_CODES)
        assert len(codes) > 2


class TestHints:
    @pytest.mark.parametrize("below", ["/advice", "/odds"])
    def test_without_hints_a_running_game_tells_nothing(self, ada: Player, below: str) -> None:
        game = ada.open(hints=False)
        assert_problem(ada.get(path_of(game, below)), 403, "hints-off")
        ada.roll(game)
        assert_problem(ada.get(path_of(game, below)), 403, "hints-off")

    @pytest.mark.parametrize("below", ["/advice", "/odds"])
    def test_the_promise_goes_before_the_version(self, ada: Player, below: str) -> None:
        game = ada.open(hints=False)
        assert_problem(ada.get(path_of(game, below), if_match='"99"'), 403, "hints-off")

    @pytest.mark.parametrize("below", ["/advice", "/odds"])
    def test_a_waiting_game_has_nothing_to_tell_whatever_its_hints(
        self, ada: Player, below: str
    ) -> None:
        for hints in (True, False):
            game = ada.open(ME, OPEN, hints=hints)
            assert_problem(ada.get(path_of(game, below)), 409, "not-started")
            stale = ada.get(path_of(game, below), if_match='"99"')
            assert_problem(stale, 412, "stale-version")

    @pytest.mark.parametrize("hints", [True, False], ids=["hints", "no hints"])
    def test_after_the_end_no_choice_is_left(self, ada: Player, *, hints: bool) -> None:
        game = ada.resign(ada.open(hints=hints))
        assert_problem(ada.get(path_of(game, "/advice")), 409, "game-over")
        assert success(ada.get(path_of(game, "/odds")))["seats"]
        stale = ada.get(path_of(game, "/advice"), if_match='"1"')
        assert_problem(stale, 412, "stale-version")

    @pytest.mark.parametrize("below", ["/advice", "/odds"])
    def test_a_cancelled_game_is_over(self, ada: Player, below: str) -> None:
        game = ada.cancel(ada.open(ME, OPEN))
        assert_problem(ada.get(path_of(game, below)), 409, "game-over")

    def test_posted_positions_stay_public(self, guest: Visitor, ada: Player) -> None:
        """It is a promise between players, not a lock."""
        game = ada.roll(ada.open(hints=False))
        assert_sound(posted(guest, position_of(game)))

    def test_a_bot_needs_no_hints(self, ada: Player) -> None:
        game = ada.turn(ada.open(ME, bot("perfect"), hints=False))
        assert game["round"] == 2

    @pytest.mark.parametrize("below", ["/advice", "/odds", "/review"])
    @pytest.mark.parametrize("game_id", [NOBODY, "x"], ids=["unknown", "odd"])
    def test_of_no_game_nothing_is_told(self, guest: Visitor, below: str, game_id: str) -> None:
        assert_problem(guest.get(f"/v1/games/{game_id}{below}"), 404, "not-found")


class TestAPosition:
    def test_the_example_is_what_is_computed(self, guest: Visitor) -> None:
        """The document shows the first rows of each list, to three places."""
        told = rounded(posted(guest, POSITION))
        for name in ("holds", "scores"):
            shown: Any = ADVICE[name]
            told[name] = told[name][: len(shown)]
        assert told == ADVICE | {"seat": None}

    @pytest.mark.parametrize("ruleset", ["classic", "fixed-house", "short-straights"])
    def test_any_position_has_its_rows(self, guest: Visitor, ruleset: str) -> None:
        for dice in ([1, 2, 3, 4, 5], [6, 6, 6, 6, 6], [6, 1, 6, 1, 6]):
            for rolls_left in (0, 1, 2):
                position = {"dice": dice, "rolls_left": rolls_left, "scorecard": {"choice": 20}}
                advice = posted(guest, position, ruleset)
                assert (advice["ruleset"], advice["seat"]) == (ruleset, None)
                assert len(advice["scores"]) == 11
                assert_sound(advice)

    def test_a_missing_category_is_open_as_one_with_null_is(self, guest: Visitor) -> None:
        open_ones = {"twos": 4, "choice": 21}
        nulls = {name: open_ones.get(name) for name in CATEGORIES}
        assert posted(guest, LYING | {"scorecard": nulls}) == posted(
            guest, LYING | {"scorecard": open_ones}
        )

    def test_the_points_on_the_card_are_part_of_every_total(self, guest: Visitor) -> None:
        few, many = (posted(guest, LYING | {"scorecard": {"choice": n}}) for n in (10, 30))
        assert many["expected_total"] == pytest.approx(few["expected_total"] + 20, abs=1e-9)
        for rows in ("holds", "scores"):
            for less, more in zip(few[rows], many[rows], strict=True):
                assert more["expected_total"] == pytest.approx(less["expected_total"] + 20)
                assert more["loss"] == pytest.approx(less["loss"], abs=1e-9)

    def test_before_the_first_roll_dice_are_null(self, guest: Visitor) -> None:
        advice = posted(guest, {"dice": None, "rolls_left": 3, "scorecard": {}})
        assert (advice["holds"], advice["scores"], advice["dice"]) == ([], [], None)
        assert advice["best"] == {"action": "roll", "held": NONE}

    def test_one_open_category_is_enough(self, guest: Visitor) -> None:
        card = FULL | {"yacht": None}
        advice = posted(guest, {"dice": [6, 6, 6, 6, 6], "rolls_left": 2, "scorecard": card})
        assert advice["best"] == {"action": "score", "category": "yacht"}
        assert (advice["expected_total"], advice["scores"][0]["points"]) == (70, 50)

    def test_what_a_category_can_score_depends_on_the_ruleset(self, guest: Visitor) -> None:
        house = LYING | {"scorecard": {"full_house": 25}}
        assert posted(guest, house, "fixed-house")["ruleset"] == "fixed-house"
        smaller = LYING | {"scorecard": {"full_house": 8}}
        assert posted(guest, smaller)["ruleset"] == "classic"
        response = guest.post("/v1/rulesets/fixed-house/advice", smaller)
        assert faults(response) == {("#/scorecard/full_house", "points-impossible")}

    @pytest.mark.parametrize(
        ("position", "fault"),
        [
            ({**LYING, "dice": [0, 1, 2, 3, 4]}, ("#/dice/0", "out-of-range")),
            ({**LYING, "dice": [1, 2, 3, 7, 4]}, ("#/dice/3", "out-of-range")),
            ({**LYING, "dice": [1, 2, 3, 4]}, ("#/dice", "wrong-length")),
            ({**LYING, "dice": [1, 2, 3, 4, 5, 6]}, ("#/dice", "wrong-length")),
            ({**LYING, "dice": [True, 2, 3, 4, 5]}, ("#/dice/0", "wrong-type")),
            ({**LYING, "dice": "12345"}, ("#/dice", "wrong-type")),
            ({**LYING, "dice": None}, ("#/dice", "dice-missing")),
            ({**LYING, "dice": None, "rolls_left": 2}, ("#/dice", "dice-missing")),
            ({**LYING, "rolls_left": 3}, ("#/rolls_left", "dice-before-first-roll")),
            ({**LYING, "rolls_left": 4}, ("#/rolls_left", "out-of-range")),
            ({**LYING, "rolls_left": -1}, ("#/rolls_left", "out-of-range")),
            ({**LYING, "rolls_left": None}, ("#/rolls_left", "wrong-type")),
            ({**LYING, "rolls_left": True}, ("#/rolls_left", "wrong-type")),
            ({**LYING, "rolls_left": 1.0}, ("#/rolls_left", "wrong-type")),
            ({**LYING, "scorecard": FULL}, ("#/scorecard", "card-full")),
            ({**LYING, "scorecard": None}, ("#/scorecard", "wrong-type")),
            ({**LYING, "scorecard": []}, ("#/scorecard", "wrong-type")),
            ({**LYING, "scorecard": {"kniffel": 0}}, ("#/scorecard", "unknown")),
            ({**LYING, "scorecard": {"ones": 6}}, ("#/scorecard/ones", "points-impossible")),
            ({**LYING, "scorecard": {"twos": 3}}, ("#/scorecard/twos", "points-impossible")),
            ({**LYING, "scorecard": {"choice": 4}}, ("#/scorecard/choice", "points-impossible")),
            ({**LYING, "scorecard": {"yacht": 49}}, ("#/scorecard/yacht", "points-impossible")),
            ({**LYING, "scorecard": {"yacht": 51}}, ("#/scorecard/yacht", "out-of-range")),
            ({**LYING, "scorecard": {"ones": -1}}, ("#/scorecard/ones", "out-of-range")),
            ({**LYING, "scorecard": {"ones": False}}, ("#/scorecard/ones", "wrong-type")),
            ({**LYING, "scorecard": {"ones": "1"}}, ("#/scorecard/ones", "wrong-type")),
            ({**LYING, "seat": 0}, ("#", "unknown")),
            ({"rolls_left": 3, "scorecard": {}}, ("#/dice", "required")),
            ({"dice": None, "scorecard": {}}, ("#/rolls_left", "required")),
            ({"dice": None, "rolls_left": 3}, ("#/scorecard", "required")),
        ],
        ids=lambda value: repr(value)[:70] if isinstance(value, dict) else "",
    )
    def test_what_no_turn_comes_to_is_refused_where_it_does_not_fit(
        self, guest: Visitor, position: Json, fault: tuple[str, str]
    ) -> None:
        assert faults(guest.post(CALL, position)) == {fault}
        # To JSON Schema 1.0 is an integer, and it is the only thing that it cannot refuse.
        assert POSITIONS.is_valid(position) == isinstance(position.get("rolls_left"), float)

    @pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
    def test_the_document_allows_all_that_a_category_can_bring(self, ruleset: Ruleset) -> None:
        for category in CARD:
            for points in (None, *possible_points(ruleset, category)):
                assert POSITIONS.is_valid(LYING | {"scorecard": {str(category): points}})

    def test_an_empty_body_lacks_everything(self, guest: Visitor) -> None:
        required = {(f"#/{name}", "required") for name in ("dice", "rolls_left", "scorecard")}
        assert faults(guest.post(CALL)) == required

    def test_an_unknown_ruleset_is_not_found_after_the_body(self, guest: Visitor) -> None:
        path = "/v1/rulesets/kniffel/advice"
        assert_problem(guest.post(path, LYING), 404, "not-found")
        assert faults(guest.post(path, {**LYING, "rolls_left": 4}))
