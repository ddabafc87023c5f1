"""Tips: one of six ideas, and every claim in the text true of the position."""

from collections import Counter
from random import Random
from string import Formatter
from typing import get_args

import pytest

from app.locale.en_tips import TIPS
from app.rules import CARD, RULESETS, Category, Ruleset
from app.schemas.advice import TipCode as WireCode
from app.strategy import (
    TIP_CODES,
    Advice,
    Position,
    RollChoice,
    ScoreChoice,
    Tables,
    advise,
    choose,
    open_set,
)
from app.strategy.solver import tables
from tests.strategy.brute_force import as_dice, throws
from tests.strategy.positions import any_position, card_with, position

EXAMPLES = {
    "keep-options-open.first-roll": Position(card_with("ones", "choice")),
    "keep-options-open.hold": position("4 2 3 4 3", 1),
    "keep-options-open.none": position("3 2 2 1 1", 2),
    "exact-straights.duplicate": position("4 1 2 4 5", 1),
    "exact-straights.outlier": position("2 6 3 4 1", 1),
    "exact-straights.written": position("4 2 3 5 6", 2),
    "choice-as-insurance.written-high": position("5 3 6 4 6", 0),
    "choice-as-insurance.written-low": position("6 5 4 2 5", 0),
    "choice-as-insurance.only": position("4 6 3 4 3", 0, "choice"),
    "choice-as-insurance.only-stop": position("6 4 5 4 6", 1, "choice"),
    "choice-as-insurance.hold": position("6 5 4 2 6", 1),
    "choice-as-insurance.hold-only": position("2 4 4 5 2", 2, "choice"),
    "choice-as-insurance.none-only": position("2 4 2 3 3", 2, "choice"),
    "high-fours.three": position("5 5 2 6 5", 2),
    "high-fours.four": position("6 1 6 6 6", 2),
    "high-fours.written": position("6 6 4 6 6", 0),
    "high-fours.written-low": position("1 1 1 1 5", 0, "four_of_a_kind"),
    "deliberate-zero.only": position("5 3 1 2 3", 0, "yacht"),
    "deliberate-zero.unfit": position("5 3 3 2 5", 0, "full_house", "big_straight"),
    "deliberate-zero.instead": position("3 2 4 6 5", 0, "ones", "threes"),
    "whole-card.first-roll": Position(card_with("yacht")),
    "whole-card.only-hold": position("5 6 2 3 6", 2, "four_of_a_kind"),
    "whole-card.only-none": position("6 4 4 1 6", 1, "twos"),
    "whole-card.goal-hold": position("1 1 6 3 2", 1),
    "whole-card.goal-none": position("3 2 4 3 2", 1, "sixes", "four_of_a_kind"),
    "whole-card.written": position("4 4 5 5 4", 0),
    "whole-card.written-fewer": position("1 3 6 1 5", 0),
    "whole-card.written-stop": position("6 4 6 4 6", 1),
    "whole-card.only": position("5 3 6 3 3", 0, "sixes"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_text_has_a_position_that_it_fits(name: str) -> None:
    assert advise(tables(RULESETS["classic"]), EXAMPLES[name]).tip.key == f"tip.{name}"


def test_there_are_six_ideas_and_every_text_belongs_to_one() -> None:
    assert len(TIP_CODES) == 6
    assert {key.split(".")[1] for key in TIPS} == set(TIP_CODES)
    assert {f"tip.{name}" for name in EXAMPLES} == set(TIPS)


@pytest.mark.parametrize("slug", RULESETS)
def test_every_claim_of_a_tip_is_true_of_its_position(slug: str) -> None:
    ruleset = RULESETS[slug]
    positions = [any_position(Random(f"{slug} {n}"), ruleset) for n in range(100)]
    for at in (*positions, *EXAMPLES.values()):
        check_tip(ruleset, at, advise(tables(ruleset), at))


def check_tip(ruleset: Ruleset, at: Position, advice: Advice) -> None:
    """Holds the claims of the tip's text against the rows of the advice and the tables."""
    tip = advice.tip
    places = {name for _, name, _, _ in Formatter().parse(TIPS[tip.key]) if name}
    assert places <= set(tip.values)
    assert tip.key.startswith(f"tip.{tip.code}.")
    if at.dice is None:
        still_open = at.card.open_categories
        assert tip.values.get("count", 1) == len(still_open)
        return
    if isinstance(advice.best, ScoreChoice):
        check_score_tip(ruleset, at, advice, advice.best.category)
    else:
        check_roll_tip(at, advice, advice.best)


def check_score_tip(ruleset: Ruleset, at: Position, advice: Advice, category: Category) -> None:
    tip = advice.tip
    brought = {row.category: row.points for row in advice.scores}
    points = brought[category]
    values, whole = tables(ruleset).values, open_set(at.card)
    later = {known: values[whole & ~(1 << CARD.index(known))] for known in brought}
    variant = tip.key.rpartition(".")[2]
    assert (tip.code == "deliberate-zero") == (points == 0)
    assert tip.values.get("category", category) == category
    assert variant.startswith("only") <= (len(brought) == 1)
    if "points" in tip.values and variant != "instead":
        assert tip.values["points"] == points
    if tip.code == "choice-as-insurance":
        assert category == Category.CHOICE
        alone = values[1 << CARD.index(category)]
        assert variant != "written-high" or points >= alone
        assert variant != "written-low" or points < alone
    elif tip.code == "exact-straights":
        assert points > 0
        assert category in {Category.LITTLE_STRAIGHT, Category.BIG_STRAIGHT}
    elif tip.code == "high-fours":
        assert at.dice is not None
        face, count = Counter(at.dice).most_common(1)[0]
        assert count >= 4
        assert tip.values["face"] == face
        assert (variant == "written") == (face >= 4)
    elif variant == "unfit":
        assert set(brought.values()) == {0}
        assert later[category] >= max(later.values()) - 1e-9
    elif "other" in tip.values:
        other = tip.values["other"]
        assert isinstance(other, Category)
        assert brought[other] == max(brought.values()) > points
        assert tip.values["points" if variant == "instead" else "other_points"] == brought[other]
        assert later[category] > later[other]
    if variant.endswith("stop"):
        assert at.rolls_left
    if variant in {"written", "written-stop"} and tip.code == "whole-card":
        assert points == max(brought.values())


def check_roll_tip(at: Position, advice: Advice, best: RollChoice) -> None:
    tip, dice = advice.tip, at.dice
    assert dice is not None
    kept = advice.holds[0].kept
    rest = tuple((Counter(dice) - Counter(kept)).elements())
    variant = tip.key.rpartition(".")[2]
    still_open = at.card.open_categories
    assert best.held == advice.holds[0].held
    assert tip.values.get("kept", kept) == kept
    assert variant.startswith("none") <= (kept == ())
    if tip.code == "exact-straights":
        missing, targets = tip.values["missing"], tip.values["categories"]
        assert isinstance(missing, tuple)
        assert isinstance(targets, tuple)
        assert (tip.values["rolled"],) == rest
        assert (variant == "duplicate") == (rest[0] in kept)
        for face, category in zip(missing, targets, strict=True):
            assert isinstance(face, int)
            span = range(1, 6) if category == "little_straight" else range(2, 7)
            assert sorted([*kept, face]) == list(span)
            assert category in still_open
            assert rest[0] in kept or rest[0] not in span
    elif tip.code == "high-fours":
        assert Category.FOUR_OF_A_KIND in still_open
        assert kept == (tip.values["face"],) * {"three": 3, "four": 4}[variant]
        assert kept[0] >= 4
        assert tip.values["points"] == 4 * kept[0]
    elif tip.code == "choice-as-insurance":
        assert Category.CHOICE in still_open
        assert not kept or min(kept) > max(rest)
        assert variant.endswith("only") == (len(still_open) == 1)
    elif tip.code == "keep-options-open":
        named = tip.values["categories"]
        assert isinstance(named, tuple)
        assert 2 <= len(set(named)) == len(named) <= 3
        assert set(named) <= set(still_open)
    else:
        assert tip.values["category"] in still_open
        assert ("only" in variant) == (len(still_open) == 1)


def endings(known: Tables, at: Position, kept: tuple[int, ...]) -> dict[str, Counter[Category]]:
    """Chances of filling each category after the last roll, and of filling it well, tried out."""
    filled: Counter[Category] = Counter()
    well: Counter[Category] = Counter()
    advice = advise(known, at)
    par = min(advice.expected_total, at.card.total + float(known.values[open_set(at.card)]))
    for shown, ways in throws(5 - len(kept)):
        rolled = as_dice(tuple(sorted(kept + shown)))
        done = choose(known, Position(at.card, rolled, 0), "perfect", 0.0)
        assert isinstance(done, ScoreChoice)
        row = advise(known, Position(at.card, rolled, 0)).scores[0]
        filled[done.category] += ways
        if row.points and row.expected_total >= par - 1e-9:
            well[done.category] += ways
    return {"filled": filled, "well": well}


def test_the_categories_a_tip_names_are_those_in_which_the_turn_may_end_well() -> None:
    """Every roll that may follow the last hold is tried out."""
    known = tables(RULESETS["classic"])
    seen: Counter[str] = Counter()
    for n in range(300):
        at = any_position(Random(n), RULESETS["classic"])
        if at.rolls_left != 1 or not isinstance(advise(known, at).best, RollChoice):
            continue
        advice = advise(known, at)
        kept, tip = advice.holds[0].kept, advice.tip
        ends = endings(known, at, kept)
        total = 6 ** (5 - len(kept))
        seen[tip.code] += 1
        if tip.code == "keep-options-open":
            named = tip.values["categories"]
            assert isinstance(named, tuple)
            chances = [ends["well"][Category(str(category))] for category in named]
            assert chances == sorted(chances, reverse=True)
            assert chances[0] == max(ends["well"].values())
            assert chances[-1] >= 0.05 * total
        elif tip.key.startswith("tip.whole-card.goal"):
            goal = tip.values["category"]
            assert isinstance(goal, Category)
            assert ends["well"][goal] == max(ends["well"].values())
        elif tip.key == "tip.choice-as-insurance.hold":
            assert ends["filled"][Category.CHOICE] == max(ends["filled"].values())
        elif tip.code in {"exact-straights", "high-fours"}:
            assert sum(ends["well"].values()) >= 0.05 * total
    assert seen["keep-options-open"] > 5
    assert seen["whole-card"] > 5


def test_the_wire_knows_the_codes_that_tips_have() -> None:
    """It lists them itself, so that a server that is never asked need not load the tips."""
    assert get_args(WireCode) == TIP_CODES
