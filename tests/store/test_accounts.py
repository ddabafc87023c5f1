"""Tokens that are renewed and accounts that are deleted, in one batch with other commands."""

from functools import partial

import pytest

from app import play
from app.rules import GameCancelled, GameFinished, SeatAnonymised, SeatLeft, SeatResigned, fold
from app.store.command import Command
from tests.store.desk import (
    ME,
    OPEN,
    Desk,
    codes,
    command,
    delete_account,
    guest,
    join,
    move,
    open_game,
    register,
    renew,
    roll,
)


def rename(by: str, name: str) -> Command:
    return command(partial(play.rename, name=name), by)


def resign(by: str, game: str) -> Command:
    return move(by, game, play.resign, None)


def using(new_hash: str) -> Command:
    return command(play.first_use)._replace(token_hash=new_hash)


def test_the_old_token_works_until_the_new_one_is_used(desk: Desk) -> None:
    desk.do(renew("Ada", "new"))
    told = desk.batch(rename("Ada", "One"), using("new"), rename("Ada", "Two"))
    assert codes(told) == [204, 204, "unauthenticated"]
    ada = desk.player("Ada")
    assert ada is not None
    assert (ada.name, ada.token_hash, ada.next_token_hash) == ("One", "new", None)
    assert codes(desk.batch(rename("Ada", "Two"), using("new"))) == ["unauthenticated", 204]


