"""The clock: whose time is up, what is then played, and who has let it happen too often."""

from hypothesis import given
from hypothesis import strategies as st

from app.rules import (
    CARD,
    RULESETS,
    Category,
    CategoryScored,
    Dice,
    DiceRolled,
    Expire,
    Game,
    GameFinished,
    Next,
    Roll,
    SeatResigned,
    TurnExpired,
    maximum,
)
from tests.builders import (
    AT,
    PLAIN,
    bot,
    dice,
    guest,
    held,
    on_turn,
    play,
    play_rounds,
    refusal,
    resign,
    roll,
    solo,
    table,
    take_turn,
    tell,
)
from tests.rules.plain_scoring import expected_points

FIVE_FACES = st.tuples(*[st.integers(1, 6)] * 5)
LATE = Expire(PLAIN)
SCORED_BY_CLOCK = Category.LITTLE_STRAIGHT
"""What the clock fills first with these faces."""
STRAIGHT: Dice = (1, 2, 3, 4, 5)


def lapse(game: Game, times: int = 1) -> Game:
    """The game after the clock has played so many turns of seat 0, and nobody else's."""
    for _ in range(times):
        while on_turn(game) != 0:
            game = take_turn(game, game.seats[on_turn(game)].card.open_categories[0])
        game = play(game, LATE)
    return game


def test_a_turn_is_late_once_its_deadline_has_passed() -> None:
    """R66: not yet at the deadline itself."""
    game = table("Ada", turn_seconds=30)
    assert not game.is_late(AT + 30_000)
    assert game.is_late(AT + 30_001)


def test_without_a_deadline_no_turn_is_late() -> None:
    """R66: neither without a clock, nor while a game waits or a bot is on turn."""
    for game in (solo(), table(bot(), "Ada", turn_seconds=30), play(solo(), resign(0))):
        assert not game.is_late(AT * 2)


def test_rolling_and_holding_do_not_extend_a_turn() -> None:
    """R40, R66: the deadline is the one with which the turn began."""
    game = play(table("Ada", turn_seconds=30), Roll(0, PLAIN), at=AT + 29_000)
    assert game.open_turn.deadline == AT + 30_000


def test_a_late_turn_without_dice_gets_one_roll() -> None:
    """R67: all five dice, then the score, all at the time of the expiry."""
    game = table("Ada", "Bo", turn_seconds=30)
    late = AT + 30_001
    assert tell(game, Expire(STRAIGHT), at=late) == (
        TurnExpired(seq=3, at=late, seat=0, round=1),
        DiceRolled(seq=4, at=late, seat=0, round=1, roll=1, held=held(), dice=STRAIGHT),
        CategoryScored(
            seq=5,
            at=late,
            seat=0,
            round=1,
            category=SCORED_BY_CLOCK,
            points=30,
            dice=STRAIGHT,
            next=Next(seat=1, round=1, deadline=late + 30_000),
        ),
    )


def test_a_late_turn_with_dice_is_scored_as_they_lie() -> None:
    """R67: no roll, whatever is held and however many rolls are left."""
    game = roll(roll(solo(), dice("5 5 5 2 1")), dice("1 1 1 2 2"), held(0, 1, 2))
    events = tell(game, Expire(STRAIGHT))
    assert [event.type for event in events] == ["turn_expired", "category_scored"]
    assert isinstance(events[1], CategoryScored)
    assert (events[1].category, events[1].points) == (Category.FULL_HOUSE, 19)


def test_of_equal_points_the_clock_takes_what_could_have_brought_least() -> None:
    """R67: 1 1 2 2 2 is 8 as a house, at most 28, and 8 as choice, at most 30."""
    game = play(solo(), Expire(dice("1 1 2 2 2")))
    assert game.seats[0].card.points(Category.FULL_HOUSE) == 8


def test_of_nothing_but_zeros_the_clock_gives_up_the_cheapest() -> None:
    """R67: the lowest maximum of what is open."""
    game = solo()
    for category in (Category.CHOICE, Category.ONES, Category.TWOS, Category.SIXES):
        game = take_turn(game, category)
    game = take_turn(game, Category.THREES)
    game = take_turn(game, Category.FOURS)
    game = play(game, Expire(dice("1 1 2 4 6")))  # fives 25, four of a kind 24, house 28, ...
    assert game.seats[0].card.points(Category.FOUR_OF_A_KIND) == 0


