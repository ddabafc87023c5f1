"""Rolling, holding and scoring: what a turn allows, and what follows it."""

import pytest

from app.rules import (
    CARD,
    NONE_HELD,
    Category,
    CategoryScored,
    DiceHeld,
    DiceRolled,
    Hold,
    Next,
    Roll,
    Score,
    Turn,
    actions,
)
from tests.builders import (
    AT,
    PLAIN,
    bot,
    dice,
    guest,
    held,
    play,
    play_rounds,
    play_to_end,
    refusal,
    roll,
    solo,
    table,
    take_turn,
    tell,
)

ALL_HELD = held(0, 1, 2, 3, 4)
FIRST = dice("5 2 5 1 5")
SECOND = dice("6 6 6 6 6")


def test_dice_keep_the_positions_in_which_they_fell() -> None:
    """R1: nothing is sorted."""
    assert roll(solo(), FIRST).open_turn.dice == FIRST


def test_the_first_roll_throws_all_five_dice() -> None:
    """R3: its five faces are those on the table, and none had stayed."""
    (event,) = tell(solo(), Roll(0, FIRST))
    assert event == DiceRolled(seq=3, at=AT, seat=0, round=1, roll=1, held=NONE_HELD, dice=FIRST)


@pytest.mark.parametrize("marks", [held(0), held(4), ALL_HELD], ids=["first", "last", "all"])
def test_nothing_can_be_held_on_the_first_roll(marks: tuple[bool, bool, bool, bool, bool]) -> None:
    """R3: there are no dice to hold."""
    assert refusal(solo(), Roll(0, FIRST, marks)) == "roll-first"


def test_the_first_roll_may_name_five_dice_that_are_not_held() -> None:
    """R3: naming none is not holding."""
    assert roll(solo(), FIRST, NONE_HELD).open_turn.dice == FIRST


def test_held_dice_keep_face_and_position() -> None:
    """R4, R6: three fives stay, the new faces of their positions are not used."""
    game = roll(roll(solo(), FIRST), SECOND, held(0, 2, 4))
    assert game.open_turn.dice == dice("5 6 5 6 5")


def test_a_roll_without_marks_throws_all_dice_again() -> None:
    """R4: nothing was held."""
    assert roll(roll(solo(), FIRST), SECOND).open_turn.dice == SECOND


def test_the_event_of_a_later_roll_tells_which_dice_had_stayed() -> None:
    """R4: with the round, the number of the roll and the dice as they lie."""
    game = roll(solo(), FIRST)
    assert tell(game, Roll(0, SECOND, held(0, 2))) == (
        DiceRolled(seq=4, at=AT, seat=0, round=1, roll=2, held=held(0, 2), dice=dice("5 6 5 6 6")),
    )


def test_a_fourth_roll_is_refused_and_the_dice_can_still_be_scored() -> None:
    """R2: three rolls, no more."""
    game = roll(roll(roll(solo())))
    assert (game.open_turn.rolls_used, game.open_turn.rolls_left) == (3, 0)
    assert refusal(game, Roll(0, FIRST)) == "no-rolls-left"
    assert refusal(game, Score(0, Category.CHOICE)) is None


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_a_turn_may_stop_after_any_roll(rolls: int) -> None:
    """R5: the dice as they lie are scored."""
    game = solo()
    for _ in range(rolls):
        game = roll(game)
    assert play(game, Score(0, Category.CHOICE)).seats[0].card.choice == sum(PLAIN)


def test_marks_may_change_until_the_next_roll() -> None:
    """R7: the last marks count."""
    game = play(roll(solo(), FIRST), Hold(0, held(1, 3)), Hold(0, ALL_HELD), Hold(0, held(0, 2)))
    assert game.open_turn.held == held(0, 2)
    assert roll(game, SECOND).open_turn.dice == dice("5 6 5 6 6")


