"""The clock at the table: deadlines, late moves, and who plays when nobody does."""

from asyncio import gather
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.sweep import play_late_turns
from tests.live.players import ME, OPEN, Game, Player, at, at_once, path, problem
from tests.live.readers import Reader
from tests.live.servers import Clock, Inside, inside, outside, wait_until

BOT = {"type": "bot", "level": "novice"}
GUEST = {"type": "guest", "name": "Di"}
LATE = ["turn_expired", "dice_rolled", "category_scored"]


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Inside]:
    """A server that has not looked for late turns yet, and will not."""
    with inside(tmp_path_factory.mktemp("clock"), now=clock, sweep_seconds=3600) as server:
        yield server


@pytest.fixture(scope="module")
def http(server: Inside) -> Iterator[httpx.Client]:
    with at(server.port) as connections:
        yield connections


@pytest.fixture
def ada(http: httpx.Client) -> Player:
    return Player(http, "Ada")


@pytest.fixture
def bo(http: httpx.Client) -> Player:
    return Player(http, "Bo")


def types(player: Player, game: Game, after: int = 0) -> list[str]:
    """The types of the events of the game after that one."""
    return [event["type"] for event in player.events(game)[after:]]


def together(ada: Player, *others: Player, turn_seconds: int = 30) -> Game:
    """A game of these players, Ada on turn."""
    game = ada.open(ME, *[OPEN] * len(others), turn_seconds=turn_seconds)
    for player in others:
        game = player.join(game)
    return game


def ms(text: str) -> float:
    """A time of the wire in milliseconds."""
    return datetime.fromisoformat(text).timestamp() * 1000


@pytest.mark.parametrize("seconds", [None, 10, 1_209_600])
def test_a_turn_may_take_ten_seconds_to_two_weeks_or_forever(
    ada: Player, seconds: int | None
) -> None:
    game = ada.open(turn_seconds=seconds)
    assert game["turn_seconds"] == seconds
    began = ada.events(game)[-1]
    if seconds is None:
        assert game["turn"]["deadline"] is None
    else:
        assert ms(game["turn"]["deadline"]) - ms(began["at"]) == seconds * 1000
    assert began["next"] == {"seat": 0, "round": 1, "deadline": game["turn"]["deadline"]}


@pytest.mark.parametrize("seconds", [9, 0, -1, 1_209_601, True, "30", 10.5, [30], 10**30], ids=repr)
def test_any_other_time_is_refused(ada: Player, seconds: Any) -> None:
    response = ada.ask("POST", "/v1/games", {"turn_seconds": seconds})
    assert problem(response, 422) == "invalid-request"
    assert response.json()["errors"][0]["pointer"] == "#/turn_seconds"


def test_nothing_extends_a_deadline_but_the_end_of_the_turn(ada: Player, clock: Clock) -> None:
    game = ada.open(turn_seconds=30)
    deadline = game["turn"]["deadline"]
    clock.forward(10)
    assert ada.roll(game)["turn"]["deadline"] == deadline
    clock.forward(10)
    assert ada.hold(game, 3)["turn"]["deadline"] == deadline
    assert ada.ask("PUT", path(game, "/entropy"), {"value": "x"}).status_code == 409
    assert ada.roll(game)["turn"]["deadline"] == deadline
    scored = ada.score(game, "choice")
    assert ms(scored["turn"]["deadline"]) >= ms(deadline) + 20_000
    assert ada.events(game)[-1]["next"]["deadline"] == scored["turn"]["deadline"]


def test_a_waiting_game_has_no_deadline_until_it_starts(
    ada: Player, bo: Player, clock: Clock
) -> None:
    game = ada.open(ME, OPEN, turn_seconds=30)
    clock.forward(100)
    started = bo.join(game)
    assert ms(started["turn"]["deadline"]) == ms(ada.events(game)[-1]["at"]) + 30_000


