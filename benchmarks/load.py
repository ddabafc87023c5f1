"""The load: clients that play whole games, check every answer and time every move.

One thread serves all their sockets, with requests made by hand, so that the load takes little of
the core it is given; how much is part of the result. It must not know which server it plays with.
"""

import argparse
import gc
import http.client
import json
import math
import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, NamedTuple

import psutil

from benchmarks.processes import cpu_seconds, process_tree

HOST = "127.0.0.1"
TURNS = 12
ROLLS_A_TURN = 3
CALLS_A_GAME = 1 + TURNS * (ROLLS_A_TURN + 1)
DRAIN_SECONDS = 20.0
"""How long the games in play may take to end once no new one is begun."""


class WrongAnswer(Exception):
    """The server did not answer what the game asked for."""


class NothingMeasured(Exception):
    """No move was answered while the window was open; the message says what went wrong."""


class Call(NamedTuple):
    """A request as bytes, and whether it is a move (a roll or a score)."""

    request: bytes
    is_move: bool


Script = Generator[Call, dict[str, Any], None]
"""One game: yields calls and is sent the Game that each of them answered."""


@dataclass(frozen=True)
class LoadResult:
    """One run of the load: `games` and `errors` are of the whole run, all else of its window."""

    clients: int
    seconds: float
    games: int
    games_per_second: float
    move_p50_ms: float
    move_p99_ms: float
    server_cpu_ms_per_game: float
    load_cpu_share: float
    errors: list[str]


@cache
def hold_most_frequent(dice: tuple[int, ...]) -> list[bool]:
    """Hold the most frequent face, of equals the highest, but never all five dice."""
    counts = Counter(dice)
    face = max(counts, key=lambda candidate: (counts[candidate], candidate))
    held = [die == face for die in dice]
    return [True] * 4 + [False] if all(held) else held


def post(path: bytes, headers: bytes, document: dict[str, Any]) -> bytes:
    """A request; `headers` are lines that each end in CR LF."""
    body = json.dumps(document, separators=(",", ":")).encode()
    return b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (path, headers, len(body), body)


def answered_document(answer: bytes) -> dict[str, Any] | None:
    """The JSON document of a 201 answer; None while the answer is not complete."""
    head, blank_line, body = answer.partition(b"\r\n\r\n")
    if not blank_line:
        return None
    status_line, _, fields = head.partition(b"\r\n")
    if not status_line.startswith(b"HTTP/1.1 201"):
        raise WrongAnswer(f"{status_line.decode('latin-1')}: {body[:300].decode(errors='replace')}")
    length = int(
        (b"\r\n" + fields.lower()).partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
    )
    if len(body) < length:
        return None
    document: dict[str, Any] = json.loads(body)
    return document


def whole_game(headers: bytes) -> Script:
    """A solo game: three rolls a turn, scored where they count most, and its end checked."""
    game = yield Call(post(b"/v1/games", headers, {}), is_move=False)
    rolls, scores = (
        b"/v1/games/%b/%b" % (game["id"].encode(), verb) for verb in (b"rolls", b"scores")
    )
    card: dict[str, int] = {}
    for _ in range(TURNS):
        game = yield Call(post(rolls, headers, {}), is_move=True)
        for _ in range(ROLLS_A_TURN - 1):
            before = game["turn"]["dice"]
            held = hold_most_frequent(tuple(before))
            game = yield Call(post(rolls, headers, {"held": held}), is_move=True)
            if any(
                keep and old != new
                for keep, old, new in zip(held, before, game["turn"]["dice"], strict=True)
            ):
                raise WrongAnswer(
                    f"a held die moved: {before} with {held} became {game['turn']['dice']}"
                )
        options = game["turn"]["options"]
        category = max(options, key=options.__getitem__)
        card[category] = options[category]
        game = yield Call(post(scores, headers, {"category": category}), is_move=True)
    seat = game["seats"][0]
    if (game["status"], seat["total"], seat["scorecard"]) != ("finished", sum(card.values()), card):
        raise WrongAnswer(
            f"{game['status']} with {seat['total']} and {seat['scorecard']}, played was {card}"
        )


def register(port: int, name: str) -> str:
    """Makes a player; gives its token."""
    connection = http.client.HTTPConnection(HOST, port, timeout=DRAIN_SECONDS)
    body = json.dumps({"name": name})
    connection.request("POST", "/v1/players", body, {"Content-Type": "application/json"})
    with connection.getresponse() as answer:
        content = answer.read()
    connection.close()
    if answer.status != http.client.CREATED:
        raise WrongAnswer(
            f"POST /v1/players: {answer.status} {content[:300].decode(errors='replace')}"
        )
    token: str = json.loads(content)["token"]
    return token