def test_a_hold_is_an_event_that_moves_no_die() -> None:
    """R7: only the marks change."""
    game = roll(solo(), FIRST)
    assert tell(game, Hold(0, held(2))) == (DiceHeld(seq=4, at=AT, seat=0, held=held(2)),)
    assert play(game, Hold(0, held(2))).open_turn.dice == FIRST


def test_marks_outlast_the_roll() -> None:
    """R8: a third roll that names none takes those of the second."""
    game = roll(roll(solo(), FIRST), SECOND, held(0, 2, 4))
    assert game.open_turn.held == held(0, 2, 4)
    assert roll(game, dice("1 2 3 4 5")).open_turn.dice == dice("5 2 5 4 5")


def test_a_roll_sets_its_own_marks_in_one_event() -> None:
    """R8: they replace those of the hold before."""
    game = play(roll(solo(), FIRST), Hold(0, held(1, 3)))
    events = tell(game, Roll(0, SECOND, held(0)))
    assert [event.type for event in events] == ["dice_rolled"]
    assert play(game, Roll(0, SECOND, held(0))).open_turn.held == held(0)


def test_marks_are_cleared_with_the_turn() -> None:
    """R8, R39: the next turn has no dice, no marks, three rolls."""
    game = roll(roll(solo(), FIRST), SECOND, held(0, 2, 4))
    assert play(game, Score(0, Category.FIVES)).turn == Turn(seat=0, round=2)


@pytest.mark.parametrize("named", [True, False], ids=["named by the roll", "marked before"])
def test_a_roll_in_which_no_die_moves_is_refused(*, named: bool) -> None:
    """R9: the marks may be all five, the roll may not."""
    game = roll(solo(), FIRST)
    command = Roll(0, SECOND, ALL_HELD) if named else Roll(0, SECOND)
    before = game if named else play(game, Hold(0, ALL_HELD))
    assert refusal(before, command) == "all-dice-held"


def test_marking_the_same_dice_again_makes_no_event() -> None:
    """R10: nothing changes."""
    game = play(roll(solo(), FIRST), Hold(0, held(0, 2)))
    assert tell(game, Hold(0, held(0, 2))) == ()
    assert play(game, Hold(0, held(0, 2)), at=AT + 1) == game


def test_there_is_nothing_to_hold_before_the_first_roll() -> None:
    """R11: not even nothing."""
    assert refusal(solo(), Hold(0, held(0))) == "roll-first"
    assert refusal(solo(), Hold(0, NONE_HELD)) == "roll-first"


def test_there_is_nothing_to_hold_for_after_the_third_roll() -> None:
    """R11: no roll is left."""
    assert refusal(roll(roll(roll(solo()))), Hold(0, held(0))) == "no-rolls-left"


def test_scoring_before_the_first_roll_is_refused() -> None:
    """R21: there are no dice to score."""
    assert refusal(solo(), Score(0, Category.CHOICE)) == "roll-first"


def test_dice_that_do_not_fit_score_zero() -> None:
    """R21: a yacht of plain dice is 0, a filled cell."""
    (event,) = tell(roll(solo(), PLAIN), Score(0, Category.YACHT))
    assert event == CategoryScored(
        seq=4,
        at=AT,
        seat=0,
        round=1,
        category=Category.YACHT,
        points=0,
        dice=PLAIN,
        next=Next(seat=0, round=2),
    )
    card = take_turn(solo(), Category.YACHT, PLAIN).seats[0].card
    assert card.yacht == 0


@pytest.mark.parametrize("faces", [PLAIN, dice("6 6 6 6 6")], ids=["zero", "fifty"])
def test_a_filled_category_is_closed_and_the_turn_goes_on(
    faces: tuple[int, int, int, int, int],
) -> None:
    """R22: the first value is kept, the turn is not used up."""
    game = roll(take_turn(solo(), Category.YACHT, faces), dice("5 5 5 5 5"))
    assert refusal(game, Score(0, Category.YACHT)) == "category-used"
    assert refusal(game, Score(0, Category.FIVES)) is None


