"""What becomes of games that nobody goes on with, and of those whose players want another."""

import pytest

from app.rules import (
    Abandon,
    Cancel,
    Game,
    GameCancelled,
    OpenRematch,
    RematchOpened,
    Roll,
    fold,
    format_game,
    open_game,
)
from tests.builders import (
    AT,
    OPEN,
    PLAIN,
    created,
    play,
    play_to_end,
    refusal,
    resign,
    roll,
    solo,
    table,
    tell,
)

FINISHED = play(table("Ada", "Bo"), resign(1))


@pytest.mark.parametrize(
    "game", [table("Ada", OPEN), roll(table("Ada", "Bo"))], ids=["waiting", "active"]
)
def test_a_forgotten_game_is_called_off(game: Game) -> None:
    """R69: at any point before its end, dice on the table or not; nobody has won."""
    assert tell(game, Abandon()) == (GameCancelled(seq=game.version + 1, at=AT, reason="idle"),)
    after = play(game, Abandon())
    assert (after.status, after.turn, after.winners) == ("cancelled", None, ())
    assert all(seat.rank is None for seat in after.seats)
    assert refusal(after, Roll(0, PLAIN)) == "game-over"


@pytest.mark.parametrize(
    "game", [FINISHED, play(table("Ada", OPEN), Cancel("host"))], ids=["finished", "cancelled"]
)
def test_a_game_that_is_over_cannot_be_forgotten(game: Game) -> None:
    """R69: it stays as it ended."""
    assert refusal(game, Abandon()) == "game-over"


@pytest.mark.parametrize(
    "game",
    [table("Ada", OPEN), solo(), play(table("Ada", OPEN), Cancel("host"))],
    ids=["waiting", "active", "cancelled"],
)
def test_only_a_finished_game_has_a_rematch(game: Game) -> None:
    """R70: not one that waits, runs or was called off."""
    assert refusal(game, OpenRematch("another")) == "not-finished"


@pytest.mark.parametrize(
    "game",
    [FINISHED, play_to_end(solo()), play(solo(), resign(0))],
    ids=["won", "full", "given up"],
)
def test_a_rematch_is_noted_and_changes_nothing_else(game: Game) -> None:
    """R70: cards, ranks and winners are those of the game that was played."""
    seq = game.version + 1
    assert tell(game, OpenRematch("another")) == (RematchOpened(seq=seq, at=AT, game_id="another"),)
    after = play(game, OpenRematch("another"))
    assert after == game._replace(version=seq, rematch_id="another")


def test_a_rematch_is_not_written() -> None:
    """R64, R70: it was not seen at the table, and is but the id of another game."""
    opening, game = open_game(created("Ada", "Bo"))
    ended = (*opening, *tell(game, resign(1)))
    rematch = tell(fold(ended), OpenRematch("another"))
    assert format_game((*ended, *rematch)) == format_game(ended)
