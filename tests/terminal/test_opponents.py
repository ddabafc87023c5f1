"""Bots, hints, clocks and rematches, at a real server by the real client."""

import re
from datetime import datetime
from typing import Any

import pytest
from rich.console import Console

from app.clock import now
from app.terminal.hints import worded
from app.terminal.keep import KnownPlayer
from app.terminal.screen import Screen
from app.terminal.welcome import TURN_SECONDS, Wishes
from tests.conftest import Serve
from tests.table import OPEN, Visitor, success
from tests.terminal.seat import ONE_CARD, Seat, Typist, playing, typed

ME = {"type": "me"}


def test_bots_play_along_and_their_moves_are_told(seat: Seat, guest: Visitor) -> None:
    assert seat.play(ONE_CARD, bot=("novice", "casual")) == 0
    game = success(guest.get(f"/v1/games/{seat.game_id}"))
    levels = [(player["type"], player["level"]) for player in game["seats"]]
    assert levels == [("human", None), ("bot", "novice"), ("bot", "casual")]
    for player in game["seats"]:
        assert f"{player['rank']}. {player['name']}: {player['total']}" in seat.shown
    for player in game["seats"][1:]:
        assert len(re.findall(rf"^{player['name']} scores \d+ in", seat.shown, re.MULTILINE)) == 12


def test_hints_name_the_best_choice_and_what_the_next_ones_cost(seat: Seat, guest: Visitor) -> None:
    seat.play(["r"], hints=True)
    advice = success(guest.get(f"/v1/games/{seat.game_id}/advice"))
    before, hint = seat.shown.split("\nBest: ")
    assert "Roll all five first" in before
    assert advice["tip"]["text"] in hint
    losses = sorted(row["loss"] for row in advice["holds"] + advice["scores"])
    costs = re.findall(r"\(-(\d+\.\d\d)\)|\(just as good\)", hint)
    assert [cost or "0.00" for cost in costs] == [f"{loss:.2f}" for loss in losses[1:3]]


def test_hints_show_dice_as_they_lie_and_call_equal_choices_as_good() -> None:
    two, one, none = [True, True, *[False] * 3], [False, False, True, False, True], [False] * 5
    advice: Any = {
        "dice": [4, 4, 3, 1, 3],
        "best": {"action": "roll", "held": two},
        "tip": {"text": "Keep a pair."},
        "holds": [
            {"held": two, "loss": 0.0},
            {"held": none, "loss": 0.01},
            {"held": one, "loss": 0.004},
        ],
        "scores": [{"category": "yacht", "loss": 3.0}],
    }
    assert worded(advice, Screen(Console())) == [
        "Best: hold [4] [4] 3 1 3 and roll. Keep a pair.",
        "Next: hold 4 4 [3] 1 [3] and roll (just as good), roll all five again (-0.01).",
    ]


def test_without_the_wish_there_are_no_hints(seat: Seat) -> None:
    seat.play(["r"])
    assert "Best: " not in seat.shown


def test_a_game_without_hints_says_so_once_and_goes_on(seat: Seat, guest: Visitor) -> None:
    bo = guest.player("Bo")
    game = bo.open(OPEN, ME, hints=False)
    seat.play(["r", "1 r"], join=game["id"], hints=True)
    assert seat.shown.count("This game is played without hints") == 1
    assert bo.read(game)["turn"]["rolls_used"] == 2


def test_a_new_game_has_the_clock_that_was_asked_for(seat: Seat, guest: Visitor) -> None:
    seat.play([], turn_seconds=TURN_SECONDS[-1])
    assert guest.read({"id": seat.game_id})["turn_seconds"] == TURN_SECONDS[-1]
    assert "This turn has time until " in seat.shown


@pytest.mark.parametrize("seconds", [TURN_SECONDS[0] - 1, TURN_SECONDS[-1] + 1])
def test_a_clock_that_no_game_may_have_is_refused_before_it_is_opened(
    seconds: int, seat: Seat, guest: Visitor
) -> None:
    assert seat.play([], turn_seconds=seconds) == 1
    assert seat.shown == "A turn may last from 10 to 1209600 seconds.\n"
    opening = {"turn_seconds": seconds}
    assert guest.player("Ada").send("POST", "/v1/games", opening).status_code == 422


def test_a_turn_with_a_clock_shows_until_when_it_lasts(seat: Seat, guest: Visitor) -> None:
    game = guest.player("Bo").open(OPEN, ME, turn_seconds=600)
    seat.play([], join=game["id"])
    deadline = datetime.fromisoformat(guest.read(game)["turn"]["deadline"]).astimezone()
    assert f"This turn has time until {deadline:%H:%M:%S}." in seat.shown or (
        f"This turn has time until {deadline:%Y-%m-%d %H:%M}." in seat.shown
    )


def test_a_turn_that_took_too_long_was_played_by_the_clock(seat: Seat, serve: Serve) -> None:
    late = 0

    def tick() -> int:
        return now() + late

    with serve(now=tick) as visitor:
        seat.url = str(visitor.http.base_url)
        ada = visitor.player("Ada")
        seat.players.keep(seat.url, KnownPlayer("Ada", ada.token))
        game = ada.open(turn_seconds=600)
        play = typed(["r", "k"])

        def reply(prompt: str) -> str:
            nonlocal late
            line = play(prompt)
            if line == "k":
                late = 601_000
            return line

        seat.visit(Typist(reply), Wishes(name="Ada", join=game["id"]))
        [scored] = [e for e in visitor.events(game) if e["type"] == "category_scored"]
    assert "Time is up for Ada; the clock plays this turn." in seat.shown
    assert f"Ada scores {scored['points']} in " in seat.shown
    assert "Round 2 of 12" in seat.shown


def test_the_same_players_meet_again(seat: Seat, guest: Visitor) -> None:
    assert seat.ask(playing("Ada", ["r", "resign"], again="y"), bot=("novice",)) == 0
    first, second = re.findall(r"Game ([0-9a-f-]{36})", seat.shown)
    assert guest.read({"id": first})["rematch_id"] == second
    levels = [player["level"] for player in guest.read({"id": second})["seats"]]
    assert sorted(levels, key=str) == [None, "novice"]


def test_whoever_is_asked_to_play_again_takes_the_seat_in_that_game(
    seat: Seat, guest: Visitor
) -> None:
    bo = guest.player("Bo")
    game = bo.open(OPEN, ME)
    meeting: list[Any] = []
    play = playing("Ada", ["resign"], again="y")

    def reply(prompt: str) -> str:
        if "File to save" in prompt and not meeting:
            meeting.append(success(bo.ask("rematch", game)))
        return play(prompt)

    assert seat.ask(reply, join=game["id"]) == 0
    assert seat.game_id == meeting[0]["id"]
    assert sorted(player["name"] for player in guest.read(meeting[0])["seats"]) == ["Ada", "Bo"]


def test_a_script_is_not_asked_to_play_again(seat: Seat) -> None:
    assert seat.play(["resign"], bot=("novice",)) == 0
    assert "again" not in seat.shown
