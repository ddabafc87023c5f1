"""Random play in random batches: whatever was asked, the tables agree with the logs."""

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from random import Random
from typing import get_args

import pytest

from app import play
from app.rules import Category, CategoryScored, Event, Game, RuleViolation, SeatJoined, fold
from app.store.batch import Result
from app.store.command import Command, Outcome, Refusal
from tests.store.desk import (
    ME,
    OPEN,
    Desk,
    command,
    delete_account,
    guest,
    join,
    key,
    move,
    open_game,
    register,
    rematch,
    roll,
    score,
)

PEOPLE = ("Ada", "Bo", "Cy", "Dee")
TABLES = ((ME,), (ME, guest("Kid")), (ME, OPEN), (ME, OPEN, OPEN), (OPEN, ME, OPEN))
BATCHES = 50
CALLS = 5_000
ABOUT = 8
"""So many of the newest games are looked at after each batch of a long walk."""
KINDS = {
    field.default for kind in get_args(Event) for field in fields(kind) if field.name == "type"
}


class Crowd:
    """People who ask for anything, legal or not."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk = desk
        self.random = Random(seed)
        self.games: list[str] = []
        self.new: list[str] = []

    def ask(self) -> Command:
        random = self.random
        by = random.choice(PEOPLE)
        if not self.games or random.random() < 0.05:
            self.new.append(f"game {len(self.games) + len(self.new)}")
            clock = random.choice((None, None, 10))
            return open_game(by, self.new[-1], *random.choice(TABLES), turn_seconds=clock)
        game = random.choice(self.games)
        held = tuple(random.random() < 0.4 for _ in range(5))
        category = random.choice(list(Category))
        keyed = {"key": key(f"{by} {random.randrange(40)}")} if random.random() < 0.1 else {}
        asks: tuple[tuple[float, Callable[[], Command]], ...] = (
            (20, lambda: roll(by, game, **keyed)),
            (10, lambda: move(by, game, play.roll, held)),
            (12, lambda: move(by, game, play.hold, held)),
            (20, lambda: score(by, game, category, **keyed)),
            (6, lambda: join(by, game)),
            (9, lambda: move(by, game, play.leave)),
            (1, lambda: move(by, game, play.start)),
            (1, lambda: move(by, game, play.cancel)),
            (3, lambda: move(by, game, play.resign, None)),
            (2, lambda: move(by, game, play.set_entropy, f"{by}-{random.randrange(9)}")),
            (1, lambda: command(partial(play.rename, name=f"{by} II"), by)),
            (3, lambda: self.again(by, game)),
            (1, lambda: command(play.expire, game=game)),
            (0.2, lambda: delete_account(by)),
        )
        [chosen] = random.choices([ask for _, ask in asks], [weight for weight, _ in asks])
        return chosen()

    def again(self, by: str, game: str) -> Command:
        """A rematch, of a finished game where there is one."""
        finished = [row["id"] for row in self.desk.rows("games") if row["status"] == "finished"]
        self.new.append(f"game {len(self.games) + len(self.new)}")
        return rematch(by, self.random.choice(finished or [game]), self.new[-1])

    def batch(self) -> list[Result]:
        self.desk.at += self.random.choice((10, 10, 1_000, 11_000))
        if gone := [name for name in PEOPLE if self.desk.player(name) is None]:
            self.desk.do(*map(register, gone))
        told = self.desk.batch(*[self.ask() for _ in range(self.random.randrange(1, 40))])
        self.games += self.new
        self.new = []
        return told


@pytest.fixture(params=range(1, 4), ids=lambda seed: f"seed {seed}")
def crowd(desk: Desk, request: pytest.FixtureRequest) -> Crowd:
    desk.do(register("Dee"))
    return Crowd(desk, request.param)


def test_the_tables_agree_with_the_logs_after_every_batch(crowd: Crowd) -> None:
    """State and columns are the fold, numbers have no gap, standings are who sits where."""
    done = refused = 0
    for _ in range(BATCHES):
        for result in crowd.batch():
            assert isinstance(result, Outcome | Refusal | RuleViolation), repr(result)
            done += isinstance(result, Outcome)
            refused += not isinstance(result, Outcome)
        check(crowd)
    assert min(done, refused) > BATCHES


def test_a_walk_of_five_thousand_calls_keeps_every_table_in_order(desk: Desk) -> None:
    """A running game has one turn of at most three rolls; cells are filled by the turns done."""
    crowd = Crowd(desk, 4)
    desk.do(register("Dee"))
    calls = 0
    while calls < CALLS:
        calls += len(crowd.batch())
        there = [row["id"] for row in desk.rows("games")]
        for name in sorted(there, key=lambda name: int(name.split()[1]))[-ABOUT:]:
            row, events = desk.kept(name)
            assert (row.game.turn is not None) == (row.game.status == "active")
            assert row.game.turn is None or 0 <= row.game.turn.rolls_used <= 3
            scored = sum(isinstance(event, CategoryScored) for event in events)
            assert sum(seat.card.filled for seat in row.game.seats) == scored


def test_the_crowd_brings_about_every_kind_of_event(crowd: Crowd) -> None:
    """Else the walk above would prove less than it seems to."""
    happened: set[str] = set()
    for _ in range(20):
        for _ in range(20):
            crowd.batch()
        happened = {row["type"] for row in crowd.desk.rows("events")}
        if happened == KINDS:
            break
    assert happened == KINDS


def check(crowd: Crowd) -> None:
    desk = crowd.desk
    columns = {row["id"]: row for row in desk.rows("games")}
    kept = {game: desk.kept(game) for game in crowd.games if game in columns}
    for game, (row, events) in kept.items():
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert row.game == fold(events)
        assert (row.game.version, row.game.status) == (
            columns[game]["version"],
            columns[game]["status"],
        )
    standings = {
        (row["player_id"], row["game_id"]): row["standing"] for row in desk.rows("participants")
    }
    alive = {row["id"] for row in desk.rows("players")}
    assert standings == {
        (player, game): standing
        for game, (row, events) in kept.items()
        for player, standing in expected(row.game, events).items()
        if player in alive
    }


def expected(game: Game, events: tuple[Event, ...]) -> dict[str, str]:
    """How each player stands to a game, told from its log alone."""
    seated = {seat.player_id for seat in game.seats}
    known = {seat.player_id for seat in fold(events[:1]).seats}
    known |= {event.player_id for event in events if isinstance(event, SeatJoined)}
    here = "ended" if game.is_ended else "open"
    return {player: here if player in seated else "left" for player in known if player is not None}
