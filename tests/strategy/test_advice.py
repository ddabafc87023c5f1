"""Advice: every choice once, exactly valued, in the documented order."""

from itertools import combinations
from random import Random

import pytest

from app.locale.en_tips import TIPS
from app.rules import CARD, NONE_HELD, RULESETS, Category, Ruleset, score
from app.strategy import (
    Advice,
    HoldRow,
    OpeningHold,
    OpeningScore,
    Position,
    RollChoice,
    ScoreChoice,
    ScoreRow,
    advise,
    opening,
)
from app.strategy.solver import tables
from tests.builders import held
from tests.strategy.brute_force import ROLLS, Endgame, as_dice, keeps
from tests.strategy.positions import any_position, card_with, position

CLASSIC = RULESETS["classic"]


def ask(at: Position, slug: str = "classic") -> Advice:
    return advise(tables(RULESETS[slug]), at)


@pytest.mark.parametrize("slug", RULESETS)
def test_each_hold_and_each_open_category_has_one_row(slug: str) -> None:
    random = Random(slug)
    for _ in range(40):
        at = any_position(random, RULESETS[slug])
        advice = ask(at, slug)
        assert at.dice is not None
        kept = [row.kept for row in advice.holds]
        assert len(kept) == len(set(kept))
        assert set(kept) == (keeps(at.dice) if at.rolls_left else set())
        assert {row.category for row in advice.scores} == set(at.card.open_categories)
        for hold in advice.holds:
            marked = (f for f, stays in zip(at.dice, hold.held, strict=True) if stays)
            assert tuple(sorted(marked)) == hold.kept
        for row in advice.scores:
            assert row.points == score(RULESETS[slug], row.category, at.dice)


@pytest.mark.parametrize("slug", RULESETS)
def test_rows_stand_best_first_and_lose_against_the_best_choice_of_all(slug: str) -> None:
    random = Random(slug)
    for _ in range(40):
        advice = ask(any_position(random, RULESETS[slug]), slug)
        rows: list[HoldRow | ScoreRow] = [*advice.holds, *advice.scores]
        assert min(row.loss for row in rows) == 0
        assert max(row.expected_total for row in rows) == pytest.approx(advice.expected_total)
        for row in rows:
            assert row.loss == pytest.approx(advice.expected_total - row.expected_total, abs=1e-8)
        for losses in ([r.loss for r in advice.holds], [r.loss for r in advice.scores]):
            assert losses == sorted(losses)
        if isinstance(advice.best, RollChoice):
            assert (advice.best.held, advice.holds[0].loss) == (advice.holds[0].held, 0)
        else:
            assert advice.best.category == advice.scores[0].category
            assert advice.scores[0].loss == 0


def test_each_row_is_worth_what_brute_force_finds() -> None:
    """Two categories open, the points on the card included."""
    endgame = Endgame(CLASSIC, Category.SIXES, Category.CHOICE)
    card = card_with("sixes", "choice")._replace(yacht=50, ones=3)
    for roll in ROLLS[::10]:
        for rolls_left in range(3):
            advice = ask(Position(card, roll, rolls_left))
            assert advice.expected_total == pytest.approx(
                53 + float(endgame.rolled(roll, rolls_left))
            )
            for hold in advice.holds:
                value = 53 + float(endgame.holding(hold.kept, rolls_left))
                assert hold.expected_total == pytest.approx(value)
            for row in advice.scores:
                value = 53 + float(endgame.scoring(row.category, roll))
                assert row.expected_total == pytest.approx(value)


def test_before_the_first_roll_there_is_nothing_to_choose() -> None:
    advice = ask(Position(card_with(*CARD)))
    assert (advice.dice, advice.rolls_left) == (None, 3)
    assert (advice.holds, advice.scores) == ((), ())
    assert advice.best == RollChoice(NONE_HELD)
    assert advice.expected_total == pytest.approx(166.95506770457)


def test_after_the_third_roll_nothing_can_be_held() -> None:
    advice = ask(position("1 2 3 4 6", 0))
    assert advice.holds == ()
    assert isinstance(advice.best, ScoreChoice)