def test_the_old_token_dies_too_where_the_new_one_is_first_used_for_a_move(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"), renew("Ada", "new"))
    told = desk.batch(roll("Ada", "g")._replace(token_hash="new"), roll("Ada", "g"))
    assert codes(told) == [201, "unauthenticated"]


def test_a_token_can_be_renewed_and_used_in_one_batch(desk: Desk) -> None:
    told = desk.batch(renew("Ada", "new"), using("new"), rename("Ada", "Late"))
    assert codes(told) == [204, 204, "unauthenticated"]


def test_of_two_renewals_in_one_batch_the_last_counts(desk: Desk) -> None:
    told = desk.batch(renew("Ada", "first"), renew("Ada", "second"), using("first"))
    assert codes(told) == [204, 204, "unauthenticated"]
    assert codes(desk.batch(using("second"))) == [204]


def test_a_renewed_token_can_be_renewed_again(desk: Desk) -> None:
    desk.do(renew("Ada", "second"))
    desk.do(renew("Ada", "third")._replace(token_hash="second"))
    assert codes(desk.batch(using("third"), using("second"))) == [204, "unauthenticated"]


def test_the_first_use_of_a_new_token_counts_though_the_call_is_refused(desk: Desk) -> None:
    """Who asks has been settled by then."""
    desk.do(renew("Ada", "new"))
    stranger = roll("Ada", "none")._replace(token_hash="new")
    assert codes(desk.batch(stranger)) == ["not-found"]
    assert codes(desk.batch(rename("Ada", "Late"))) == ["unauthenticated"]


def test_several_renamings_in_one_batch_keep_the_last(desk: Desk) -> None:
    desk.do(rename("Ada", "One"), rename("Bo", "Three"), rename("Ada", "Two"))
    assert [row["name"] for row in desk.rows("players")] == ["Two", "Three", "Cy"]


def test_a_deleted_account_has_no_token_for_the_rest_of_the_batch(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"), renew("Ada", "new"))
    told = desk.batch(delete_account("Ada"), roll("Ada", "g"), using("new"), delete_account("Ada"))
    assert codes(told) == [201, *["unauthenticated"] * 3]
    assert desk.player("Ada") is None


def test_what_was_done_earlier_in_the_batch_is_anonymised_too(desk: Desk) -> None:
    """A seat taken, a name given and a token renewed just before the account goes."""
    desk.do(open_game("Ada", "g", ME, OPEN, OPEN))
    desk.do(
        join("Bo", "g"),
        rename("Bo", "Bonnie"),
        renew("Bo", "new"),
        open_game("Bo", "b", ME, guest("Kid")),
        delete_account("Bo"),
    )
    g, b = desk.kept("g"), desk.kept("b")
    assert [event.type for event in g.events[1:]] == [
        "seat_joined",
        "seat_anonymised",
        "seat_left",
    ]
    assert [event.type for event in b.events[2:]] == [
        *["seat_resigned"] * 2,
        "game_finished",
        *["seat_anonymised"] * 2,
    ]
    assert mentions(desk, "bo", "Bo", "Bonnie", "Kid") == []
    assert (g.game, b.game) == (fold(g.events), fold(b.events))


def mentions(desk: Desk, *words: str) -> list[str]:
    """In which tables a JSON string or a column is one of the words."""
    quoted = {f'"{word}"' for word in words}
    return [
        table
        for table in ("players", "games", "events", "participants", "answers")
        for row in desk.rows(table)
        for value in row.values()
        if isinstance(value, str) and (value in words or any(word in value for word in quoted))
    ]


@pytest.mark.parametrize("after", ["together", "one by one"])
def test_an_account_leaves_each_game_as_its_state_allows(desk: Desk, after: str) -> None:
    """Hosted and waiting: cancelled; joined and waiting: left; active: resigned; over: nameless."""
    desk.do(
        open_game("Ada", "hosted", ME, OPEN),
        open_game("Bo", "joined", ME, OPEN, OPEN),
        open_game("Bo", "active", ME, OPEN),
        open_game("Ada", "over"),
    )
    commands = [
        join("Ada", "joined"),
        join("Ada", "active"),
        move("Ada", "over", play.resign, None),
        roll("Bo", "active"),
        delete_account("Ada"),
    ]
    if after == "together":
        desk.do(*commands)
    else:
        for one in commands:
            desk.do(one)
    log = {game: desk.kept(game).events for game in ("hosted", "joined", "active", "over")}
    assert isinstance(log["hosted"][-2], GameCancelled)
    assert isinstance(log["hosted"][-1], SeatAnonymised)
    assert isinstance(log["joined"][-1], SeatLeft)
    assert [type(event) for event in log["active"][-3:]] == [
        SeatResigned,
        GameFinished,
        SeatAnonymised,
    ]
    assert isinstance(log["over"][-1], SeatAnonymised)
    assert mentions(desk, "ada", "Ada") == []
    for game in log:
        kept = desk.kept(game)
        assert kept.game == fold(kept.events)
        assert [event.seq for event in kept.events] == list(range(1, kept.game.version + 1))


def test_the_others_play_on_in_the_batch_in_which_one_goes(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", ME, OPEN, OPEN))
    desk.do(join("Bo", "g"), join("Cy", "g"))
    told = desk.batch(roll("Ada", "g"), roll("Bo", "g"), delete_account("Ada"), roll("Bo", "g"))
    assert codes(told) == [201, "not-your-turn", 201, 201]
    kept = desk.kept("g")
    assert kept.game.open_turn.seat == 1
    assert kept.game == fold(kept.events)


def test_two_accounts_of_one_game_can_go_in_one_batch(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", ME, OPEN))
    desk.do(join("Bo", "g"))
    desk.do(delete_account("Ada"), delete_account("Bo"))
    kept = desk.kept("g")
    assert mentions(desk, "ada", "Ada", "bo", "Bo") == []
    assert kept.game == fold(kept.events)
    assert (kept.game.status, kept.game.winners) == ("finished", (1,))
    assert desk.rows("participants") == []


def test_a_game_that_was_left_forgets_the_account_too(desk: Desk) -> None:
    desk.do(open_game("Ada", "g", ME, OPEN, OPEN))
    desk.do(join("Bo", "g"), move("Bo", "g", play.leave))
    desk.do(delete_account("Bo"))
    kept = desk.kept("g")
    assert mentions(desk, "bo", "Bo") == []
    assert kept.game == fold(kept.events)


def test_a_player_can_register_in_a_batch_in_which_another_goes(desk: Desk) -> None:
    desk.do(delete_account("Ada"), register("Dee"))
    assert [row["id"] for row in desk.rows("players")] == ["bo", "cy", "dee"]


def test_a_large_account_goes_in_portions_between_which_others_move(desk: Desk) -> None:
    desk.do(open_game("Bo", "b"), *(open_game("Ada", f"g{i:02}") for i in range(25)))
    desk.do(*(resign("Ada", f"g{i:02}") for i in range(25)), open_game("Ada", "open"))
    told = desk.batch(delete_account("Ada"), roll("Bo", "b"))
    assert codes(told) == [201, 201]
    assert desk.player("Ada") is not None
    assert desk.kept("open").game.host == "ada", "games that have ended go first"
    desk.do(delete_account("Ada"))
    desk.do(delete_account("Ada"))
    assert desk.player("Ada") is None
    assert mentions(desk, "ada", "Ada") == []
    for i in range(25):
        kept = desk.kept(f"g{i:02}")
        assert kept.game == fold(kept.events)
