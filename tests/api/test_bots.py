"""Bots at the table: they sit down, play in the request that makes it their turn, and may win."""

from functools import partial
from typing import Any

import pytest

from app.fairness import verify_document
from tests.api.folding import assert_log_gives_state
from tests.conftest import Serve
from tests.table import (
    ME,
    OPEN,
    Game,
    Json,
    Player,
    Visitor,
    assert_problem,
    at_once,
    bot,
    friend,
)

LEVELS = ["novice", "casual", "expert", "perfect"]
MOVES = {"dice_rolled", "category_scored"}


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


def moves_after(reader: Visitor, before: Game) -> list[Json]:
    return [event for event in reader.events(before) if event["seq"] > before["version"]]


def play_out(player: Player, game: Game) -> Game:
    while game["status"] == "active":
        game = player.turn(game)
    return game


def assert_turns(events: list[Json], *seats: int) -> None:
    """The events are one whole turn of each of these seats, in this order."""
    rest = list(events)
    for seat in seats:
        rolls = 0
        while rest and rest[0]["type"] == "dice_rolled":
            roll = rest.pop(0)
            rolls += 1
            assert (roll["seat"], roll["roll"]) == (seat, rolls)
            assert not all(roll["held"])
        assert 1 <= rolls <= 3
        scored = rest.pop(0)
        assert (scored["type"], scored["seat"]) == ("category_scored", seat)
    assert rest == []


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_is_named_after_its_level_and_nobody_acts_for_it(ada: Player, level: str) -> None:
    game = ada.open(ME, bot(level))
    seat: Any = game["seats"][1]
    assert (seat["type"], seat["name"], seat["level"]) == ("bot", level, level)
    assert (seat["player_id"], seat["state"], seat["total"]) == (None, "playing", 0)
    assert game["seats"][0]["level"] is None


def test_a_game_with_bots_starts_at_once(ada: Player) -> None:
    game = ada.open(ME, bot("casual"))
    assert (game["status"], game["turn"]["seat"], game["version"]) == ("active", 0, 2)


def test_up_to_seven_bots_sit_down(ada: Player) -> None:
    game = ada.open(ME, *[bot("casual")] * 7)
    assert [seat["type"] for seat in game["seats"]] == ["human", *["bot"] * 7]


def test_a_bot_that_sits_first_moves_at_once(ada: Player) -> None:
    game = ada.open(bot("expert"), ME)
    assert (game["round"], game["turn"]["seat"], game["turn"]["dice"]) == (1, 1, None)
    assert sum(cell is not None for cell in game["seats"][0]["scorecard"].values()) == 1
    created, started, *moves = ada.events(game)
    assert (created["type"], started["type"]) == ("game_created", "game_started")
    assert_turns(moves, 0)
    assert game["version"] == len(moves) + 2


def test_where_a_bot_sits_first_it_is_too_late_for_entropy(ada: Player) -> None:
    game = ada.open(bot("expert"), ME)
    assert_problem(ada.ask("set_entropy", game, {"value": "x"}), 409, "entropy-closed")
    other = ada.open(ME, bot("expert"))
    assert ada.set_entropy(other, "x")


def test_who_joins_a_bot_s_table_last_brings_their_entropy(guest: Visitor, ada: Player) -> None:
    """The bot's first roll is part of the joining, and already made with it."""
    game = guest.player("Bo").join(ada.open(bot("casual"), ME, OPEN), "bo")
    assert (game["status"], game["turn"]["seat"]) == ("active", 1)
    assert guest.fairness(game)["entropy"] == ",bo"
    assert "dice_rolled" in {event["type"] for event in guest.events(game)}


def test_a_waiting_table_s_bots_wait(ada: Player) -> None:
    game = ada.open(bot("casual"), ME, OPEN)
    assert (game["status"], game["version"]) == ("waiting", 1)
    assert [seat["state"] for seat in game["seats"]] == ["playing", "playing", "open"]
    started = ada.start(game)
    assert started["turn"]["seat"] == 1
    assert_turns(moves_after(ada, game)[1:], 0)