class Client:
    """A player with a connection of its own, one call at a time."""

    def __init__(self, port: int, name: str) -> None:
        credentials = f"Host: {HOST}:{port}\r\nAuthorization: Bearer {register(port, name)}\r\n"
        self._headers = f"{credentials}Content-Type: application/json\r\n".encode()
        self.socket = socket.create_connection((HOST, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(0)
        self._received = b""
        self._script: Script = whole_game(self._headers)
        self._sent_at = 0.0
        self._is_move = False

    def begin_game(self) -> None:
        """Makes the first call of a new game."""
        self._script = whole_game(self._headers)
        self._send(next(self._script))

    def receive(self) -> dict[str, Any] | None:
        """Takes what has arrived: the Game answered, or None while some of it is on its way."""
        arrived = self.socket.recv(65536)
        if not arrived:
            raise WrongAnswer("the server closed the connection")
        self._received += arrived
        document = answered_document(self._received)
        if document is not None:
            self._received = b""
        return document

    def move_seconds(self) -> float | None:
        """The time since the call was sent if it is a move."""
        return time.perf_counter() - self._sent_at if self._is_move else None

    def go_on(self, game: dict[str, Any]) -> bool:
        """Makes the next call of the game; False at its end."""
        try:
            call = self._script.send(game)
        except StopIteration:
            return False
        self._send(call)
        return True

    def _send(self, call: Call) -> None:
        self._is_move = call.is_move
        self._sent_at = time.perf_counter()
        self.socket.sendall(call.request)


@dataclass
class Run:
    """Clients at play: a warm-up, a measured window, then the end of the games in play.

    The window lasts `seconds`, or until `games` have been played if that comes first.
    """

    clients: list[Client]
    server: list[psutil.Process]
    warm_up: float
    seconds: float
    games: float = math.inf
    errors: list[str] = field(default_factory=list)
    _begun: int = 0
    _ended: int = 0
    _calls: int = 0
    _moves: list[float] = field(default_factory=list)
    _marks: list[tuple[float, float, float]] = field(default_factory=list)

    def play(self) -> LoadResult:
        """Plays, and gives what was measured."""
        opens_at = time.perf_counter() + self.warm_up
        with selectors.DefaultSelector() as selector:
            for client in self.clients:
                selector.register(client.socket, selectors.EVENT_READ, client)
                self._begin_game(client, selector)
            while selector.get_map():
                now = time.perf_counter()
                edge = opens_at + self.seconds * len(self._marks)  # where the window opens, closes
                if len(self._marks) < 2 and now >= edge:
                    self._mark()
                elif now >= opens_at + self.seconds + DRAIN_SECONDS:
                    self.errors.append(
                        f"{len(selector.get_map())} clients were still waiting at the end"
                    )
                    break
                for key, _ in selector.select(timeout=0.05):
                    try:
                        self._answered(key.data, selector)
                    except (WrongAnswer, OSError, LookupError, TypeError, ValueError) as error:
                        self.errors.append(f"{type(error).__name__}: {error}")
                        selector.unregister(key.fileobj)
        while len(self._marks) < 2:
            self._mark()
        if self._ended < self.games < math.inf:
            self.errors.append(f"{self._ended} of {self.games} games ended")
        return self._result()

    def _mark(self) -> None:
        self._marks.append((time.perf_counter(), cpu_seconds(self.server), time.process_time()))

    def _begin_game(self, client: Client, selector: selectors.BaseSelector) -> None:
        if len(self._marks) < 2 and self._begun < self.games:
            self._begun += 1
            client.begin_game()
        else:
            selector.unregister(client.socket)

    def _answered(self, client: Client, selector: selectors.BaseSelector) -> None:
        game = client.receive()
        if game is None:
            return
        if len(self._marks) == 1:
            self._calls += 1
            if (seconds := client.move_seconds()) is not None:
                self._moves.append(seconds)
        if not client.go_on(game):
            self._ended += 1
            self._begin_game(client, selector)

    def _result(self) -> LoadResult:
        if not self._moves:
            raise NothingMeasured("\n".join(self.errors))
        seconds, server_cpu, load_cpu = (
            end - begin for begin, end in zip(*self._marks, strict=True)
        )
        games = self._calls / CALLS_A_GAME
        return LoadResult(
            clients=len(self.clients),
            seconds=seconds,
            games=self._ended,
            games_per_second=games / seconds,
            move_p50_ms=1000 * percentile(self._moves, 0.50),
            move_p99_ms=1000 * percentile(self._moves, 0.99),
            server_cpu_ms_per_game=1000 * server_cpu / games,
            load_cpu_share=load_cpu / seconds,
            errors=self.errors,
        )


def percentile(values: list[float], share: float) -> float:
    """The smallest of the values that at least this share of them does not exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1]


def main() -> None:
    """Plays against a server on 127.0.0.1 and prints the result as one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=main.__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument(
        "--server-pid",
        type=int,
        required=True,
        help="the process whose CPU time, with its children's, is measured",
    )
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--warm-up", type=float, default=1.0, help="seconds before the window")
    parser.add_argument("--seconds", type=float, default=5.0, help="longest measured window")
    parser.add_argument("--games", type=int, help="end after so many games")
    options = parser.parse_args()
    clients = [Client(options.port, f"Player {number}") for number in range(1, options.clients + 1)]
    gc.disable()  # a collection would be counted as the server's latency
    run = Run(
        clients,
        server=process_tree(options.server_pid),
        warm_up=options.warm_up,
        seconds=options.seconds,
        games=options.games or math.inf,
    )
    try:
        json.dump(asdict(run.play()), sys.stdout)
    except NothingMeasured as nothing:
        sys.exit(f"nothing was measured: {nothing}")


if __name__ == "__main__":
    main()
