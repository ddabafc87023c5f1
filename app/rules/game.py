"""A game as a value, and how each event changes it. Decides nothing: every event is taken as true.

The values are named tuples rather than frozen dataclasses because copying with a change is most
of what a move costs, and a tuple copies five times as fast.
"""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

from app.rules.events import (
    CategoryScored,
    DiceHeld,
    DiceRolled,
    EntropySet,
    Event,
    GameCancelled,
    GameCreated,
    GameFinished,
    GameStarted,
    Level,
    Next,
    RematchOpened,
    SeatAnonymised,
    SeatJoined,
    SeatLeft,
    SeatRecord,
    SeatResigned,
    SeatType,
    TurnExpired,
    Visibility,
)
from app.rules.scoring import RULESETS, Category, Dice, Held, Ruleset, Scorecard, options

ROLLS_A_TURN = 3
NONE_HELD: Held = (False, False, False, False, False)

Status: TypeAlias = Literal["waiting", "active", "finished", "cancelled"]
SeatState: TypeAlias = Literal["open", "playing", "resigned"]


class Seat(NamedTuple):
    """One place at the table: who sits there, and the scorecard in front of it."""

    type: SeatType
    name: str | None = None
    player_id: str | None = None
    level: Level | None = None
    state: SeatState = "playing"
    card: Scorecard = Scorecard()
    entropy: str | None = None
    rank: int | None = None
    lapses: int = 0
    """How many turns in a row the clock has played for the seat."""

    @property
    def is_playing(self) -> bool:
        """Whether the seat still takes turns, or would once the game starts."""
        return self.state == "playing"

    @property
    def is_person(self) -> bool:
        """Whether a person, present or at the host's device, plays the seat."""
        return self.type in ("human", "guest")


OPEN_SEAT = Seat("open", state="open")


class Turn(NamedTuple):
    """The open turn: whose, and what lies on the table (None before the first roll)."""

    seat: int
    round: int
    rolls_used: int = 0
    dice: Dice | None = None
    held: Held = NONE_HELD
    deadline: int | None = None
    is_expired: bool = False

    @property
    def rolls_left(self) -> int:
        """Rolls that the turn still has, 0 to 3."""
        return ROLLS_A_TURN - self.rolls_used


class Game(NamedTuple):
    """The fold of a game's events; ``version`` is the ``seq`` of the last one."""

    version: int
    ruleset: str
    visibility: Visibility
    hints: bool
    turn_seconds: int | None
    host: str | None
    commitment: str
    daily: str | None
    seats: tuple[Seat, ...]
    created_at: int
    updated_at: int
    status: Status = "waiting"
    round: int | None = None
    turn: Turn | None = None
    finished_at: int | None = None
    has_rolled: bool = False
    """Whether any dice were rolled yet: from then on the draw is settled."""
    rematch_id: str | None = None

    @property
    def rules(self) -> Ruleset:
        """The ruleset that the game is played by."""
        return RULESETS[self.ruleset]

    @property
    def is_ended(self) -> bool:
        """Whether nothing can be played any more."""
        return self.status in ("finished", "cancelled")

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1, in seat order; empty until the end, or where nobody won."""
        return tuple(i for i, seat in enumerate(self.seats) if seat.rank == 1)

    @property
    def options(self) -> dict[Category, int]:
        """What each open category of the seat on turn would score now; empty before its roll."""
        if self.turn is None or self.turn.dice is None:
            return {}
        return options(self.rules, self.seats[self.turn.seat].card, self.turn.dice)

    @property
    def open_turn(self) -> Turn:
        """The turn, of a game that is known to be active; ValueError where it is not."""
        if self.turn is None:
            raise ValueError("no turn is open")
        return self.turn

    def is_late(self, at: int) -> bool:
        """Whether the time for the open turn, if there is one with a clock, is up."""
        return self.turn is not None and self.turn.deadline is not None and at > self.turn.deadline

    @property
    def entropies(self) -> tuple[str | None, ...]:
        """What each human seat, in seat order, has added to the draw."""
        return tuple(seat.entropy for seat in self.seats if seat.type == "human")

    def seats_of(self, player_id: str) -> tuple[int, ...]:
        """The seats for which the player acts: the own one and, for a host, the guests'."""
        return tuple(i for i, seat in enumerate(self.seats) if seat.player_id == player_id)