def test_a_further_yacht_brings_no_more_than_its_category() -> None:
    """R23: five sixes after a yacht count in sixes as 30, in a straight as 0."""
    sixes = dice("6 6 6 6 6")
    game = take_turn(take_turn(solo(), Category.YACHT, sixes), Category.SIXES, sixes)
    game = take_turn(game, Category.BIG_STRAIGHT, sixes)
    assert game.seats[0].card.total == 80


def test_twelve_rounds_in_the_order_of_the_seats() -> None:
    """R37: each seat once a round."""
    game = table("Ada", guest("Bo"), "Cy")
    order = []
    while game.turn is not None:
        order.append((game.turn.round, game.turn.seat))
        game = take_turn(game, CARD[game.turn.round - 1])
    assert order == [(number, seat) for number in range(1, 13) for seat in range(3)]
    assert game.round == 12


def test_another_seat_than_the_one_on_turn_cannot_move() -> None:
    """R38: one turn is open, the others wait."""
    game = roll(table("Ada", "Bo"))
    assert refusal(game, Roll(1, FIRST)) == "not-your-turn"
    assert refusal(game, Hold(1, held(0))) == "not-your-turn"
    assert refusal(game, Score(1, Category.CHOICE)) == "not-your-turn"


def test_a_turn_cannot_be_ended_twice() -> None:
    """R39: whoever scores again finds the turn of another seat."""
    game = take_turn(table("Ada", "Bo"), Category.ONES)
    assert refusal(game, Score(0, Category.TWOS)) == "not-your-turn"
    assert game.seats[1].card.filled == 0
    assert game.turn == Turn(seat=1, round=1)


def test_people_have_a_deadline_and_bots_have_none() -> None:
    """R40: the clock runs from the beginning of the turn."""
    game = table("Ada", guest("Bo"), bot(), turn_seconds=60)
    assert game.open_turn.deadline == AT + 60_000
    game = play(game, Roll(0, PLAIN), at=AT + 5_000)
    assert game.open_turn.deadline == AT + 60_000
    game = play(game, Score(0, Category.ONES), at=AT + 7_000)
    assert game.open_turn.deadline == AT + 67_000
    game = play(game, Roll(1, PLAIN), Score(1, Category.ONES), at=AT + 9_000)
    assert game.open_turn == Turn(seat=2, round=1, deadline=None)


def test_without_a_clock_nobody_has_a_deadline() -> None:
    """R40: a game may take its time."""
    assert solo().open_turn.deadline is None


def test_what_the_seat_on_turn_may_do() -> None:
    """R41: roll; then all three; not roll while all are held; at last only score."""
    game = solo()
    assert actions(game) == ("roll",)
    game = roll(game)
    assert actions(game) == ("roll", "hold", "score")
    assert actions(play(game, Hold(0, ALL_HELD))) == ("hold", "score")
    game = roll(roll(game), PLAIN, held(0))
    assert actions(game) == ("score",)


def test_options_are_what_the_dice_on_the_table_would_score() -> None:
    """R42: of the seat on turn, for its open categories."""
    game = take_turn(table("Ada", "Bo"), Category.CHOICE)
    assert game.options == {}
    game = roll(game, dice("2 2 2 3 3"))
    assert game.options[Category.FULL_HOUSE] == 12
    assert tuple(game.options) == CARD
    game = roll(play(game, Score(1, Category.FULL_HOUSE)))
    assert game.open_turn.seat == 0
    assert Category.CHOICE not in game.options
    assert Category.FULL_HOUSE in game.options


def test_options_and_actions_are_empty_without_a_turn() -> None:
    """R41, R42: in a game that is over."""
    game = play_to_end(solo())
    assert (game.options, actions(game)) == ({}, ())


def test_rolling_takes_up_the_round_where_it_stands() -> None:
    """R37: the round of the turn is one more than the cells filled."""
    game = play_rounds(table("Ada", "Bo"), 4)
    assert (game.open_turn.round, game.round, game.seats[0].card.filled) == (5, 5, 4)
