"""The log of a game as clients see it: one shape a type, told apart by `type`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import Field
from typing_extensions import TypedDict

from app.rules import Category, Level, SeatType, Visibility
from app.schemas.fields import Id, Timestamp, about, timestamp
from app.schemas.games import FiveFaces, FiveMarks, Points, Round, SeatIndex
from app.store.games import EventRow

Seq: TypeAlias = Annotated[int, Field(ge=1, description="1, 2, 3 … within the game")]


class SeatRecordView(TypedDict):
    """Who sits where."""

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


class NextView(TypedDict):
    """The turn that begins."""

    seat: Annotated[SeatIndex, about("the seat on turn")]
    round: Annotated[Round, about("1 to 12, one for each category")]
    deadline: Annotated[
        Timestamp | None, about("when the turn expires; null without a clock and for bots")
    ]


class GameCreatedView(TypedDict):
    """The game was opened."""

    seq: Seq
    type: Annotated[Literal["game_created"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[None, about("null: the event is about the whole game")]
    ruleset: Annotated[str, about("the slug of the ruleset")]
    visibility: Annotated[
        Visibility,
        about("`public` games are listed, `unlisted` ones are read by whoever knows the id"),
    ]
    hints: Annotated[bool, about("whether advice and odds are open while the game runs")]
    turn_seconds: Annotated[
        int | None, about("how long a turn may take; null: as long as it likes")
    ]
    host: Annotated[
        Id | None, about("the player who opened the game; null once that account is deleted")
    ]
    commitment: Annotated[
        str, about("SHA-256 of the seed of the dice, in hex, published before any roll")
    ]
    seats: Annotated[list[SeatRecordView], about("who sits where")]
    daily: Annotated[str | None, about("the date whose daily game this is; null for all others")]


class SeatJoinedView(TypedDict):
    """A player took an open seat."""

    seq: Seq
    type: Annotated[Literal["seat_joined"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]
    name: Annotated[str | None, about("the player's name then; null once the account is deleted")]
    player_id: Annotated[Id | None, about("the player; null once the account is deleted")]


class SeatLeftView(TypedDict):
    """A player gave the seat back."""

    seq: Seq
    type: Annotated[Literal["seat_left"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]


class SeatAnonymisedView(TypedDict):
    """The player behind the seat deleted the account."""

    seq: Seq
    type: Annotated[Literal["seat_anonymised"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("the seat that is now nobody's in particular")]


class EntropySetView(TypedDict):
    """A player added to the draw."""

    seq: Seq
    type: Annotated[Literal["entropy_set"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]
    value: Annotated[str, about("what the player adds to the draw")]


class GameStartedView(TypedDict):
    """Play began; the seats are the final ones."""

    seq: Seq
    type: Annotated[Literal["game_started"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[None, about("null: the event is about the whole game")]
    seats: Annotated[list[SeatRecordView], about("the final seats, numbered from 0")]
    next: Annotated[NextView, about("the first turn")]


class DiceRolledView(TypedDict):
    """Dice were rolled; `held` had stayed."""

    seq: Seq
    type: Annotated[Literal["dice_rolled"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]
    round: Annotated[Round, about("1 to 12, one for each category")]
    roll: Annotated[int, Field(ge=1, le=3, description="the first, second or third of the turn")]
    held: Annotated[FiveMarks, about("for each position, whether that die had stayed")]
    dice: Annotated[FiveFaces, about("the five faces, by position; never sorted")]


class DiceHeldView(TypedDict):
    """Other dice were marked to stay."""

    seq: Seq
    type: Annotated[Literal["dice_held"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]
    held: Annotated[FiveMarks, about("for each position, whether that die stays")]


class TurnExpiredView(TypedDict):
    """The seat on turn ran out of time; what follows is played for it."""

    seq: Seq
    type: Annotated[Literal["turn_expired"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]
    round: Annotated[Round, about("1 to 12, one for each category")]


class CategoryScoredView(TypedDict):
    """A category was filled; the turn is over."""

    seq: Seq
    type: Annotated[Literal["category_scored"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]
    round: Annotated[Round, about("1 to 12, one for each category")]
    category: Annotated[Category, about("which category")]
    points: Annotated[Points, about("what it brings")]
    dice: Annotated[FiveFaces, about("the five faces that were written down")]
    next: Annotated[NextView | None, about("the turn that begins; null where none does")]


class SeatResignedView(TypedDict):
    """A seat gave up; `next` is null where that ends no turn, or the game."""

    seq: Seq
    type: Annotated[Literal["seat_resigned"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[SeatIndex, about("whose seat")]
    reason: Annotated[
        Literal["player", "clock", "account"],
        about("`player`: gave up; `clock`: late three times in a row; `account`: deleted it"),
    ]
    next: Annotated[NextView | None, about("the turn that begins; null where none does")]


class GameFinishedView(TypedDict):
    """The result, a rank for each seat."""

    seq: Seq
    type: Annotated[Literal["game_finished"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[None, about("null: the event is about the whole game")]
    winners: Annotated[
        list[SeatIndex], about("the seats of rank 1; none where a solo game was given up")
    ]
    ranks: Annotated[
        list[Annotated[int, Field(ge=1, le=8)] | None],
        about("the rank of each seat, ties shared; null where a solo game was given up"),
    ]


class GameCancelledView(TypedDict):
    """The game was called off."""

    seq: Seq
    type: Annotated[Literal["game_cancelled"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[None, about("null: the event is about the whole game")]
    reason: Annotated[
        Literal["host", "account", "idle"],
        about(
            "`host`: called it off; `account`: the host deleted it; `idle`: nobody came or moved"
        ),
    ]


class RematchOpenedView(TypedDict):
    """The players meet again in another game."""

    seq: Seq
    type: Annotated[Literal["rematch_opened"], about("which kind of event this is")]
    at: Timestamp
    seat: Annotated[None, about("null: the event is about the whole game")]
    game_id: Annotated[Id, about("the other game")]


EventView: TypeAlias = Annotated[
    GameCreatedView
    | SeatJoinedView
    | SeatLeftView
    | SeatAnonymisedView
    | EntropySetView
    | GameStartedView
    | DiceRolledView
    | DiceHeldView
    | TurnExpiredView
    | CategoryScoredView
    | SeatResignedView
    | GameFinishedView
    | GameCancelledView
    | RematchOpenedView,
    Field(discriminator="type"),
]


class EventsView(TypedDict):
    """A page of a log, oldest first; `next_cursor` is the `after` of the next page."""

    items: Annotated[list[EventView], about("the events, oldest first")]
    next_cursor: Annotated[str | None, about("the `after` of the next page; null on the last one")]


def event_view(row: EventRow) -> EventView:
    """The event as the wire has it."""
    view = {"seq": row.seq, "type": row.type, "at": timestamp(row.at), "seat": row.seat, **row.data}
    if isinstance(following := row.data.get("next"), Mapping):
        view["next"] = {**following, "deadline": _deadline(following)}
    return cast("EventView", view)


def events_view(rows: list[EventRow], limit: int) -> EventsView:
    """A page of a log; ``rows`` has one more than the limit where another page follows."""
    page = rows[:limit]
    return {
        "items": [event_view(row) for row in page],
        "next_cursor": str(page[-1].seq) if len(rows) > limit else None,
    }


def _deadline(following: Mapping[str, Any]) -> Timestamp | None:
    deadline = following["deadline"]
    return None if deadline is None else timestamp(deadline)
