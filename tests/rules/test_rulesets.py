"""The five switches, alone and together, and the four named rulesets."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules import CARD, RULESETS, Category, Dice, Ruleset, maximum, score, scores
from tests.builders import dice, play_to_end, solo
from tests.rules.plain_scoring import ROLLS, expected_points

RULESETS_OF_ANY_SWITCHES = st.builds(
    Ruleset,
    slug=st.just("any"),
    full_house_points=st.none() | st.integers(1, 100),
    five_alike_is_full_house=st.booleans(),
    four_of_a_kind_counts_all=st.booleans(),
    little_straight_points=st.integers(1, 100),
    big_straight_points=st.integers(1, 100),
)


@pytest.mark.parametrize(
    ("slug", "best"),
    [("classic", 297), ("fixed-house", 294), ("short-straights", 272), ("sum-of-five", 305)],
)
def test_a_named_ruleset_has_its_maximum(slug: str, best: int) -> None:
    """R26: the highest total that a card can reach."""
    assert RULESETS[slug].maximum == best


def test_there_are_four_named_rulesets() -> None:
    """R26: each under its own slug."""
    assert list(RULESETS) == ["classic", "fixed-house", "short-straights", "sum-of-five"]
    assert all(ruleset.slug == slug for slug, ruleset in RULESETS.items())


@pytest.mark.parametrize(
    ("slug", "category", "rolled", "points"),
    [
        ("fixed-house", "full_house", "1 1 1 2 2", 25),
        ("fixed-house", "full_house", "6 6 6 5 5", 25),
        ("fixed-house", "full_house", "3 3 3 3 3", 0),
        ("short-straights", "little_straight", "5 4 3 2 1", 15),
        ("short-straights", "big_straight", "2 3 4 5 6", 20),
        ("sum-of-five", "four_of_a_kind", "4 4 4 4 1", 17),
        ("sum-of-five", "four_of_a_kind", "6 6 6 6 6", 30),
        ("sum-of-five", "full_house", "6 6 6 6 6", 30),
        ("sum-of-five", "full_house", "6 6 6 6 5", 0),
        ("sum-of-five", "yacht", "6 6 6 6 6", 50),
    ],
)
def test_a_switch_changes_what_it_names(slug: str, category: str, rolled: str, points: int) -> None:
    """R26: the cases in which a named ruleset differs from the classic one."""
    assert score(RULESETS[slug], Category(category), dice(rolled)) == points


@given(RULESETS_OF_ANY_SWITCHES, st.sampled_from(ROLLS))
def test_any_combination_of_switches_scores_by_the_words(ruleset: Ruleset, rolled: Dice) -> None:
    """R25: each of the twelve categories, against a second reckoning."""
    assert scores(ruleset, rolled) == {
        category: expected_points(ruleset, category, rolled) for category in CARD
    }


@pytest.mark.parametrize("house", [None, 25], ids=["sum", "25"])
@pytest.mark.parametrize(
    ("five_alike", "counts_all"), list(product([False, True], repeat=2)), ids=str
)
def test_the_maximum_follows_from_the_switches(
    house: int | None, *, five_alike: bool, counts_all: bool
) -> None:
    """R25: the best house is 30 only with five sixes, the best four of a kind only with all."""
    ruleset = Ruleset(
        "any",
        full_house_points=house,
        five_alike_is_full_house=five_alike,
        four_of_a_kind_counts_all=counts_all,
        little_straight_points=12,
        big_straight_points=34,
    )
    best_house = house if house is not None else 30 if five_alike else 28
    assert maximum(ruleset, Category.FULL_HOUSE) == best_house
    assert ruleset.maximum == 105 + best_house + (30 if counts_all else 24) + 12 + 34 + 30 + 50


def test_a_game_is_scored_by_the_ruleset_that_it_was_opened_with() -> None:
    """R26: five sixes twelve times over bring more where five alike are a house."""
    sixes = dice("6 6 6 6 6")
    totals = {slug: play_to_end(solo(slug), sixes).seats[0].card.total for slug in RULESETS}
    # Sixes 30, choice 30 and yacht 50 everywhere; four of a kind 24 or 30; a house of five or none.
    assert totals == {
        "classic": 134,
        "fixed-house": 134,
        "short-straights": 134,
        "sum-of-five": 170,
    }
