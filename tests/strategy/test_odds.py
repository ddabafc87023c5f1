"""Odds: distributions held against values, brute force, simulated games and plain enumeration."""

from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest

from app.rules import CARD, RULESETS, Category, Ruleset, Scorecard
from app.strategy import (
    Position,
    Standing,
    distributions,
    final_odds,
    odds,
    percentiles,
    simulate,
    standings,
    total_distribution,
    win_probabilities,
)
from app.strategy.multisets import FloatArray, roll_number
from app.strategy.solver import ALL_OPEN, tables
from tests.builders import PLAIN, dice, play, play_to_end, resign, roll, table, take_turn
from tests.strategy.brute_force import ROLLS, Endgame, as_dice, throws
from tests.strategy.positions import any_position, card_with
from tests.strategy.test_solver import ODD, bits

CLASSIC = RULESETS["classic"]


def mean(chances: FloatArray) -> float:
    return float(chances @ np.arange(len(chances)))


@pytest.mark.parametrize("ruleset", [CLASSIC, ODD], ids=["classic", "odd"])
def test_every_distribution_adds_up_to_one_and_has_the_value_as_its_mean(ruleset: Ruleset) -> None:
    """All 4,096 sets of open categories."""
    known, values = distributions(ruleset), tables(ruleset).values
    for only in range(ALL_OPEN + 1):
        chances = known.to_come(only)
        assert chances.min() >= 0
        assert abs(chances.sum() - 1) < 1e-12
        assert abs(mean(chances) - values[only]) < 1e-9


def test_every_roll_has_the_mean_that_it_is_worth() -> None:
    random = Random(3)
    for _ in range(60):
        at = any_position(random, CLASSIC)
        assert at.dice is not None
        chances = total_distribution(distributions(CLASSIC), Standing(at.card, at))
        only = bits(*at.card.open_categories)
        worth = tables(CLASSIC).turn(only).rolled[at.rolls_left][roll_number(at.dice), 0]
        assert chances.sum() == pytest.approx(1, abs=1e-12)
        assert mean(chances) == pytest.approx(at.card.total + worth, abs=1e-9)


def test_a_last_choice_is_distributed_as_brute_force_finds() -> None:
    """From roll to roll, with what the second reckoning holds; of choice only high dice stay."""
    endgame = Endgame(CLASSIC, Category.CHOICE)
    lying = {faces: ways / 6**5 for faces, ways in throws(5)}
    expected = np.zeros(31)
    for rolls_left in (2, 1):
        following: dict[tuple[int, ...], float] = dict.fromkeys(lying, 0.0)
        for faces, chance in lying.items():
            held = [tuple(face for face in faces if face >= least) for least in range(2, 8)]
            worth = {kept: endgame.holding(kept, rolls_left) for kept in held if len(kept) < 5}
            best = max(worth, key=lambda kept: worth[kept], default=faces)
            if best == faces or worth[best] <= sum(faces):
                expected[sum(faces)] += chance
                continue
            for shown, ways in throws(5 - len(best)):
                following[tuple(sorted(best + shown))] += chance * ways / 6 ** len(shown)
        lying = following
    for faces, chance in lying.items():
        expected[sum(faces)] += chance
    found = distributions(CLASSIC).to_come(bits(Category.CHOICE))
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_last_yacht_comes_with_the_chance_that_its_value_says() -> None:
    found = distributions(CLASSIC).to_come(bits(Category.YACHT))
    assert found[50] == pytest.approx(float(Endgame(CLASSIC, Category.YACHT).expected()) / 50)
    assert found[0] == pytest.approx(1 - found[50])


def test_simulated_games_are_distributed_as_computed() -> None:
    """Kolmogorov's distance stays below its bound for a chance of error of one in a thousand."""
    games = 8000
    totals = simulate(tables(CLASSIC), games, "perfect", np.random.default_rng(11).random)
    chances = distributions(CLASSIC).to_come(ALL_OPEN)
    counted = np.bincount(totals, minlength=len(chances)) / games
    distance = np.abs(np.cumsum(counted) - np.cumsum(chances)).max()
    assert distance < 1.95 / games**0.5
    deviation = np.sqrt(chances @ np.arange(len(chances)) ** 2 - mean(chances) ** 2)
    assert totals.mean() == pytest.approx(mean(chances), abs=4 * deviation / games**0.5)


