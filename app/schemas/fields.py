"""The kinds of values that requests and answers are made of."""

import re
import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from app.rules import Category

NAME_LENGTH = 40
MAX_INT = 2_147_483_647
MAX_DIGITS = 20
# The document says `pattern` and not `format: uuid`: of that, generators make types of their own,
# and some of those write upper case, which names nothing here.
ID_PATTERN = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
# What a schema can say of a name; that it is trimmed, normalised and visible it cannot.
NAME_PATTERN = r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+$"

# Refused anywhere in a name: controls, line and paragraph ends, halves of surrogate pairs.
_REFUSED = frozenset({"Cc", "Cs", "Zl", "Zp"})
_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# What draws nothing of its own; letters by their category, but blank all the same: the fillers.
_INVISIBLE = frozenset({"Cf", "Mn", "Me", "Zs"})
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Not assigned, and to be ignored in display for ever.
_IGNORABLE = frozenset(map(chr, (0x2065, *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000))))
_BLANK = _FILLERS | _IGNORABLE
# No character is composed of more than four. The bound is looked at before composing, which takes
# time by the square of how many marks follow each other.
_LONGEST = 4 * NAME_LENGTH


def _name(value: str) -> str:
    trimmed = value.strip()
    if len(trimmed) > _LONGEST:
        raise PydanticCustomError("name", "not a name")
    name = unicodedata.normalize("NFC", trimmed)
    kinds = [unicodedata.category(character) for character in name]
    if (
        not 1 <= len(name) <= NAME_LENGTH
        or not _REFUSED.isdisjoint(kinds)
        or not _DIRECTION.isdisjoint(name)
        or all(
            kind in _INVISIBLE or character in _BLANK
            for kind, character in zip(kinds, name, strict=True)
        )
    ):
        raise PydanticCustomError("name", "not a name")
    return name


def _whole_number(value: str) -> int:
    # The lenient reading of a query string would also take " 1", "1_0" and "1.0".
    if not re.fullmatch(r"-?[0-9]+", value):
        raise PydanticCustomError("int_parsing", "not a whole number")
    if len(value) > MAX_DIGITS:
        raise PydanticCustomError("int_parsing_size", "a number beyond all bounds")
    return int(value)


Name: TypeAlias = Annotated[
    str,
    AfterValidator(_name),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 1,
            "maxLength": NAME_LENGTH,
            "pattern": NAME_PATTERN,
            "examples": ["Ada"],
        }
    ),
    Field(
        description="1 to 40 characters after trimming and NFC normalisation, at least one of "
        "them visible; no control or direction characters"
    ),
]
EntropyText: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9._-]{1,64}$",
        description="your own addition to the dice of the game",
        examples=["correct.horse-7"],
    ),
]
HeldMarks: TypeAlias = Annotated[
    list[bool],
    Field(
        min_length=5,
        max_length=5,
        description="for each of the five positions, whether that die stays",
        examples=[[True, True, False, False, True]],
    ),
]
Face: TypeAlias = Annotated[int, Field(ge=1, le=6)]
Faces: TypeAlias = Annotated[
    list[Face],
    Field(min_length=5, max_length=5, description="five faces", examples=[[5, 5, 5, 2, 1]]),
]
# Strict validation would take an enum member only, and JSON has none.
CategorySlug: TypeAlias = Annotated[Category, Field(strict=False)]
QueryInt: TypeAlias = Annotated[int, BeforeValidator(_whole_number)]
Id: TypeAlias = Annotated[
    str,
    Field(
        pattern=ID_PATTERN,
        examples=["01a0a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"],
    ),
]
Timestamp: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        description="UTC, RFC 3339, milliseconds",
        examples=["2026-12-01T12:00:00.000Z"],
        json_schema_extra={"format": "date-time"},
    ),
]


def about(description: str) -> Any:
    """What the document says of a field, to be put beside its type."""
    return Field(description=description)


def timestamp(at: int) -> Timestamp:
    """A time in milliseconds since 1970 as the wire has it."""
    seconds, milliseconds = divmod(at, 1000)
    return f"{_second(seconds)}.{milliseconds:03}Z"


# The same few seconds are asked for again and again: now, and when the games in play were made.
@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]