def fold(events: Iterable[Event]) -> Game:
    """The game that the events tell, the first of which created it."""
    first, *rest = events
    if not isinstance(first, GameCreated):
        raise TypeError(f"a game begins with game_created, not {first.type}")
    game = create(first)
    for event in rest:
        game = evolve(game, event)
    return game


def create(event: GameCreated) -> Game:
    """The game as its first event leaves it."""
    return Game(
        version=event.seq,
        ruleset=event.ruleset,
        visibility=event.visibility,
        hints=event.hints,
        turn_seconds=event.turn_seconds,
        host=event.host,
        commitment=event.commitment,
        daily=event.daily,
        seats=tuple(map(_seat, event.seats)),
        created_at=event.at,
        updated_at=event.at,
    )


def evolve(game: Game, event: Event) -> Game:
    """The game after one more event."""
    return game._replace(version=event.seq, updated_at=event.at, **_changes(game, event))


def _changes(game: Game, event: Event) -> dict[str, Any]:
    match event:
        case DiceRolled(roll=roll, dice=dice, held=held):
            turn = game.open_turn._replace(rolls_used=roll, dice=dice, held=held)
            return {"turn": turn, "has_rolled": True}
        case DiceHeld(held=held):
            return {"turn": game.open_turn._replace(held=held)}
        case CategoryScored(seat=seat, category=category, points=points):
            scorer = game.seats[seat]
            lapses = scorer.lapses if game.open_turn.is_expired else 0
            filled = scorer._replace(card=scorer.card.fill(category, points), lapses=lapses)
            return _seated(game, seat, filled) | _turning(event.next)
        case TurnExpired(seat=seat):
            late = game.seats[seat]._replace(lapses=game.seats[seat].lapses + 1)
            turn = game.open_turn._replace(is_expired=True)
            return _seated(game, seat, late) | {"turn": turn}
        case SeatJoined(seat=seat, name=name, player_id=player_id):
            return _seated(game, seat, Seat("human", name, player_id))
        case SeatLeft(seat=seat):
            return _seated(game, seat, OPEN_SEAT)
        case EntropySet(seat=seat, value=value):
            return _seated(game, seat, game.seats[seat]._replace(entropy=value))
        case GameStarted():
            return {"status": "active", "seats": _final_seats(game, event)} | _turning(event.next)
        case SeatResigned(seat=seat):
            resigned = _seated(game, seat, game.seats[seat]._replace(state="resigned"))
            return resigned if event.next is None else resigned | _turning(event.next)
        case SeatAnonymised(seat=seat):
            # The host sits at the own table: without a name there, without one on the door.
            known = game.seats[seat]
            nameless = _seated(game, seat, known._replace(name=None, player_id=None))
            return nameless | {"host": None} if known.player_id == game.host else nameless
        case GameFinished(ranks=ranks):
            seats = tuple(
                seat._replace(rank=rank) for seat, rank in zip(game.seats, ranks, strict=True)
            )
            return {"status": "finished", "turn": None, "seats": seats, "finished_at": event.at}
        case GameCancelled():
            return {"status": "cancelled", "turn": None}
        case RematchOpened(game_id=game_id):
            return {"rematch_id": game_id}
        case GameCreated():  # pragma: no branch - there is no other type
            raise TypeError("a game is created once")


def _seat(record: SeatRecord) -> Seat:
    return Seat(
        type=record.type,
        name=record.name,
        player_id=record.player_id,
        level=record.level,
        state="open" if record.type == "open" else "playing",
    )


def _seated(game: Game, index: int, seat: Seat) -> dict[str, Any]:
    return {"seats": (*game.seats[:index], seat, *game.seats[index + 1 :])}


def _turning(following: Next | None) -> dict[str, Any]:
    if following is None:
        return {"turn": None}
    turn = Turn(following.seat, following.round, deadline=following.deadline)
    return {"turn": turn, "round": following.round}


def _final_seats(game: Game, event: GameStarted) -> tuple[Seat, ...]:
    # The records say who sits where; what a seat had brought along, its entropy, comes with it.
    kept = [seat for seat in game.seats if seat.state != "open"]
    return tuple(
        _seat(record)._replace(entropy=seat.entropy)
        for record, seat in zip(event.seats, kept, strict=True)
    )
