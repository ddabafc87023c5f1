"""The English texts of the tips, by key. Knows no position.

Places: ``{kept}`` and ``{missing}`` are lists of faces, ``{rolled}`` and ``{face}`` are faces;
``{categories}`` is a list of categories, ``{category}`` and ``{other}`` are one; the others are
whole numbers.
"""

from collections.abc import Mapping
from types import MappingProxyType

TIPS: Mapping[str, str] = MappingProxyType(
    {
        "tip.keep-options-open.first-roll": "Roll all five first: with {count} categories open, let the dice say which of them to go for.",
        "tip.keep-options-open.hold": "Keep {kept}: the turn can still end well in several categories, first of all in {categories}.",
        "tip.keep-options-open.none": "No die here is worth keeping. Roll all five again: the turn can still end well in several categories, first of all in {categories}.",
        "tip.exact-straights.duplicate": "A straight takes exactly its five faces: keep {kept} and roll the second {rolled} again. It is completed by {missing} ({categories}).",
        "tip.exact-straights.outlier": "A straight takes exactly its five faces: keep {kept} and roll the {rolled} again, which has no place in it. It is completed by {missing} ({categories}).",
        "tip.exact-straights.written": "A straight takes exactly its five faces, and here they are: {points} points in {category}.",
        "tip.choice-as-insurance.written-high": "{points} is no low sum: a turn for {category} alone brings about {average}. Nothing else you can do now promises more.",
        "tip.choice-as-insurance.written-low": "{category} is your insurance. {points} is a low sum for it, but nothing else you can do now promises more.",
        "tip.choice-as-insurance.only": "Only {category} is open, and it takes any dice: {points} points.",
        "tip.choice-as-insurance.only-stop": "Only {category} is open, and it takes any dice: another roll promises no more than these {points} points.",
        "tip.choice-as-insurance.hold": "The insurance is {category}, which takes any dice, and nothing is more likely to end this turn: keep {kept} and roll the lower dice again.",
        "tip.choice-as-insurance.hold-only": "Only {category} is open: keep {kept} and roll the lower dice again for a higher sum.",
        "tip.choice-as-insurance.none-only": "Only {category} is open: roll all five again for a higher sum.",
        "tip.high-fours.three": "Keep the three {face}s: four of a kind pays by its face, and four of these are {points} points.",
        "tip.high-fours.four": "Keep the four {face}s: four of a kind pays by its face, and these are {points} points already. Roll the fifth die for more.",
        "tip.high-fours.written": "Four of a kind pays by its face, and {face} is a high one: {points} points.",
        "tip.high-fours.written-low": "Four of a kind pays by its face, so with {face} it brings only {points} points. Still nothing else you can do now promises more.",
        "tip.deliberate-zero.only": "Only {category} is open, and these dice bring nothing in it: this zero cannot be avoided.",
        "tip.deliberate-zero.unfit": "These dice bring nothing in what is open, so choose the zero yourself: {category} is the one that costs least to give up.",
        "tip.deliberate-zero.instead": "Choose the zero in {category}: {other} would bring {points} points now, but giving {category} up and keeping {other} open promises more.",
        "tip.whole-card.first-roll": "Only {category} is open: roll all five, this turn is for it alone.",
        "tip.whole-card.only-hold": "Only {category} is open, and nothing promises more for it than to keep {kept}.",
        "tip.whole-card.only-none": "Only {category} is open, and no die here helps it: roll all five again.",
        "tip.whole-card.goal-hold": "Look at what is still open: if this turn ends well, then most likely in {category}, so keep {kept}.",
        "tip.whole-card.goal-none": "Look at what is still open: if this turn ends well, then most likely in {category}, so roll all five again.",
        "tip.whole-card.written": "Look at the whole card: with {points} points in {category}, what stays open promises a total that no other choice beats.",
        "tip.whole-card.written-fewer": "Look at the whole card: {other} would bring {other_points} points instead of {points}, but it is worth more left open than {category} is.",
        "tip.whole-card.written-stop": "Look at the whole card: {points} points in {category} are good enough, as another roll promises no more.",
        "tip.whole-card.only": "Only {category} is open: it takes these {points} points.",
    }
)
