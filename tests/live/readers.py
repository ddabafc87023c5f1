"""Readers of a stream, as a browser would read it: messages, pings, and coming back."""

import http.client
import json
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.live.servers import HOST, PATIENCE


class Message(NamedTuple):
    """One server-sent event."""

    id: int
    event: str
    data: dict[str, Any]


class Reader:
    """One connection to a stream. What is no message is kept: ``pings`` and ``retry``."""

    def __init__(
        self,
        port: int,
        path: str,
        headers: Mapping[str, str] | None = None,
        *,
        method: str = "GET",
        timeout: float = PATIENCE,
    ) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=timeout)
        try:
            self._connection.request(method, path, headers=dict(headers or {}))
            self.response = self._connection.getresponse()
        except BaseException:
            self._connection.close()
            raise
        self.status = self.response.status
        self.headers = {name.lower(): value for name, value in self.response.getheaders()}
        self.pings = 0
        self.retry: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Go, whatever the server still has to say."""
        self.response.close()
        self._connection.close()

    def blocks(self) -> Iterator[dict[str, str]]:
        """What stands between empty lines, field by field, until the server ends the stream."""
        fields: dict[str, str] = {}
        while line := self.response.readline().decode():
            assert line.endswith("\n"), "the stream ended within a line"
            if line != "\n":
                name, _, value = line.rstrip("\n").partition(":")
                assert name not in fields
                fields[name] = value.removeprefix(" ")
                continue
            yield fields
            fields = {}
        assert not fields, "the stream ended within an event"

    def __iter__(self) -> Iterator[Message]:
        for fields in self.blocks():
            if fields.keys() == {""}:
                self.pings += 1
            elif fields.keys() == {"retry"}:
                self.retry = int(fields["retry"])
            else:
                assert fields.keys() == {"id", "event", "data"}, fields
                yield Message(int(fields["id"]), fields["event"], json.loads(fields["data"]))

    def take(self, count: int) -> list[Message]:
        """The next so many messages."""
        messages: list[Message] = []
        for message in self:
            messages.append(message)
            if len(messages) == count:
                return messages
        raise AssertionError(f"the stream ended after {len(messages)} of {count} messages")

    def rest(self) -> list[Message]:
        """All messages until the server ends the stream."""
        return list(self)
