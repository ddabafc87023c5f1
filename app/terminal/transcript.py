"""A game that was played at a server, in the notation in which games are kept."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from app.rules import EVENT_TYPES, Event, Next, SeatRecord, format_game


def transcript(events: Iterable[Mapping[str, Any]]) -> str:
    """The game that the events of the API tell, as text that `parse_game` reads."""
    return format_game([_event(told) for told in events if told["type"] in EVENT_TYPES])


def _event(told: Mapping[str, Any]) -> Event:
    kind = EVENT_TYPES[told["type"]]
    # No time is written down; what a later server tells in addition is not known here.
    values = {field.name: _value(told.get(field.name)) for field in fields(kind) if field.init}
    event: Event = kind(**{**values, "at": 0})
    return event


def _value(told: Any) -> Any:
    match told:
        case {"index": index, "type": kind, "name": name, "player_id": player, "level": level}:
            return SeatRecord(index, kind, name, player, level)
        case {"seat": seat, "round": number}:
            return Next(seat, number)
        case list():
            return tuple(map(_value, told))
        case _:
            return told
