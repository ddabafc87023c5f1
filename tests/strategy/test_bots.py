"""Bots: what they choose comes of the position and one number, and their levels are apart."""

import re
import subprocess
import sys
from collections import Counter
from math import exp
from pathlib import Path
from random import Random

import numpy as np
import pytest

from app.rules import CARD, RULESETS, Category, Ruleset, Scorecard, maximum
from app.strategy import (
    TEMPERATURES,
    Level,
    Position,
    RollChoice,
    ScoreChoice,
    advise,
    choose,
    simulate,
)
from app.strategy.solver import tables
from tests.builders import created
from tests.strategy.games import play_game
from tests.strategy.positions import any_position, card_with, position

CLASSIC = RULESETS["classic"]
DOCUMENT = Path(__file__).parents[2] / "docs" / "strategy.md"
LEVELS: tuple[Level, ...] = ("novice", "casual", "expert", "perfect")
ALMOST_ONE = 1 - 2**-53


def documented() -> dict[str, tuple[float, float]]:
    """Temperature and mean total of each level, as the page tells."""
    rows = re.findall(
        r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) ", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {level: (float(warm), float(mean)) for level, warm, mean in rows}


def test_the_perfect_bot_does_what_advice_calls_best() -> None:
    random = Random(1)
    for _ in range(150):
        at = any_position(random, CLASSIC)
        best = advise(tables(CLASSIC), at).best
        assert choose(tables(CLASSIC), at, "perfect", random.random()) == best


@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_depends_on_the_position_and_the_number_alone(level: Level) -> None:
    """Whatever was asked before, and in whatever order, each question has its one answer."""
    random = Random(2)
    asked = [(any_position(random, CLASSIC), random.random()) for _ in range(60)]
    answers = [choose(tables(CLASSIC), at, level, draw) for at, draw in asked]
    again = [choose(tables(CLASSIC), at, level, draw) for at, draw in reversed(asked)]
    assert answers == again[::-1]


def test_strategy_loads_nothing_that_knows_dice_to_come() -> None:
    """A fresh interpreter that imports all of it has seen neither seeds nor chance nor store."""
    code = "import sys, app.strategy; print(*(m for m in sys.modules if m.startswith('app')))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {name.split(".")[1] for name in loaded if "." in name} == {"rules", "strategy"}


@pytest.mark.parametrize("level", LEVELS[:3])
def test_choices_are_made_as_often_as_their_losses_say(level: Level) -> None:
    """Numbers spread evenly from 0 to 1 meet each choice by its share of exp(-loss / T)."""
    at = position("6 5 4 2 6", 1)
    advice = advise(tables(CLASSIC), at)
    losses = {row.kept: row.loss for row in advice.holds}
    shares: dict[object, float] = {
        **{kept: exp(-loss / TEMPERATURES[level]) for kept, loss in losses.items()},
        **{row.category: exp(-row.loss / TEMPERATURES[level]) for row in advice.scores},
    }
    count = 4000
    met: Counter[object] = Counter()
    assert at.dice is not None
    for n in range(count):
        done = choose(tables(CLASSIC), at, level, (n + 0.5) / count)
        if isinstance(done, ScoreChoice):
            met[done.category] += 1
        else:
            met[tuple(sorted(f for f, h in zip(at.dice, done.held, strict=True) if h))] += 1
    total = sum(shares.values())
    for what, share in shares.items():
        assert met[what] / count == pytest.approx(share / total, abs=1.5 / count)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("draw", [0.0, ALMOST_ONE], ids=["the lowest", "the highest"])
def test_every_number_gives_a_legal_choice(level: Level, draw: float) -> None:
    random = Random(3)
    for _ in range(100):
        at = any_position(random, CLASSIC)
        done = choose(tables(CLASSIC), at, level, draw)
        if isinstance(done, ScoreChoice):
            assert done.category in at.card.open_categories
        else:
            assert at.rolls_left
            assert not all(done.held)


@pytest.mark.parametrize("level", LEVELS)
def test_before_the_first_roll_every_bot_rolls(level: Level) -> None:
    at = Position(card_with(Category.ONES))
    assert choose(tables(CLASSIC), at, level, 0.7) == RollChoice()


def test_the_page_tells_the_temperatures_in_force() -> None:
    assert {level: warm for level, (warm, _) in documented().items()} == TEMPERATURES


def is_within_bounds(card: Scorecard) -> bool:
    """No cell and no sum is above what its category and the ruleset can bring."""
    cells = [card.points(category) for category in CARD]
    most = [maximum(CLASSIC, category) for category in CARD]
    return card.total <= CLASSIC.maximum and all(
        points is not None and 0 <= points <= bound
        for points, bound in zip(cells, most, strict=True)
    )


@pytest.mark.soak
def test_a_thousand_games_of_bots_keep_within_all_bounds() -> None:
    random = Random(5)
    for _ in range(1000):
        _, game = play_game(tables(CLASSIC), created("Ada", "Bo"), ("perfect", "novice"), random)
        assert all(is_within_bounds(seat.card) for seat in game.seats)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_the_points_that_bots_count_with_are_bounded_as_the_categories_are(
    ruleset: Ruleset,
) -> None:
    """So in each of thousands of simulated games no cell is above its bound."""
    most = [int(points.max()) for points in tables(ruleset).points]
    assert most == [maximum(ruleset, category) for category in CARD]


def check_means(games: int) -> dict[str, float]:
    """The mean totals, each within four standard errors of the one on the page."""
    means: dict[str, float] = {}
    for level in LEVELS:
        totals = simulate(tables(CLASSIC), games, level, np.random.default_rng(games).random)
        assert len(totals) == games
        assert 0 < totals.min() <= totals.max() <= CLASSIC.maximum
        error = totals.std() * (1 / games + 1 / 20_000) ** 0.5
        assert totals.mean() == pytest.approx(documented()[level][1], abs=4 * error)
        means[level] = float(totals.mean())
    return means


def test_levels_are_clearly_apart() -> None:
    means = check_means(2000)
    assert means["novice"] < means["casual"] - 5 < means["expert"] - 10 < means["perfect"] - 12


@pytest.mark.soak
def test_the_documented_means_come_out_again() -> None:
    """20,000 games of each level: perfect within 1.0 of the exact value, novice below 140."""
    means = check_means(20_000)
    assert means["perfect"] == pytest.approx(tables(CLASSIC).expected_total, abs=1.0)
    assert means["novice"] < 140


def test_simulated_games_come_of_the_numbers_alone() -> None:
    def totals(seed: int) -> list[int]:
        uniform = np.random.default_rng(seed).random
        return [int(total) for total in simulate(tables(CLASSIC), 50, "casual", uniform)]

    assert totals(1) == totals(1) != totals(2)
    assert simulate(tables(CLASSIC), 0, "casual", np.random.default_rng(1).random).size == 0


def test_bots_that_play_move_by_move_come_to_the_documented_mean() -> None:
    """The simulation and the games of a server are two ways to play by one policy."""
    random = Random(4)
    totals = []
    for _ in range(60):
        _, game = play_game(tables(CLASSIC), created("Ada", "Bo"), ("expert", "expert"), random)
        totals += [seat.card.total for seat in game.seats]
        assert all(is_within_bounds(seat.card) for seat in game.seats)
    error = float(np.std(totals)) / len(totals) ** 0.5
    assert np.mean(totals) == pytest.approx(documented()["expert"][1], abs=4 * error)
