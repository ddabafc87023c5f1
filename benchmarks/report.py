"""What measurements say together: medians, ratios, table, targets. It must not measure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.load import LoadResult

SERVERS = ("baseline", "yacht")


@dataclass(frozen=True)
class Measurement:
    """One run of the load against one fresh server."""

    server: str
    round: int
    load: LoadResult
    ready_seconds: float
    resident_megabytes: float


@dataclass(frozen=True)
class Figure:
    """A number of each measurement: its heading, with the unit, and how it is read and printed."""

    heading: str
    read: Callable[[Measurement], float]
    digits: int


THROUGHPUT = Figure("games/s", lambda run: run.load.games_per_second, 1)
P50 = Figure("move p50 ms", lambda run: run.load.move_p50_ms, 2)
P99 = Figure("move p99 ms", lambda run: run.load.move_p99_ms, 2)
SERVER_CPU = Figure("CPU ms/game", lambda run: run.load.server_cpu_ms_per_game, 1)
RESIDENT = Figure("RSS MB", lambda run: run.resident_megabytes, 1)
READY = Figure("ready s", lambda run: run.ready_seconds, 2)
LOAD_CPU = Figure("load CPU %", lambda run: 100 * run.load.load_cpu_share, 0)

FIGURES = (THROUGHPUT, P50, P99, SERVER_CPU, RESIDENT, READY, LOAD_CPU)
RATIOS = (THROUGHPUT, P50, P99, SERVER_CPU)


@dataclass(frozen=True)
class Target:
    """A bound that a figure of the yacht server is to keep."""

    name: str
    measured: float
    bound: float
    is_minimum: bool

    @property
    def is_reached(self) -> bool:
        """Whether the measured value keeps the bound."""
        return self.measured >= self.bound if self.is_minimum else self.measured < self.bound

    def __str__(self) -> str:
        verdict = "reached" if self.is_reached else "MISSED"
        sign = ">=" if self.is_minimum else "<"
        return f"{verdict:<8} {self.name}: {self.measured:.2f}, must be {sign} {self.bound:g}"


def of(runs: Sequence[Measurement], server: str, clients: int) -> list[Measurement]:
    """The runs of one server with so many clients, in the order of their rounds."""
    return [run for run in runs if (run.server, run.load.clients) == (server, clients)]


def typical(runs: Sequence[Measurement], figure: Figure) -> float:
    """The median of a figure."""
    return median(map(figure.read, runs))


def ratio(runs: Sequence[Measurement], clients: int, figure: Figure) -> float:
    """The median, over the rounds, of yacht / baseline; neighbours in time are compared."""
    pairs = zip(of(runs, "yacht", clients), of(runs, "baseline", clients), strict=True)
    return median(figure.read(yacht) / figure.read(baseline) for yacht, baseline in pairs)


def ratios(runs: Sequence[Measurement]) -> dict[int, dict[str, float]]:
    """By client count and heading; empty unless both servers were measured."""
    if {run.server for run in runs} != set(SERVERS):
        return {}
    return {
        clients: {figure.heading: ratio(runs, clients, figure) for figure in RATIOS}
        for clients in client_counts(runs)
    }


def client_counts(runs: Sequence[Measurement]) -> list[int]:
    """The client counts that were measured, in order."""
    return list(dict.fromkeys(run.load.clients for run in runs))


def table(runs: Sequence[Measurement]) -> str:
    """Medians, a row for each client count and server, and below them the ratios."""
    lines = [row("clients", "server", [*(figure.heading for figure in FIGURES), "errors"])]
    for clients in client_counts(runs):
        for server in SERVERS:
            if chosen := of(runs, server, clients):
                cells = [f"{typical(chosen, figure):.{figure.digits}f}" for figure in FIGURES]
                cells.append(str(sum(len(run.load.errors) for run in chosen)))
                lines.append(row(str(clients), server, cells))
    for clients, by_heading in ratios(runs).items():
        cells = [f"{value:.2f} x" for value in by_heading.values()]
        lines.append(row(str(clients), "yacht/baseline", cells))
    return "\n".join(lines)


def row(clients: str, server: str, cells: Sequence[str]) -> str:
    """A line of the table."""
    return f"{clients:>7}  {server:<14}" + "".join(f"  {cell:>11}" for cell in cells)


def speed_targets(runs: Sequence[Measurement]) -> list[Target]:
    """What runs of both servers with 1 and 32 clients have to show."""
    return [
        Target(
            "throughput at 32 clients, yacht/baseline",
            ratio(runs, 32, THROUGHPUT),
            1.2,
            is_minimum=True,
        ),
        Target(
            "p99 of a move at 32 clients, ms",
            typical(of(runs, "yacht", 32), P99),
            30,
            is_minimum=False,
        ),
        Target(
            "throughput at 1 client, yacht/baseline",
            ratio(runs, 1, THROUGHPUT),
            0.4,
            is_minimum=True,
        ),
        ready_target(runs),
    ]


def memory_targets(runs: Sequence[Measurement]) -> list[Target]:
    """What a run of 5,000 games has to show."""
    yacht = [run for run in runs if run.server == "yacht"]
    return [
        Target("RSS after the games, MB", typical(yacht, RESIDENT), 150, is_minimum=False),
        ready_target(runs),
    ]


def ready_target(runs: Sequence[Measurement]) -> Target:
    """How soon the yacht server is ready, in the median of its starts."""
    yacht = [run for run in runs if run.server == "yacht"]
    return Target("ready after start, s", typical(yacht, READY), 2, is_minimum=False)
