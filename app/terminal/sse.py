"""Server-sent events: what the bytes of a stream mean. Knows neither games nor connections."""

import codecs
import io
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MAX_DIGITS = 9
"""Of a number that is believed: milliseconds for eleven days, more events than any game has."""


class Message(NamedTuple):
    """One event: its type, its data, and the last id that the stream has named so far."""

    type: str
    data: str
    id: str


class Retry(NamedTuple):
    """How long to wait before coming again once the stream has ended."""

    seconds: float


def read_stream(chunks: Iterable[bytes]) -> Iterator[Message | Retry]:
    """What the stream says, in order; an event that is cut off before its end is left out."""
    kind, last_id, data = "", "", list[str]()
    for line in _lines(chunks):
        if not line:
            if data:
                yield Message(kind or "message", "\n".join(data), last_id)
            kind, data = "", []
            continue
        name, _, value = line.partition(":")  # a comment has no name
        value = value.removeprefix(" ")
        match name:
            case "event":
                kind = value
            case "data":
                data.append(value)
            case "id" if "\0" not in value:
                last_id = value
            case "retry" if value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS:
                yield Retry(int(value) / 1000)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """The whole lines, however they end and wherever the chunks are cut."""
    utf8 = codecs.getincrementaldecoder("utf-8-sig")("replace")
    decoder = io.IncrementalNewlineDecoder(utf8, translate=True)
    begun = ""
    for chunk in chunks:
        *whole, begun = (begun + decoder.decode(chunk)).split("\n")
        yield from whole
