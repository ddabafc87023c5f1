"""Measures what open streams cost: 500 readers of 100 games, and the moves that they are told of.

Prints, each a median over the rounds: how long a move takes with the streams open and without, the
ratio of the two, the memory that a stream takes, and how long an event is on its way to a reader.
"""

import argparse
import asyncio
import http.client
import json
import multiprocessing
import re
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.processes import choose_cores, pinned, resident_megabytes
from benchmarks.servers import HOST, YACHT_COMMAND, RunningServer, running

STREAMS, GAMES, MOVES, ROUNDS = 500, 100, 1_000, 3
MAX_RATIO, MAX_KILOBYTES, MAX_P95 = 3.0, 100.0, 50.0
SETTLE_SECONDS = 1.0
EVENT_ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Round:
    """One round: times in milliseconds, memory in kilobytes of 1,000 bytes."""

    alone_p50: float
    watched_p50: float
    kilobytes_a_stream: float
    idle_event_p95: float
    event_p50: float
    event_p95: float

    @property
    def ratio(self) -> float:
        """How many times as long a move takes while it is watched."""
        return self.watched_p50 / self.alone_p50


class Player:
    """One player on one connection, with games whose dice lie on the table."""

    def __init__(self, port: int, games: int) -> None:
        self._http = http.client.HTTPConnection(HOST, port)
        self._headers: dict[str, str] = {}
        token = self.call("POST", "/v1/players", {"name": "Ada"})["token"]
        self._headers = {"Authorization": f"Bearer {token}"}
        self.games = [self.call("POST", "/v1/games", {})["id"] for _ in range(games)]
        for game in self.games:
            self.call("POST", f"/v1/games/{game}/rolls", {})
        self._made = 0

    def call(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What the server answers; ConnectionError where it is no success."""
        headers = {**self._headers, "Content-Type": "application/json"}
        self._http.request(method, path, json.dumps(body), headers)
        response = self._http.getresponse()
        told = json.loads(response.read())
        if response.status >= http.client.BAD_REQUEST:
            raise ConnectionError(f"{path}: {response.status} {told}")
        return dict(told)

    def move(self, sent: dict[tuple[str, int], float]) -> float:
        """Change which dice are held in the next game; milliseconds until the answer.

        When it was sent is noted under the game and the number of the event.
        """
        game = self.games[self._made % len(self.games)]
        number = 1 + self._made // len(self.games) % 31
        self._made += 1
        held = [bool(number & 1 << place) for place in range(5)]
        begun = time.monotonic()
        answer = self.call("PUT", f"/v1/games/{game}/holds", {"held": held})
        took = (time.monotonic() - begun) * 1000
        sent[game, answer["version"]] = begun
        return took


def read_streams(port: int, games: list[str], count: int, results: Connection) -> None:
    """A process that reads `count` streams, and tells when each event reached each of them.

    It says when all are open, and tells and ends when it is spoken to.
    """
    asyncio.run(_read_streams(port, games, count, results))


async def _read_streams(port: int, games: list[str], count: int, results: Connection) -> None:
    arrived: list[tuple[str, int, float]] = []

    async def read(game: str, opened: asyncio.Event) -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(f"GET /v1/games/{game}/stream HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        while block := await reader.read(65_536):
            now = time.monotonic()
            arrived.extend((game, int(seq), now) for seq in EVENT_ID.findall(block))
            if b"event: snapshot" in block:
                opened.set()

    tasks = []
    for number in range(count):
        opened = asyncio.Event()
        tasks.append(asyncio.create_task(read(games[number % len(games)], opened)))
        await opened.wait()
    results.send("open")
    await asyncio.to_thread(results.recv)
    for task in tasks:
        task.cancel()
    results.send(arrived)


def watched(
    port: int, player: Player, streams: int, moves: int, pause: float, server: RunningServer
) -> tuple[list[float], list[float], float]:
    """Moves while they are watched: their times, those of their events, megabytes of the server."""
    here, there = multiprocessing.Pipe()
    arguments = (port, player.games, streams, there)
    reading = multiprocessing.get_context("spawn").Process(target=read_streams, args=arguments)
    reading.start()
    here.recv()
    time.sleep(SETTLE_SECONDS)
    megabytes = resident_megabytes(server.tree())
    sent: dict[tuple[str, int], float] = {}
    times = []
    for _ in range(moves):
        times.append(player.move(sent))
        time.sleep(pause)
    time.sleep(SETTLE_SECONDS)
    here.send("enough")
    arrived = here.recv()
    reading.join()
    lags = [(at - sent[game, seq]) * 1000 for game, seq, at in arrived if (game, seq) in sent]
    expected = sum(
        len([index for index in range(streams) if player.games[index % len(player.games)] == game])
        for game, _ in sent
    )
    if len(lags) != expected:
        raise ConnectionError(f"{expected} events were due and {len(lags)} have come")
    return times, lags, megabytes


def measure(server: RunningServer, streams: int, games: int, moves: int) -> Round:
    """One round on a fresh server."""
    player = Player(server.port, games)
    for _ in range(moves // 2):  # until everything is warm
        player.move({})
    alone = [player.move({}) for _ in range(moves)]
    _, idle, before = watched(server.port, player, 1, 2 * games, 0.005, server)
    times, lags, after = watched(server.port, player, streams, moves, 0.0, server)
    return Round(
        alone_p50=median(alone),
        watched_p50=median(times),
        kilobytes_a_stream=(after - before) * 1000 / (streams - 1),
        idle_event_p95=quantiles(idle, n=20)[18],
        event_p50=median(lags),
        event_p95=quantiles(lags, n=20)[18],
    )


def main() -> int:
    """Measure, print, and with --check judge; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=STREAMS)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--command", default=YACHT_COMMAND, help="what starts the server")
    parser.add_argument("--dir", type=Path, default=Path(), help="where the databases go")
    parser.add_argument("--json", type=Path, help="write every round to this file")
    parser.add_argument("--check", action="store_true", help="fail where a target is missed")
    options = parser.parse_args()
    cores = choose_cores()
    rounds = []
    with tempfile.TemporaryDirectory(dir=options.dir) as folder, pinned(cores and cores[1]):
        for _ in range(options.rounds):
            with running("yacht", options.command, Path(folder), cores and cores[0]) as server:
                rounds.append(measure(server, options.streams, options.games, options.moves))
    ratio, kilobytes, p95 = (
        median(getattr(each, name) for each in rounds)
        for name in ("ratio", "kilobytes_a_stream", "idle_event_p95")
    )
    print(f"{options.streams} streams over {options.games} games, {options.rounds} rounds")
    print(f"a move alone       p50 {median(each.alone_p50 for each in rounds):7.2f} ms")
    print(f"a move watched     p50 {median(each.watched_p50 for each in rounds):7.2f} ms")
    print(f"ratio                  {ratio:7.2f} x")
    print(f"memory of a stream     {kilobytes:7.1f} KB")
    print(f"event to one reader p95 {p95:6.2f} ms")
    print(f"event to all        p50 {median(each.event_p50 for each in rounds):6.2f} ms")
    print(f"event to all        p95 {median(each.event_p95 for each in rounds):6.2f} ms")
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in rounds], indent=2) + "\n")
    is_missed = ratio > MAX_RATIO or kilobytes > MAX_KILOBYTES or p95 > MAX_P95
    return 1 if options.check and is_missed else 0


if __name__ == "__main__":
    sys.exit(main())
