"""Idempotency keys: one effect and one answer for 24 hours, then the key is free again."""

from functools import partial

import pytest

from app import play
from app.rules import Category
from app.store.answers import LIFETIME, Answer
from app.store.command import Command, KeyReused, Outcome
from tests.store.desk import (
    AT,
    Desk,
    answers,
    codes,
    command,
    delete_account,
    key,
    open_game,
    renew,
    roll,
    score,
)


@pytest.fixture
def opened(desk: Desk) -> Desk:
    """A desk at which Ada has the game g and Bo has b."""
    desk.do(open_game("Ada", "g"), open_game("Bo", "b"))
    return desk


def is_replay(result: object) -> bool:
    assert isinstance(result, Outcome)
    return result.is_replay


def test_a_known_key_is_answered_again_without_another_effect(opened: Desk) -> None:
    [first] = opened.batch(roll("Ada", "g", key=key("k")))
    opened.do(roll("Ada", "g"))
    [again] = opened.batch(roll("Ada", "g", key=key("k")))
    assert answers([again]) == answers([first]) == [Answer(201, b"version 3", 3)]
    assert (is_replay(first), is_replay(again)) == (False, True)
    assert opened.kept("g").game.version == 4


def test_twenty_with_one_key_in_one_batch_have_one_effect(opened: Desk) -> None:
    told = opened.batch(*[roll("Ada", "g", key=key("k"))] * 20)
    assert set(answers(told)) == {Answer(201, b"version 3", 3)}
    assert [is_replay(result) for result in told] == [False, *[True] * 19]
    assert opened.kept("g").game.version == 3


def test_a_key_sent_with_something_else_is_refused(opened: Desk) -> None:
    """Within its batch and after it."""
    other = key("k", "something else")
    _, refused = opened.batch(roll("Ada", "g", key=key("k")), roll("Ada", "g", key=other))
    assert isinstance(refused, KeyReused)
    [refused] = opened.batch(roll("Ada", "g", key=other))
    assert isinstance(refused, KeyReused)
    assert opened.kept("g").game.version == 3


def test_one_key_of_two_players_is_two_keys(opened: Desk) -> None:
    told = opened.batch(roll("Ada", "g", key=key("k")), roll("Bo", "b", key=key("k")))
    assert [is_replay(result) for result in told] == [False, False]
    assert opened.count("answers") == 2


def test_a_refusal_is_not_kept_under_its_key(opened: Desk) -> None:
    keyed = score("Ada", "g", Category.CHOICE, key=key("k"))
    told = opened.batch(keyed, roll("Ada", "g"), keyed)
    assert codes(told) == ["roll-first", 201, 201]
    assert not is_replay(told[2])


def test_a_key_is_told_before_the_game_is_looked_for(opened: Desk) -> None:
    [first] = opened.batch(roll("Ada", "g", key=key("k")))
    elsewhere = roll("Ada", "none", key=key("k"))
    assert answers(opened.batch(elsewhere)) == answers([first])


def test_the_location_of_an_answer_is_kept(opened: Desk) -> None:
    keyed = open_game("Ada", "h", key=key("k"))._replace(
        answer=lambda _: Answer(201, b"\x00\xff", 2, "/v1/games/h")
    )
    [first] = opened.do(keyed)
    assert opened.do(keyed) == [first]


@pytest.mark.parametrize(
    ("age", "is_known"),
    [
        pytest.param(LIFETIME - 1, True, id="a millisecond before 24 hours"),
        pytest.param(LIFETIME, False, id="after 24 hours"),
    ],
)
def test_a_key_is_remembered_for_24_hours(opened: Desk, age: int, is_known: bool) -> None:
    opened.do(roll("Ada", "g", key=key("k")))
    opened.at = AT + age
    [again] = opened.batch(roll("Ada", "g", key=key("k")))
    assert is_replay(again) is is_known
    assert opened.kept("g").game.version == (3 if is_known else 4)


def test_an_expired_key_can_be_used_for_something_else(opened: Desk) -> None:
    opened.do(roll("Ada", "g", key=key("k")), roll("Bo", "b", key=key("other")))
    opened.at = AT + LIFETIME
    anew = roll("Ada", "g", key=key("k", "something else"))
    told = opened.batch(anew, anew)
    assert [is_replay(result) for result in told] == [False, True]
    rows = {
        row["key_hash"]: (row["fingerprint"], row["created_at"]) for row in opened.rows("answers")
    }
    assert rows[key("k").hash] == ("something else", AT + LIFETIME)
    assert rows[key("other").hash] == ("asked", AT), "its turn comes with the purge"


def test_a_key_still_counts_for_the_holder_of_a_renewed_token(opened: Desk) -> None:
    [first] = opened.do(roll("Ada", "g", key=key("k")))
    opened.do(renew("Ada", "new token"))
    renewed = roll("Ada", "g", key=key("k"))._replace(token_hash="new token")
    [again] = opened.batch(renewed)
    assert is_replay(again)
    assert answers([again]) == [first]


def test_stored_answers_go_with_the_account(opened: Desk) -> None:
    """Also those of the batch in which it is deleted."""
    opened.do(roll("Ada", "g", key=key("one")), roll("Bo", "b", key=key("two")))
    opened.do(roll("Ada", "g", key=key("three")), delete_account("Ada"))
    assert [row["player_id"] for row in opened.rows("answers")] == ["bo"]


def test_a_key_whose_command_has_no_game_is_kept_too(opened: Desk) -> None:
    keyed: Command = command(partial(play.rename, name="Ada L."), "Ada", key=key("k"))
    told = opened.batch(keyed, keyed)
    assert [is_replay(result) for result in told] == [False, True]