@pytest.mark.parametrize("category", CARD)
def test_any_roll_with_one_open_category_gets_a_legal_answer(category: Category) -> None:
    """All 252 rolls with none, one and two rolls left; the answer has words too."""
    card = card_with(category)
    for roll in ROLLS:
        for rolls_left in range(3):
            advice = ask(Position(card, roll, rolls_left))
            if isinstance(advice.best, ScoreChoice):
                assert advice.best.category == category
            else:
                assert rolls_left
                assert not all(advice.best.held)
            assert advice.tip.key in TIPS


def test_another_roll_never_lowers_the_expected_total() -> None:
    random = Random(5)
    for _ in range(100):
        at = any_position(random, CLASSIC)
        totals = [
            ask(Position(at.card, at.dice, rolls_left)).expected_total for rolls_left in range(3)
        ]
        assert totals[0] <= totals[1] + 1e-9 <= totals[2] + 2e-9


def test_the_order_of_the_dice_changes_only_the_marks() -> None:
    first, second = ask(position("5 5 2 1 5", 2)), ask(position("2 5 1 5 5", 2))
    assert [row.kept for row in first.holds] == [row.kept for row in second.holds]
    assert first.expected_total == second.expected_total
    assert first.best == RollChoice(held(0, 1, 4))
    assert second.best == RollChoice(held(1, 3, 4))


@pytest.mark.parametrize(
    ("lying", "still_open", "kept"),
    [
        pytest.param("1 1 2 2 3", "yacht", (2, 2), id="higher faces before lower ones"),
        pytest.param("1 2 3 4 6", "yacht", (6,), id="more dice before fewer"),
        pytest.param("2 4 1 1 6", "big_straight", (2, 4, 6), id="no tie, so no rule"),
    ],
)
def test_of_equally_good_holds_the_documented_one_comes_first(
    lying: str, still_open: str, kept: tuple[int, ...]
) -> None:
    assert ask(position(lying, 2, still_open)).holds[0].kept == kept


def test_of_equally_good_categories_more_points_come_first_then_card_order() -> None:
    """With both straights at 30, any dice that fit neither lose the same in either."""
    advice = ask(position("6 6 6 6 1", 0, "little_straight", "big_straight"))
    assert [row.category for row in advice.scores] == [
        Category.LITTLE_STRAIGHT,
        Category.BIG_STRAIGHT,
    ]
    assert [row.loss for row in advice.scores] == [0, 0]


def test_filling_a_category_comes_before_rolling_on_where_both_are_as_good() -> None:
    """Nothing can be won any more where a full house brings 0 and nothing else is open."""
    worthless = Ruleset("worthless", full_house_points=0)
    advice = advise(tables(worthless), position("1 2 3 4 5", 2, "full_house"))
    assert advice.best == ScoreChoice(Category.FULL_HOUSE)
    assert {row.loss for row in advice.holds} == {advice.scores[0].loss} == {0}


def test_the_opening_tells_what_is_best_after_each_first_roll() -> None:
    known = opening(tables(CLASSIC))
    rows: list[OpeningHold | OpeningScore] = [*known.holds, *known.scores]
    assert sum(row.chance for row in rows) == pytest.approx(1)
    assert sum(row.chance * row.expected_total for row in rows) == pytest.approx(
        known.expected_total
    )
    for totals in (
        [row.expected_total for row in known.holds],
        [row.expected_total for row in known.scores],
    ):
        assert totals == sorted(totals, reverse=True)
    assert known.scores[0].category == Category.YACHT
    assert {row.kept for row in known.holds} <= {
        kept for roll in ROLLS for size in range(5) for kept in combinations(as_dice(roll), size)
    }


def test_the_opening_tells_what_each_category_is_worth_as_the_last_one() -> None:
    alone = opening(tables(CLASSIC)).last_categories
    assert tuple(alone) == CARD
    for category in (Category.ONES, Category.CHOICE, Category.YACHT):
        expected = float(Endgame(CLASSIC, category).expected())
        assert alone[category] == pytest.approx(expected)