def test_a_percentile_is_the_smallest_total_that_is_reached_often_enough() -> None:
    assert percentiles(np.array([0.05, 0.2, 0.25, 0.25, 0.2, 0.05])) == {
        "p5": 0,
        "p25": 1,
        "p50": 2,
        "p75": 3,
        "p95": 4,
    }
    assert set(percentiles(np.array([0.0, 0.0, 1.0])).values()) == {2}


def enumerated(totals: list[FloatArray]) -> list[float]:
    """Each seat's chance to win, ties shared, by going through all combinations of totals."""
    wins = [0.0] * len(totals)
    for outcome in product(*(range(len(chances)) for chances in totals)):
        chance = prod(chances[t] for chances, t in zip(totals, outcome, strict=True))
        best = [i for i, t in enumerate(outcome) if t == max(outcome)]
        for winner in best:
            wins[winner] += chance / len(best)
    return wins


@pytest.mark.parametrize("seats", range(1, 9))
def test_the_chance_to_win_is_what_enumeration_finds(seats: int) -> None:
    """Up to eight seats, few totals each, so that ties are frequent."""
    random = np.random.default_rng(seats)
    totals = [random.dirichlet(np.ones(random.integers(2, 4))) for _ in range(seats)]
    assert win_probabilities(totals) == pytest.approx(enumerated(totals), abs=1e-12)


def test_a_tie_is_shared_by_all_who_tie() -> None:
    certain = np.array([0.0, 1.0])
    assert win_probabilities([certain] * 8) == pytest.approx([1 / 8] * 8)
    assert win_probabilities([]) == []
    with pytest.raises(ValueError, match="more than 8 seats"):
        win_probabilities([certain] * 9)


def test_a_new_game_is_even_and_a_seat_alone_wins() -> None:
    known = distributions(CLASSIC)
    first, second = odds(known, standings(table("Ada", "Bo")))
    assert first.win_probability == second.win_probability == pytest.approx(0.5)
    assert first.expected_total == pytest.approx(166.95506770457)
    (alone,) = odds(known, standings(table("Ada")))
    assert alone.win_probability == pytest.approx(1)


def test_a_seat_that_gave_up_keeps_its_points_and_cannot_win() -> None:
    game = take_turn(table("Ada", "Bo", "Cy"), Category.CHOICE, dice("6 6 6 6 5"))
    seats = odds(distributions(CLASSIC), standings(play(game, resign(0))))
    assert seats[0].win_probability == 0
    assert seats[0].expected_total == 29
    assert set(seats[0].percentiles.values()) == {29}
    assert sum(seat.win_probability for seat in seats) == pytest.approx(1)
    assert seats[1].win_probability == pytest.approx(seats[2].win_probability)


def test_a_good_roll_of_the_seat_on_turn_counts() -> None:
    game = roll(table("Ada", "Bo"), dice("6 6 6 6 6"))
    first, second = odds(distributions(CLASSIC), standings(game))
    assert first.win_probability > 0.7
    assert first.expected_total == pytest.approx(201.47385936, abs=1e-6)
    assert second.expected_total == pytest.approx(166.95506770457)


def test_a_seat_with_a_full_card_has_its_total() -> None:
    """The first seat has finished, the second has its last turn before it, yacht alone open."""
    full = card_with()._replace(choice=25)
    rest = card_with("yacht")._replace(choice=20)
    first, second = odds(distributions(CLASSIC), [Standing(full), Standing(rest, Position(rest))])
    chance = float(Endgame(CLASSIC, Category.YACHT).expected()) / 50
    assert first.win_probability == pytest.approx(1 - chance)
    assert second.win_probability == pytest.approx(chance)


def test_odds_after_the_end_are_the_result() -> None:
    tied = final_odds(play_to_end(table("Ada", "Bo"), PLAIN, PLAIN))
    assert [seat.win_probability for seat in tied] == [0.5, 0.5]
    won = final_odds(play_to_end(table("Ada", "Bo"), dice("6 6 6 6 6"), PLAIN))
    assert [seat.win_probability for seat in won] == [1, 0]
    assert won[0].expected_total == sum((30, 24, 30, 50))
    assert set(won[0].percentiles.values()) == {134}


def test_odds_take_any_card_and_every_roll() -> None:
    card = Scorecard(*[None if category == "full_house" else 0 for category in CARD])
    card = card._replace(choice=9)
    for lying in ROLLS:
        for rolls_left in range(3):
            at = Position(card, as_dice(lying), rolls_left)
            (only,) = odds(distributions(CLASSIC), [Standing(card, at)])
            assert 9 <= only.expected_total <= 9 + 28
