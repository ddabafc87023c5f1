"""Whole games at a real server, by the real client."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from app.locale import text
from app.rules import RULESETS, fold, format_game, parse_game
from tests.table import CATEGORIES, OPEN, Visitor, success
from tests.terminal.seat import LETTERS, ONE_CARD, Seat, playing

ME = {"type": "me"}


@pytest.fixture(scope="module")
def finished(guest: Visitor, tmp_path_factory: pytest.TempPathFactory) -> Seat:
    """A terminal at which one game was played to its end."""
    seat = Seat(tmp_path_factory.mktemp("finished"), str(guest.http.base_url).rstrip("/"))
    assert seat.play(ONE_CARD) == 0
    return seat


def test_a_solo_game_is_played_to_its_end(finished: Seat, guest: Visitor) -> None:
    seat = finished
    game = success(guest.get(f"/v1/games/{seat.game_id}"))
    assert game["status"] == "finished"
    assert f"Ada has scored {game['seats'][0]['total']} points." in seat.shown


def test_the_dice_are_checked_at_the_end(finished: Seat) -> None:
    assert "The dice are those that the server had promised." in finished.shown


def test_a_guest_plays_at_the_same_keyboard(seat: Seat, guest: Visitor) -> None:
    turns = [line for letter in LETTERS for line in ("r", letter, "r", letter)]
    assert seat.play(turns, guest=("Bo",)) == 0
    game = success(guest.get(f"/v1/games/{seat.game_id}"))
    assert [s["name"] for s in game["seats"]] == ["Ada", "Bo"]
    for player in game["seats"]:
        assert f"{player['rank']}. {player['name']}: {player['total']}" in seat.shown


def test_held_dice_stay_through_the_roll(seat: Seat, guest: Visitor) -> None:
    seat.play(["r", "1 3", "5", "3", "r"])
    first, second = (e for e in guest.events({"id": seat.game_id}) if e["type"] == "dice_rolled")
    assert second["held"] == [True, False, False, False, True]
    assert (first["dice"][0], first["dice"][4]) == (second["dice"][0], second["dice"][4])
    assert f"[{first['dice'][0]}]" in seat.shown


def test_dice_that_are_said_to_be_held_are_not_let_go(seat: Seat, guest: Visitor) -> None:
    seat.play(["r", "1 3", "hold 3 4 r"])
    *_, last = guest.events({"id": seat.game_id})
    assert (last["roll"], last["held"]) == (2, [True, False, True, True, False])


def test_dice_can_be_marked_and_rolled_on_one_line(seat: Seat, guest: Visitor) -> None:
    seat.play(["r", "245 r"])
    *_, last = guest.events({"id": seat.game_id})
    assert (last["roll"], last["held"]) == (2, [False, True, False, True, True])


def test_open_categories_show_what_they_would_score_now(seat: Seat, guest: Visitor) -> None:
    seat.play(["r"], name="A")
    options = success(guest.get(f"/v1/games/{seat.game_id}"))["turn"]["options"]
    for slug, points in options.items():
        name = text(f"category.{slug}.name")
        assert re.search(rf" {name} +\+{points}\n", seat.shown), name


def test_two_terminals_play_one_game(seat: Seat, neighbour: Seat) -> None:
    is_open = Event()
    play = playing("Ada")

    def ada(prompt: str) -> str:
        if prompt.startswith("Enter waits"):
            is_open.set()
        return play(prompt)

    with ThreadPoolExecutor() as threads:
        ada_leaves = threads.submit(seat.ask, ada, open=1)
        assert is_open.wait(10)
        bo_leaves = threads.submit(neighbour.play, ONE_CARD, name="Bo", join=seat.game_id)
        assert (ada_leaves.result(20), bo_leaves.result(20)) == (0, 0)
    assert "Bo sits down." in seat.shown
    assert "Bo, roll 1: " in seat.shown
    assert "Waiting for Ada." in neighbour.shown
    assert all(f" in {name}." in neighbour.shown for name in ("Choice", "Full house"))
    assert (
        seat.shown.split("The game is over")[1][:400]
        == (neighbour.shown.split("The game is over")[1][:400])
    )


def test_the_host_begins_without_those_who_do_not_come(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # at the end the same word names the file to save in
    assert seat.ask(playing("Ada", Enter="start"), open=2) == 0
    assert "has scored" in seat.shown


def test_the_host_calls_a_waiting_game_off(seat: Seat, guest: Visitor) -> None:
    assert seat.ask(playing("Ada", Enter="cancel"), open=1) == 0
    assert "The game was called off." in seat.shown
    assert success(guest.get(f"/v1/games/{seat.game_id}"))["status"] == "cancelled"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        pytest.param("?", "start        begin without the open seats", id="help"),
        pytest.param("1 3 r", "'1 3 r' means nothing here. You can type:\nEnter", id="a move"),
    ],
)
def test_before_the_game_the_host_is_told_what_can_be_typed(
    typed: str, shown: str, seat: Seat
) -> None:
    answers = iter([typed, "q"])
    assert seat.ask(lambda _: next(answers), open=1) == 0
    assert shown in seat.shown


@pytest.mark.parametrize("typed", ["help", "start"], ids=["help", "the host's word"])
def test_before_the_game_others_are_told_what_they_can_type(
    typed: str, seat: Seat, guest: Visitor
) -> None:
    game = guest.player("Bo").open(ME, OPEN, OPEN)
    answers = iter([typed, "q"])
    assert seat.ask(lambda _: next(answers), join=game["id"]) == 0
    assert "leave        give your seat back" in seat.shown


def test_a_seat_in_a_waiting_game_can_be_given_back(
    seat: Seat, neighbour: Seat, guest: Visitor
) -> None:
    seat.ask(playing("Ada", Enter="q"), open=2)
    assert neighbour.ask(playing("Bo", Enter="leave"), name="Bo", join=seat.game_id) == 0
    seats = success(guest.get(f"/v1/games/{seat.game_id}"))["seats"]
    assert [s["state"] for s in seats] == ["playing", "open", "open"]


def test_whoever_gives_up_alone_has_not_won(seat: Seat) -> None:
    assert seat.play(["r", "resign"]) == 0
    assert "Nobody has won." in seat.shown


def test_a_seat_is_given_up_only_after_a_second_thought(seat: Seat, guest: Visitor) -> None:
    seat.ask(playing("Ada", ["resign"], Give="n"))
    assert success(guest.get(f"/v1/games/{seat.game_id}"))["status"] == "active"


def test_a_zero_is_scored_only_after_a_second_thought(seat: Seat, guest: Visitor) -> None:
    # Little and big straight never both fit, so one of them is a zero.
    seat.ask(playing("Ada", ["r", "i", "j"], Score="n"))
    assert "Ada> " not in seat.shown  # a keyboard shows its own prompts
    game = success(guest.get(f"/v1/games/{seat.game_id}"))
    assert 0 not in game["seats"][0]["scorecard"].values()


def test_a_game_is_left_and_found_again(seat: Seat, guest: Visitor) -> None:
    assert seat.play(["r", "q"]) == 0
    assert f"yacht play --server {seat.url} --name Ada --join {seat.game_id}" in seat.shown
    left = seat.game_id
    assert seat.play(["2 r"], join=left) == 0
    assert "Welcome back, Ada." in seat.shown
    assert [e["type"] for e in guest.events({"id": left})][-2:] == ["dice_rolled"] * 2


def test_an_unfinished_game_is_offered_to_whoever_comes_back(seat: Seat) -> None:
    seat.play(["r"])
    left = seat.game_id
    seat.ask(playing("Ada", ["k"]), name=None)
    assert seat.game_id == left
    seat.ask(playing("Ada", [], unfinished="n"), name=None)
    assert seat.game_id != left


def test_an_ended_game_that_is_joined_again_shows_its_result(finished: Seat) -> None:
    before = finished.shown.count("has scored")
    assert finished.play([], join=finished.game_id) == 0
    assert finished.shown.count("has scored") == before + 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_of_the_server_can_be_played(
    ruleset: str, seat: Seat, guest: Visitor
) -> None:
    seat.play([], ruleset=ruleset)
    assert success(guest.get(f"/v1/games/{seat.game_id}"))["ruleset"] == ruleset


def test_a_saved_game_parses_back(seat: Seat, guest: Visitor, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    turns = [line for letter in LETTERS for line in ("r", "1 2 r", letter, "r", letter)]
    assert seat.play(turns, guest=("Bo",), save=str(file)) == 0
    text = file.read_text(encoding="utf-8")
    events = parse_game(text)
    assert format_game(events) == text
    game = success(guest.get(f"/v1/games/{seat.game_id}"))
    for told, kept in zip(game["seats"], fold(events).seats, strict=True):
        assert told["name"] == kept.name
        assert list(kept.card) == [told["scorecard"][slug] for slug in CATEGORIES]


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        pytest.param("missing/game.txt", "there is no folder {folder}/missing", id="no folder"),
        pytest.param("file/game.txt", "there is no folder {folder}/file", id="below a file"),
        pytest.param("folder", "it is a folder", id="a folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_told_before_the_game(
    place: str, reason: str, seat: Seat, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    file = tmp_path / place
    assert seat.play(ONE_CARD, save=str(file)) == 1
    assert seat.shown == f"{file} cannot be written: {reason.format(folder=tmp_path)}\n"


def test_a_file_where_one_may_not_write_is_told_before_the_game(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):  # root may write anywhere
        monkeypatch.setattr(os, "access", lambda place, _mode: place != folder)
    assert seat.play(ONE_CARD, save=str(folder / "game.txt")) == 1
    assert seat.shown.endswith("you may not write there\n")


def test_the_game_is_saved_where_the_player_says(finished: Seat, tmp_path: Path) -> None:
    wrong, right = tmp_path / "missing" / "game.txt", tmp_path / "game.txt"
    files: Iterator[str] = iter([str(wrong), str(right)])
    finished.ask(
        lambda prompt: next(files) if prompt.startswith("File") else "", join=finished.game_id
    )
    assert f"{wrong} cannot be written" in finished.shown
    assert parse_game(right.read_text(encoding="utf-8"))[-1].type == "game_finished"


@pytest.mark.parametrize("no", ["n", " NO ", ""])
def test_yes_and_no_are_no_names_of_files(
    no: str, finished: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answers = iter(["y", "Yes", no])
    finished.ask(
        lambda prompt: next(answers) if prompt.startswith("File") else "", join=finished.game_id
    )
    assert (list(answers), list(tmp_path.iterdir())) == ([], [])


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        pytest.param({"ruleset": "bridge"}, "It knows: classic, fixed-house", id="ruleset"),
        pytest.param({"open": 8}, "at most 8 seats", id="too many seats"),
        pytest.param({"join": "nowhere"}, "no such game", id="no game"),
        pytest.param({"name": "\a"}, "does not accept this. A name has", id="no name"),
        pytest.param({"guest": ("",)}, "does not accept this. A name has", id="no guest's name"),
    ],
)
def test_an_impossible_wish_is_refused_with_its_reason(
    wishes: dict[str, object], reason: str, seat: Seat
) -> None:
    assert seat.play([], **wishes) == 1
    assert reason in seat.shown


def test_a_full_game_takes_nobody_else(seat: Seat, neighbour: Seat) -> None:
    seat.play([])
    assert neighbour.play([], name="Bo", join=seat.game_id) == 1
    assert "only those who have a seat" in neighbour.shown
    assert f"Watch it with: yacht watch --server {seat.url} {seat.game_id}\n" in neighbour.shown
