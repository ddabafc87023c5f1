"""What clients send: bodies and query strings. Nothing is guessed, converted or passed over."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from app.rules import CARD, RULESETS, Level, Status, Visibility
from app.schemas.fields import (
    MAX_INT,
    CategorySlug,
    EntropyText,
    Faces,
    HeldMarks,
    Id,
    Name,
    QueryInt,
    about,
)


class Request(BaseModel):
    """A body: exactly the JSON types, and no members but those listed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class EmptyRequest(Request):
    """A body without members, `{}`; an empty body is the same."""


class PlayerRequest(Request):
    """The name that others see."""

    name: Name


class MeSeat(Request):
    """The caller's own seat."""

    type: Annotated[Literal["me"], about("the caller")]


class GuestSeat(Request):
    """Someone at the caller's device; the caller acts for the seat."""

    type: Annotated[Literal["guest"], about("a guest")]
    name: Name


class BotSeat(Request):
    """A bot; its level is its name."""

    type: Annotated[Literal["bot"], about("a bot")]
    level: Annotated[Level, about("how well it plays")]


class OpenSeat(Request):
    """A seat that another player may take."""

    type: Annotated[Literal["open"], about("whoever comes")]


SeatRequest: TypeAlias = Annotated[
    MeSeat | GuestSeat | BotSeat | OpenSeat, Field(discriminator="type")
]


class GameRequest(Request):
    """A game to be opened; the caller is its host."""

    seats: Annotated[
        list[SeatRequest],
        Field(
            min_length=1,
            max_length=8,
            description="who sits where; exactly one seat is `me`",
            json_schema_extra={
                "contains": {"properties": {"type": {"const": "me"}}},
                "minContains": 1,
                "maxContains": 1,
            },
        ),
    ] = [MeSeat(type="me")]
    ruleset: Annotated[
        str, Field(json_schema_extra={"enum": list(RULESETS)}, description="what to play by")
    ] = "classic"
    visibility: Annotated[Visibility, about("whether the game is listed")] = "unlisted"
    hints: Annotated[
        bool,
        about("whether advice and odds are open while the game runs; a promise, not a lock"),
    ] = True
    turn_seconds: Annotated[int, Field(ge=10, le=1_209_600)] | None = Field(
        default=None, description="how long a turn may take; null: as long as it likes"
    )

    @field_validator("seats")
    @classmethod
    def _has_one_me(cls, seats: list[SeatRequest]) -> list[SeatRequest]:
        if sum(seat.type == "me" for seat in seats) != 1:
            raise PydanticCustomError("one-me", "exactly one seat of type me")
        return seats

    @field_validator("ruleset")
    @classmethod
    def _is_known(cls, ruleset: str) -> str:
        if ruleset not in RULESETS:
            raise PydanticCustomError("not-allowed", "unknown ruleset")
        return ruleset


# A member that may be left out may not be null where the contract does not say so: hence
# defaults that are not of the member's own type, and never shown in the document.
def _omitted() -> Any:
    return None


class JoinRequest(Request):
    """Taking a seat."""

    entropy: EntropyText = Field(default_factory=_omitted)


class EntropyRequest(Request):
    """A player's own addition to the dice."""

    value: EntropyText


class RollRequest(Request):
    """A roll; `held` sets the holds first, left out it leaves them as they are."""

    held: HeldMarks = Field(default_factory=_omitted)


class HoldRequest(Request):
    """Which dice stay."""

    held: HeldMarks


class ScoreRequest(Request):
    """Which category to fill."""

    category: Annotated[CategorySlug, about("the category to fill")]


class ResignRequest(Request):
    """Which seat to give up; left out: every seat for which the caller acts."""

    seat: Annotated[
        int, Field(ge=0, le=7, description="one seat of the caller's; left out: all of them")
    ] = Field(default_factory=_omitted)


class DiceRequest(Request):
    """Dice of any origin."""

    dice: Faces


_Cell: TypeAlias = Annotated[int, Field(ge=0, le=50)] | None


def _cell(most: int, step: int = 1, least: int = 0) -> Any:
    """An open cell by default; the document says what its category can bring in any ruleset."""
    points: JsonDict = {"type": "integer", "minimum": least, "maximum": most}
    if step > 1:
        points["multipleOf"] = step
    return Field(
        default=None,
        description="the points, null while open",
        json_schema_extra={"anyOf": [points, {"type": "null"}]},
    )


class ScorecardRequest(Request):
    """A scorecard: points where a category is filled; null or left out where it is open."""

    model_config = ConfigDict(
        json_schema_extra={
            "not": {
                "description": "a full card: nothing is left to decide",
                "required": [str(category) for category in CARD],
                "properties": {str(category): {"type": "integer"} for category in CARD},
            }
        }
    )

    ones: _Cell = _cell(5)
    twos: _Cell = _cell(10, 2)
    threes: _Cell = _cell(15, 3)
    fours: _Cell = _cell(20, 4)
    fives: _Cell = _cell(25, 5)
    sixes: _Cell = _cell(30, 6)
    full_house: _Cell = _cell(30)
    four_of_a_kind: _Cell = _cell(30)
    little_straight: _Cell = _cell(30, 5)
    big_straight: _Cell = _cell(30, 5)
    choice: _Cell = _cell(30, least=5)
    yacht: _Cell = _cell(50, 50)


def _position(**condition: JsonValue) -> JsonDict:
    # All members are named: many tools close every schema to those it does not name.
    members: JsonDict = {"dice": {}, "rolls_left": {}, "scorecard": {}}
    return {"properties": members | condition}


class PositionRequest(Request):
    """A position of any origin: `dice` is null exactly where `rolls_left` is 3."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": _position(rolls_left={"const": 3}),
            "then": _position(dice={"type": "null"}),
            "else": _position(dice={"type": "array"}),
        }
    )

    dice: Annotated[Faces | None, about("the five faces; null before the first roll")]
    rolls_left: Annotated[int, Field(ge=0, le=3, description="how many rolls the turn still has")]
    scorecard: Annotated[ScorecardRequest, about("what is written down")]


class Query(BaseModel):
    """A query string; every parameter at most once, and none but those listed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GamesQuery(Query):
    """Which games to list."""

    status: Status = Field(default_factory=_omitted, description="only games of this status")
    ruleset: str = Field(
        default_factory=_omitted,
        description="only games by this ruleset",
        json_schema_extra={"enum": list(RULESETS)},
    )
    mine: Literal["true", "false"] = Field(
        default="false", description="the caller's own games instead of the public ones"
    )
    limit: QueryInt = Field(default=20, ge=1, le=100, description="how many at most")
    cursor: Id = Field(default_factory=_omitted, description="`next_cursor` of the page before")

    @field_validator("ruleset")
    @classmethod
    def _is_known(cls, ruleset: str) -> str:
        return GameRequest(ruleset=ruleset).ruleset


class StreamQuery(Query):
    """Where in a game's log to begin."""

    after: QueryInt = Field(
        default_factory=_omitted, ge=0, le=MAX_INT, description="only events after this seq"
    )


class EventsQuery(Query):
    """Which part of a game's log to read."""

    after: QueryInt = Field(default=0, ge=0, le=MAX_INT, description="only events after this seq")
    limit: QueryInt = Field(default=1000, ge=1, le=1000, description="how many at most")
