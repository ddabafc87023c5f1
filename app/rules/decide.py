"""The law: what may be done in a game and what then happens. Draws no dice and knows no clock.

``why_not`` is the one source of legality; ``decide`` and ``actions`` follow from it.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from app.rules.commands import (
    Abandon,
    Anonymise,
    Cancel,
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
)
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
    Next,
    RematchOpened,
    SeatAnonymised,
    SeatJoined,
    SeatLeft,
    SeatRecord,
    SeatResigned,
    TurnExpired,
)
from app.rules.game import Game, Seat, Turn, create, evolve
from app.rules.scoring import CARD, maximum, score
from app.rules.violations import (
    AllDiceHeld,
    AlreadyResigned,
    AlreadySeated,
    AlreadyStarted,
    CategoryUsed,
    EntropyClosed,
    GameOver,
    HostMustCancel,
    NoRollsLeft,
    NotFinished,
    NotStarted,
    NotYourTurn,
    RollFirst,
    RuleViolation,
)

LAPSES_ALLOWED = 2
"""How many turns in a row the clock plays for a seat; with the next one the seat resigns."""

Action: TypeAlias = Literal["roll", "hold", "score"]


def decide(game: Game, command: Command, at: int) -> tuple[Event, ...]:
    """The events that the command brings about at time ``at``; none where nothing would change.

    Raises the RuleViolation that ``why_not`` gives.
    """
    return advance(game, command, at)[0]


def advance(game: Game, command: Command, at: int) -> tuple[tuple[Event, ...], Game]:
    """What ``decide`` gives, and the game that those events lead to."""
    if (violation := why_not(game, command)) is not None:
        raise violation
    events = _consequences(game, command, at)
    for event in events:
        game = evolve(game, event)
    if (following := _transition(game, at)) is not None:
        return (*events, following), evolve(game, following)
    return events, game


def open_game(created: GameCreated) -> tuple[tuple[Event, ...], Game]:
    """The events of a new game, which starts at once where no seat is open, and the game."""
    game = create(created)
    if (following := _transition(game, created.at)) is not None:
        return (created, following), evolve(game, following)
    return (created,), game


def why_not(game: Game, command: Command) -> RuleViolation | None:
    """Why the command is refused: the first reason in the documented order; None if it is legal."""
    match command:
        case Roll() | Hold() | Score():
            return _why_not_move(game, command)
        case Join(player_id=player_id):
            if (violation := _why_not_waiting(game)) is not None:
                return violation
            return AlreadySeated() if game.seats_of(player_id) else None
        case Leave(seat=seat):
            if (violation := _why_not_waiting(game)) is not None:
                return violation
            return HostMustCancel() if game.seats[seat].player_id == game.host else None
        case Start() | Cancel():
            return _why_not_waiting(game)
        case SetEntropy():
            if game.is_ended:
                return GameOver()
            return EntropyClosed() if _is_draw_settled(game) else None
        case Resign(seats=seats):
            if (violation := _why_not_active(game)) is not None:
                return violation
            return None if any(game.seats[i].is_playing for i in seats) else AlreadyResigned()
        case Expire():
            return _why_not_active(game)
        case Abandon():
            return GameOver() if game.is_ended else None
        case OpenRematch():
            return None if game.status == "finished" else NotFinished()
        case Anonymise():  # pragma: no branch - there is no other command
            return None


def actions(game: Game) -> tuple[Action, ...]:
    """What the seat on turn may do now; empty unless the game is active."""
    turn = game.turn
    if turn is None:
        return ()
    if turn.dice is None:
        return ("roll",)
    if not turn.rolls_left:
        return ("score",)
    return ("hold", "score") if all(turn.held) else ("roll", "hold", "score")


def _why_not_waiting(game: Game) -> RuleViolation | None:
    if game.status == "waiting":
        return None
    return GameOver() if game.is_ended else AlreadyStarted()


def _why_not_active(game: Game) -> RuleViolation | None:
    if game.status == "active":
        return None
    return GameOver() if game.is_ended else NotStarted()


def _why_not_move(game: Game, command: Roll | Hold | Score) -> RuleViolation | None:
    turn = game.turn
    if turn is None:
        return _why_not_active(game)
    if turn.seat != command.seat:
        return NotYourTurn(turn.seat)
    match command:
        case Roll(held=held):
            return _why_not_roll(turn, turn.held if held is None else held)
        case Hold():
            if turn.dice is None:
                return RollFirst()
            return None if turn.rolls_left else NoRollsLeft()
        case Score(category=category):  # pragma: no branch - there is no other move
            if turn.dice is None:
                return RollFirst()
            is_open = game.seats[turn.seat].card.points(category) is None
            return None if is_open else CategoryUsed()


def _why_not_roll(turn: Turn, held: tuple[bool, ...]) -> RuleViolation | None:
    if turn.dice is None:
        return RollFirst() if any(held) else None
    if not turn.rolls_left:
        return NoRollsLeft()
    return AllDiceHeld() if all(held) else None


def _is_draw_settled(game: Game) -> bool:
    # A bot that sits first rolls in the same instant in which the game starts.
    return game.has_rolled or (game.status == "active" and game.seats[0].type == "bot")


def _consequences(game: Game, command: Command, at: int) -> tuple[Event, ...]:
    seq = game.version + 1
    match command:
        case Roll():
            return (_roll(game, command, at),)
        case Hold(seat=seat, held=held):
            if held == game.open_turn.held:
                return ()
            return (DiceHeld(seq=seq, at=at, seat=seat, held=held),)
        case Score():
            return (_score(game, command, at),)
        case Join(name=name, player_id=player_id, entropy=entropy):
            seat = next(i for i, seat in enumerate(game.seats) if seat.state == "open")
            joined = SeatJoined(seq=seq, at=at, seat=seat, name=name, player_id=player_id)
            if entropy is None:
                return (joined,)
            return (joined, EntropySet(seq=seq + 1, at=at, seat=seat, value=entropy))
        case Leave(seat=seat):
            return (SeatLeft(seq=seq, at=at, seat=seat),)
        case Start():
            return (_start(game, at),)
        case Cancel(reason=reason):
            return (GameCancelled(seq=seq, at=at, reason=reason),)
        case SetEntropy(seat=seat, value=value):
            if game.seats[seat].entropy == value:
                return ()
            return (EntropySet(seq=seq, at=at, seat=seat, value=value),)
        case Resign():
            return _resign(game, command, at)
        case Expire():
            return _expire(game, command, at)
        case Abandon():
            return (GameCancelled(seq=seq, at=at, reason="idle"),)
        case OpenRematch(game_id=game_id):
            return (RematchOpened(seq=seq, at=at, game_id=game_id),)
        case Anonymise(player_id=player_id):  # pragma: no branch - there is no other command
            return tuple(
                SeatAnonymised(seq=seq + n, at=at, seat=seat)
                for n, seat in enumerate(game.seats_of(player_id))
            )


def _transition(game: Game, at: int) -> GameStarted | GameFinished | None:
    """What follows by itself from the state a command has led to: the start, or the end."""
    if game.status == "waiting" and all(seat.state != "open" for seat in game.seats):
        return _start(game, at)
    if game.status == "active" and _is_decided(game):
        return _finish(game, at)
    return None


def _is_decided(game: Game) -> bool:
    playing = [seat for seat in game.seats if seat.is_playing]
    return (
        not any(seat.is_person for seat in playing)
        or (len(playing) == 1 and len(game.seats) > 1)
        or all(seat.card.filled == len(CARD) for seat in playing)
    )


def _start(game: Game, at: int) -> GameStarted:
    taken = [seat for seat in game.seats if seat.state != "open"]
    return GameStarted(
        seq=game.version + 1,
        at=at,
        seats=tuple(
            SeatRecord(i, seat.type, seat.name, seat.player_id, seat.level)
            for i, seat in enumerate(taken)
        ),
        next=_turn_of(game, taken, 0, at),
    )


def _finish(game: Game, at: int) -> GameFinished:
    totals = [seat.card.total for seat in game.seats if seat.is_playing]
    ranks = tuple(_rank(seat, totals) for seat in game.seats)
    winners = tuple(i for i, rank in enumerate(ranks) if rank == 1)
    return GameFinished(seq=game.version + 1, at=at, winners=winners, ranks=ranks)


def _rank(seat: Seat, totals: list[int]) -> int | None:
    if not totals:
        return None
    if not seat.is_playing:
        return len(totals) + 1
    return 1 + sum(total > seat.card.total for total in totals)


def _roll(game: Game, command: Roll, at: int) -> DiceRolled:
    turn = game.open_turn
    held = turn.held if command.held is None else command.held
    lying = turn.dice or command.faces
    a, b, c, d, e = (
        old if stays else new for stays, old, new in zip(held, lying, command.faces, strict=True)
    )
    return DiceRolled(
        seq=game.version + 1,
        at=at,
        seat=turn.seat,
        round=turn.round,
        roll=turn.rolls_used + 1,
        held=held,
        dice=(a, b, c, d, e),
    )


def _score(game: Game, command: Score, at: int) -> CategoryScored:
    turn = game.open_turn
    assert turn.dice is not None
    points = score(game.rules, command.category, turn.dice)
    seat = game.seats[turn.seat]
    seats = list(game.seats)
    seats[turn.seat] = seat._replace(card=seat.card.fill(command.category, points))
    return CategoryScored(
        seq=game.version + 1,
        at=at,
        seat=turn.seat,
        round=turn.round,
        category=command.category,
        points=points,
        dice=turn.dice,
        next=_turn_after(game, seats, turn.seat, at),
    )


def _expire(game: Game, command: Expire, at: int) -> tuple[Event, ...]:
    """What the clock does for the seat on turn: a roll if there was none, then the most points."""
    turn = game.open_turn
    events: list[Event] = []

    def happen(event: Event) -> Game:
        events.append(event)
        return evolve(game, event)

    game = happen(TurnExpired(seq=game.version + 1, at=at, seat=turn.seat, round=turn.round))
    if turn.dice is None:
        game = happen(_roll(game, Roll(turn.seat, command.faces), at))
    # Of equal points, those in the category that could have brought least; then in card order.
    best = min(game.options, key=lambda c: (-game.options[c], maximum(game.rules, c)))
    game = happen(_score(game, Score(turn.seat, best), at))
    if game.seats[turn.seat].lapses > LAPSES_ALLOWED and game.turn is not None:
        events += _resign(game, Resign((turn.seat,), "clock"), at)
    return tuple(events)


def _resign(game: Game, command: Resign, at: int) -> tuple[SeatResigned, ...]:
    leaving = [i for i in sorted(set(command.seats)) if game.seats[i].is_playing]
    seats = [
        seat._replace(state="resigned") if i in leaving else seat
        for i, seat in enumerate(game.seats)
    ]
    on_turn = game.open_turn.seat
    is_over = _is_decided(game._replace(seats=tuple(seats)))
    return tuple(
        SeatResigned(
            seq=game.version + 1 + n,
            at=at,
            seat=i,
            reason=command.reason,
            # Whoever resigns out of turn leaves the open turn, dice and holds, untouched.
            next=None if is_over or i != on_turn else _turn_after(game, seats, i, at),
        )
        for n, i in enumerate(leaving)
    )


def _turn_after(game: Game, seats: Sequence[Seat], last: int, at: int) -> Next | None:
    """The turn that follows the one of seat ``last``; None where every playing card is full."""
    in_order = [*range(last + 1, len(seats)), *range(last + 1)]
    for i in in_order:
        if seats[i].is_playing and seats[i].card.filled < len(CARD):
            return _turn_of(game, seats, i, at)
    return None


def _turn_of(game: Game, seats: Sequence[Seat], index: int, at: int) -> Next:
    seat = seats[index]
    if game.turn_seconds is None or not seat.is_person:
        return Next(index, seat.card.filled + 1)
    return Next(index, seat.card.filled + 1, deadline=at + game.turn_seconds * 1000)
