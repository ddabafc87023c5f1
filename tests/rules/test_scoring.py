"""What five dice are worth in each category, and what a card adds up to."""

from itertools import permutations

import pytest

from app.rules import CARD, RULESETS, Category, Scorecard, maximum, options, score, scores
from tests.builders import dice
from tests.rules.plain_scoring import ROLLS, expected_points

CLASSIC = RULESETS["classic"]


def test_the_card_has_twelve_categories_in_order() -> None:
    """R12: the slugs and their order are those of the document."""
    assert [str(category) for category in CARD] == [
        "ones",
        "twos",
        "threes",
        "fours",
        "fives",
        "sixes",
        "full_house",
        "four_of_a_kind",
        "little_straight",
        "big_straight",
        "choice",
        "yacht",
    ]
    assert Scorecard._fields == CARD


@pytest.mark.parametrize(
    ("rolled", "category", "points"),
    [
        ("1 1 2 3 4", "ones", 2),
        ("2 3 4 5 6", "ones", 0),
        ("1 1 1 1 1", "ones", 5),
        ("2 2 2 2 2", "twos", 10),
        ("3 3 3 3 3", "threes", 15),
        ("1 4 4 4 4", "fours", 16),
        ("5 5 5 2 1", "fives", 15),
        ("6 6 6 6 6", "sixes", 30),
    ],
)
def test_a_number_scores_the_dice_of_that_face(rolled: str, category: str, points: int) -> None:
    """R13: the other dice do not count."""
    assert score(CLASSIC, Category(category), dice(rolled)) == points


@pytest.mark.parametrize(
    ("rolled", "points"),
    [
        ("3 3 3 5 5", 19),
        ("5 3 5 3 3", 19),
        ("6 6 6 5 5", 28),
        ("1 1 1 2 2", 7),
        ("1 4 4 4 4", 0),
        ("3 3 3 3 3", 0),
        ("3 3 3 4 5", 0),
        ("3 3 4 4 5", 0),
    ],
)
def test_a_full_house_is_exactly_three_and_two(rolled: str, points: int) -> None:
    """R14: neither four and one nor five alike is a full house."""
    assert score(CLASSIC, Category.FULL_HOUSE, dice(rolled)) == points


@pytest.mark.parametrize(
    ("rolled", "points"),
    [
        ("4 4 4 4 1", 16),
        ("6 4 4 4 4", 16),
        ("5 5 5 5 5", 20),
        ("6 6 6 6 5", 24),
        ("1 1 1 1 6", 4),
        ("4 4 4 1 1", 0),
        ("1 2 3 4 5", 0),
    ],
)
def test_four_of_a_kind_scores_four_times_the_face(rolled: str, points: int) -> None:
    """R15: the fifth die is never added, five alike score the same four dice."""
    assert score(CLASSIC, Category.FOUR_OF_A_KIND, dice(rolled)) == points


@pytest.mark.parametrize(
    "rolled", ["3 4 4 6 6", "2 3 4 5 3", "1 2 3 4 6", "1 3 4 5 6", "1 2 4 5 6", "1 2 3 4 4"]
)
def test_four_in_a_row_are_no_straight(rolled: str) -> None:
    """R16, R17: a straight is five in a row."""
    assert score(CLASSIC, Category.LITTLE_STRAIGHT, dice(rolled)) == 0
    assert score(CLASSIC, Category.BIG_STRAIGHT, dice(rolled)) == 0


def test_every_order_of_one_to_five_is_a_little_straight_only() -> None:
    """R16: all 120 orders score 30, and none is a big straight."""
    for a, b, c, d, e in permutations(range(1, 6)):
        assert score(CLASSIC, Category.LITTLE_STRAIGHT, (a, b, c, d, e)) == 30
        assert score(CLASSIC, Category.BIG_STRAIGHT, (a, b, c, d, e)) == 0


def test_every_order_of_two_to_six_is_a_big_straight_only() -> None:
    """R17: all 120 orders score 30, and none is a little straight."""
    for a, b, c, d, e in permutations(range(2, 7)):
        assert score(CLASSIC, Category.BIG_STRAIGHT, (a, b, c, d, e)) == 30
        assert score(CLASSIC, Category.LITTLE_STRAIGHT, (a, b, c, d, e)) == 0


@pytest.mark.parametrize(
    ("rolled", "points"), [("1 1 1 1 1", 5), ("3 3 3 3 3", 15), ("6 5 6 5 6", 28)]
)
def test_choice_scores_the_sum(rolled: str, points: int) -> None:
    """R18: any five dice."""
    assert score(CLASSIC, Category.CHOICE, dice(rolled)) == points


