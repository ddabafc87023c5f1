"""A proxy before the server that goes wrong on demand, as networks and busy servers do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Literal, TypeAlias

import httpx

Fault: TypeAlias = Literal["none", "cut", "busy", "spent"]
"""Pass it on; pass it on and lose the answer; refuse it with 503; refuse it with 429."""
Choose: TypeAlias = Callable[[str, str | None], Fault]
"""What to do with a request of this method and idempotency key."""

_KEPT = ("authorization", "content-type", "idempotency-key", "if-match", "if-none-match")


class Proxy:
    """Where the proxy is, and every request it has seen: method, path, key."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.seen: list[tuple[str, str, str | None]] = []


@contextmanager
def faulty(upstream: str, choose: Choose) -> Iterator[Proxy]:
    """A proxy before the server at ``upstream``."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            key = self.headers["Idempotency-Key"]
            proxy.seen.append((self.command, self.path, key))
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            fault = choose(self.command, key)
            if fault in ("busy", "spent"):
                self.send_response(503 if fault == "busy" else 429)
                self.send_header("Retry-After", "0")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            headers = {name: self.headers[name] for name in _KEPT if name in self.headers}
            answer = http.request(self.command, self.path, content=body, headers=headers)
            if fault == "cut":
                self.close_connection = True
                return
            self.send_response(answer.status_code)
            for name, value in answer.headers.multi_items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815 - so named there

        def log_message(self, *_: Any) -> None:
            """Say nothing: the test looks at what was seen."""

    with (
        httpx.Client(base_url=upstream) as http,
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
