"""Positions for the tests: cards with some categories open, and positions by chance."""

from random import Random

from app.rules import CARD, Category, Ruleset, Scorecard
from app.strategy import Position, possible_points
from tests.builders import dice


def card_with(*still_open: str | Category) -> Scorecard:
    """A card with these categories open; the others are filled with 0, choice with 20."""
    filled = {str(category): 0 for category in CARD if category not in still_open}
    if "choice" in filled:
        filled["choice"] = 20
    return Scorecard(**filled)


def position(lying: str, rolls_left: int, *still_open: str | Category) -> Position:
    """A position with these dice and open categories; all are open where none is named."""
    return Position(card_with(*(still_open or CARD)), dice(lying), rolls_left)


def any_position(random: Random, ruleset: Ruleset) -> Position:
    """Any dice, one to twelve categories open, the others filled with what they can bring."""
    still_open = random.sample(CARD, random.randint(1, len(CARD)))
    cells = [
        None
        if category in still_open
        else random.choice(sorted(possible_points(ruleset, category)))
        for category in CARD
    ]
    first, second, third, fourth, fifth = random.choices(range(1, 7), k=5)
    return Position(Scorecard(*cells), (first, second, third, fourth, fifth), random.randrange(3))
