"""Rulesets as clients see them, with the texts that people read."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.locale import text
from app.rules import CARD, Category, Dice, Ruleset, maximum, scores
from app.schemas.fields import about
from app.schemas.games import FiveFaces, Points


class CategoryView(TypedDict):
    """A category, and the most that it can bring."""

    slug: Annotated[Category, about("its name in requests and cards")]
    name: Annotated[str, about("its name for people")]
    description: Annotated[str, about("what it asks of the dice, for people")]
    maximum: Annotated[Points, about("the most it can bring")]


class RulesetView(TypedDict):
    """A way of playing: five switches, and what follows from them."""

    slug: Annotated[str, about("its name in requests")]
    name: Annotated[str, about("its name for people")]
    description: Annotated[str, about("what is particular about it, for people")]
    full_house_points: Annotated[
        int | None, about("what a full house brings; null: the sum of the five dice")
    ]
    five_alike_is_full_house: Annotated[
        bool, about("whether five dice of one face are a full house too")
    ]
    four_of_a_kind_counts_all: Annotated[bool, about("whether the fifth die counts too")]
    little_straight_points: Annotated[int, about("what 1 to 5 brings")]
    big_straight_points: Annotated[int, about("what 2 to 6 brings")]
    maximum: Annotated[int, Field(description="the highest total a card can reach")]
    categories: Annotated[list[CategoryView], about("the twelve categories, in card order")]


class RulesetsView(TypedDict):
    """All rulesets."""

    items: Annotated[list[RulesetView], about("the rulesets")]
    next_cursor: Annotated[None, about("always null: there is one page")]


class ScoresView(TypedDict):
    """What the dice would score in each category."""

    dice: Annotated[FiveFaces, about("the five faces, by position; never sorted")]
    scores: Annotated[dict[Category, Points], about("what they bring in each category")]


def ruleset_view(ruleset: Ruleset) -> RulesetView:
    """The ruleset as the wire has it."""
    return {
        "slug": ruleset.slug,
        "name": text(f"ruleset.{ruleset.slug}.name"),
        "description": text(f"ruleset.{ruleset.slug}.description"),
        "full_house_points": ruleset.full_house_points,
        "five_alike_is_full_house": ruleset.five_alike_is_full_house,
        "four_of_a_kind_counts_all": ruleset.four_of_a_kind_counts_all,
        "little_straight_points": ruleset.little_straight_points,
        "big_straight_points": ruleset.big_straight_points,
        "maximum": ruleset.maximum,
        "categories": [
            {
                "slug": category,
                "name": text(f"category.{category}.name"),
                "description": _description(ruleset, category),
                "maximum": maximum(ruleset, category),
            }
            for category in CARD
        ],
    }


def scores_view(ruleset: Ruleset, dice: Dice) -> ScoresView:
    """What the dice would score, as the wire has it."""
    return {"dice": list(dice), "scores": dict(scores(ruleset, dice))}


def _description(ruleset: Ruleset, category: Category) -> str:
    variant = "description"
    if category is Category.FULL_HOUSE and ruleset.full_house_points is not None:
        variant = "fixed"
    elif category is Category.FULL_HOUSE and ruleset.five_alike_is_full_house:
        variant = "or-five"
    elif category is Category.FOUR_OF_A_KIND and ruleset.four_of_a_kind_counts_all:
        variant = "all"
    return text(f"category.{category}.{variant}", points=maximum(ruleset, category))
