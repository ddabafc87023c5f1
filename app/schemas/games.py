"""A game as clients see it."""

from typing import Annotated, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from app import rules
from app.rules import Category, Game, Level, Seat, SeatState, SeatType, Status, Turn, Visibility
from app.schemas.fields import Face, Id, Timestamp, timestamp
from app.store.games import GameRow

Points: TypeAlias = Annotated[int, Field(ge=0, le=50)]
SeatIndex: TypeAlias = Annotated[int, Field(ge=0, le=7)]
Round: TypeAlias = Annotated[int, Field(ge=1, le=12)]
FiveFaces: TypeAlias = Annotated[list[Face], Field(min_length=5, max_length=5)]
FiveMarks: TypeAlias = Annotated[list[bool], Field(min_length=5, max_length=5)]


class ScorecardView(TypedDict):
    """The points in each category, null where it is open; zero is filled."""

    ones: Points | None
    twos: Points | None
    threes: Points | None
    fours: Points | None
    fives: Points | None
    sixes: Points | None
    full_house: Points | None
    four_of_a_kind: Points | None
    little_straight: Points | None
    big_straight: Points | None
    choice: Points | None
    yacht: Points | None


class SeatView(TypedDict):
    """A place at the table. `player_id` is who acts for it: a guest's is the host's."""

    index: SeatIndex
    type: SeatType
    name: str | None
    player_id: Id | None
    level: Level | None
    state: SeatState
    scorecard: ScorecardView
    total: Annotated[int, Field(ge=0, description="the plain sum of the filled categories")]
    rank: Annotated[int, Field(ge=1, le=8, description="null until the end")] | None


class TurnView(TypedDict):
    """The open turn. `options` says what each open category would score with these dice."""

    seat: SeatIndex
    rolls_used: Annotated[int, Field(ge=0, le=3)]
    rolls_left: Annotated[int, Field(ge=0, le=3)]
    dice: Annotated[FiveFaces, Field(description="null before the first roll")] | None
    held: FiveMarks
    options: dict[Category, Points]
    actions: list[rules.Action]
    deadline: Timestamp | None


class GameView(TypedDict):
    """The whole state of a game; `version` counts its events and is its ETag."""

    id: Id
    version: Annotated[int, Field(ge=1)]
    status: Status
    ruleset: str
    visibility: Visibility
    host: Annotated[Id, Field(description="null once that account is deleted")] | None
    hints: bool
    turn_seconds: Annotated[int, Field(ge=10, le=1_209_600)] | None
    round: Round | None
    daily: str | None
    seats: list[SeatView]
    turn: TurnView | None
    winners: Annotated[list[SeatIndex], Field(description="the seats of rank 1, ties shared")]
    rematch_id: Id | None
    created_at: Timestamp
    updated_at: Timestamp
    finished_at: Timestamp | None


class GamesView(TypedDict):
    """A page of games, newest first."""

    items: list[GameView]
    next_cursor: str | None


def game_view(row: GameRow) -> GameView:
    """The game as the wire has it."""
    game = row.game
    return {
        "id": row.id,
        "version": game.version,
        "status": game.status,
        "ruleset": game.ruleset,
        "visibility": game.visibility,
        "host": game.host,
        "hints": game.hints,
        "turn_seconds": game.turn_seconds,
        "round": game.round,
        "daily": game.daily,
        "seats": [_seat(i, seat) for i, seat in enumerate(game.seats)],
        "turn": None if game.turn is None else _turn(game, game.turn),
        "winners": list(game.winners),
        "rematch_id": game.rematch_id,
        "created_at": timestamp(game.created_at),
        "updated_at": timestamp(game.updated_at),
        "finished_at": None if game.finished_at is None else timestamp(game.finished_at),
    }


def games_view(rows: list[GameRow], limit: int) -> GamesView:
    """A page of games; ``rows`` has one more than the limit where another page follows."""
    page = rows[:limit]
    return {
        "items": [game_view(row) for row in page],
        "next_cursor": page[-1].id if len(rows) > limit else None,
    }


def _seat(index: int, seat: Seat) -> SeatView:
    return {
        "index": index,
        "type": seat.type,
        "name": seat.name,
        "player_id": seat.player_id,
        "level": seat.level,
        "state": seat.state,
        "scorecard": seat.card._asdict(),  # type: ignore[typeddict-item] # the same twelve names
        "total": seat.card.total,
        "rank": seat.rank,
    }


def _turn(game: Game, turn: Turn) -> TurnView:
    return {
        "seat": turn.seat,
        "rolls_used": turn.rolls_used,
        "rolls_left": turn.rolls_left,
        "dice": None if turn.dice is None else list(turn.dice),
        "held": list(turn.held),
        "options": game.options,
        "actions": list(rules.actions(game)),
        "deadline": None if turn.deadline is None else timestamp(turn.deadline),
    }
