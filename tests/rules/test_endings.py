"""Giving up, how a game ends, and who has won it."""

import pytest

from app.rules import (
    CARD,
    Cancel,
    Category,
    Game,
    GameFinished,
    Hold,
    Next,
    Score,
    Scorecard,
    SeatRecord,
    SeatResigned,
    Turn,
)
from tests.builders import (
    AT,
    OPEN,
    PLAIN,
    bot,
    dice,
    guest,
    held,
    play,
    play_rounds,
    play_to_end,
    refusal,
    resign,
    roll,
    solo,
    table,
    take_turn,
    tell,
)

HIGH = dice("6 6 6 6 6")
LOW = dice("1 1 1 1 1")


def ranks(game: Game) -> list[int | None]:
    return [seat.rank for seat in game.seats]


def totals(game: Game) -> list[int]:
    return [seat.card.total for seat in game.seats]


def test_whoever_gives_up_out_of_turn_leaves_the_open_turn_untouched() -> None:
    """R43, R44: dice, marks and deadline of seat 2 stay while seat 0 gives up."""
    game = table("Ada", "Bo", "Cy", turn_seconds=60)
    game = take_turn(take_turn(game, Category.ONES), Category.ONES)
    game = play(roll(game), Hold(2, held(1, 3)))
    after = play(game, resign(0), at=AT + 30_000)
    assert after.turn == game.turn
    assert tell(game, resign(0)) == (
        SeatResigned(seq=game.version + 1, at=AT, seat=0, reason="player", next=None),
    )
    assert play(after, Score(2, Category.ONES)).open_turn.seat == 1


def test_whoever_gives_up_in_turn_passes_it_on() -> None:
    """R45: the dice on the table are gone, the next playing seat begins."""
    game = roll(table("Ada", "Bo", "Cy", turn_seconds=60))
    (event,) = tell(game, resign(0, reason="clock"))
    assert event == SeatResigned(
        seq=4, at=AT, seat=0, reason="clock", next=Next(seat=1, round=1, deadline=AT + 60_000)
    )
    assert play(game, resign(0)).turn == Turn(seat=1, round=1, deadline=AT + 60_000)


def test_the_turn_passes_over_seats_that_gave_up() -> None:
    """R45, R46: from seat 0 to seat 2, and round two begins with seat 2 again."""
    game = take_turn(play(table("Ada", "Bo", "Cy", "Di"), resign(1)), Category.ONES)
    assert game.open_turn == Turn(seat=2, round=1)
    game = play(take_turn(game, Category.ONES), resign(0))
    assert take_turn(game, Category.ONES).open_turn == Turn(seat=2, round=2)


@pytest.mark.parametrize("seats", [(0, 1), (1, 0), (1, 0, 1, 0)], ids=str)
def test_several_seats_give_up_at_once(seats: tuple[int, ...]) -> None:
    """R43, R45: an event each, in seat order; the turn goes to the first that is left."""
    events = tell(table("Ada", guest("Di"), "Bo", "Cy"), resign(*seats))
    assert [(event.seq, event.seat, event.type) for event in events] == [
        (3, 0, "seat_resigned"),
        (4, 1, "seat_resigned"),
    ]
    assert play(table("Ada", guest("Di"), "Bo", "Cy"), resign(*seats)).open_turn.seat == 2


def test_a_seat_cannot_give_up_twice() -> None:
    """R46: unless a seat that still plays gives up with it."""
    game = play(table("Ada", guest("Di"), "Bo", "Cy"), resign(1))
    assert refusal(game, resign(1)) == "already-resigned"
    assert refusal(game, resign(0, 1)) is None
    assert [event.seat for event in tell(game, resign(0, 1))] == [0]


def test_the_card_of_a_seat_that_gave_up_stays() -> None:
    """R46: and so does what it had scored."""
    game = play(take_turn(table("Ada", "Bo", "Cy"), Category.CHOICE), resign(0))
    assert (game.seats[0].state, totals(game)) == ("resigned", [16, 0, 0])


def test_the_last_score_ends_the_game_in_the_same_instant() -> None:
    """R47: the score and the end are one step, at one time."""
    game = play_rounds(solo(), 11)
    game = roll(game, HIGH)
    scored, finished = tell(game, Score(0, Category.YACHT), at=AT + 5)
    assert (scored.type, finished.at) == ("category_scored", AT + 5)
    assert finished == GameFinished(seq=scored.seq + 1, at=AT + 5, winners=(0,), ranks=(1,))
    after = play(game, Score(0, Category.YACHT), at=AT + 5)
    assert (after.status, after.finished_at, after.turn, after.round) == (
        "finished",
        AT + 5,
        None,
        12,
    )


def test_a_card_of_zeros_is_as_full_as_any() -> None:
    """R22, R47: eleven zeros and a choice of 5, the least that a card can total."""
    misses = {
        Category.ONES: HIGH,
        Category.FOUR_OF_A_KIND: PLAIN,
        Category.YACHT: PLAIN,
    }
    game = solo()
    for category in CARD:
        game = take_turn(game, category, misses.get(category, LOW))
    assert game.status == "finished"
    assert game.seats[0].card == Scorecard(*[0] * 12)._replace(choice=5)
    assert totals(game) == [5]


