"""A proxy before the server that goes wrong on demand, as networks and busy servers do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Literal, TypeAlias

import httpx

Fault: TypeAlias = Literal["none", "cut", "busy", "spent"]
"""Pass it on; pass it on and lose the answer; refuse it with 503; refuse it with 429."""
Choose: TypeAlias = Callable[[str, str | None], Fault]
"""What to do with a request of this method and idempotency key."""
StreamFault: TypeAlias = Fault | Literal["missing", "mute"]
"""Cut it in the middle of an event; refuse it, also with 404; end it without a word."""
ChooseStream: TypeAlias = Callable[[int], StreamFault]
"""What to do with the n-th stream."""

CUT_BYTES = 500
"""In the middle of the second event of a stream that begins with one, or the third."""
_KEPT = (
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
)
_REFUSED = {"busy": 503, "spent": 429, "missing": 404}


class Proxy:
    """Where the proxy is, every request it has seen (method, path, key), and streams' last ids."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.seen: list[tuple[str, str, str | None]] = []
        self.last_ids: list[str] = []

    def count_streams(self) -> int:
        """How many streams have been asked for."""
        return sum(path.endswith("/stream") for _, path, _ in self.seen)


@contextmanager
def faulty(
    upstream: str,
    choose: Choose = lambda _method, _key: "none",
    choose_stream: ChooseStream = lambda _n: "none",
    *,
    cut_bytes: int = CUT_BYTES,
) -> Iterator[Proxy]:
    """A proxy before the server at ``upstream``; it cuts streams after so many bytes."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            key = self.headers["Idempotency-Key"]
            proxy.seen.append((self.command, self.path, key))
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            headers = {name: self.headers[name] for name in _KEPT if name in self.headers}
            is_stream = self.path.endswith("/stream")
            if is_stream:
                proxy.last_ids.append(self.headers["Last-Event-ID"] or "")
            fault = choose_stream(proxy.count_streams()) if is_stream else choose(self.command, key)
            if fault in _REFUSED:
                self.send_response(_REFUSED[fault])
                self.send_header("Retry-After", "0")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if is_stream:
                self.close_connection = True
                with suppress(OSError, httpx.HTTPError):  # whoever has read enough goes away
                    self.pass_on(headers, {"cut": cut_bytes, "mute": 0}.get(fault))
                return
            answer = http.request(self.command, self.path, content=body, headers=headers)
            if fault == "cut":
                self.close_connection = True
                return
            self.send_response(answer.status_code)
            for name, value in answer.headers.multi_items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.content)

        def pass_on(self, headers: dict[str, str], limit: int | None) -> None:
            """Send what comes as it comes, up to so many bytes."""
            with http.stream(self.command, self.path, headers=headers) as answer:
                self.send_response(answer.status_code)
                self.send_header("Content-Type", answer.headers.get("Content-Type", ""))
                self.send_header("Transfer-Encoding", "chunked")
                self.send_header("Connection", "close")
                self.end_headers()
                for chunk in () if limit == 0 else answer.iter_bytes():
                    piece = chunk[:limit]
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                    if limit is not None:
                        limit -= len(piece)
                        if not limit:
                            return
                self.wfile.write(b"0\r\n\r\n")

        do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815 - so named there

        def log_message(self, *_: Any) -> None:
            """Say nothing: the test looks at what was seen."""

    with (
        httpx.Client(base_url=upstream, timeout=20) as http,
        ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening,
    ):
        proxy = Proxy(f"http://127.0.0.1:{listening.server_port}")
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield proxy
        finally:
            listening.shutdown()
            thread.join()


def once_a_key(fault: Fault) -> Choose:
    """This fault for the first try of each POST that has a key."""
    known: set[str] = set()

    def choose(_method: str, key: str | None) -> Fault:
        if key is None or key in known:
            return "none"
        known.add(key)
        return fault

    return choose