@pytest.mark.parametrize("verb", ["rolls", "holds", "scores"])
def test_a_late_move_is_refused_and_the_clock_has_played(
    ada: Player, bo: Player, clock: Clock, verb: str
) -> None:
    """Also where no sweep has come by: the expiry is kept, though the call is refused."""
    game = together(ada, bo)
    clock.forward(31)
    body = {"holds": {"held": [True] * 5}, "scores": {"category": "yacht"}}.get(verb)
    response = ada.ask("PUT" if verb == "holds" else "POST", path(game, f"/{verb}"), body)
    assert problem(response, 409) == "turn-expired"
    assert types(ada, game, game["version"]) == LATE
    after = ada.read(game)
    assert after["turn"]["seat"] == 1
    assert sum(points is not None for points in after["seats"][0]["scorecard"].values()) == 1
    again = ada.ask("POST", path(game, "/rolls"))
    assert problem(again, 409) == "not-your-turn"


def test_a_late_turn_with_dice_is_scored_without_a_roll(ada: Player, clock: Clock) -> None:
    game = ada.roll(ada.open(turn_seconds=30))
    options = game["turn"]["options"]
    clock.forward(31)
    assert problem(ada.ask("POST", path(game, "/rolls")), 409) == "turn-expired"
    expired, scored = ada.events(game)[game["version"] :]
    assert (expired["type"], expired["seat"], expired["round"]) == ("turn_expired", 0, 1)
    assert scored["points"] == max(options.values()) == options[scored["category"]]


def test_a_late_call_with_the_version_it_saw_is_late_and_not_stale(
    ada: Player, clock: Clock
) -> None:
    game = ada.open(turn_seconds=30)
    clock.forward(31)
    seen = f'"{game["version"]}"'
    response = ada.ask("POST", path(game, "/rolls"), if_match=seen)
    assert problem(response, 409) == "turn-expired"
    response = ada.ask("POST", path(game, "/rolls"), if_match=seen)
    assert problem(response, 412) == "stale-version"
    assert response.json()["version"] == ada.read(game)["version"] == game["version"] + 3


def test_a_late_call_with_another_version_is_stale_and_changes_nothing(
    ada: Player, clock: Clock
) -> None:
    game = ada.open(turn_seconds=30)
    clock.forward(31)
    response = ada.ask("POST", path(game, "/rolls"), if_match='"1"')
    assert problem(response, 412) == "stale-version"
    assert ada.read(game)["version"] == game["version"]


@pytest.mark.parametrize("call", ["rolls", "resignation"])
def test_nobody_acts_on_what_the_clock_has_changed_unseen(
    ada: Player, bo: Player, clock: Clock, call: str
) -> None:
    """The version that Bo has seen was right until the expiry, which comes first."""
    game = together(ada, bo)
    clock.forward(31)
    seen = f'"{game["version"]}"'
    response = bo.ask("POST", path(game, f"/{call}"), if_match=seen)
    assert problem(response, 412) == "stale-version"
    after = bo.read(game)
    assert response.json()["version"] == after["version"]
    assert types(ada, game, game["version"]) == LATE
    now = f'"{after["version"]}"'
    assert bo.ask("POST", path(game, f"/{call}"), if_match=now).status_code == 201


def test_a_stranger_makes_no_clock_strike(ada: Player, bo: Player, clock: Clock) -> None:
    """Who may comes before what is due."""
    game = ada.open(turn_seconds=30)
    clock.forward(31)
    assert problem(bo.ask("POST", path(game, "/rolls")), 403) == "not-in-game"
    assert ada.read(game)["version"] == game["version"]


def test_whoever_calls_after_anothers_deadline_is_on_turn(
    ada: Player, bo: Player, clock: Clock
) -> None:
    """The expiry is played first, and the call is judged by the state it leads to."""
    game = together(ada, bo)
    clock.forward(31)
    rolled = bo.roll(game)
    assert (rolled["turn"]["seat"], rolled["turn"]["rolls_used"]) == (1, 1)
    assert types(bo, game, game["version"]) == [*LATE, "dice_rolled"]


def test_a_call_that_the_new_state_refuses_leaves_the_new_state(
    ada: Player, bo: Player, clock: Clock
) -> None:
    """Else it would be refused by something that nobody can see."""
    game = together(ada, bo)
    clock.forward(31)
    response = bo.ask("POST", path(game, "/scores"), {"category": "choice"})
    assert problem(response, 409) == "roll-first"
    assert types(bo, game, game["version"]) == LATE
    assert bo.read(game)["turn"]["seat"] == 1


