"""One connection, as uvicorn has it, with a bound on what may come before it means something.

The parser joins the pieces of a line one by one until it is whole. A header of a hundred megabytes
would take it twenty seconds, in which nobody else is served. Knows no route and no body's meaning.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MAX_HEAD = 64 * 1024
"""Bytes of a request's head, or of the headers after a chunked body, by which it has to be over."""


class Connection(HttpToolsProtocol):
    """Counts what has come since the parser last had a whole head or a piece of a body."""

    _unparsed = 0

    def data_received(self, data: bytes) -> None:
        """Take what the client sends."""
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > MAX_HEAD and not self.transport.is_closing():
            # uvicorn gives it no type: there is none before the first request.
            cycle: RequestResponseCycle | None = self.cycle
            if cycle is None or cycle.response_complete:
                self.send_400_response("The head of the request is too large.")
            else:  # an answer is under way, into which another cannot be put
                self.transport.close()

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._unparsed = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body is there."""
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self._unparsed = 0
        super().on_message_complete()
