"""What typed lines mean."""

import pytest

from app.locale import text
from app.rules import CARD
from app.terminal.words import (
    CategoryName,
    Plain,
    Score,
    Toggle,
    Typed,
    Unclear,
    read_line,
)

NAMES = [CategoryName(slug, text(f"category.{slug}.name")) for slug in CARD]


def scored(line: str) -> str:
    [typed] = read_line(line, NAMES)
    assert isinstance(typed, Score), typed
    return typed.category.slug


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        pytest.param("", [Plain("roll")], id="nothing rolls"),
        pytest.param(" R ", [Plain("roll")], id="in capitals"),
        pytest.param("1 3,5", [Toggle((0, 2, 4))], id="positions apart"),
        pytest.param("135", [Toggle((0, 2, 4))], id="positions together"),
        pytest.param("4 roll", [Toggle((3,)), Plain("roll")], id="hold and roll"),
        pytest.param("hold 1 3", [Toggle((0, 2), lets_go=False)], id="the word hold"),
        pytest.param("h 13 r", [Toggle((0, 2), lets_go=False), Plain("roll")], id="its letter"),
        pytest.param("q", [Plain("leave")], id="leaving"),
        pytest.param("resign", [Plain("resign")], id="giving up"),
        pytest.param("?", [Plain("help")], id="help"),
    ],
)
def test_a_line_is_read_as_a_list_of_things_to_do(line: str, meaning: list[Typed]) -> None:
    assert list(read_line(line, NAMES)) == meaning


@pytest.mark.parametrize("category", CARD)
def test_every_category_has_a_letter_a_number_a_name_and_a_slug(category: str) -> None:
    place = [name.slug for name in NAMES].index(category)
    name = NAMES[place].name
    for line in (
        "abcdefghijkl"[place],
        f"s {'abcdefghijkl'[place]}",
        f"s {place + 1}",
        f"score {name.upper()}",
        name,
        category,
        category.replace("_", "-"),
    ):
        assert scored(line) == category, line


@pytest.mark.parametrize(
    ("line", "category"),
    [
        pytest.param("ch", "choice", id="a beginning"),
        pytest.param("four of", "four_of_a_kind", id="a longer beginning"),
        pytest.param("fh", "full_house", id="initials"),
        pytest.param("s foak", "four_of_a_kind", id="initials of four words"),
    ],
)
def test_a_category_has_short_names(line: str, category: str) -> None:
    assert scored(line) == category


@pytest.mark.parametrize("line", ["f f", "s", "s 0", "s 13", "m", "6", "0", "-1", "t", "s ²"])
def test_what_is_not_known_is_not_guessed(line: str) -> None:
    [typed] = read_line(line, NAMES)
    assert isinstance(typed, Unclear)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        pytest.param("chance", "Choice", id="another game's word"),
        pytest.param("s yatch", "Yacht", id="a slip"),
        pytest.param("ful house", "Full house", id="a letter too few"),
    ],
)
def test_the_category_that_may_be_meant_is_named(line: str, name: str) -> None:
    [typed] = read_line(line, NAMES)
    assert isinstance(typed, Unclear)
    assert typed.reason.endswith(f"Did you mean {name}?")


@pytest.mark.parametrize("line", ["hold", "hold 6", "hold r"])
def test_holding_wants_positions(line: str) -> None:
    [typed] = read_line(line, NAMES)
    assert isinstance(typed, Unclear)
    assert "positions" in typed.reason


def test_a_beginning_of_two_names_is_asked_back() -> None:
    [typed] = read_line("s f", NAMES[3:5] + NAMES[6:8])
    assert isinstance(typed, Unclear)
