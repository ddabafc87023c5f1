"""A batch of commands: each sees what those before it did, and fails for nobody but itself."""

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import pytest
from sqlalchemy.exc import IntegrityError

from app import play
from app.rules import Category, DiceRolled, NotYourTurn, fold
from app.store.command import Change, Command, Loaded, NotFound, Outcome, Unauthenticated
from tests.store.desk import (
    ME,
    OPEN,
    Desk,
    answers,
    codes,
    command,
    guest,
    join,
    move,
    open_game,
    register,
    roll,
    score,
)


def broken(_loaded: Loaded) -> NoReturn:
    raise RuntimeError("a bug in a verb")


def test_commands_on_one_game_see_those_before_them(desk: Desk) -> None:
    """Opening is a batch of its own, since a game has to be known before it is named."""
    desk.do(open_game("Ada", "g"))
    told = desk.do(*[roll("Ada", "g")] * 3, score("Ada", "g", Category.CHOICE), roll("Ada", "g"))
    assert [answer.etag for answer in told] == [3, 4, 5, 6, 7]
    kept = desk.kept("g")
    rolls = [(e.round, e.roll) for e in kept.events if isinstance(e, DiceRolled)]
    assert rolls == [(1, 1), (1, 2), (1, 3), (2, 1)]
    assert kept.game == fold(kept.events)


def test_a_batch_ends_in_the_same_state_as_its_commands_one_by_one(desk: Desk) -> None:
    desk.do(open_game("Ada", "a"), open_game("Ada", "b"))

    def commands(game: str) -> list[Command]:
        return [
            roll("Ada", game),
            roll("Ada", game),
            score("Ada", game, Category.ONES),
            roll("Ada", game),
        ]

    desk.do(*commands("a"))
    for one in commands("b"):
        desk.do(one)
    assert desk.kept("a").game == desk.kept("b").game
    assert desk.kept("a").events == desk.kept("b").events


def test_a_fourth_roll_in_one_batch_is_refused(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"))
    assert codes(desk.batch(*[roll("Ada", "g")] * 4)) == [201, 201, 201, "no-rolls-left"]
    assert desk.kept("g").game.version == 5


def test_a_seat_is_given_once_however_many_ask_in_one_batch(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", ME, OPEN))
    assert codes(desk.batch(join("Bo", "g"), join("Cy", "g"))) == [201, "already-started"]


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param(lambda: score("Ada", "g", Category.ONES), id="by the rules"),
        pytest.param(lambda: roll("Bo", "g"), id="as a stranger"),
        pytest.param(lambda: roll("Dee", "g"), id="without a known token"),
        pytest.param(lambda: command(play.delete_account, None), id="without any token"),
        pytest.param(lambda: roll("Ada", "none"), id="for want of the game"),
        pytest.param(lambda: open_game("Ada", "h", limit=1), id="for too many games"),
        pytest.param(
            lambda: command(partial(play.roll, held=None, if_match=frozenset({1})), "Ada", "g"),
            id="as stale",
        ),
        pytest.param(lambda: command(broken, "Ada", "g"), id="by a bug"),
    ],
)
def test_what_is_refused_leaves_no_trace_and_its_neighbours_are_done(
    desk: Desk, refused: Callable[[], Command]
) -> None:
    desk.do(open_game("Ada", "g"))
    desk.do(roll("Ada", "g"), score("Ada", "g", Category.CHOICE))
    desk.do(open_game("Bo", "b"))
    before = {table: desk.rows(table) for table in ("players", "participants", "answers")}
    first, middle, last = desk.batch(roll("Bo", "b"), refused(), roll("Bo", "b"))
    assert isinstance(middle, Exception)
    assert [answer.etag for answer in answers([first, last])] == [3, 4]
    assert desk.kept("g").game.version == 4
    assert desk.count("games") == 2
    assert before == {table: desk.rows(table) for table in before}