def test_the_bots_that_follow_a_late_turn_play_before_the_call_is_judged(
    ada: Player, bo: Player, clock: Clock
) -> None:
    """Ada is late, the bot comes after her, and Bo, who calls, is on turn after the bot."""
    game = bo.join(ada.open(ME, BOT, OPEN, turn_seconds=30))
    clock.forward(31)
    rolled = bo.roll(game)
    assert (rolled["turn"]["seat"], rolled["turn"]["rolls_used"]) == (2, 1)
    happened = ada.events(game)[game["version"] :]
    assert [event["type"] for event in happened[:3]] == LATE
    assert {event["seat"] for event in happened[3:-1]} == {1}
    assert happened[-1]["type"] == "dice_rolled"
    assert happened[-2]["next"]["deadline"] == rolled["turn"]["deadline"] is not None


def test_a_bot_has_no_deadline(ada: Player) -> None:
    game = ada.turn(ada.open(ME, BOT, turn_seconds=30))
    scored = [event for event in ada.events(game) if event["type"] == "category_scored"]
    assert [event["next"]["deadline"] is None for event in scored] == [True, False]


def test_a_late_player_may_still_give_up(ada: Player, bo: Player, clock: Clock) -> None:
    game = together(ada, bo)
    clock.forward(31)
    assert ada.resign(game)["winners"] == [1]
    assert types(ada, game, game["version"]) == [*LATE, "seat_resigned", "game_finished"]


def test_a_guest_has_a_clock_too(ada: Player, clock: Clock) -> None:
    """The host's next call is late for the guest and in time for nobody."""
    game = ada.turn(ada.open(ME, GUEST, turn_seconds=30))
    assert game["turn"]["seat"] == 1
    assert game["turn"]["deadline"] is not None
    clock.forward(31)
    assert problem(ada.ask("POST", path(game, "/rolls")), 409) == "turn-expired"
    assert ada.read(game)["seats"][1]["total"] > 0
    assert ada.read(game)["turn"]["seat"] == 0


def test_a_late_call_leaves_no_answer_under_its_key(ada: Player, clock: Clock) -> None:
    """It was refused, so the same key may be used again, for the next turn."""
    game = ada.open(turn_seconds=30)
    clock.forward(31)
    first = ada.ask("POST", path(game, "/rolls"), idempotency_key="k")
    assert problem(first, 409) == "turn-expired"
    second = ada.ask("POST", path(game, "/rolls"), idempotency_key="k")
    assert (second.status_code, second.json()["turn"]["rolls_used"]) == (201, 1)
    assert "Idempotent-Replayed" not in second.headers


def test_many_late_calls_at_once_strike_once(ada: Player, bo: Player, clock: Clock) -> None:
    game = together(ada, bo)
    clock.forward(31)
    answers = at_once([lambda: ada.ask("POST", path(game, "/rolls"))] * 8)
    codes = sorted(response.json()["code"] for response in answers)
    assert codes == ["not-your-turn"] * 7 + ["turn-expired"]
    assert types(ada, game, game["version"]) == LATE


def test_three_late_turns_in_a_row_are_the_last(ada: Player, bo: Player, clock: Clock) -> None:
    cy = Player(ada.http, "Cy")
    game = together(ada, bo, cy)
    for _ in range(3):
        clock.forward(31)
        bo.turn(game)
        cy.turn(game)
    after = ada.read(game)
    assert after["seats"][0]["state"] == "resigned"
    assert after["status"] == "active"
    resigned = [event for event in ada.events(game) if event["type"] == "seat_resigned"]
    assert [(event["seat"], event["reason"]) for event in resigned] == [(0, "clock")]
    assert after["turn"]["seat"] == 1
    assert bo.turn(game)["turn"]["seat"] == 2


