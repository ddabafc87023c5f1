"""What can be asked about, and how everything else is refused."""

from typing import Any

import pytest

from app.rules import CARD, RULESETS, Category, Scorecard
from app.strategy import Position, PositionError, advise, check_points, choose, possible_points
from app.strategy.solver import tables
from tests.strategy.positions import card_with

CLASSIC = RULESETS["classic"]
EMPTY = Scorecard()
FULL = card_with()._replace(choice=20)


@pytest.mark.parametrize(
    ("card", "lying", "rolls_left", "code", "where"),
    [
        pytest.param(EMPTY, (0, 1, 2, 3, 4), 2, "face-out-of-range", ("dice", 0), id="a 0"),
        pytest.param(EMPTY, (1, 2, 3, 4, 7), 2, "face-out-of-range", ("dice", 4), id="a 7"),
        pytest.param(EMPTY, (1, 2, 3, 4), 2, "dice-not-five", ("dice",), id="four dice"),
        pytest.param(EMPTY, (1, 2, 3, 4, 5, 6), 2, "dice-not-five", ("dice",), id="six dice"),
        pytest.param(
            EMPTY,
            (1, 2, 3, 4, 5),
            4,
            "rolls-left-out-of-range",
            ("rolls_left",),
            id="four rolls left",
        ),
        pytest.param(
            EMPTY,
            (1, 2, 3, 4, 5),
            -1,
            "rolls-left-out-of-range",
            ("rolls_left",),
            id="less than no roll left",
        ),
        pytest.param(
            EMPTY,
            (1, 2, 3, 4, 5),
            3,
            "dice-before-first-roll",
            ("rolls_left",),
            id="dice with three rolls left",
        ),
        pytest.param(EMPTY, None, 2, "dice-missing", ("dice",), id="no dice with two rolls left"),
        pytest.param(EMPTY, None, 0, "dice-missing", ("dice",), id="no dice with no roll left"),
        pytest.param(FULL, (1, 2, 3, 4, 5), 2, "card-full", ("scorecard",), id="a full card"),
        pytest.param(FULL, None, 3, "card-full", ("scorecard",), id="a full card, no dice"),
    ],
)
def test_what_cannot_be_on_any_table_is_refused(
    card: Scorecard, lying: Any, rolls_left: int, code: str, where: tuple[str | int, ...]
) -> None:
    with pytest.raises(PositionError) as refused:
        Position(card, lying, rolls_left)
    assert (refused.value.code, refused.value.where) == (code, where)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize("lying", [None, (1, 2, 3, 4, 5)], ids=["before the roll", "after it"])
def test_points_that_a_category_cannot_bring_are_refused(lying: Any) -> None:
    """Advice and bots look at the card too, whoever hands it in."""
    asked = Position(Scorecard(twos=3), lying, 2 if lying else 3)
    for ask in (advise, lambda known, at: choose(known, at, "novice", 0.5)):
        with pytest.raises(PositionError) as refused:
            ask(tables(CLASSIC), asked)
        assert refused.value.code == "points-impossible"
        assert refused.value.where == ("scorecard", Category.TWOS)


def test_what_a_category_can_bring_depends_on_the_ruleset() -> None:
    check_points(RULESETS["fixed-house"], Scorecard(full_house=25))
    check_points(CLASSIC, Scorecard(full_house=26))
    for slug, house in (("fixed-house", 26), ("classic", 5), ("classic", 29)):
        with pytest.raises(PositionError, match="scorecard/full_house"):
            check_points(RULESETS[slug], Scorecard(full_house=house))
    check_points(RULESETS["sum-of-five"], Scorecard(full_house=5))


def test_all_that_categories_can_bring_is_known() -> None:
    assert possible_points(CLASSIC, Category.FOURS) == {0, 4, 8, 12, 16, 20}
    assert possible_points(CLASSIC, Category.FOUR_OF_A_KIND) == {0, 4, 8, 12, 16, 20, 24}
    assert possible_points(CLASSIC, Category.CHOICE) == set(range(5, 31))
    assert possible_points(CLASSIC, Category.YACHT) == {0, 50}
    assert possible_points(RULESETS["short-straights"], Category.BIG_STRAIGHT) == {0, 20}


def test_one_open_category_is_enough() -> None:
    for category in CARD:
        assert Position(card_with(category)).card.open_categories == (category,)
