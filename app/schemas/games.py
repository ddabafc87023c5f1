"""A game as clients see it."""

from typing import Annotated, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from app import rules
from app.rules import Category, Game, Level, Seat, SeatState, SeatType, Status, Turn, Visibility
from app.schemas.fields import Face, Id, Timestamp, about, timestamp
from app.store.games import GameRow

Points: TypeAlias = Annotated[int, Field(ge=0, le=50)]
SeatIndex: TypeAlias = Annotated[int, Field(ge=0, le=7)]
Round: TypeAlias = Annotated[int, Field(ge=1, le=12)]
FiveFaces: TypeAlias = Annotated[list[Face], Field(min_length=5, max_length=5)]
FiveMarks: TypeAlias = Annotated[list[bool], Field(min_length=5, max_length=5)]


class ScorecardView(TypedDict):
    """The points in each category, null where it is open; zero is filled."""

    ones: Annotated[Points | None, about("points of all ones")]
    twos: Annotated[Points | None, about("points of all twos")]
    threes: Annotated[Points | None, about("points of all threes")]
    fours: Annotated[Points | None, about("points of all fours")]
    fives: Annotated[Points | None, about("points of all fives")]
    sixes: Annotated[Points | None, about("points of all sixes")]
    full_house: Annotated[Points | None, about("three of one face and two of another")]
    four_of_a_kind: Annotated[Points | None, about("four dice of one face")]
    little_straight: Annotated[Points | None, about("1 to 5")]
    big_straight: Annotated[Points | None, about("2 to 6")]
    choice: Annotated[Points | None, about("the sum of any five dice")]
    yacht: Annotated[Points | None, about("five dice of one face")]


class SeatView(TypedDict):
    """A place at the table. `player_id` is who acts for it: a guest's is the host's."""

    index: Annotated[SeatIndex, about("the seat's number, from 0")]
    type: Annotated[SeatType, about("who plays it")]
    name: Annotated[
        str | None,
        about("what it is called; null while it is open, or once the account is deleted"),
    ]
    player_id: Annotated[
        Id | None,
        about("who acts for the seat: a human, or a guest's host; null for bots and open seats"),
    ]
    level: Annotated[Level | None, about("how well the bot plays; null where the seat is no bot's")]
    state: Annotated[SeatState, about("whether it is still to be taken, in play, or given up")]
    scorecard: Annotated[ScorecardView, about("what is written down")]
    total: Annotated[int, Field(ge=0, description="the plain sum of the filled categories")]
    rank: Annotated[
        Annotated[int, Field(ge=1, le=8)] | None,
        about("1 for the winners, ties shared; null until the end, and where there is no result"),
    ]


class TurnView(TypedDict):
    """The open turn. `options` says what each open category would score with these dice."""

    seat: Annotated[SeatIndex, about("the seat on turn")]
    rolls_used: Annotated[
        int, Field(ge=0, le=3, description="how many rolls were made in this turn")
    ]
    rolls_left: Annotated[int, Field(ge=0, le=3, description="how many are left")]
    dice: Annotated[
        FiveFaces | None,
        about("the five faces, by position, never sorted; null before the first roll"),
    ]
    held: Annotated[
        FiveMarks, about("for each position, whether that die stays when the dice are rolled")
    ]
    options: Annotated[
        dict[Category, Points],
        about("what each open category would bring now; empty before the first roll"),
    ]
    actions: Annotated[list[rules.Action], about("what the seat on turn may do")]
    deadline: Annotated[
        Timestamp | None, about("when the turn expires; null without a clock and for bots")
    ]


class GameView(TypedDict):
    """The whole state of a game; `version` counts its events and is its ETag."""

    id: Annotated[Id, about("names the game; nobody can guess it")]
    version: Annotated[int, Field(ge=1, description="how many events the game has; its ETag")]
    status: Annotated[
        Status, about("`waiting` for players, `active`, `finished` with a result, or `cancelled`")
    ]
    ruleset: Annotated[str, about("the slug of the ruleset")]
    visibility: Annotated[
        Visibility,
        about("`public` games are listed, `unlisted` ones are read by whoever knows the id"),
    ]
    host: Annotated[
        Id | None, about("the player who opened the game; null once that account is deleted")
    ]
    hints: Annotated[bool, about("whether advice and odds are open while the game runs")]
    turn_seconds: Annotated[
        Annotated[int, Field(ge=10, le=1_209_600)] | None,
        about("how long a turn may take; null: as long as it likes"),
    ]
    round: Annotated[
        Round | None, about("1 to 12, at the end its last value; null while the game waits")
    ]
    daily: Annotated[str | None, about("the date whose daily game this is; null for all others")]
    seats: Annotated[list[SeatView], about("who sits where, and their cards")]
    turn: Annotated[TurnView | None, about("the open turn; null unless the game is active")]
    winners: Annotated[list[SeatIndex], Field(description="the seats of rank 1, ties shared")]
    rematch_id: Annotated[
        Id | None, about("the game in which the players meet again; null where there is none")
    ]
    created_at: Timestamp
    updated_at: Timestamp
    finished_at: Annotated[Timestamp | None, about("when the game ended; null until then")]


class GamesView(TypedDict):
    """A page of games, newest first."""

    items: Annotated[list[GameView], about("the games, newest first")]
    next_cursor: Annotated[str | None, about("the `cursor` of the next page; null on the last one")]


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