@pytest.mark.parametrize(
    ("rolled", "points"), [("1 1 1 1 1", 50), ("6 6 6 6 6", 50), ("6 6 6 6 5", 0)]
)
def test_a_yacht_is_five_alike(rolled: str, points: int) -> None:
    """R19: 50, whatever the face."""
    assert score(CLASSIC, Category.YACHT, dice(rolled)) == points


@pytest.mark.parametrize(
    ("category", "rolls"),
    [
        *((category, 4_651) for category in CARD[:6]),
        (Category.FULL_HOUSE, 300),
        (Category.FOUR_OF_A_KIND, 156),
        (Category.LITTLE_STRAIGHT, 120),
        (Category.BIG_STRAIGHT, 120),
        (Category.CHOICE, 7_776),
        (Category.YACHT, 6),
    ],
)
def test_as_many_rolls_score_as_can_be_counted_by_hand(category: Category, rolls: int) -> None:
    """R13, R14, R15, R16, R17, R18, R19: counted over all 7,776 ordered rolls."""
    assert len(ROLLS) == 7_776
    assert sum(score(CLASSIC, category, rolled) > 0 for rolled in ROLLS) == rolls


@pytest.mark.parametrize("slug", RULESETS)
def test_all_rolls_score_what_the_words_of_the_rules_say(slug: str) -> None:
    """R20, R26: every roll in every order, in every named ruleset, against a second reckoning."""
    ruleset = RULESETS[slug]
    for rolled in ROLLS:
        worth = scores(ruleset, rolled)
        assert tuple(worth) == CARD
        assert worth == {category: expected_points(ruleset, category, rolled) for category in CARD}


@pytest.mark.parametrize("slug", RULESETS)
def test_the_maximum_of_a_category_is_its_best_roll(slug: str) -> None:
    """R24: no roll brings more, and one brings as much."""
    ruleset = RULESETS[slug]
    for category in CARD:
        assert maximum(ruleset, category) == max(
            expected_points(ruleset, category, rolled) for rolled in ROLLS
        )


def test_the_classic_maxima_are_those_known() -> None:
    """R24: 5, 10, … 30, then 28, 24, 30, 30, 30 and 50."""
    best = [maximum(CLASSIC, category) for category in CARD]
    assert best == [5, 10, 15, 20, 25, 30, 28, 24, 30, 30, 30, 50]
    assert CLASSIC.maximum == sum(best) == 297


def test_a_new_card_is_open() -> None:
    """R12: twelve open cells, no points."""
    card = Scorecard()
    assert card.open_categories == CARD
    assert card.filled == 0
    assert card.total == 0
    assert all(card.points(category) is None for category in CARD)


def test_filling_a_cell_leaves_the_others() -> None:
    """R21: one category is filled, and the card it was filled on stays as it was."""
    before = Scorecard(ones=3)
    after = before.fill(Category.CHOICE, 17)
    assert after == Scorecard(ones=3, choice=17)
    assert before == Scorecard(ones=3)
    assert after.points(Category.CHOICE) == 17


def test_a_zero_is_a_filled_cell() -> None:
    """R22: 0 closes the category as any other score does."""
    card = Scorecard().fill(Category.YACHT, 0)
    assert card.points(Category.YACHT) == 0
    assert card.filled == 1
    assert Category.YACHT not in card.open_categories


def test_a_card_of_zeros_is_full_and_totals_nothing() -> None:
    """R22: twelve zeros are a full card."""
    card = Scorecard(*[0] * 12)
    assert (card.filled, card.open_categories, card.total) == (12, (), 0)


def test_the_total_is_the_plain_sum() -> None:
    """R23: 105 points in the numbers bring no 35 on top."""
    card = Scorecard(5, 10, 15, 20, 25, 30, 28, 24, 30, 30, 30, 50)
    assert card.total == 297
    assert Scorecard(*card[:6]).total == 105


def test_options_are_the_open_categories_in_card_order() -> None:
    """R42: a filled category, zero included, is no option."""
    card = Scorecard(twos=0, yacht=50)
    assert list(options(CLASSIC, card, dice("5 5 5 2 1")).items()) == [
        ("ones", 1),
        ("threes", 0),
        ("fours", 0),
        ("fives", 15),
        ("sixes", 0),
        ("full_house", 0),
        ("four_of_a_kind", 0),
        ("little_straight", 0),
        ("big_straight", 0),
        ("choice", 18),
    ]