def test_a_refusal_is_the_one_that_the_rules_gave(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", ME, OPEN))
    _, refused = desk.batch(join("Bo", "g"), roll("Bo", "g"))
    assert isinstance(refused, NotYourTurn)


def test_a_bug_in_a_verb_fails_its_command_alone(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"))
    first, bug, last = desk.batch(roll("Ada", "g"), command(broken, "Ada", "g"), roll("Ada", "g"))
    assert isinstance(bug, RuntimeError)
    assert [answer.etag for answer in answers([first, last])] == [3, 4]


def test_a_bug_in_an_answer_undoes_its_command_alone(desk: Desk) -> None:
    """The bytes are made before anything is taken over."""
    desk.do(open_game("Ada", "g"))

    def unanswerable(_change: Change) -> NoReturn:
        raise RuntimeError("a bug in an answer")

    one, bug, two = desk.batch(
        roll("Ada", "g"), roll("Ada", "g")._replace(answer=unanswerable), roll("Ada", "g")
    )
    assert isinstance(bug, RuntimeError)
    assert [answer.etag for answer in answers([one, two])] == [3, 4]
    assert [event.seq for event in desk.kept("g").events] == [1, 2, 3, 4]


def test_who_asks_is_checked_before_what_is_named(desk: Desk) -> None:
    unknown, missing = desk.batch(roll("Dee", "none"), roll("Ada", "none"))
    assert isinstance(unknown, Unauthenticated)
    assert isinstance(missing, NotFound)


def test_a_verb_that_changes_nothing_writes_nothing(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"))
    desk.do(roll("Ada", "g"))
    none_held = (False,) * 5
    [answer] = desk.do(move("Ada", "g", play.hold, none_held))
    assert answer.etag == 3
    assert len(desk.kept("g").events) == 3


def test_a_command_that_breaks_a_constraint_undoes_the_batch(desk: Desk) -> None:
    """The ledger then runs the others again; a batch as such is all or nothing."""
    with pytest.raises(IntegrityError):
        desk.batch(register("Dee"), register("Ada"))
    assert desk.player("Dee") is None


def test_games_opened_in_one_batch_count_against_the_limit(desk: Desk) -> None:
    told = desk.batch(*[open_game("Ada", f"g{i}", limit=3) for i in range(5)])
    assert codes(told) == [201, 201, 201, "rate-limited", "rate-limited"]


def test_a_game_that_ends_in_a_batch_makes_room_in_the_same_batch(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", limit=1))
    give_up = move("Ada", "g", play.resign, None, counts_games=True)
    told = desk.batch(open_game("Ada", "h", limit=1), give_up, open_game("Ada", "h", limit=1))
    assert codes(told) == ["rate-limited", 201, 201]


def test_a_seat_given_back_in_a_batch_makes_room_in_the_same_batch(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", ME, OPEN, OPEN), open_game("Ada", "h", ME, OPEN, OPEN))
    leave = move("Bo", "g", play.leave, counts_games=True)
    told = desk.batch(
        join("Bo", "g", limit=1), join("Bo", "h", limit=1), leave, join("Bo", "h", limit=1)
    )
    assert codes(told) == [201, "rate-limited", 201, 201]


def test_seats_at_the_hosts_device_are_the_hosts(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", ME, guest("Kid")))
    assert [seat.player_id for seat in desk.kept("g").game.seats] == ["ada", "ada"]
    assert [row["player_id"] for row in desk.rows("participants")] == ["ada"]


def test_results_stand_in_the_order_of_their_commands(desk: Desk) -> None:
    desk.do(*[open_game("Ada", f"g{i}") for i in range(5)])
    told: list[Any] = desk.batch(*[roll("Ada", f"g{i}") for i in (3, 1, 4, 1, 0)])
    assert all(isinstance(result, Outcome) for result in told)
    assert [result.answer.etag for result in told] == [3, 3, 3, 4, 3]


def test_a_log_ends_before_it_is_too_long_to_be_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could go on for ever is refused; what leads to the end of the game is not."""
    monkeypatch.setattr(play, "MAX_LOG", 6)
    desk.do(open_game("Ada", "g"), roll("Ada", "g"))
    marks = [tuple(i == n for i in range(5)) for n in range(5)]
    told = desk.batch(*(move("Ada", "g", play.hold, held) for held in marks))
    assert codes(told) == [201, 201, 201, "rate-limited", "rate-limited"]
    told = desk.batch(roll("Ada", "g"), score("Ada", "g", Category.CHOICE))
    assert codes(told) == [201, 201]
    desk.do(open_game("Bo", "w", ME, OPEN, OPEN))
    for _ in range(2):
        desk.do(join("Cy", "w"), move("Cy", "w", play.leave))
    told = desk.batch(join("Cy", "w"), move("Cy", "w", play.leave), join("Cy", "w"))
    assert codes(told) == [201, 201, "rate-limited"]
