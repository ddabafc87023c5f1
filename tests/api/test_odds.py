"""Odds over HTTP: how each seat's total will come out, and who wins."""

import pytest

from app.api.examples import ODDS, POSITION
from app.rules import RULESETS, Scorecard
from app.schemas.advice import odds_view
from app.strategy import Position, Standing, distributions
from app.strategy import odds as computed
from tests.api.dice import seeds
from tests.api.test_advice import advise, rounded
from tests.api.test_endings import is_tie, played_out
from tests.conftest import Serve
from tests.table import CATEGORIES, ME, OPEN, Game, Json, Player, Visitor, friend, path_of, success

PERCENTILES = ["p5", "p25", "p50", "p75", "p95"]


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


def odds(reader: Visitor, game: Game) -> list[Json]:
    told = success(reader.get(path_of(game, "/odds")))
    assert told.keys() == {"seats"}
    seats: list[Json] = told["seats"]
    assert [seat["seat"] for seat in seats] == list(range(len(game["seats"])))
    return seats


def chances(seats: list[Json]) -> list[float]:
    return [seat["win_probability"] for seat in seats]


def certain(total: int) -> Json:
    """What is told of a seat whose total is settled, but for its chance to win."""
    return {"expected_total": total, "percentiles": dict.fromkeys(PERCENTILES, total)}


def settled(seat: Json) -> Json:
    return {name: seat[name] for name in ("expected_total", "percentiles")}


def test_the_example_is_what_is_computed() -> None:
    """The one seat of a solo game in the position of the example."""
    scorecard: dict[str, int] = POSITION["scorecard"]  # type: ignore[assignment]
    card = Scorecard(**scorecard)
    seat = Standing(card, Position(card, (5, 5, 5, 2, 1), 1))
    told = odds_view(computed(distributions(RULESETS["classic"]), [seat]))
    assert rounded(told) == ODDS


def test_every_seat_is_told_and_the_chances_to_win_sum_to_one(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"), friend("Cy"))
    for _ in range(8):
        game = ada.turn(game)
        seats = odds(ada, game)
        assert sum(chances(seats)) == pytest.approx(1, abs=1e-9)
        assert all(0 < chance < 1 for chance in chances(seats))
        for seat, told in zip(game["seats"], seats, strict=True):
            points = list(told["percentiles"].values())
            assert list(told["percentiles"]) == PERCENTILES
            assert points == sorted(points)
            assert seat["total"] <= points[0] < told["expected_total"] < points[-1]


def test_a_new_game_is_even(ada: Player) -> None:
    seats = odds(ada, ada.open(*[ME, *[friend("Bo")] * 7]))
    assert chances(seats) == pytest.approx([1 / 8] * 8)
    totals = [seat["expected_total"] for seat in seats]
    assert totals == pytest.approx([166.95506770457] * 8, abs=1e-6)


def test_a_seat_alone_wins(ada: Player) -> None:
    assert chances(odds(ada, ada.open())) == [pytest.approx(1)]


def test_the_seat_on_turn_is_told_with_its_dice_and_rolls(ada: Player) -> None:
    game = ada.turn(ada.open(ME, friend("Bo")))
    for _ in range(3):
        game = ada.roll(game)
        on_turn = odds(ada, game)[game["turn"]["seat"]]
        expected = advise(ada, game)["expected_total"]
        assert on_turn["expected_total"] == pytest.approx(expected, abs=1e-6)


def test_a_seat_that_waits_is_told_by_its_card_alone(ada: Player) -> None:
    game = ada.turn(ada.open(ME, friend("Bo")))
    waiting = odds(ada, game)[0]
    assert odds(ada, ada.roll(game))[0]["percentiles"] == waiting["percentiles"]


def test_a_seat_that_gave_up_cannot_win_and_keeps_its_points(ada: Player) -> None:
    game = ada.turn(ada.open(ME, friend("Bo"), friend("Cy")), "choice")
    game = ada.resign(game, 0)
    seats = odds(ada, game)
    assert chances(seats)[0] == 0
    assert sum(chances(seats)) == pytest.approx(1)
    assert settled(seats[0]) == certain(game["seats"][0]["total"])


@pytest.mark.parametrize("hints", [True, False], ids=["hints", "no hints"])
def test_after_the_end_the_totals_are_as_they_are(ada: Player, *, hints: bool) -> None:
    game = played_out(ada, ada.open(ME, friend("Bo"), hints=hints))
    seats = odds(ada, game)
    for index, seat in enumerate(seats):
        assert settled(seat) == certain(game["seats"][index]["total"])
        is_winner = index in game["winners"]
        assert seat["win_probability"] == (1 / len(game["winners"]) if is_winner else 0)


def test_a_tie_is_shared(serve: Serve) -> None:
    seed = next(seed for seed in seeds() if is_tie(seed))
    with serve(new_seed=lambda: seed) as guest:
        ada = guest.player()
        game = played_out(ada, ada.open(ME, friend("Bo")))
        assert game["winners"] == [0, 1]
        assert chances(odds(ada, game)) == [0.5, 0.5]


def test_the_last_one_left_has_won(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    game = ada.resign(bo.join(ada.open(ME, OPEN)))
    assert chances(odds(guest, game)) == [0, 1]


def test_a_solo_game_given_up_has_no_winner(ada: Player) -> None:
    game = ada.resign(ada.turn(ada.open(), "choice"))
    [seat] = odds(ada, game)
    assert seat["win_probability"] == 0
    assert settled(seat) == certain(game["seats"][0]["total"])


def test_a_last_category_leaves_little_to_chance(ada: Player) -> None:
    """With yacht alone to come there are two totals."""
    game = ada.open()
    for category in CATEGORIES[:-1]:
        game = ada.turn(game, category)
    total = game["seats"][0]["total"]
    [seat] = odds(ada, game)
    assert seat["percentiles"] == dict.fromkeys(PERCENTILES, total)
    assert seat["expected_total"] == pytest.approx(total + 50 * 0.0460286, abs=1e-3)
