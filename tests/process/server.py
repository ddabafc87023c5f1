"""Starts and ends `yacht` as a process, the way an operator does. Knows nothing of the game."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import TypeAlias

import psutil

from tests.process.client import Client

Exit: TypeAlias = subprocess.CompletedProcess[str]

YACHT = Path(sys.executable).with_name("yacht")
PATIENCE = 30
"""Seconds after which anything here has failed; a busy machine takes some of them."""
_LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")


def environment(**settings: object) -> dict[str, str]:
    """The environment of this process with these YACHT_* settings, in lower case, and no others."""
    inherited = {name: v for name, v in os.environ.items() if not name.startswith("YACHT_")}
    return inherited | {f"YACHT_{name.upper()}": str(v) for name, v in settings.items()}


def yacht(folder: Path, *arguments: str, **settings: object) -> Exit:
    """Run one command in that folder to its end."""
    return subprocess.run(
        [YACHT, *arguments],
        cwd=folder,
        env=environment(**settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class Server:
    """`yacht serve` on a free port of the loopback; its log is a file."""

    def __init__(self, folder: Path, *flags: str, **settings: object) -> None:
        self.log_file = folder / f"server-{len(list(folder.glob('server-*.log')))}.log"
        self.begun = monotonic()
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [YACHT, "serve", "--port", "0", *flags],
                cwd=folder,
                env=environment(**settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.port = 0
        self.cpu_seconds_to_ready = 0.0

    @property
    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8")

    def wait_until_ready(self) -> None:
        limit = self.begun + PATIENCE
        while not (found := _LISTENING.search(self.log)):
            assert self.process.poll() is None, self.log
            assert monotonic() < limit, self.log
            sleep(0.01)
        self.port = int(found[1])
        with self.client() as client:
            while client.call("GET", "/readyz").status != 200:
                assert monotonic() < limit, self.log
                sleep(0.01)
        times = psutil.Process(self.process.pid).cpu_times()
        self.cpu_seconds_to_ready = times.user + times.system

    def wait_for_log(self, text: str) -> str:
        """The one line of the log with this text, which may come a little after an answer."""
        limit = monotonic() + PATIENCE
        while text not in self.log:
            assert monotonic() < limit, self.log
            sleep(0.01)
        [line] = [line for line in self.log.splitlines() if text in line]
        return line

    @property
    def memory(self) -> int:
        """Bytes of the process's memory that are in use, as the system counts them."""
        return int(psutil.Process(self.process.pid).memory_info().rss)

    def client(self, source: str = "127.0.0.1") -> Client:
        return Client(self.port, source)

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self, seconds: float = PATIENCE) -> int:
        """The exit status of a process that was told to end."""
        return self.process.wait(seconds)

    def kill(self) -> None:
        """End the process as a power cut would, in the middle of whatever it does."""
        self.process.kill()
        self.process.wait(PATIENCE)


@contextmanager
def serving(folder: Path, *flags: str, **settings: object) -> Iterator[Server]:
    """A server that is ready; it is gone afterwards whatever happens."""
    server = Server(folder, *flags, **settings)
    try:
        server.wait_until_ready()
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
