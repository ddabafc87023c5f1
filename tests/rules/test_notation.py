"""The text forms of dice, cards and turns: a person reads them, and they parse back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules import (
    CARD,
    NONE_HELD,
    NotationError,
    Scorecard,
    Turn,
    format_card,
    format_dice,
    format_turn,
    parse_card,
    parse_dice,
    parse_turn,
)
from tests.builders import (
    AT,
    PLAIN,
    dice,
    held,
)

FIVE_FACES = st.tuples(*[st.integers(1, 6)] * 5)
FIVE_MARKS = st.tuples(*[st.booleans()] * 5)
CARDS = st.builds(Scorecard, *[st.none() | st.integers(0, 50)] * len(CARD))


@pytest.mark.parametrize(
    ("faces", "marks", "text"),
    [
        ("5 5 5 2 1", NONE_HELD, "5 5 5 2 1"),
        ("5 5 2 1 5", held(0, 1, 4), "[5] [5] 2 1 [5]"),
        ("6 6 6 6 6", held(0, 1, 2, 3, 4), "[6] [6] [6] [6] [6]"),
    ],
    ids=["none held", "some held", "all held"],
)
def test_dice_are_written_as_they_lie(
    faces: str, marks: tuple[bool, bool, bool, bool, bool], text: str
) -> None:
    """R61: held ones in brackets."""
    assert format_dice(dice(faces), marks) == text
    assert parse_dice(text) == (dice(faces), marks)


@given(FIVE_FACES, FIVE_MARKS)
def test_dice_read_back(
    faces: tuple[int, int, int, int, int], marks: tuple[bool, bool, bool, bool, bool]
) -> None:
    """R61, R65: any faces, any marks."""
    assert parse_dice(format_dice(faces, marks)) == (faces, marks)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2 3 4",
        "1 2 3 4 5 6",
        "0 1 2 3 4",
        "1 2 3 4 7",
        "[1 2 3 4 5",
        "1,2,3,4,5",
        "\u0661 2 3 4 5",
    ],
)
def test_other_texts_are_no_dice(text: str) -> None:
    """R61, R65: five faces from 1 to 6."""
    with pytest.raises(NotationError, match="line 1: expected five dice") as refused:
        parse_dice(text)
    assert refused.value.line == 1


def test_a_card_is_written_on_three_lines() -> None:
    """R62: a dash is an open cell, 0 a filled one."""
    card = Scorecard(twos=4, four_of_a_kind=24, yacht=0)
    assert format_card(card) == (
        "ones -, twos 4, threes -, fours -, fives -, sixes -\n"
        "full_house -, four_of_a_kind 24, little_straight -, big_straight -, choice -, yacht 0\n"
        "total 28"
    )


@given(CARDS)
def test_a_card_reads_back(card: Scorecard) -> None:
    """R62, R65: open cells stay open, zeros stay zeros."""
    assert parse_card(format_card(card)) == card


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("total 28", "total 29", 3),
        ("total 28", "", 3),
        ("total 28", "total 28\n\ntotal 28", 4),
        ("twos 4", "twos 04", 1),
        ("twos 4", "deuces 4", 1),
        ("yacht 0", "yacht", 2),
        ("yacht 0", "choice 3", 2),
        ("ones -", "\nones -", 1),
    ],
    ids=[
        "wrong total",
        "no total",
        "a line too many",
        "leading zero",
        "unknown category",
        "no points",
        "a category twice",
        "an empty line first",
    ],
)
def test_other_texts_are_no_card(old: str, new: str, line: int) -> None:
    """R62, R65: the error names the line."""
    text = format_card(Scorecard(twos=4, four_of_a_kind=24, yacht=0)).replace(old, new)
    with pytest.raises(NotationError, match=f"line {line}: expected") as refused:
        parse_card(text)
    assert refused.value.line == line


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        (Turn(0, 2), "Round 2, seat 0"),
        (Turn(7, 12, 1, PLAIN), "Round 12, seat 7, roll 1: 1 2 3 4 6"),
        (Turn(1, 3, 3, PLAIN, held(4)), "Round 3, seat 1, roll 3: 1 2 3 4 [6]"),
    ],
    ids=["no dice", "dice", "held dice"],
)
def test_a_turn_is_written_on_one_line(turn: Turn, text: str) -> None:
    """R63: with its dice, once there are some."""
    assert format_turn(turn) == text
    assert parse_turn(text) == turn


def test_a_turn_is_written_without_its_deadline() -> None:
    """R63, R64: times are not written."""
    turn = Turn(0, 1, deadline=AT)
    assert parse_turn(format_turn(turn)) == Turn(0, 1)


@given(st.integers(0, 7), st.integers(1, 12), st.integers(1, 3), FIVE_FACES, FIVE_MARKS)
def test_a_turn_reads_back(
    seat: int,
    number: int,
    rolls: int,
    faces: tuple[int, int, int, int, int],
    marks: tuple[bool, bool, bool, bool, bool],
) -> None:
    """R63, R65: any seat, round, roll, dice and marks."""
    turn = Turn(seat, number, rolls, faces, marks)
    assert parse_turn(format_turn(turn)) == turn


@pytest.mark.parametrize(
    "text", ["", "Round 2", "Round 2, seat 0, roll 4: 1 2 3 4 6", "Round 2, seat 0, roll 1:"]
)
def test_other_texts_are_no_turn(text: str) -> None:
    """R63, R65: the dice belong to one of three rolls."""
    with pytest.raises(NotationError, match="line 1: expected a turn"):
        parse_turn(text)
