"""Moves that go wrong: refused, too late, or typed so that nobody can understand them."""

import pytest

from tests.table import Player, Visitor, success
from tests.terminal.seat import Seat, playing


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param(["1"], "Roll first", id="holding before the roll"),
        pytest.param(["k"], "Roll first", id="scoring before the roll"),
        pytest.param(["r", "r", "r", "r"], "All three rolls are used", id="a fourth roll"),
        pytest.param(["r", "r", "r", "2"], "All three rolls are used", id="holding at the end"),
        pytest.param(["r", "12345 r"], "All five dice are held", id="nothing to roll"),
        pytest.param(["r", "k", "r", "k"], "filled already", id="a filled category"),
        pytest.param(["r", "fo"], "'fo' may be: Fours, Four of a kind", id="two categories"),
        pytest.param(["r", "7"], "'7' means nothing here", id="a seventh die"),
        pytest.param(["dance"], "'dance' means nothing here", id="no word"),
        pytest.param(["?"], "hold these dice", id="a call for help"),
    ],
)
def test_a_move_that_cannot_be_is_answered_in_plain_words(
    lines: list[str], message: str, seat: Seat
) -> None:
    assert seat.play(lines) == 0
    assert message in seat.shown


def test_what_follows_a_refused_word_on_a_line_is_not_done(seat: Seat, guest: Visitor) -> None:
    seat.play(["1 r"])
    assert success(guest.get(f"/v1/games/{seat.game_id}"))["turn"]["rolls_used"] == 0


def test_a_move_in_a_game_that_has_moved_on_is_decided_again(seat: Seat, guest: Visitor) -> None:
    play = playing("Ada", ["r", "k"])

    def reply(prompt: str) -> str:
        line = play(prompt)
        if line == "k":  # meanwhile, at another screen of the same player
            known = seat.players.find(seat.url)
            assert known is not None
            elsewhere = Player(guest.http, {"id": "", "name": "Ada", "token": known.token})
            elsewhere.roll({"id": seat.game_id})
        return line

    seat.ask(reply)
    assert "The game has moved on since you looked." in seat.shown
    game = success(guest.get(f"/v1/games/{seat.game_id}"))
    assert (game["turn"]["rolls_used"], game["seats"][0]["scorecard"]["choice"]) == (2, None)


def test_a_token_that_the_server_has_forgotten_is_replaced(seat: Seat, guest: Visitor) -> None:
    seat.play([])
    known = seat.players.find(seat.url)
    assert known is not None
    ada = Player(guest.http, {"id": "", "name": "Ada", "token": known.token})
    assert ada.send("DELETE", "/v1/players/me").status_code == 204
    assert seat.play(["r"], name=None) == 0
    assert "no longer knows the Ada who played here before" in seat.shown
    replaced = seat.players.find(seat.url)
    assert replaced is not None
    assert (replaced.name, replaced.token == known.token) == ("Ada", False)


def test_two_names_are_two_players(seat: Seat) -> None:
    seat.play([], name="Ada")
    seat.play([], name="Bo")
    seat.play([], name="Ada")
    assert "Welcome, Ada." in seat.shown
    assert "Welcome, Bo." in seat.shown
    assert "Welcome back, Ada." in seat.shown
