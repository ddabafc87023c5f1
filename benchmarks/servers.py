"""The servers under measurement: how each is started on a fresh database, awaited and stopped."""

import http.client
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.processes import pinned, process_tree

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
READY_LIMIT = 30.0
STOP_LIMIT = 15.0
YACHT_COMMAND = f"{shlex.quote(sys.executable)} -m app.cli serve"


class ServerFailed(Exception):
    """A server did not become ready; the message ends with what it printed."""


@dataclass(frozen=True)
class RunningServer:
    """A server that answers `/readyz` with 200."""

    port: int
    pid: int
    ready_seconds: float
    """From the start of the process."""

    def tree(self) -> list[psutil.Process]:
        """Its processes."""
        return process_tree(self.pid)


@contextmanager
def running(
    name: str, yacht_command: str, folder: Path, core: int | None
) -> Iterator[RunningServer]:
    """Starts `baseline` or `yacht` on a fresh database in a folder of its own inside `folder`.

    The process and its database are gone afterwards.

    Raises:
        ServerFailed: it ended or was not ready within 30 s.
    """
    home = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=folder))
    port = free_port()
    database = home / "games.db"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("YACHT_")}
    if name == "yacht":
        command = [*shlex.split(yacht_command), "--host", HOST, "--port", str(port)]
        environment["YACHT_DATABASE_URL"] = f"sqlite:///{database}"
        environment["YACHT_RATE_LIMIT"] = "0"  # all clients share one address
    else:
        command = [sys.executable, "-m", "benchmarks.baseline", "--port", str(port)]
        command += ["--database", str(database)]
    log = home / "log.txt"
    try:
        with log.open("wb") as output, pinned(core):
            started_at = time.perf_counter()
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            await_ready(name, process, port, log)
            yield RunningServer(port, process.pid, time.perf_counter() - started_at)
        finally:
            stop(process)
    finally:
        shutil.rmtree(home)


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def await_ready(name: str, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Returns as soon as `/readyz` answers 200; ServerFailed where that does not happen."""
    deadline = time.perf_counter() + READY_LIMIT
    while time.perf_counter() < deadline and process.poll() is None:
        connection = http.client.HTTPConnection(HOST, port, timeout=READY_LIMIT)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/readyz")
            if connection.getresponse().status == http.client.OK:
                return
        connection.close()
        time.sleep(0.005)
    why = "was not ready in time" if process.poll() is None else f"ended with {process.returncode}"
    printed = log.read_text(errors="replace")[-2000:]
    raise ServerFailed(f"{name} {why}\n{printed}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a server and whatever it has started, gently at first."""
    with suppress(psutil.NoSuchProcess):
        tree = process_tree(process.pid)
        process.terminate()
        _, alive = psutil.wait_procs(tree, timeout=STOP_LIMIT)
        for each in alive:
            with suppress(psutil.NoSuchProcess):
                each.kill()
    process.wait()
