"""Whole games at random, of legal and illegal commands, and what holds throughout."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.rules import (
    CARD,
    Abandon,
    Anonymise,
    Cancel,
    Category,
    Command,
    Expire,
    Hold,
    Join,
    Leave,
    OpenRematch,
    Resign,
    Roll,
    Score,
    SetEntropy,
    Start,
    fold,
)
from tests.rules.watched import PEOPLE, REASONS, WatchedGame, any_opening, walk

SEEDS = st.integers(0, 2**32)
FIVE_MARKS = st.tuples(*[st.booleans()] * 5)
FIVE_FACES = st.tuples(*[st.integers(1, 6)] * 5)


class Table(RuleBasedStateMachine):
    """R1, R4, R6, R9, R23, R38, R41, R42, R58, R59: short games of any commands in any order."""

    @initialize(seed=SEEDS)
    def open(self, seed: int) -> None:
        self.watched = WatchedGame(any_opening(Random(seed)))

    def seat(self, number: int) -> int:
        """The seat on turn three times in four, else any."""
        game = self.watched.game
        if game.turn is not None and number % 4:
            return game.turn.seat
        return number % len(game.seats)

    def human(self, number: int) -> int:
        humans = [i for i, seat in enumerate(self.watched.game.seats) if seat.type == "human"]
        return humans[number % len(humans)]

    @rule(number=st.integers(0, 31), faces=FIVE_FACES, marks=st.none() | FIVE_MARKS)
    def roll(
        self,
        number: int,
        faces: tuple[int, int, int, int, int],
        marks: tuple[bool, bool, bool, bool, bool] | None,
    ) -> None:
        self.watched.do(Roll(self.seat(number), faces, marks))

    @rule(number=st.integers(0, 31), marks=FIVE_MARKS)
    def hold(self, number: int, marks: tuple[bool, bool, bool, bool, bool]) -> None:
        self.watched.do(Hold(self.seat(number), marks))

    @rule(number=st.integers(0, 31), category=st.sampled_from(CARD))
    def score(self, number: int, category: Category) -> None:
        self.watched.do(Score(self.seat(number), category))

    @rule(player=st.sampled_from(PEOPLE), entropy=st.none() | st.just("seed"))
    def join(self, player: str, entropy: str | None) -> None:
        self.watched.do(Join(player.title(), player, entropy))

    @rule(number=st.integers(0, 7))
    def leave(self, number: int) -> None:
        self.watched.do(Leave(self.human(number)))

    @rule(number=st.integers(0, 7), value=st.sampled_from(["one", "two"]))
    def set_entropy(self, number: int, value: str) -> None:
        self.watched.do(SetEntropy(self.human(number), value))

    @rule(command=st.sampled_from([Start(), Cancel("host")]))
    def start_or_cancel(self, command: Command) -> None:
        self.watched.do(command)

    @rule(
        numbers=st.lists(st.integers(0, 7), min_size=1, max_size=3),
        reason=st.sampled_from(REASONS),
    )
    def resign(self, numbers: list[int], reason: str) -> None:
        count = len(self.watched.game.seats)
        self.watched.do(Resign(tuple(number % count for number in numbers), reason))

    @rule(faces=FIVE_FACES)
    def expire(self, faces: tuple[int, int, int, int, int]) -> None:
        self.watched.do(Expire(faces))

    @rule(command=st.sampled_from([Abandon(), OpenRematch("another")]))
    def abandon_or_meet_again(self, command: Command) -> None:
        self.watched.do(command)

    @rule(player=st.sampled_from(PEOPLE))
    def anonymise(self, player: str) -> None:
        self.watched.do(Anonymise(player))

    @invariant()
    def the_events_alone_give_the_state(self) -> None:
        if hasattr(self, "watched"):
            self.watched.check_fold()


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)


@settings(max_examples=30)
@given(SEEDS)
def test_every_game_ends_within_its_bound(seed: int) -> None:
    """R2, R37, R47, R59: at most twelve turns of three rolls a seat, whatever nonsense is tried."""
    watched = walk(seed)
    assert watched.game.is_ended
    if watched.game.status == "finished":
        assert watched.rolled <= 36 * len(watched.game.seats)
        assert max(watched.scored.values(), default=0) <= 12


@settings(max_examples=20)
@given(SEEDS)
def test_sensible_moves_alone_fill_every_card(seed: int) -> None:
    """R37, R47: each seat has its twelve turns, and the game ends with the last of them."""
    watched = walk(seed, nonsense=0, late=0)
    assert watched.game.status == "finished"
    assert [seat.card.filled for seat in watched.game.seats] == [12] * len(watched.game.seats)
    assert [event.type for event in watched.events[-2:]] == ["category_scored", "game_finished"]


@settings(max_examples=20)
@given(SEEDS, st.integers(0, 200))
def test_every_beginning_of_a_game_is_a_game(seed: int, length: int) -> None:
    """R58: the events up to any of them give a state of that version."""
    events = walk(seed, steps=150).events
    beginning = events[: 1 + length % len(events)]
    assert fold(beginning).version == len(beginning)
