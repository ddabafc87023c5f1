"""Who sits at the table: opening, joining, leaving, starting, cancelling, entropy, deletion."""

import pytest

from app.rules import (
    Anonymise,
    Cancel,
    Category,
    EntropySet,
    Game,
    GameCancelled,
    GameStarted,
    Join,
    Leave,
    Next,
    Score,
    SeatAnonymised,
    SeatJoined,
    SeatLeft,
    SeatRecord,
    SetEntropy,
    Start,
    Turn,
    open_game,
)
from tests.builders import (
    AT,
    OPEN,
    bot,
    created,
    guest,
    play,
    play_to_end,
    refusal,
    resign,
    roll,
    solo,
    table,
    take_turn,
    tell,
)

BO = Join("Bo", "bo")
CY = Join("Cy", "cy")


def names(game: Game) -> list[str | None]:
    return [seat.name for seat in game.seats]


@pytest.mark.parametrize("count", range(1, 9))
def test_one_to_eight_seats_play_to_the_end(count: int) -> None:
    """R27: each seat fills its twelve cells."""
    game = play_to_end(table("Ada", *(guest(f"Guest {i}") for i in range(1, count))))
    assert game.status == "finished"
    assert [seat.card.filled for seat in game.seats] == [12] * count


def test_seats_are_of_four_types() -> None:
    """R27: an open one is nobody's, a bot's level is its name, a guest is the host's."""
    game = table("Ada", guest("Bo"), bot("perfect"), OPEN)
    assert [(seat.type, seat.name, seat.player_id, seat.level) for seat in game.seats] == [
        ("human", "Ada", "ada", None),
        ("guest", "Bo", "ada", None),
        ("bot", "perfect", None, "perfect"),
        ("open", None, None, None),
    ]
    assert [seat.state for seat in game.seats] == ["playing", "playing", "playing", "open"]


def test_a_game_without_an_open_seat_starts_at_once() -> None:
    """R28, R33: in the same instant, with the first turn of seat 0."""
    events, game = open_game(created("Ada", bot("novice")))
    assert events[1:] == (
        GameStarted(
            seq=2,
            at=AT,
            seats=(
                SeatRecord(0, "human", "Ada", "ada", None),
                SeatRecord(1, "bot", "novice", None, "novice"),
            ),
            next=Next(seat=0, round=1),
        ),
    )
    assert (game.status, game.round, game.turn) == ("active", 1, Turn(seat=0, round=1))


def test_a_game_with_an_open_seat_waits() -> None:
    """R28, R38: it has no round and no turn."""
    game = table("Ada", OPEN)
    assert (game.status, game.round, game.turn) == ("waiting", None, None)


def test_joining_takes_the_first_open_seat() -> None:
    """R29: the seats before it are taken, those after it stay open."""
    game = table("Ada", bot(), OPEN, OPEN)
    assert tell(game, BO) == (SeatJoined(seq=2, at=AT, seat=2, name="Bo", player_id="bo"),)
    assert names(play(game, BO)) == ["Ada", "expert", "Bo", None]


def test_the_last_seat_taken_starts_the_game() -> None:
    """R29: joining and starting are one step."""
    game = table("Ada", OPEN)
    assert [event.type for event in tell(game, BO)] == ["seat_joined", "game_started"]
    assert play(game, BO).status == "active"


def test_nobody_sits_in_a_game_twice() -> None:
    """R30: neither the host nor a player who joined."""
    game = play(table("Ada", OPEN, OPEN), BO)
    assert refusal(game, BO) == "already-seated"
    assert refusal(game, Join("Ada", "ada")) == "already-seated"


def test_two_players_may_have_one_name() -> None:
    """R30: it is the player that counts."""
    assert refusal(table("Ada", OPEN), Join("Ada", "another-ada")) is None


