"""The dice follow from the seed as the contract says, and honest games pass the check."""

import copy
import hashlib
import itertools
import json
import math
import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.fairness import commitment, draw, entropy_text, first_five, verify, verify_document
from tests.fairness_logs import COMMITMENT, GAMES, SEED, reference_bytes, reference_draw

GUIDE = Path(__file__).parent.parent / "docs" / "fairness.md"


# --- the draw ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entropy", "seat", "round_", "roll", "faces"),
    [
        pytest.param("", 0, 1, 1, (6, 4, 3, 3, 1), id="first roll"),
        pytest.param("", 0, 1, 2, (2, 3, 4, 1, 2), id="second roll"),
        pytest.param("Ada,Bo", 1, 12, 3, (2, 6, 2, 1, 4), id="last roll of the second seat"),
    ],
)
def test_the_vectors_of_the_contract(
    entropy: str, seat: int, round_: int, roll: int, faces: tuple[int, ...]
) -> None:
    assert draw(SEED, entropy, seat, round_, roll) == faces


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    assert commitment(SEED) == COMMITMENT


@pytest.mark.parametrize(
    ("values", "text"),
    [
        pytest.param([], "", id="no human"),
        pytest.param([None], "", id="one human without"),
        pytest.param([None, None], ",", id="two humans without"),
        pytest.param(["Ada", None, "Bo"], "Ada,,Bo", id="one of three without"),
    ],
)
def test_entropy_is_joined_by_commas_in_seat_order(values: list[str | None], text: str) -> None:
    assert entropy_text(values) == text


def test_bytes_from_252_up_are_skipped() -> None:
    skipping = [
        round_
        for round_ in range(1, 2000)
        if max(itertools.islice(reference_bytes(SEED, f":0:{round_}:1"), 5)) >= 252
    ]
    assert len(skipping) > 50
    for round_ in skipping:
        assert list(draw(SEED, "", 0, round_, 1)) == reference_draw(SEED, "", 0, round_, 1)


def test_faces_go_on_in_the_next_block_where_one_has_too_few() -> None:
    full = bytes([0, 251, 6, 252, 253, 254, 255, 5])
    assert first_five(iter([bytes([255] * 31 + [1]), bytes([252] * 32), full])) == (2, 1, 6, 1, 6)


def test_blocks_that_end_too_early_are_an_error() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        first_five([bytes(4)])


@given(
    seed=st.binary(min_size=32, max_size=32),
    entropy=st.text("ab.,-_9", max_size=20),
    key=st.tuples(st.integers(0, 7), st.integers(1, 12), st.integers(1, 3)),
)
def test_a_draw_is_five_faces_and_always_the_same(
    seed: bytes, entropy: str, key: tuple[int, int, int]
) -> None:
    faces = draw(seed, entropy, *key)
    assert set(faces) <= {1, 2, 3, 4, 5, 6}
    assert list(faces) == reference_draw(seed, entropy, *key)


@given(seed=st.binary(min_size=32, max_size=32))
def test_every_seat_round_and_roll_has_a_draw_of_its_own(seed: bytes) -> None:
    keys = [(s, n, r) for s in range(8) for n in range(1, 13) for r in range(1, 4)]
    different = {draw(seed, "", *key) for key in keys}
    # 288 hands of 7,776 collide about five times; twenty-five is beyond any chance.
    assert len(different) > len(keys) - 25


def chi_square_survival(x: float) -> float:
    """P(X > x) for five degrees of freedom, in closed form."""
    tail = math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)
    return math.erfc(math.sqrt(x / 2)) + tail


def p_of(faces: list[int]) -> float:
    due = len(faces) / 6
    return chi_square_survival(sum((faces.count(f) - due) ** 2 / due for f in range(1, 7)))


DRAWS = [
    (roll, draw(hashlib.sha256(f"{game}".encode()).digest(), "", seat, round_, roll))
    for game in range(125)
    for seat in range(8)
    for round_ in (1, 2, 11, 12)
    for roll in (1, 2, 3)
]


def test_the_survival_function_gives_tabulated_values_and_condemns_a_loaded_die() -> None:
    assert chi_square_survival(11.0705) == pytest.approx(0.05, rel=1e-4)
    assert chi_square_survival(25.745) == pytest.approx(0.0001, rel=1e-3)
    assert p_of([1, 2, 3, 4, 5, 6] * 2000 + [6] * 300) < 0.0001


@pytest.mark.parametrize("position", range(5))
def test_60000_faces_are_even_at_every_position(position: int) -> None:
    assert len(DRAWS) * 5 == 60_000
    assert p_of([faces[position] for _, faces in DRAWS]) > 0.0001


@pytest.mark.parametrize("number", [1, 2, 3])
def test_60000_faces_are_even_in_every_roll(number: int) -> None:
    assert p_of([face for roll, faces in DRAWS if roll == number for face in faces]) > 0.0001


# --- the check of an honest game --------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_an_honest_game_passes(name: str) -> None:
    assert verify(GAMES[name]["fairness"], GAMES[name]["events"]) == []
    assert verify_document({**GAMES[name], "game": {}}) == []


def test_a_page_of_events_is_taken_for_its_items() -> None:
    page = {"items": GAMES["solo"]["events"], "next_cursor": None}
    assert verify_document({**GAMES["solo"], "events": page}) == []
    [reason] = verify_document({**GAMES["solo"], "events": {**page, "next_cursor": "9"}})
    assert "one page of several" in reason


def test_a_guide_reader_can_check_a_game_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The script in docs/fairness.md runs as printed, and it tells an honest game from another."""
    script = tmp_path / "check.py"
    script.write_text(GUIDE.read_text("utf-8").split("```python\n")[1].split("```")[0], "utf-8")
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "game.json"
    game.write_text(json.dumps(GAMES["table"]), "utf-8")
    runpy.run_path(str(script))
    assert "every die follows from the seed" in capsys.readouterr().out
    forged = copy.deepcopy(GAMES["table"])
    roll = next(event for event in forged["events"] if event["type"] == "dice_rolled")
    roll["dice"][4] = roll["dice"][4] % 6 + 1
    game.write_text(json.dumps(forged), "utf-8")
    with pytest.raises(AssertionError):
        runpy.run_path(str(script))