def test_the_game_ends_when_all_who_still_play_are_done() -> None:
    """R47: the one seat with an open cell gives up, so the other two are ranked."""
    game = play_rounds(table("Ada", "Bo", "Cy"), 11, HIGH, LOW)
    game = take_turn(take_turn(game, Category.YACHT, HIGH), Category.YACHT, LOW)
    after = play(game, resign(2))
    assert (after.status, ranks(after)) == ("finished", [1, 2, 3])


def test_the_last_seat_left_wins_whatever_the_totals() -> None:
    """R48: seat 0 has more, but gave up."""
    game = take_turn(table("Ada", "Bo"), Category.CHOICE, HIGH)
    events = tell(game, resign(0))
    assert events == (
        SeatResigned(seq=game.version + 1, at=AT, seat=0, reason="player", next=None),
        GameFinished(seq=game.version + 2, at=AT, winners=(1,), ranks=(2, 1)),
    )
    assert totals(play(game, resign(0))) == [30, 0]


def test_giving_up_in_turn_begins_no_turn_where_that_ends_the_game() -> None:
    """R38, R48: there is no next turn, though a seat with open cells is left."""
    resigned, finished = tell(table("Ada", "Bo"), resign(0))
    assert resigned == SeatResigned(seq=3, at=AT, seat=0, reason="player", next=None)
    assert finished == GameFinished(seq=4, at=AT, winners=(1,), ranks=(2, 1))


def test_a_bot_that_is_left_alone_wins() -> None:
    """R48, R49: nobody waits for it to play on."""
    game = play(table("Ada", bot()), resign(0))
    assert (game.status, game.winners, ranks(game)) == ("finished", (1,), [2, 1])


def test_bots_that_are_left_alone_are_ranked_as_they_stand() -> None:
    """R49: the best total wins; the seats that gave up are last."""
    game = play_rounds(
        table("Ada", bot("novice"), bot("perfect"), guest("Di")), 2, PLAIN, LOW, HIGH
    )
    game = play(game, resign(0, 3))
    assert (game.status, game.winners, totals(game)) == ("finished", (1,), [3, 5, 0, 3])
    assert ranks(game) == [3, 1, 2, 3]


def test_a_guest_who_plays_on_keeps_the_game_going() -> None:
    """R49: a person is still at the table."""
    game = play(table("Ada", guest("Di"), bot()), resign(0))
    assert (game.status, game.open_turn.seat) == ("active", 1)


def test_equal_totals_share_a_rank() -> None:
    """R50: 1, 1, 3, and both of rank 1 are winners."""
    game = play_to_end(table("Ada", "Bo", "Cy"), HIGH, HIGH, LOW)
    assert (game.winners, ranks(game)) == ((0, 1), [1, 1, 3])


def test_a_shared_second_place_leaves_out_the_third() -> None:
    """R50: 2, 1, 2, 4."""
    game = play_to_end(table("Ada", "Bo", "Cy", "Di"), LOW, HIGH, LOW, dice("2 2 3 3 5"))
    assert sorted(totals(game)) == [30, 64, 64, 134]
    assert ranks(game) == [2, 1, 2, 4]


def test_a_tie_does_not_depend_on_the_order_of_the_seats() -> None:
    """R50: the winners sit first, or last, or apart."""
    for faces in ((HIGH, HIGH, LOW), (LOW, HIGH, HIGH), (HIGH, LOW, HIGH)):
        game = play_to_end(table("Ada", "Bo", "Cy"), *faces)
        assert game.winners == tuple(i for i, rolled in enumerate(faces) if rolled == HIGH)


def test_seats_that_gave_up_share_the_last_rank() -> None:
    """R51: though they have more points than the others."""
    game = play_rounds(table("Ada", "Bo", "Cy", "Di"), 6, HIGH, LOW, HIGH, LOW)
    game = play_to_end(play(game, resign(0, 2)), HIGH, LOW, HIGH, HIGH)
    assert ranks(game) == [3, 2, 3, 1]
    assert game.winners == (3,)


@pytest.mark.parametrize(
    "seats",
    [("Ada",), ("Ada", guest("Di")), ("Ada", guest("Di"), guest("Ed"))],
    ids=["alone", "with a guest", "with two guests"],
)
def test_where_all_give_up_nobody_wins(seats: tuple[str | SeatRecord, ...]) -> None:
    """R52: no winners, no ranks."""
    game = play(table(*seats), resign(*range(len(seats))))
    assert (game.status, game.winners, ranks(game)) == ("finished", (), [None] * len(seats))
    assert game.finished_at == AT


@pytest.mark.parametrize(
    "game",
    [play_to_end(solo()), play(solo(), resign(0)), play(table("Ada", OPEN), Cancel("host"))],
    ids=["played", "given up", "cancelled"],
)
def test_an_ended_game_has_no_turn(game: Game) -> None:
    """R38, R53: there is nothing left to do."""
    assert (game.is_ended, game.turn) == (True, None)
