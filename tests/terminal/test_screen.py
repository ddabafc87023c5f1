"""What is drawn, for screens that can show much and for those that cannot."""

from io import BytesIO, StringIO, TextIOWrapper
from typing import Any, TextIO

import pytest
from rich.console import Console

from app.terminal.screen import Screen, clean, plain_console
from app.terminal.words import CategoryName
from tests.table import CATEGORIES, Player, Visitor, friend
from tests.terminal.seat import LETTERS

NAMES = [CategoryName(slug, slug) for slug in CATEGORIES]
LAST_TWO = [False, False, False, True, True]
ME = {"type": "me"}


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player("Ada")


def screen_on(file: TextIO, **console: Any) -> Any:
    """A screen; untyped, since what the driver of these tests gets is JSON."""
    return Screen(Console(file=file, markup=False, **console), NAMES)


def drawn(game: Any, held: list[bool], **console: Any) -> str:
    out = StringIO()
    screen_on(out, width=100, **console).game(game, held)
    return out.getvalue()


def test_on_a_terminal_dice_have_pips(ada: Player) -> None:
    game = ada.roll(ada.open())
    shown = drawn(game, LAST_TWO, force_terminal=True)
    assert shown.count("●") == sum(game["turn"]["dice"])
    assert ("4 held" in shown, "5 held" in shown, "3 held" in shown) == (True, True, False)


def test_elsewhere_dice_are_numbers_and_held_ones_in_brackets(ada: Player) -> None:
    game = ada.roll(ada.open())
    a, b, c, d, e = game["turn"]["dice"]
    shown = drawn(game, LAST_TWO)
    assert "position  1   2   3   4   5\n" in shown
    assert f"dice      {a}   {b}   {c}  [{d}] [{e}]\n" in shown


def test_the_seat_on_turn_is_marked(ada: Player) -> None:
    game = ada.turn(ada.open(ME, friend("Bo"), friend("Cy")))
    heading = next(line for line in drawn(game, LAST_TWO).splitlines() if "Cy" in line)
    assert heading.split() == ["Ada", ">", "Bo", "Cy"]


def test_eight_cards_stand_side_by_side_on_eighty_columns(ada: Player) -> None:
    game = ada.open(ME, *(friend(f"Player number {n}") for n in range(1, 8)))
    out = StringIO()
    screen_on(out, width=80).game(game, LAST_TWO)
    [total] = [line for line in out.getvalue().splitlines() if line.strip().startswith("Total")]
    assert total.split() == ["Total", *"0" * 8]
    assert all(len(line) <= 80 for line in out.getvalue().splitlines())


@pytest.mark.parametrize(("seats", "width"), [(5, 60), (8, 60), (3, 40), (8, 50)])
def test_on_a_narrow_screen_every_category_keeps_its_letter_and_every_seat_its_points(
    seats: int, width: int, ada: Player
) -> None:
    game = ada.open(ME, *(friend(f"Player number {n}") for n in range(1, seats)))
    for player in game["seats"]:
        player["scorecard"]["ones"], player["total"] = 50, 297
    out = StringIO()
    screen_on(out, width=width).cards(game)
    lines = out.getvalue().splitlines()
    rows = [line.split() for line in lines if line.split()[0] in LETTERS]
    assert [row[0] for row in rows] == list(LETTERS)
    assert rows[0][-seats:] == ["50"] * seats
    assert lines[-1].split()[-seats:] == ["297"] * seats
    assert all(len(line) <= width for line in lines)


def test_a_screen_without_unicode_gets_plain_letters(ada: Player) -> None:
    raw = BytesIO()
    file = TextIOWrapper(raw, encoding="ascii", errors="replace")
    screen = screen_on(file, width=80, force_terminal=True, color_system=None)
    screen.game(ada.roll(ada.open()), LAST_TWO)
    file.flush()
    assert "?" not in raw.getvalue().decode("ascii").replace("? helps", "")


def test_no_color_means_no_escape_code_at_all(ada: Player) -> None:
    out = StringIO()
    console = plain_console(Console(file=out, force_terminal=True, no_color=True))
    screen: Any = Screen(console, NAMES)
    screen.game(ada.roll(ada.open()), LAST_TWO)
    assert "\x1b" not in out.getvalue()


@pytest.mark.parametrize(
    "command",
    ["\x1b[2J", "\x07", "\x9b31m", "\r", "\u202e", "\x00"],
    ids=["clears", "rings", "colours", "returns", "turns round", "ends"],
)
def test_what_a_stranger_sends_cannot_command_the_terminal(command: str, ada: Player) -> None:
    game = ada.open()
    game["seats"][0]["name"] = f"Ad{command}a"
    assert command not in drawn(game, LAST_TWO).replace("\n", "")
    assert command not in clean(command)


def test_square_brackets_in_a_name_are_no_markup(guest: Visitor) -> None:
    eve = guest.player("[red]Eve[/]")
    shown = drawn(eve.open(), LAST_TWO)
    assert "[red]Eve[/]" in shown


@pytest.mark.parametrize(
    ("type_", "rest", "line"),
    [
        pytest.param(
            "dice_rolled",
            {"dice": [1, 2, 3, 4, 5], "held": [True, *[False] * 4], "roll": 2},
            "Ada, roll 2: [1] 2 3 4 5",
            id="a roll",
        ),
        pytest.param(
            "category_scored",
            {"category": "choice", "points": 9},
            "Ada scores 9 in choice.",
            id="a score",
        ),
        pytest.param("seat_resigned", {"reason": "player"}, "Ada gives up.", id="a resignation"),
        pytest.param(
            "seat_resigned",
            {"reason": "clock"},
            "Ada was out of time too often and is out of the game.",
            id="a resignation by the clock",
        ),
        pytest.param(
            "turn_expired",
            {"round": 1},
            "Time is up for Ada; the clock plays this turn.",
            id="a turn that took too long",
        ),
        pytest.param(
            "dice_held",
            {"held": [True, False, True, False, False]},
            "Ada holds the dice at 1 3.",
            id="dice that are held",
        ),
        pytest.param(
            "dice_held", {"held": [False] * 5}, "Ada holds no dice.", id="dice that are let go"
        ),
        pytest.param("seat_joined", {"name": "Cy"}, "Cy sits down.", id="a seat taken"),
        pytest.param("comet_sighted", {}, "", id="an event of a later server"),
    ],
)
def test_what_others_do_is_told_in_a_line(
    type_: str, rest: dict[str, Any], line: str, ada: Player
) -> None:
    out = StringIO()
    screen_on(out, width=100).happened({"seq": 1, "type": type_, "seat": 0, **rest}, ada.open())
    assert out.getvalue().strip() == line


def test_the_result_says_who_gave_up(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"), friend("Cy"))
    ada.turn(game, "choice")
    over = ada.resign(ada.resign(game, 0), 1)
    out = StringIO()
    screen_on(out, width=100).result(over)
    lines = out.getvalue().splitlines()
    assert "1. Cy: 0" in lines
    assert sum(line.endswith("(gave up)") for line in lines) == 2


@pytest.mark.parametrize(
    ("winners", "line"),
    [
        pytest.param([0], "Ada wins.", id="one"),
        pytest.param([0, 1, 2], "Ada, Bo and Cy share the win.", id="three"),
        pytest.param([], "Nobody has won.", id="none"),
    ],
)
def test_the_winners_are_named(winners: list[int], line: str, ada: Player) -> None:
    game = ada.open(ME, friend("Bo"), friend("Cy"))
    out = StringIO()
    screen_on(out, width=100).result(game | {"winners": winners})
    assert line in out.getvalue().splitlines()