def test_bots_play_in_the_request_that_makes_it_their_turn(ada: Player) -> None:
    game = ada.open(bot("novice"), ME, bot("expert"), bot("perfect"))
    for _ in range(3):
        rolled = ada.roll(game)
        game = ada.score(rolled, next(iter(rolled["turn"]["options"])))
        assert game["turn"]["seat"] == 1
        own, *moves = moves_after(ada, rolled)
        assert own["type"] == "category_scored"
        assert_turns(moves, 2, 3, 0)


def test_between_two_people_each_bot_has_its_turn(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    game = bo.join(ada.open(ME, bot("casual"), OPEN, bot("casual")))
    after = ada.turn(game)
    assert after["turn"]["seat"] == 2
    assert_turns(moves_after(ada, game), 0, 1)
    again = bo.turn(after)
    assert again["turn"]["seat"] == 0
    assert_turns(moves_after(ada, after), 2, 3)


def test_nobody_plays_a_bot_s_turn(ada: Player) -> None:
    """The host neither moves nor gives up for it."""
    game = ada.open(ME, bot("casual"))
    assert_problem(ada.ask("resign", game, {"seat": 1}), 403, "not-in-game")
    assert ada.read(game) == game


def test_the_same_key_moves_the_bots_once(ada: Player) -> None:
    game = ada.roll(ada.open(ME, bot("casual")))
    first = ada.ask("score", game, {"category": "choice"}, key="k")
    again = ada.ask("score", game, {"category": "choice"}, key="k")
    assert (again.status_code, again.content) == (201, first.content)
    assert ada.read(game) == first.json()


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_with_bots_can_be_told_again_and_its_dice_verify(ada: Player, level: str) -> None:
    game = play_out(ada, ada.set_entropy(ada.open(ME, bot(level), friend("Bo")), "a"))
    assert (game["status"], game["round"]) == ("finished", 12)
    assert all(None not in seat["scorecard"].values() for seat in game["seats"])
    assert_log_gives_state(ada, game)
    assert verify_document({"fairness": ada.fairness(game), "events": ada.events(game)}) == []
    best = max(seat["total"] for seat in game["seats"])
    assert game["winners"] == [i for i, s in enumerate(game["seats"]) if s["total"] == best]


def test_bots_bring_no_entropy(ada: Player) -> None:
    game = ada.open(ME, bot("casual"), friend("Bo"))
    assert ada.fairness(game)["entropy"] == ""


class TestWithoutPeople:
    def test_one_bot_that_is_left_has_won(self, ada: Player) -> None:
        game = ada.resign(ada.turn(ada.open(ME, bot("novice"))))
        assert (game["status"], game["winners"], game["round"]) == ("finished", [1], 2)
        assert [seat["rank"] for seat in game["seats"]] == [2, 1]
        assert_log_gives_state(ada, game)

    def test_of_several_bots_that_are_left_the_best_total_wins(self, ada: Player) -> None:
        """The game ends as it stands: no bot moves for nobody."""
        before = ada.turn(ada.turn(ada.open(ME, bot("novice"), bot("expert"))))
        game = ada.resign(before)
        bots = [seat["total"] for seat in before["seats"][1:]]
        assert game["status"] == "finished"
        assert [seat["total"] for seat in game["seats"][1:]] == bots
        assert game["winners"] == [i for i, t in enumerate(bots, 1) if t == max(bots)]
        assert {e["type"] for e in moves_after(ada, before)} == {"seat_resigned", "game_finished"}
        assert_log_gives_state(ada, game)
        told = {"fairness": ada.fairness(game), "events": ada.events(game)}
        assert verify_document(told) == []

    def test_seven_bots_that_are_left_are_done(self, ada: Player) -> None:
        """Whether they are asked at the first turn or at a later one: two events, no bot's move."""
        for turns in (0, 3):
            before = ada.open(ME, *[bot(level) for level in LEVELS * 2][:7])
            for _ in range(turns):
                before = ada.turn(before)
            game = ada.resign(before)
            assert (game["status"], game["version"]) == ("finished", before["version"] + 2)
            assert 0 not in game["winners"]
            assert game["seats"][0]["rank"] == 8

    def test_while_a_guest_plays_the_bots_play_on(self, ada: Player) -> None:
        game = ada.open(ME, bot("novice"), friend("Bo"), bot("novice"))
        after = ada.resign(game, 0)
        assert (after["status"], after["turn"]["seat"]) == ("active", 2)
        resigned, *moves = moves_after(ada, game)
        assert resigned["type"] == "seat_resigned"
        assert_turns(moves, 1)
        finished = ada.resign(after)
        assert finished["status"] == "finished"
        assert set(finished["winners"]) <= {1, 3}

    def test_deleting_the_account_leaves_the_bots_a_result(
        self, guest: Visitor, ada: Player
    ) -> None:
        game = ada.turn(ada.open(ME, bot("novice"), bot("perfect")))
        ada.send("DELETE", "/v1/players/me")
        after = guest.read(game)
        assert (after["status"], after["seats"][0]["name"]) == ("finished", None)
        assert after["seats"][1]["name"] == "novice"
        assert_log_gives_state(guest, after)

    def test_who_leaves_among_people_hands_over_to_the_bot(
        self, guest: Visitor, ada: Player
    ) -> None:
        """Deleting an account is a request that makes it the bot's turn, like any other."""
        game = guest.player("Bo").join(ada.open(ME, bot("casual"), OPEN))
        ada.send("DELETE", "/v1/players/me")
        after = guest.read(game)
        assert (after["status"], after["turn"]["seat"]) == ("active", 2)
        assert_log_gives_state(guest, after)


def test_when_the_clock_has_played_for_someone_the_bots_answer(serve: Serve) -> None:
    time = 1_800_000_000_000
    with serve(now=lambda: time) as guest:
        ada = guest.player()
        game = ada.open(ME, bot("expert"), turn_seconds=10)
        time += 10_001
        assert_problem(ada.ask("roll", game), 409, "turn-expired")
        late = ada.read(game)
        assert (late["round"], late["turn"]["seat"]) == (2, 0)
        expired, *moves = moves_after(ada, game)
        assert expired["type"] == "turn_expired"
        assert_turns(moves, 0, 1)
        assert_log_gives_state(guest, late)


def test_a_bot_has_no_deadline_to_meet(ada: Player) -> None:
    game = ada.open(ME, bot("expert"), turn_seconds=10)
    game = ada.turn(game)
    assert game["turn"]["seat"] == 0
    assert game["turn"]["deadline"] is not None
    of_bots = [e["next"] for e in ada.events(game) if e.get("next") and e["next"]["seat"] == 1]
    assert [following["deadline"] for following in of_bots] == [None]


def test_twelve_tables_of_bots_are_played_at_once(guest: Visitor) -> None:
    ada = guest.player()
    games = at_once([partial(ada.open, bot("novice"), ME, bot("expert"))] * 12)
    for game in at_once([partial(ada.turn, game) for game in games]):
        assert (game["round"], game["turn"]["seat"]) == (2, 1)
        assert_log_gives_state(guest, game)


def test_bots_choose_by_a_chance_of_their_own(serve: Serve) -> None:
    """With one seed, and so the same dice, novices part ways and perfect bots do not."""
    with serve(new_seed=lambda: bytes(32)) as guest:
        ada = guest.player()

        def first_turns(level: str) -> set[str]:
            games = [ada.open(*[bot(level)] * 7, ME) for _ in range(4)]
            return {str([seat["scorecard"] for seat in game["seats"]]) for game in games}

        assert len(first_turns("perfect")) == 1
        assert len(first_turns("novice")) == 4
