"""Measures whole games over HTTP: the yacht server beside a minimal one, in the same run.

Each measurement is one fresh server on one core and the load on another; the servers take turns, so
that a machine that grows slower or faster meanwhile does so for both.
"""

import argparse
import json
import os
import platform
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.load import DRAIN_SECONDS, LoadResult
from benchmarks.processes import (
    MEMORY_FILE_SYSTEMS,
    choose_cores,
    file_system,
    pinned,
    resident_megabytes,
)
from benchmarks.report import (
    SERVERS,
    Measurement,
    Target,
    memory_targets,
    ratios,
    speed_targets,
    table,
)
from benchmarks.servers import ROOT, YACHT_COMMAND, RunningServer, ServerFailed, running

WARM_UP_SECONDS = 1.0
MEMORY_CLIENTS = 32
MEMORY_GAMES = 5000
MEMORY_SECONDS = 1200.0
"""Longest run of `--memory`."""


class LoadFailed(Exception):
    """The load could not measure anything; the message is what it printed."""


@dataclass(frozen=True)
class Plan:
    """What is to be measured: which servers with how many clients, how often and for how long."""

    servers: list[str]
    clients: list[int]
    rounds: int
    warm_up: float
    seconds: float
    games: int | None
    """End each run after so many games; None: only by time."""


def measure(plan: Plan, yacht_command: str, folder: Path) -> Iterator[Measurement]:
    """Runs the plan, one measurement after the other, the servers in turn."""
    server_core, load_core = choose_cores() or (None, None)
    for clients in plan.clients:
        for round_ in range(1, plan.rounds + 1):
            for name in plan.servers:
                print(f"{clients} clients, round {round_}, {name} …", file=sys.stderr, flush=True)
                with running(name, yacht_command, folder, server_core) as server:
                    result = run_load(plan, clients, server, load_core)
                    resident = resident_megabytes(server.tree())
                yield Measurement(name, round_, result, server.ready_seconds, resident)


def run_load(plan: Plan, clients: int, server: RunningServer, core: int | None) -> LoadResult:
    """Runs the load in a process of its own.

    Raises:
        LoadFailed: it measured nothing.
    """
    command = [sys.executable, "-m", "benchmarks.load", "--port", str(server.port)]
    command += ["--server-pid", str(server.pid), "--clients", str(clients)]
    command += ["--warm-up", str(plan.warm_up), "--seconds", str(plan.seconds)]
    if plan.games is not None:
        command += ["--games", str(plan.games)]
    with pinned(core):
        limit = plan.warm_up + plan.seconds + 3 * DRAIN_SECONDS
        try:
            load = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired as expired:
            raise LoadFailed(f"the load did not end within {limit:g} s") from expired
    if load.returncode:
        raise LoadFailed(f"the load ended with {load.returncode}\n{load.stderr[-2000:]}")
    return LoadResult(**json.loads(load.stdout))


def setting(folder: Path) -> dict[str, Any]:
    """Where the numbers come from."""
    cores = choose_cores()
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "cores": os.cpu_count(),
        "server_core": cores[0] if cores else None,
        "load_core": cores[1] if cores else None,
        "file_system": file_system(folder),
    }


def at_most(most: int) -> Callable[[str], int]:
    """Reads a whole number from 1 to `most`."""

    def whole_number(text: str) -> int:
        if not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not within 1 and {most}")
        return int(text)

    return whole_number


def parse_arguments() -> argparse.Namespace:
    """Reads the command line, or ends with what is wrong with it."""
    parser = argparse.ArgumentParser(
        prog="python benchmarks/http_games.py",
        description="Measures whole games over HTTP on the yacht server and on a minimal one.",
    )
    add = parser.add_argument
    add("--servers", nargs="+", choices=SERVERS, help="default: both; with --memory: yacht")
    add("--clients", nargs="+", type=at_most(256), default=[1, 8, 32], help="default: 1 8 32")
    add("--rounds", type=at_most(50), default=3, help="runs of each, of which the median counts")
    add("--seconds", type=at_most(300), default=5, help="measured time of a run, default: 5")
    add(
        "--memory",
        type=at_most(100_000),
        nargs="?",
        const=MEMORY_GAMES,
        metavar="GAMES",
        help=f"instead: one run of so many games (default: {MEMORY_GAMES}) with 32 clients",
    )
    add("--check", action="store_true", help="status 1 where a target is missed")
    add("--json", type=Path, metavar="FILE", help="also write everything to this file")
    add(
        "--dir",
        type=Path,
        default=Path.cwd().parent,
        help="in which folder to put the databases meanwhile, default: that of the current one",
    )
    add(
        "--command",
        default=YACHT_COMMAND,
        help=f"starts the yacht server, default: {YACHT_COMMAND}",
    )
    arguments = parser.parse_args()
    if not os.access(arguments.dir, os.W_OK):
        parser.error(f"{arguments.dir} is no folder to write in: name one, --dir DIR")
    if arguments.servers is None:
        arguments.servers = ["yacht"] if arguments.memory else list(SERVERS)
    if arguments.check and arguments.memory:
        if "yacht" not in arguments.servers or arguments.memory < MEMORY_GAMES:
            parser.error(f"--check --memory judges the yacht server after {MEMORY_GAMES} games")
    elif arguments.check and not (
        {*SERVERS} <= {*arguments.servers} and {1, 32} <= {*arguments.clients}
    ):
        parser.error("--check needs both servers, and 1 and 32 clients")
    return arguments


def plan_from(arguments: argparse.Namespace) -> Plan:
    """What the command line asks for."""
    servers = [name for name in SERVERS if name in arguments.servers]
    if arguments.memory:
        return Plan(servers, [MEMORY_CLIENTS], 1, 0, MEMORY_SECONDS, arguments.memory)
    clients = sorted(set(arguments.clients))
    return Plan(servers, clients, arguments.rounds, WARM_UP_SECONDS, arguments.seconds, None)


def main() -> int:
    """Measures, prints and judges; the status is 1 where a call failed or a target was missed."""
    arguments = parse_arguments()
    for number in (signal.SIGINT, signal.SIGTERM):  # ends the server and removes its folder
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    with tempfile.TemporaryDirectory(prefix="yacht-benchmark-", dir=arguments.dir) as name:
        folder = Path(name)
        where = setting(folder)
        print(*(f"{key}: {value}" for key, value in where.items()), sep="\n", end="\n\n")
        if where["file_system"] in MEMORY_FILE_SYSTEMS:
            print("A commit costs nothing in memory: name a folder on a disk, --dir DIR.")
            return 2
        try:
            runs = list(measure(plan_from(arguments), arguments.command, folder))
        except (ServerFailed, LoadFailed) as failure:
            print(failure)
            return 1
    errors = [f"{run.server}: {error}" for run in runs for error in run.load.errors]
    targets: list[Target] = []
    if arguments.check:
        targets = memory_targets(runs) if arguments.memory else speed_targets(runs)
    print(table(runs), *errors[:20], *targets, sep="\n")
    if arguments.json:
        document = {
            "setting": where,
            "runs": [asdict(run) for run in runs],
            "ratios": ratios(runs),
            "targets": [{**asdict(target), "is_reached": target.is_reached} for target in targets],
        }
        arguments.json.write_text(json.dumps(document, indent=2) + "\n")
    return 1 if errors or not all(target.is_reached for target in targets) else 0


if __name__ == "__main__":
    sys.exit(main())
