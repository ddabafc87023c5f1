"""Names: what may be one, and how it is written down."""

import json
import time
from typing import Any

import pytest

from tests.table import ME, Visitor, faults, friend, success

JSON = {"Content-Type": "application/json"}
FAMILY = "\U0001f469\u200d\U0001f467"
E_ACUTE = "\u00e9"

TAKEN = {
    "one character": ("A", "A"),
    "40 characters": ("x" * 40, "x" * 40),
    "40 characters outside the first plane": ("\U0001f3b2" * 40, "\U0001f3b2" * 40),
    "an emoji of several characters": (FAMILY, FAMILY),
    "spaces around it": ("  Ada \t\n", "Ada"),
    "other blanks around it": ("\u00a0Ada\u3000", "Ada"),
    "40 after trimming": (" " * 30 + "x" * 40 + " " * 30, "x" * 40),
    "spaces inside": ("Ada  L.", "Ada  L."),
    "a decomposed letter": ("Rene" + "\u0301", "Ren" + E_ACUTE),
    "40 after normalisation": (("e" + "\u0301") * 40, E_ACUTE * 40),
    "a full-width form": ("\uff21\uff4e\uff4e", "\uff21\uff4e\uff4e"),
    "a zero-width joiner inside": ("a\u200db", "a\u200db"),
    "Arabic": ("\u0639\u0644\u064a", "\u0639\u0644\u064a"),
    "markup": ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    "a quotation": ("'; DROP TABLE players; --", "'; DROP TABLE players; --"),
    "a format": ("{name} %s", "{name} %s"),
    "nothing but a digit": ("0", "0"),
}
REFUSED = {
    "empty": "",
    "a space": " ",
    "many blanks": " \t\u3000\u00a0",
    "41 characters": "x" * 41,
    "41 characters outside the first plane": "\U0001f3b2" * 41,
    "NUL": "a\u0000b",
    "a line feed": "a\nb",
    "an escape": "a\u001bb",
    "a delete": "a\u007fb",
    "a C1 control": "a\u0085b",
    "a line separator": "a\u2028b",
    "a right-to-left override": "a\u202eb",
    "a left-to-right embedding": "a\u202ab",
    "a pop of direction": "a\u202cb",
    "an isolate": "a\u2066b",
    "the end of an isolate": "a\u2069b",
    "a zero-width space": "\u200b",
    "zero-width joiners": "\u200d\u200c\ufeff",
    "a word joiner": "\u2060",
    "a variation selector": "\ufe0f",
    "a Hangul filler": "\u3164",
    "a character to be ignored for ever": "\u2065\ufff0\U000e0fff",
}


@pytest.mark.parametrize(("name", "written"), TAKEN.values(), ids=TAKEN.keys())
def test_a_name_is_trimmed_and_composed(guest: Visitor, name: str, written: str) -> None:
    player = guest.player(name)
    assert player.name == written
    assert success(player.get("/v1/players/me"))["name"] == written


@pytest.mark.clock
def test_a_name_that_would_take_seconds_to_compose_takes_none(guest: Visitor) -> None:
    """Composing sorts marks one by one."""
    name = "a" + "\u0300" * 15_990 + "\u0316" * 15_990
    begun = time.process_time()
    assert faults(guest.post("/v1/players", {"name": name})) == {("#/name", "name")}
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_name_is_refused(guest: Visitor, name: str) -> None:
    assert faults(guest.post("/v1/players", {"name": name})) == {("#/name", "name")}


@pytest.mark.parametrize(
    "escaped", [r"\ud800", r"a\udfffb", r"\udc00\ud800"], ids=["high", "low", "reversed"]
)
def test_halves_of_surrogate_pairs_are_no_name(guest: Visitor, escaped: str) -> None:
    content = f'{{"name": "{escaped}"}}'.encode()
    response = guest.send("POST", "/v1/players", content=content, headers=JSON)
    assert [pointer for pointer, _ in faults(response)] == ["#/name"]


def test_an_escaped_pair_is_the_character(guest: Visitor) -> None:
    content = rb'{"name": "\ud83c\udfb2"}'
    response = guest.send("POST", "/v1/players", content=content, headers=JSON)
    assert success(response)["name"] == "\U0001f3b2"


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED.keys())
def test_guests_have_names_of_the_same_kind(guest: Visitor, name: str) -> None:
    response = guest.player().post("/v1/games", {"seats": [ME, friend(name)]})
    assert faults(response) == {("#/seats/1/name", "name")}


def test_names_need_not_differ(guest: Visitor) -> None:
    """Players are told apart by id: Ann, ANN and a third Ann all exist."""
    ids = {guest.player(name).id for name in ("Ann", "ANN", "Ann")}
    assert len(ids) == 3


def test_a_name_comes_back_as_text_never_as_markup(guest: Visitor) -> None:
    ada = guest.player("<b>Ada</b>")
    response = ada.get("/v1/players/me")
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    told: Any = json.loads(response.text)
    assert told["name"] == "<b>Ada</b>"