def test_a_host_acts_for_the_guests_too() -> None:
    """R31: a player who joined acts for the own seat, a stranger and a bot for none."""
    game = play(table(guest("Di"), "Ada", bot(), OPEN), BO)
    assert game.seats_of("ada") == (0, 1)
    assert game.seats_of("bo") == (3,)
    assert game.seats_of("cy") == ()


def test_starting_drops_the_open_seats_and_numbers_the_others_anew() -> None:
    """R32: in the order in which they sat."""
    game = play(table("Ada", OPEN, guest("Di"), OPEN), BO, Leave(1))
    game = play(game, Start())
    assert names(game) == ["Ada", "Di"]
    assert (game.status, game.turn) == ("active", Turn(seat=0, round=1))


def test_the_start_tells_the_final_seats() -> None:
    """R32: with their new numbers."""
    (event,) = tell(table(OPEN, "Ada", OPEN, bot()), Start())
    assert isinstance(event, GameStarted)
    assert [(seat.index, seat.name) for seat in event.seats] == [(0, "Ada"), (1, "expert")]


def test_a_game_started_alone_is_a_solo_game() -> None:
    """R32: it goes on to the last cell."""
    game = play(table("Ada", OPEN), Start())
    assert play_to_end(game).winners == (0,)


def test_leaving_opens_the_seat_again() -> None:
    """R34: the next player to join takes it."""
    game = play(table("Ada", OPEN, OPEN), BO)
    assert tell(game, Leave(1)) == (SeatLeft(seq=3, at=AT, seat=1),)
    assert names(play(game, Leave(1), CY)) == ["Ada", "Cy", None]


def test_leaving_takes_the_entropy_along() -> None:
    """R34: the seat is as if nobody had sat there."""
    before = table("Ada", OPEN, OPEN)
    after = play(before, Join("Bo", "bo", entropy="seed"), Leave(1))
    assert after.seats == before.seats


def test_whoever_left_may_join_again() -> None:
    """R34: the seat is not kept."""
    assert refusal(play(table("Ada", OPEN, OPEN), BO, Leave(1)), BO) is None


def test_the_host_cannot_leave() -> None:
    """R35: there would be nobody to start the game."""
    assert refusal(table("Ada", OPEN), Leave(0)) == "host-must-cancel"


def test_cancelling_ends_a_waiting_game() -> None:
    """R36: without winners, without ranks."""
    game = table("Ada", OPEN)
    assert tell(game, Cancel("host")) == (GameCancelled(seq=2, at=AT, reason="host"),)
    after = play(game, Cancel("host"))
    assert (after.status, after.is_ended, after.winners, after.turn) == (
        "cancelled",
        True,
        (),
        None,
    )
    assert [seat.rank for seat in after.seats] == [None, None]


def test_entropy_can_be_added_and_replaced_while_the_game_waits() -> None:
    """R54: each text is an event."""
    game = table("Ada", OPEN)
    assert tell(game, SetEntropy(0, "one")) == (EntropySet(seq=2, at=AT, seat=0, value="one"),)
    assert play(game, SetEntropy(0, "one"), SetEntropy(0, "two")).seats[0].entropy == "two"


def test_entropy_can_be_added_until_the_first_roll() -> None:
    """R54, R55: also after the start, also by a seat that is not on turn."""
    game = table("Ada", "Bo")
    assert play(game, SetEntropy(1, "late")).seats[1].entropy == "late"
    assert refusal(roll(game), SetEntropy(1, "late")) == "entropy-closed"


def test_the_same_entropy_again_makes_no_event() -> None:
    """R54: nothing changes."""
    game = play(solo(), SetEntropy(0, "one"))
    assert tell(game, SetEntropy(0, "one")) == ()


def test_entropy_may_come_along_with_joining() -> None:
    """R54: two events, and the start after them where it was the last seat."""
    joining = Join("Bo", "bo", entropy="seed")
    events = tell(table("Ada", OPEN), joining)
    assert [(event.seq, event.type) for event in events] == [
        (2, "seat_joined"),
        (3, "entropy_set"),
        (4, "game_started"),
    ]
    assert play(table("Ada", OPEN), joining).seats[1].entropy == "seed"


