"""The tables: known values, a second reckoning, and what must hold of any ruleset."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from app.rules import CARD, RULESETS, Category, Ruleset
from app.strategy.multisets import (
    HOLDS,
    KEEPS,
    MULTISETS,
    ROLL_CHANCES,
    after_the_roll,
    before_the_roll,
    keep_number,
    marks,
    roll_number,
)
from app.strategy.solver import ALL_OPEN, SETS_BY_SIZE, OncePerRuleset, Tables, chunks, tables
from tests.builders import dice, held
from tests.strategy.brute_force import ROLLS, Endgame, throws

CLASSIC = RULESETS["classic"]
ODD = Ruleset(
    "odd",
    full_house_points=40,
    five_alike_is_full_house=True,
    four_of_a_kind_counts_all=True,
    little_straight_points=12,
    big_straight_points=45,
)

ENDGAMES = [
    *((CLASSIC, (category,)) for category in CARD),
    *((ODD, (category,)) for category in CARD[6:10]),
    (CLASSIC, (Category.LITTLE_STRAIGHT, Category.CHOICE)),
    (CLASSIC, (Category.LITTLE_STRAIGHT, Category.BIG_STRAIGHT)),
    (CLASSIC, (Category.FULL_HOUSE, Category.FOUR_OF_A_KIND)),
    (CLASSIC, (Category.ONES, Category.YACHT)),
    (CLASSIC, (Category.FOURS, Category.SIXES)),
    (RULESETS["fixed-house"], (Category.THREES, Category.FULL_HOUSE)),
    (RULESETS["short-straights"], (Category.BIG_STRAIGHT, Category.CHOICE)),
    (RULESETS["sum-of-five"], (Category.FOUR_OF_A_KIND, Category.YACHT)),
    (ODD, (Category.FULL_HOUSE, Category.BIG_STRAIGHT)),
]


def bits(*categories: Category) -> int:
    """The set of these open categories."""
    return sum(1 << CARD.index(category) for category in categories)


@pytest.mark.parametrize(
    ("slug", "expected"), [("classic", 166.95506770457), ("fixed-house", 171.10239870241)]
)
def test_a_new_game_is_worth_what_others_have_computed(slug: str, expected: float) -> None:
    assert tables(RULESETS[slug]).expected_total == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("ruleset", "categories"),
    ENDGAMES,
    ids=[f"{ruleset.slug}: {', '.join(categories)}" for ruleset, categories in ENDGAMES],
)
def test_every_state_of_a_short_endgame_is_worth_what_brute_force_finds(
    ruleset: Ruleset, categories: tuple[Category, ...]
) -> None:
    endgame = Endgame(ruleset, *categories)
    solved = tables(ruleset)
    turn = solved.turn(bits(*categories))
    assert solved.values[bits(*categories)] == pytest.approx(float(endgame.expected()), abs=1e-10)
    for rolls_left in range(3):
        by_brute_force = [float(endgame.rolled(roll, rolls_left)) for roll in ROLLS]
        assert turn.rolled[rolls_left][:, 0] == pytest.approx(by_brute_force, abs=1e-10)
    for rolls_left in (1, 2):
        by_brute_force = [float(endgame.holding(k, rolls_left)) for k in MULTISETS[:KEEPS]]
        assert turn.held[rolls_left - 1][:, 0] == pytest.approx(by_brute_force, abs=1e-10)
    for category, roll in product(categories, ROLLS):
        place = CARD.index(category)
        value = solved.points[place, roll_number(roll)] + turn.later[place, 0]
        assert value == pytest.approx(float(endgame.scoring(category, roll)), abs=1e-10)


SWITCHES = [
    *product((None, 25), (False, True), (False, True), ((30, 30), (0, 20))),
    (0, False, False, (15, 20)),
]


@pytest.mark.parametrize("switches", SWITCHES, ids=map(str, SWITCHES))
def test_any_ruleset_solves_and_more_freedom_never_costs(
    switches: tuple[int | None, bool, bool, tuple[int, int]],
) -> None:
    """One more open category, or one more roll, lowers no value."""
    house, five_alike, counts_all, (little, big) = switches
    solved = Tables(Ruleset("any", house, five_alike, counts_all, little, big))
    every = np.arange(ALL_OPEN + 1)
    for category in range(len(CARD)):
        assert (solved.values >= solved.values[every & ~(1 << category)] - 1e-9).all()
    for sets in (SETS_BY_SIZE[1], SETS_BY_SIZE[6][::7], SETS_BY_SIZE[12]):
        turns = solved.turns(sets)
        assert (turns.rolled[1] >= turns.rolled[0]).all()
        assert (turns.rolled[2] >= turns.rolled[1] - 1e-9).all()
        assert (turns.held[1] >= turns.held[0] - 1e-9).all()


def test_after_the_last_roll_a_state_is_worth_its_points_and_the_future() -> None:
    solved = tables(CLASSIC)
    sets = SETS_BY_SIZE[4]
    written = solved.turns(sets).rolled[0]
    ways = [
        np.where(
            sets & (1 << i),
            solved.points[i][:, None] + solved.values[sets & ~(1 << i)],
            -np.inf,
        )
        for i in range(len(CARD))
    ]
    assert (written == np.max(ways, axis=0)).all()


def test_what_a_first_roll_is_worth_on_average_is_what_the_turn_is_worth() -> None:
    turn = tables(CLASSIC).turn(ALL_OPEN)
    mean = sum(
        ways / 6**5 * turn.rolled[2][number, 0] for number, (_, ways) in enumerate(throws(5))
    )
    assert mean == pytest.approx(tables(CLASSIC).expected_total, abs=1e-9)


def test_the_policy_of_many_sets_is_the_first_best_choice_of_each() -> None:
    solved = tables(CLASSIC)
    for sets in (SETS_BY_SIZE[1], SETS_BY_SIZE[5][:40], SETS_BY_SIZE[12]):
        turns = solved.turns(sets)
        rolls, columns = (grid.ravel() for grid in np.indices((252, len(sets))))
        for rolls_left in range(3):
            found = turns.choices(columns, rolls, rolls_left)
            codes = found.codes[np.arange(len(rolls)), found.best].reshape(252, -1)
            policy = turns.policy.written
            if rolls_left:
                kept = turns.policy.held[rolls_left - 1]
                is_held = codes >= len(CARD)
                assert (kept[is_held] == codes[is_held] - len(CARD)).all()
                assert (kept[~is_held] == -1).all()
                codes = np.where(is_held, policy, codes)
            assert (policy == codes).all()


def test_one_set_and_many_at_once_give_the_same_values() -> None:
    solved = tables(CLASSIC)
    (chunk, *_) = chunks(SETS_BY_SIZE[7])
    turns = solved.turns(chunk)
    for column in (0, 50, len(chunk) - 1):
        alone = solved.turn(int(chunk[column]))
        for rolls_left in range(3):
            assert (turns.rolled[rolls_left][:, column] == alone.rolled[rolls_left][:, 0]).all()


def test_rulesets_of_equal_data_share_their_tables() -> None:
    assert tables(replace(CLASSIC, slug="mine")) is tables(CLASSIC)
    assert tables(replace(CLASSIC, little_straight_points=29)) is not tables(CLASSIC)


def test_tables_are_computed_once_however_many_ask_at_once() -> None:
    """Eight threads, let go together, get one object; before, none is ready."""
    once = OncePerRuleset(Tables)
    assert once.ready(CLASSIC) is None
    start = Barrier(8)

    def ask(_: int) -> Tables:
        start.wait()
        return once(CLASSIC)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    assert {id(known) for known in found} == {id(once.ready(CLASSIC))}


def test_the_chances_of_the_rolls_are_counted_right() -> None:
    assert pytest.approx([ways / 6**5 for _, ways in throws(5)]) == ROLL_CHANCES


def test_rolling_forwards_and_backwards_agree() -> None:
    """The mean over what can be rolled is the same from either side, for every keep."""
    worth = np.arange(252.0)[:, None] ** 2
    reached = after_the_roll(np.eye(KEEPS))
    assert reached.sum(axis=0) == pytest.approx(np.ones(KEEPS))
    assert before_the_roll(worth)[:, 0] == pytest.approx((reached.T @ worth)[:, 0])


def test_holds_are_all_that_can_be_kept_more_dice_and_higher_faces_first() -> None:
    roll = roll_number(dice("2 5 2 6 5"))
    faces = [MULTISETS[keep] for keep in HOLDS[roll]]
    assert faces[:5] == [(2, 5, 5, 6), (2, 2, 5, 6), (2, 2, 5, 5), (5, 5, 6), (2, 5, 6)]
    assert faces[-4:] == [(6,), (5,), (2,), ()]
    assert len(faces) == 3 * 3 * 2 - 1


def test_of_equal_dice_those_further_left_are_held() -> None:
    lying = dice("2 5 2 6 5")
    keep = keep_number(lying, held(0, 4))
    assert MULTISETS[keep] == (2, 5)
    assert marks(lying, keep) == held(0, 1)


@pytest.mark.parametrize("slug", RULESETS)
def test_the_page_tells_the_expected_total_of_each_preset(slug: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "strategy.md").read_text(encoding="utf-8")
    assert f"| `{slug}` | {tables(RULESETS[slug]).expected_total:.11f} |" in page
