"""A game under watch: every command that it is given is held against what must always be true."""

from collections import Counter
from random import Random

from app.rules import (
    CARD,
    RULESETS,
    Abandon,
    Anonymise,
    Cancel,
    CategoryScored,
    Command,
    Dice,
    DiceRolled,
    Event,
    Expire,
    Game,
    GameCreated,
    Held,
    Hold,
    Join,
    Leave,
    OpenRematch,
    Resign,
    Roll,
    RuleViolation,
    Score,
    SeatRecord,
    SetEntropy,
    Start,
    Turn,
    actions,
    advance,
    decide,
    evolve,
    fold,
    maximum,
    open_game,
    why_not,
)
from tests.builders import OPEN, PLAIN, bot, created, guest
from tests.rules.plain_scoring import expected_points

PEOPLE = ("ada", "bo", "cy", "di")
REASONS = ("player", "account")
STATUS_ORDER = ("waiting", "active", "finished", "cancelled")


class WatchedGame:
    """A game, the events that led to it, and the checks after each command."""

    def __init__(self, opening: GameCreated) -> None:
        events, self.game = open_game(opening)
        self.events: list[Event] = list(events)
        self.at = opening.at
        self.scored: Counter[int] = Counter()
        self.rolled = 0
        self.check_state()

    def do(self, command: Command) -> bool:
        """Give the command; whether it was legal."""
        before = self.game
        violation = why_not(before, command)
        self.at += 1
        try:
            events, after = advance(before, command, self.at)
        except RuleViolation as refused:
            assert type(refused) is type(violation)  # noqa: PT017 - any command may be refused
            return False
        assert violation is None
        assert events == decide(before, command, self.at)
        self.check_events(before, after, events)
        self.events.extend(events)
        self.game = after
        self.check_state()
        return True

    def check_events(self, before: Game, after: Game, events: tuple[Event, ...]) -> None:
        """R58: numbered without a gap, at the time of the command, adding up to the new state."""
        first = before.version + 1
        assert [event.seq for event in events] == list(range(first, first + len(events)))
        assert all(event.at == self.at for event in events)
        assert after.version == before.version + len(events)
        assert after == before if not events else after.updated_at == self.at
        assert STATUS_ORDER.index(after.status) >= STATUS_ORDER.index(before.status)
        for event in events:
            if isinstance(event, DiceRolled):
                check_roll(before, event)
                self.rolled += 1
            elif isinstance(event, CategoryScored):
                check_score(before, event)
                self.scored[event.seat] += 1
            # One command may roll and score, so each event is held against those before it.
            before = evolve(before, event)
        assert before == after

    def check_state(self) -> None:
        """What holds between any two commands."""
        game = self.game
        assert (game.status == "active") == (game.turn is not None)
        for index, seat in enumerate(game.seats):
            assert seat.card.filled == self.scored[index]
            assert seat.card.total == sum(filter(None, seat.card))
        if game.turn is not None:
            self.check_turn(game.turn)
        else:
            assert (actions(game), game.options) == ((), {})
        assert game.has_rolled == (self.rolled > 0)
        if game.status == "finished":
            check_result(game)
        else:
            assert game.winners == ()
            assert all(seat.rank is None for seat in game.seats)

    def check_fold(self) -> None:
        """The events alone give the state, whatever was refused on the way."""
        assert fold(self.events) == self.game

    def check_turn(self, turn: Turn) -> None:
        """One turn is open, and what it allows is what the rules do not refuse."""
        game = self.game
        assert game.status == "active"
        assert turn.round == game.round
        assert turn.rolls_used + turn.rolls_left == 3
        assert 0 <= turn.rolls_used <= 3
        assert (turn.dice is None) == (turn.rolls_used == 0)
        assert turn.dice is not None or not any(turn.held)
        card = game.seats[turn.seat].card
        for index, seat in enumerate(game.seats):
            if seat.is_playing:
                assert seat.card.filled == turn.round - (index >= turn.seat)
        allowed = {
            "roll": why_not(game, Roll(turn.seat, PLAIN)) is None,
            "hold": why_not(game, Hold(turn.seat, turn.held)) is None,
            "score": any(why_not(game, Score(turn.seat, category)) is None for category in CARD),
        }
        assert actions(game) == tuple(name for name, legal in allowed.items() if legal)
        assert game.options == {
            category: expected_points(game.rules, category, turn.dice)
            for category in card.open_categories
            if turn.dice is not None
        }


def check_roll(before: Game, event: DiceRolled) -> None:
    """The next roll of the open turn, in which no held die has moved."""
    turn = before.open_turn
    assert (event.seat, event.round) == (turn.seat, turn.round)
    assert event.roll == turn.rolls_used + 1 <= 3
    assert all(1 <= face <= 6 for face in event.dice)
    assert not all(event.held)
    for stays, old, new in zip(event.held, turn.dice or event.dice, event.dice, strict=True):
        assert not stays or old == new


