"""The log of a game as clients see it: one shape a type, told apart by `type`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import Field
from typing_extensions import TypedDict

from app.rules import Category, Level, SeatType, Visibility
from app.schemas.fields import Id, Timestamp, timestamp
from app.schemas.games import FiveFaces, FiveMarks, Points, Round, SeatIndex
from app.store.games import EventRow

Seq: TypeAlias = Annotated[int, Field(ge=1, description="1, 2, 3 … within the game")]


class SeatRecordView(TypedDict):
    """Who sits where."""

    index: SeatIndex
    type: SeatType
    name: str | None
    player_id: Id | None
    level: Level | None


class NextView(TypedDict):
    """The turn that begins."""

    seat: SeatIndex
    round: Round
    deadline: Timestamp | None


class GameCreatedView(TypedDict):
    """The game was opened."""

    seq: Seq
    type: Literal["game_created"]
    at: Timestamp
    seat: None
    ruleset: str
    visibility: Visibility
    hints: bool
    turn_seconds: int | None
    host: Id | None
    commitment: str
    seats: list[SeatRecordView]
    daily: str | None


class SeatJoinedView(TypedDict):
    """A player took an open seat."""

    seq: Seq
    type: Literal["seat_joined"]
    at: Timestamp
    seat: SeatIndex
    name: str | None
    player_id: Id | None


class SeatLeftView(TypedDict):
    """A player gave the seat back."""

    seq: Seq
    type: Literal["seat_left"]
    at: Timestamp
    seat: SeatIndex


class SeatAnonymisedView(TypedDict):
    """The player behind the seat deleted the account."""

    seq: Seq
    type: Literal["seat_anonymised"]
    at: Timestamp
    seat: SeatIndex


class EntropySetView(TypedDict):
    """A player added to the draw."""

    seq: Seq
    type: Literal["entropy_set"]
    at: Timestamp
    seat: SeatIndex
    value: str


class GameStartedView(TypedDict):
    """Play began; the seats are the final ones."""

    seq: Seq
    type: Literal["game_started"]
    at: Timestamp
    seat: None
    seats: list[SeatRecordView]
    next: NextView


class DiceRolledView(TypedDict):
    """Dice were rolled; `held` had stayed."""

    seq: Seq
    type: Literal["dice_rolled"]
    at: Timestamp
    seat: SeatIndex
    round: Round
    roll: Annotated[int, Field(ge=1, le=3)]
    held: FiveMarks
    dice: FiveFaces


class DiceHeldView(TypedDict):
    """Other dice were marked to stay."""

    seq: Seq
    type: Literal["dice_held"]
    at: Timestamp
    seat: SeatIndex
    held: FiveMarks


class TurnExpiredView(TypedDict):
    """The seat on turn ran out of time; what follows is played for it."""

    seq: Seq
    type: Literal["turn_expired"]
    at: Timestamp
    seat: SeatIndex
    round: Round


class CategoryScoredView(TypedDict):
    """A category was filled; the turn is over."""

    seq: Seq
    type: Literal["category_scored"]
    at: Timestamp
    seat: SeatIndex
    round: Round
    category: Category
    points: Points
    dice: FiveFaces
    next: NextView | None


class SeatResignedView(TypedDict):
    """A seat gave up; `next` is null where that ends no turn, or the game."""

    seq: Seq
    type: Literal["seat_resigned"]
    at: Timestamp
    seat: SeatIndex
    reason: Literal["player", "clock", "account"]
    next: NextView | None


class GameFinishedView(TypedDict):
    """The result, a rank for each seat."""

    seq: Seq
    type: Literal["game_finished"]
    at: Timestamp
    seat: None
    winners: list[SeatIndex]
    ranks: list[Annotated[int, Field(ge=1, le=8)] | None]


class GameCancelledView(TypedDict):
    """The game was called off."""

    seq: Seq
    type: Literal["game_cancelled"]
    at: Timestamp
    seat: None
    reason: Literal["host", "account", "idle"]


class RematchOpenedView(TypedDict):
    """The players meet again in another game."""

    seq: Seq
    type: Literal["rematch_opened"]
    at: Timestamp
    seat: None
    game_id: Id


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

    items: list[EventView]
    next_cursor: str | None


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