def test_of_equal_points_and_equal_maxima_the_clock_takes_card_order() -> None:
    """R67: choice, little straight and big straight can all bring 30 and bring nothing here."""
    game = solo()
    for category in CARD:
        if category not in (Category.LITTLE_STRAIGHT, Category.BIG_STRAIGHT, Category.YACHT):
            game = take_turn(game, category)
    game = play(game, Expire(dice("1 1 2 4 6")))
    assert game.seats[0].card.points(Category.LITTLE_STRAIGHT) == 0


@given(FIVE_FACES, st.sets(st.sampled_from(CARD), max_size=11), st.sampled_from(sorted(RULESETS)))
def test_the_clock_chooses_by_the_rule(faces: Dice, used: set[Category], ruleset: str) -> None:
    """R67: held against a second reckoning, for any dice, any card and any ruleset."""
    game = solo(ruleset)
    for category in CARD:
        if category in used:
            game = take_turn(game, category)
    *_, scored = (event for event in tell(game, Expire(faces)) if isinstance(event, CategoryScored))
    ranked = sorted(
        (-expected_points(game.rules, category, faces), maximum(game.rules, category), place)
        for place, category in enumerate(CARD)
        if category not in used
    )
    assert scored.category == CARD[ranked[0][2]]
    assert scored.points == -ranked[0][0]


def test_the_third_late_turn_in_a_row_is_the_seats_last() -> None:
    """R68: it is still scored; then the seat gives up, and the turn that has begun goes on."""
    game = lapse(table("Ada", "Bo", "Cy", turn_seconds=30), 2)
    while on_turn(game) != 0:
        game = take_turn(game, game.seats[on_turn(game)].card.open_categories[0])
    events = tell(game, LATE)
    assert [event.type for event in events] == [
        "turn_expired",
        "dice_rolled",
        "category_scored",
        "seat_resigned",
    ]
    assert events[3] == SeatResigned(
        seq=events[2].seq + 1, at=AT, seat=0, reason="clock", next=None
    )
    after = play(game, LATE)
    assert (after.seats[0].state, after.seats[0].card.filled) == ("resigned", 3)
    assert after.open_turn.seat == 1
    assert after.open_turn.deadline == AT + 30_000


def test_a_turn_played_in_time_begins_the_count_anew() -> None:
    """R68: two late ones, one in time, two late ones: the seat still plays."""
    game = lapse(table("Ada", "Bo"), 2)
    game = take_turn(take_turn(game, Category.CHOICE), Category.YACHT)
    game = lapse(game, 2)
    assert game.seats[0].is_playing
    assert not lapse(game).seats[0].is_playing


def test_a_roll_alone_does_not_begin_the_count_anew() -> None:
    """R68: what counts is who ends the turn."""
    game = table("Ada", "Bo", "Cy")
    for _ in range(3):
        while on_turn(game) != 0:
            game = take_turn(game, game.seats[on_turn(game)].card.open_categories[0])
        game = play(roll(game), LATE)
    assert not game.seats[0].is_playing


def test_each_seat_has_its_own_count() -> None:
    """R68: three late turns of three seats are one of each."""
    game = play(table("Ada", guest("Di"), "Bo"), LATE, LATE, LATE)
    assert [seat.lapses for seat in game.seats] == [1, 1, 1]
    assert all(seat.is_playing for seat in game.seats)


def test_a_player_who_plays_alone_ends_the_game_by_being_late() -> None:
    """R52, R68: nobody is left, nobody has won."""
    game = lapse(solo(), 2)
    events = tell(game, LATE)
    assert [event.type for event in events[-2:]] == ["seat_resigned", "game_finished"]
    assert events[-1] == GameFinished(seq=events[-2].seq + 1, at=AT, winners=(), ranks=(None,))


def test_the_one_who_waited_for_the_other_wins() -> None:
    """R48, R68: of two, the second is left."""
    game = lapse(table("Ada", "Bo"), 3)
    assert (game.status, game.winners) == ("finished", (1,))


def test_nobody_gives_up_when_the_late_turn_was_the_last_of_the_game() -> None:
    """R47, R68: the cards are full and are ranked as ever."""
    game = lapse(play_rounds(solo(), 9), 2)
    events = tell(game, LATE)
    assert [event.type for event in events[-2:]] == ["category_scored", "game_finished"]
    assert lapse(game).winners == (0,)


def test_only_an_open_turn_can_be_late() -> None:
    """R60, R66: a game that waits has none, nor has one that is over."""
    assert refusal(table("Ada", "Bo"), LATE) is None
    assert refusal(play(solo(), resign(0)), LATE) == "game-over"