def test_a_turn_in_time_begins_the_count_anew(ada: Player, bo: Player, clock: Clock) -> None:
    game = together(ada, bo)
    for is_late in (True, True, False, True, True):
        if is_late:
            clock.forward(31)
        else:
            ada.turn(game)
        bo.turn(game)
    assert ada.read(game)["seats"][0]["state"] == "playing"
    clock.forward(31)
    assert problem(bo.ask("POST", path(game, "/rolls")), 409) == "game-over"
    assert bo.read(game)["winners"] == [1]


def test_a_game_alone_ends_with_the_third(ada: Player, clock: Clock) -> None:
    game = ada.open(turn_seconds=10)
    for code in ("turn-expired", "turn-expired", "turn-expired", "game-over"):
        clock.forward(11)
        assert problem(ada.ask("POST", path(game, "/rolls")), 409) == code
    after = ada.read(game)
    assert (after["status"], after["winners"], after["seats"][0]["rank"]) == ("finished", [], None)


def test_the_dice_of_the_clock_can_be_checked_like_all_others(ada: Player, clock: Clock) -> None:
    game = ada.open(turn_seconds=10)
    for _ in range(3):
        clock.forward(11)
        ada.ask("POST", path(game, "/rolls"))
    draws = ada.ask("GET", path(game, "/fairness")).json()["draws"]
    rolled = [event["dice"] for event in ada.events(game) if event["type"] == "dice_rolled"]
    assert [draw["faces"] for draw in draws] == rolled
    assert len(rolled) == 3


def test_the_sweep_plays_late_turns_that_nobody_touches(tmp_path: Path) -> None:
    """Once each, for all who watch; games without a clock are left alone."""
    clock = Clock()
    with (
        inside(tmp_path, now=clock, sweep_seconds=0.05, rate_limit=0) as server,
        at(server.port) as http,
    ):
        ada = Player(http, "Ada")
        games = [ada.open(turn_seconds=30) for _ in range(20)]
        untimed = ada.open()
        readers = [Reader(server.port, path(games[0], "/stream")) for _ in range(2)]
        for reader in readers:
            reader.take(1)
        clock.forward(31)
        for reader in readers:
            assert [message.event for message in reader.take(3)] == LATE
            reader.close()
        wait_until(lambda: all(ada.read(game)["version"] == 5 for game in games))
        assert ada.read(untimed)["version"] == 2


def test_two_sweeps_at_once_strike_once(server: Inside, ada: Player, clock: Clock) -> None:
    """And a third, later, finds nothing to do."""
    game = ada.open(turn_seconds=30)
    clock.forward(31)
    state = server.app.state

    async def sweep_twice() -> None:
        sweeps = [play_late_turns(state.ledger, state.reader, clock) for _ in range(2)]
        await gather(*sweeps)
        await play_late_turns(state.ledger, state.reader, clock)

    server.run(sweep_twice)
    assert types(ada, game, game["version"]) == LATE


def test_a_deadline_outlives_the_server(tmp_path: Path) -> None:
    """Killed before it, started after it: the turn is played then, once."""
    clock = Clock()
    with outside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.open(turn_seconds=10)
        server.kill()
    clock.forward(11)
    with inside(tmp_path, now=clock) as later, at(later.port) as http:
        ada.http = http
        wait_until(lambda: ada.read(game)["version"] > game["version"])
        assert types(ada, game, game["version"]) == LATE
    with inside(tmp_path, now=clock) as later, at(later.port) as http:
        ada.http = http
        assert types(ada, game, game["version"]) == LATE
        assert ada.roll(game)["round"] == 2


@pytest.mark.soak
def test_a_real_ten_seconds_pass(tmp_path: Path) -> None:
    """With the clock on the wall, in a process of its own, killed and started in between."""
    with outside(tmp_path) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.open(turn_seconds=10)
        server.kill()
    with outside(tmp_path) as server, at(server.port) as http:
        ada.http = http
        assert ada.read(game)["version"] == game["version"]
        with Reader(server.port, path(game, "/stream?after=2")) as reader:
            messages = reader.take(3)
        assert [message.event for message in messages] == LATE
        late = ms(messages[0].data["at"]) - ms(game["turn"]["deadline"])
        assert 0 < late < 1000
