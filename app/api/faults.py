"""What is wrong with one part of a request, and what the schema wants there.

A fault is a pointer, a code, and the key and values of a sentence for people. The sentence says
what is wanted and never what came: input is not repeated, an unknown member not named.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from app.locale import listed, text
from app.schemas import requests
from app.schemas.problems import FaultView

Schema: TypeAlias = Mapping[str, Any]
Location: TypeAlias = tuple[int | str, ...]

# What pydantic calls a fault, by the first part that fits, and what clients are told.
_CODES = (
    ("missing", "required"),
    ("extra_forbidden", "unknown"),
    ("union_tag_not_found", "required"),
    ("greater_than", "out-of-range"),
    ("less_than", "out-of-range"),
    ("int_parsing_size", "out-of-range"),
    ("too_short", "wrong-length"),
    ("too_long", "wrong-length"),
    ("string_too", "wrong-length"),
    ("name", "name"),
    ("one-me", "one-me"),
    ("_type", "wrong-type"),
    ("int_parsing", "wrong-type"),
    ("", "not-allowed"),
)
_NO_VALUES: Mapping[str, Any] = MappingProxyType({})

MAX_FAULTS = 20


class Fault(NamedTuple):
    """One fault of a 422. The text is `invalid.<code>`, or with a form `invalid.<code>.<form>`."""

    pointer: str
    code: str
    form: str = ""
    values: Mapping[str, Any] = _NO_VALUES

    def view(self) -> FaultView:
        """The fault as clients see it."""
        values = {
            name: listed(value, "and" if self.code == "unknown" else "or")
            if isinstance(value, tuple)
            else value
            for name, value in self.values.items()
        }
        detail = text(".".join(filter(None, ("invalid", self.code, self.form))), **values)
        return {"pointer": self.pointer, "code": self.code, "detail": detail}


def body_faults(error: ValidationError, body: Any) -> Iterator[Fault]:
    """What a body does wrong, each fault at its JSON pointer."""
    for item in _items(error):
        location, kind = item["loc"], item["type"]
        yield _fault(_pointer(location, kind, body), kind, error.title, location, "member")


def query_faults(error: ValidationError) -> Iterator[Fault]:
    """What a query string does wrong; an unknown parameter is not named."""
    for item in _items(error):
        location, kind = item["loc"][:1], item["type"]
        pointer = "query" if kind == "extra_forbidden" else f"query/{location[0]}"
        yield _fault(pointer, kind, error.title, location, "parameter")


def distinct(faults: Iterable[Fault]) -> Iterator[Fault]:
    """The first 20 places and what is wrong there: a body may have thousands of unknown members."""
    seen: set[tuple[str, str]] = set()
    for fault in faults:
        if (fault.pointer, fault.code) not in seen and len(seen) < MAX_FAULTS:
            seen.add((fault.pointer, fault.code))
            yield fault


def _items(error: ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False, include_context=False, include_input=False)


def _fault(pointer: str, kind: str, model: str, location: Location, part: str) -> Fault:
    """The fault that pydantic calls ``kind``; a ``part`` is what a model has members of."""
    code = next(code for name, code in _CODES if name in kind)
    where = location[:-1] if code == "unknown" else location
    return Fault(pointer, code, *_wanted(code, _schema_at(model, where), part))


def _wanted(code: str, schema: Schema, part: str) -> tuple[str, Mapping[str, Any]]:
    """The form of the code's text that tells what this schema wants, and the text's values."""
    match code, schema:
        case "unknown", {"properties": members} if members:
            return part, {"names": tuple(members)}
        case (("not-allowed" | "required"), {"enum": choices}):
            return "choice", {"choices": tuple(choices)}
        case "not-allowed", {"pattern": pattern}:
            return "pattern", {"pattern": pattern}
        case "out-of-range", {"minimum": least, "maximum": most}:
            return "", {"least": least, "most": most}
        case "wrong-length", {"minItems": least, "maxItems": most}:
            return "" if least < most else "exactly", {"least": least, "most": most}
        case "wrong-type", {"type": kind}:
            return kind + ("-or-null" if "or_null" in schema else ""), _NO_VALUES
        case _:
            return "", _NO_VALUES


@cache
def _schema(model: str) -> dict[str, Any]:
    """The JSON schema of a request's model; a validation error has the model's name as title."""
    request: type[BaseModel] = getattr(requests, model)
    return request.model_json_schema()


def _schema_at(model: str, location: Location) -> Schema:
    """The part of a model's schema that a value at pydantic's location has to fit."""
    place = root = _schema(model)
    for step in location:
        place = _plain(_below(place, step), root)
    return place


def _below(schema: dict[str, Any], step: int | str) -> dict[str, Any]:
    """The schema one step further: of an item, of an alternative with that tag, of a member."""
    if isinstance(step, int):
        found = schema["items"]
    elif "discriminator" in schema:
        found = {"$ref": schema["discriminator"]["mapping"][step]}
    else:
        found = schema["properties"][step]
    return cast("dict[str, Any]", found)


def _plain(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """The schema with references followed, and what `null` and unions hide brought to the top."""
    match schema:
        case {"$ref": reference}:
            return cast("dict[str, Any]", root["$defs"][reference.rpartition("/")[2]])
        case {"anyOf": [wanted, {"type": "null"}]}:
            return {**_plain(wanted, root), "or_null": True}
        case {"oneOf": alternatives, "discriminator": {"mapping": mapping}}:
            tags = {reference: tag for tag, reference in mapping.items()}
            # What pydantic blames on the whole, but that it is no object, is about its tag.
            choices = [tags[each["$ref"]] for each in alternatives]
            return {**schema, "type": "object", "enum": choices}
        case _:
            return schema


def _pointer(location: Location, kind: str, body: Any) -> str:
    """Where in the body, as far as the body goes: pydantic's places also name union members."""
    place: Any = body
    parts = []
    for step in location[:-1] if kind == "extra_forbidden" else location:
        if _has(place, step):
            place = place[step]
        elif not (kind == "missing" and step == location[-1]):
            continue
        parts.append(f"/{step}")
    if kind.startswith("union_tag"):
        parts.append("/type")  # pydantic blames the whole object
    return "#" + "".join(parts)


def _has(place: Any, step: int | str) -> bool:
    if isinstance(place, dict):
        return step in place
    return isinstance(place, list) and isinstance(step, int) and step < len(place)
