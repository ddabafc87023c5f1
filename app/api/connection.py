"""One connection, as uvicorn has it, with bounds on what may come before it means something.

Knows no route and no body's meaning. It differs in this from uvicorn's own:

- A head ends within 64 KiB: the parser joins the pieces of a line one by one until it is whole, and
  a header of a hundred megabytes would take it twenty seconds, in which nobody else is served.
- A request is whole within a minute of when the connection began to wait for it.
- An offer to go on in another protocol is declined; the parser, left alone, would take what follows
  the head for that protocol, and the body for the next request.
- What is no HTTP is answered by a problem document, like everything else.
- A client that closes its half of the connection after a request is still answered.
"""

from asyncio import TimerHandle, Transport

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.api.envelope import complete
from app.api.problems import Problem, respond
from app.chance import new_request_id

MAX_HEAD = 64 * 1024
"""Bytes of a request's head, or of the headers after a chunked body, by which it has to be over."""
READ_SECONDS = 60.0
"""How long a connection may take over a request, counted from when it could have begun."""

_OFFERS = frozenset({b"upgrade", b"http2-settings"})


class Connection(HttpToolsProtocol):
    """Reads requests; the bytes since the parser last had a whole head or a piece of a body."""

    _unparsed = 0
    _is_reading = False
    """Whether a request has begun and is not whole."""
    _has_offer = False
    """Whether the head that was read last offers another protocol."""
    _patience: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client sends."""
        self._unset_keepalive_if_required()
        self._unparsed += len(data)
        self._parse(data)
        if self.transport.is_closing():
            return
        if self._unparsed > MAX_HEAD:
            self._refuse()
        elif self._is_reading or not self._is_answering:
            self._wait()
        else:
            self._stop_waiting()

    def eof_received(self) -> bool:  # type: ignore[override] # what asyncio has it return
        """Whether to go on: a request that is whole is answered though no more can come."""
        if self._is_reading or not self._is_answering or self.cycle.response_started:
            return False
        self.cycle.keep_alive = False
        return True

    def on_message_begin(self) -> None:
        """A request begins."""
        self._is_reading = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._unparsed = 0
        self._has_offer = self.parser.should_upgrade()
        if not self._has_offer:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body is there."""
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole, unless it will be read again without its offer."""
        self._unparsed = 0
        if not self._has_offer:
            self._is_reading = False
            super().on_message_complete()

    @property
    def _is_answering(self) -> bool:
        # uvicorn gives the cycle no type: there is none before the first request.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _parse(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._decline(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self.logger.warning("what came from %s is no HTTP", self.client)
            self._refuse()

    def _decline(self, rest: bytes) -> None:
        """Read the request again without its offer, and go on with the rest."""
        method, version = self.parser.get_method(), self.parser.get_http_version().encode()
        if method == b"CONNECT":
            self._refuse()
            return
        lines = [b"%b %b HTTP/%b" % (method, self.url, version)]
        lines += [b"%b: %b" % (name, value) for name, value in self.headers if name not in _OFFERS]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn's own
        self._parse(b"\r\n".join([*lines, b"", rest]))

    def _refuse(self) -> None:
        """Close, and say why unless an answer is under way, into which another cannot be put."""
        if not self._is_answering:
            state = {"request_id": new_request_id(), "headers": []}
            answer = respond(Problem("malformed-request", form="http"), {"state": state})
            lines = [b"HTTP/1.1 400 Bad Request"]
            lines += [b"%b: %b" % header for header in complete(answer.raw_headers, "/v1", state)]
            self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", answer.body]))
        self.transport.close()

    def _wait(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(READ_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        self.transport.close()
