"""A bad line between a reader and the server: it delays, and it cuts after so many bytes."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from select import select
from threading import Thread
from time import sleep

from tests.live.servers import HOST

RESET = struct.pack("ii", 1, 0)
"""The SO_LINGER with which closing a socket resets its connection."""


class Line:
    """Accepts one connection after the other and passes each on to the server."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listening = socket.create_server((HOST, 0))
        self.port: int = self._listening.getsockname()[1]
        self.delay_seconds = 0.0
        self.piece = 65_536
        self.cut_after: int | None = None
        """After how many bytes of the answer a connection is cut; None: never."""
        self.is_abrupt = False
        """Whether a cut is a reset, as by a machine that is gone, or an orderly end."""
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Let nobody in any more."""
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        # One thread for both ways: a socket that another thread still reads is never quite closed.
        with client, socket.create_connection((HOST, self._server_port)) as server:
            with suppress(OSError):
                self._pass(client, server)
            if self.is_abrupt:
                for end in (client, server):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def _pass(self, client: socket.socket, server: socket.socket) -> None:
        left = self.cut_after
        while left is None or left > 0:
            ready, _, _ = select([client, server], [], [])
            if client in ready:
                if not (sent := client.recv(65_536)):
                    return
                server.sendall(sent)
            if server in ready:
                passed = server.recv(self.piece if left is None else min(self.piece, left))
                if not passed:
                    return
                sleep(self.delay_seconds)
                client.sendall(passed)
                left = None if left is None else left - len(passed)


@contextmanager
def line_to(server_port: int) -> Iterator[Line]:
    """A line to the server on that port."""
    line = Line(server_port)
    try:
        yield line
    finally:
        line.close()