def test_entropy_stays_closed_after_the_first_turn() -> None:
    """R55: a new turn without dice opens nothing."""
    assert refusal(take_turn(solo(), Category.ONES), SetEntropy(0, "x")) == "entropy-closed"


def test_entropy_stays_closed_where_the_seat_that_rolled_gives_up() -> None:
    """R55: dice were rolled, though no cell is filled and the open turn has none."""
    game = play(roll(table("Ada", "Bo", "Cy")), resign(0))
    assert game.open_turn.dice is None
    assert refusal(game, SetEntropy(1, "x")) == "entropy-closed"


def test_entropy_stays_open_where_the_first_seat_gives_up_without_a_roll() -> None:
    """R55: no dice were rolled."""
    assert refusal(play(table("Ada", "Bo", "Cy"), resign(0)), SetEntropy(1, "x")) is None


def test_entropy_closes_with_the_start_where_a_bot_sits_first() -> None:
    """R55: it rolls in the same instant; until then the game waits."""
    game = table(bot(), "Ada", OPEN)
    assert refusal(game, SetEntropy(1, "x")) is None
    assert refusal(play(game, Start()), SetEntropy(0, "x")) == "entropy-closed"


def test_entropy_stays_with_its_seat_when_seats_are_dropped() -> None:
    """R56: from seat 2 to seat 1."""
    game = play(table("Ada", OPEN, OPEN, OPEN), BO, Join("Cy", "cy", "seed"), Leave(1), Start())
    assert [(seat.name, seat.entropy) for seat in game.seats] == [("Ada", None), ("Cy", "seed")]


def test_the_draw_takes_the_texts_of_the_human_seats_in_their_order() -> None:
    """R54, R56: none of a guest's or a bot's, and none where a human gave none."""
    game = play(
        table("Ada", guest("Di"), bot(), "Bo", "Cy"), SetEntropy(0, "a"), SetEntropy(4, "c")
    )
    assert game.entropies == ("a", None, "c")


def test_a_deleted_account_leaves_its_seats_without_a_name() -> None:
    """R57: the host's own seat and the guests', not the other players'."""
    game = table("Ada", guest("Di"), "Bo")
    assert tell(game, Anonymise("ada")) == (
        SeatAnonymised(seq=3, at=AT, seat=0),
        SeatAnonymised(seq=4, at=AT, seat=1),
    )
    after = play(game, Anonymise("ada"))
    assert names(after) == [None, None, "Bo"]
    assert [seat.player_id for seat in after.seats] == [None, None, "bo"]
    assert after.host is None


def test_the_account_of_a_player_who_joined_leaves_the_host() -> None:
    """R57: only the own seat loses its name."""
    after = play(table("Ada", "Bo"), Anonymise("bo"))
    assert (names(after), after.host) == (["Ada", None], "ada")


def test_play_goes_on_without_the_name() -> None:
    """R57: cards and turn stay as they are."""
    game = roll(take_turn(table("Ada", "Bo"), Category.ONES))
    after = play(game, Anonymise("bo"))
    assert after.turn == game.turn
    assert play(after, Score(1, Category.CHOICE)).open_turn.seat == 0


@pytest.mark.parametrize(
    "game",
    [table("Ada", OPEN), solo(), play_to_end(solo()), play(table("Ada", OPEN), Cancel("host"))],
    ids=["waiting", "active", "finished", "cancelled"],
)
def test_a_name_can_be_taken_at_any_time(game: Game) -> None:
    """R57: the status does not change by it, nor does anything for a stranger."""
    after = play(game, Anonymise("ada"))
    assert (after.status, after.seats[0].name) == (game.status, None)
    assert tell(game, Anonymise("stranger")) == ()