def check_score(before: Game, event: CategoryScored) -> None:
    """The dice of the open turn, worth what a second reckoning says, in an open category."""
    assert event.dice == before.open_turn.dice
    assert before.seats[event.seat].card.points(event.category) is None
    assert 0 <= event.points <= maximum(before.rules, event.category)
    assert event.points == expected_points(before.rules, event.category, event.dice)


def check_result(game: Game) -> None:
    """The end has come for a reason, and the ranks are those of a sorted list of totals."""
    playing = [i for i, seat in enumerate(game.seats) if seat.is_playing]
    assert (
        all(game.seats[i].card.filled == 12 for i in playing)
        or (len(playing) == 1 and len(game.seats) > 1)
        or all(game.seats[i].type == "bot" for i in playing)
    )
    best_first = sorted((game.seats[i].card.total for i in playing), reverse=True)
    for seat in game.seats:
        if not playing:
            assert seat.rank is None
        elif seat.is_playing:
            assert seat.rank == best_first.index(seat.card.total) + 1
        else:
            assert seat.rank == len(playing) + 1
    assert bool(game.winners) == bool(playing)
    assert set(game.winners) <= set(playing)


def any_opening(random: Random) -> GameCreated:
    """One to eight seats, one of them Ada's; in half of the games some may be open."""
    others = [guest("Eve"), bot("novice"), bot("perfect")] + [OPEN] * random.choice((0, 3))
    seats: list[str | SeatRecord] = [
        "Ada",
        *(random.choice(others) for _ in range(random.randrange(8))),
    ]
    random.shuffle(seats)
    return created(
        *seats,
        ruleset=random.choice(list(RULESETS)),
        turn_seconds=random.choice((None, 30)),
    )


def any_marks(random: Random) -> Held:
    """Any of the 32 ways to hold."""
    a, b, c, d, e = random.choices((True, False), k=5)
    return a, b, c, d, e


def any_faces(random: Random) -> Dice:
    """Any of the 7,776 rolls."""
    a, b, c, d, e = random.choices(range(1, 7), k=5)
    return a, b, c, d, e


def any_command(random: Random, game: Game) -> Command:
    """A command as somebody might give it, legal or not."""
    count = len(game.seats)
    seat = random.randrange(count)
    human = random.choice([i for i, seat in enumerate(game.seats) if seat.type == "human"])
    player = random.choice(PEOPLE)
    everyone = range(count)
    return random.choice(
        (
            Join(player.title(), player, random.choice((None, "seed"))),
            Leave(human),
            Start() if random.random() < 0.2 else Hold(seat, any_marks(random)),
            Cancel("host") if random.random() < 0.1 else Score(seat, random.choice(CARD)),
            SetEntropy(human, random.choice(("one", "two"))),
            Roll(seat, any_faces(random), random.choice((None, any_marks(random)))),
            Hold(seat, any_marks(random)),
            Score(seat, random.choice(CARD)),
            Resign(tuple(random.sample(everyone, random.randint(1, count))), random.choice(REASONS))
            if random.random() < 0.2
            else Roll(seat, any_faces(random)),
            Anonymise(player) if random.random() < 0.2 else Hold(seat, any_marks(random)),
            Expire(any_faces(random)),
            Abandon() if random.random() < 0.02 else OpenRematch("another"),
        )
    )


def sensible_command(random: Random, game: Game) -> Command:
    """A command that brings the game on: somebody joins, the seat on turn rolls or scores."""
    if game.turn is None:
        return Join("New", f"player-{game.version}")
    seat, turn = game.turn.seat, game.turn
    if turn.dice is None:
        return Roll(seat, any_faces(random))
    if turn.rolls_left and random.random() < 0.6:
        marks = any_marks(random)
        return Roll(seat, any_faces(random), None if all(turn.held) else marks)
    return Score(seat, random.choice(game.seats[seat].card.open_categories))


def walk(
    seed: int, *, steps: int | None = None, nonsense: float = 0.15, late: float = 0.1
) -> WatchedGame:
    """A random game, played to its end or for so many commands.

    Some of them are nonsense, and some turns are late.
    """
    random = Random(seed)
    watched = WatchedGame(any_opening(random))
    # Twelve turns of four moves a seat, twice over for what is refused and for nonsense.
    for _ in range(2 * 48 * 8 if steps is None else steps):
        if watched.game.is_ended:
            break
        if random.random() < late:
            watched.do(Expire(any_faces(random)))
            continue
        choose = any_command if random.random() < nonsense else sensible_command
        watched.do(choose(random, watched.game))
    watched.check_fold()
    return watched
