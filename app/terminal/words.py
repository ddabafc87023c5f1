"""What a typed line means. Knows the words and no game."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NamedTuple, TypeAlias

from app.locale import text

LETTERS = "abcdefghijklmnop"
"""The key of each category, in card order; all keys with another meaning come later."""
SHORTEST = 2


Verb: TypeAlias = Literal["roll", "resign", "leave", "help"]


class CategoryName(NamedTuple):
    """A category: what the server calls it, and what people do."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class Toggle:
    """Hold the dice at these positions (0 to 4), or let go of those that are held."""

    positions: tuple[int, ...]
    lets_go: bool = True
    """Not where somebody has said to hold them."""


@dataclass(frozen=True, slots=True)
class Score:
    """Fill the category."""

    category: CategoryName


@dataclass(frozen=True, slots=True)
class Plain:
    """A word that needs no other."""

    verb: Verb


@dataclass(frozen=True, slots=True)
class Unclear:
    """Nothing that is known; ``reason`` says so."""

    reason: str


Typed: TypeAlias = Toggle | Score | Plain | Unclear

_PLAIN: dict[str, Plain] = {
    **dict.fromkeys(("", "r", "roll"), Plain("roll")),
    **dict.fromkeys(("q", "quit", "exit", "leave"), Plain("leave")),
    **dict.fromkeys(("?", "help"), Plain("help")),
    "resign": Plain("resign"),
}
_POSITIONS = re.compile("[1-5]+")


def read_line(line: str, categories: Sequence[CategoryName]) -> Iterator[Typed]:
    """What the line asks for, in order: `1 3 r` marks two dice and rolls the others."""
    words = line.lower().replace(",", " ").split()
    # The letter alone is a category.
    says_hold = words[:1] == ["hold"] or (words[:1] == ["h"] and _are_positions(words[1:2]))
    if says_hold:
        words = words[1:]
    positions: list[int] = []
    while _are_positions(words[:1]):
        positions.extend(int(digit) - 1 for digit in words.pop(0))
    if positions:
        yield Toggle(tuple(positions), lets_go=not says_hold)
        if not words:
            return
    elif says_hold:
        yield Unclear(text("play.hold-which"))
        return
    said = " ".join(words)
    if said in _PLAIN:
        yield _PLAIN[said]
    elif words[0] in ("s", "score"):
        yield _category(" ".join(words[1:]), categories, by_number=True)
    else:
        yield _category(said, categories, by_number=False)


def _category(said: str, categories: Sequence[CategoryName], *, by_number: bool) -> Typed:
    said = _spoken(said)
    keys = LETTERS[: len(categories)]
    if len(said) == 1 and said in keys:
        return Score(categories[keys.index(said)])
    if by_number and said.isdecimal() and 1 <= int(said) <= len(categories):
        return Score(categories[int(said) - 1])
    for fits in (_is_name, _begins_name):
        found = [category for category in categories if fits(said, category)]
        if len(found) == 1:
            return Score(found[0])
        if found:
            names = ", ".join(category.name for category in found)
            return Unclear(text("play.which-category", said=said, names=names))
    spoken = {_spoken(category.name): category.name for category in categories}
    near = get_close_matches(said, spoken, n=1)
    if near:
        return Unclear(text("play.did-you-mean", said=said, name=spoken[near[0]]))
    return Unclear(text("play.unknown-word", said=said))


def _are_positions(words: Sequence[str]) -> bool:
    """Whether there are words, and all are positions of dice."""
    return bool(words) and all(_POSITIONS.fullmatch(word) for word in words)


def _is_name(said: str, category: CategoryName) -> bool:
    """Whether it is the whole name, the slug, or the first letters of a name of several words."""
    names = {_spoken(category.slug), _spoken(category.name)}
    initials = {"".join(word[0] for word in name.split()) for name in names if " " in name}
    return said in names | initials


def _begins_name(said: str, category: CategoryName) -> bool:
    names = (_spoken(category.slug), _spoken(category.name))
    return len(said) >= SHORTEST and any(name.startswith(said) for name in names)


def _spoken(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.lower())).strip()
