"""A client that plays whole games at random and writes down what the server has acknowledged."""

from random import Random
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from tests.process.client import LOST, Client

Game: TypeAlias = dict[str, Any]


BOT_EVENTS = 3
"""At least: a category filled by somebody, then a roll and a category filled by the bot."""
TABLE = [{"type": "me"}, {"type": "guest", "name": "Kid"}, {"type": "bot", "level": "casual"}]


class Move(NamedTuple):
    """A request under way; ``events`` is how many entries it adds to the log of its game.

    None where a bot moves after it: then it is two at least, and nobody knows how many.
    """

    method: str
    path: str
    body: object
    key: str | None
    events: int | None

    def may_add(self, events: int) -> bool:
        """Whether the log may be longer by so many once the move is made."""
        return events >= BOT_EVENTS if self.events is None else events == self.events


class Gambler:
    """One player. Plays until the server is gone or ``limit`` games are over, and can go on.

    Alone, or with ``has_company`` with a guest and a bot.
    """

    def __init__(self, name: str, limit: int | None = None, *, has_company: bool = False) -> None:
        self.name = name
        self.has_company = has_company
        self.limit = limit
        self.random = Random(name)
        self.token: str | None = None
        self.game: Game | None = None
        self.pending: Move | None = None
        self.acknowledged: dict[str, list[Game]] = {}
        self.looked_up: dict[str, list[Game]] = {}
        self.over: list[Game] = []
        self.calls = 0
        self.faults: list[str] = []

    @property
    def was_cut_off(self) -> bool:
        """Whether a move was under way when the server went."""
        return self.pending is not None

    def play(self, port: int) -> None:
        """Play on; what is wrong is put down in ``faults``, since this runs on a thread."""
        try:
            with Client(port) as client:
                self._resume(client)
                while self.limit is None or len(self.over) < self.limit:
                    self._step(client)
        except LOST:
            return
        except Exception as error:  # noqa: BLE001 - a thread has nobody to tell
            self.faults.append(f"{self.name}: {error!r}")

    def _resume(self, client: Client) -> None:
        """Settle what was under way: with its key by sending it again, else by looking."""
        if self.token is None:
            self.token = client.register(self.name)
        move = self.pending
        if move is None:
            return
        if move.key is not None:
            self._send(client, move)
            return
        assert self.game is not None
        found = client.expect(200, "GET", f"/v1/games/{self.game['id']}")
        added = found["version"] - self.game["version"]
        assert added == 0 or move.may_add(added), (move, found)
        self.pending = None
        self.looked_up.setdefault(found["id"], []).append(found)
        self._take(found)

    def _step(self, client: Client) -> None:
        self.pending = self._choose()
        self._send(client, self.pending)

    def _send(self, client: Client, move: Move) -> None:
        keyed = {} if move.key is None else {"idempotency_key": move.key}
        reply = client.call(move.method, move.path, move.body, self.token, **keyed)
        assert reply.status in (200, 201), (move, reply)
        before = 0 if self.game is None else self.game["version"]
        game = reply.json
        assert move.may_add(game["version"] - before), (move, before, game)
        self.pending = None
        self.calls += 1
        self.acknowledged.setdefault(game["id"], []).append(game)
        self._take(game)

    def _take(self, game: Game) -> None:
        self.game = game
        if game["status"] == "finished":
            self.over.append(game)
            self.game = None

    def _choose(self) -> Move:
        key = str(UUID(int=self.random.getrandbits(128)))
        if self.game is None:
            return Move("POST", "/v1/games", {"seats": TABLE} if self.has_company else {}, key, 2)
        path, turn = f"/v1/games/{self.game['id']}", self.game["turn"]
        maybe = key if self.random.random() < 0.5 else None
        if turn["dice"] is None:
            return Move("POST", f"{path}/rolls", None, maybe, 1)
        held = [self.random.random() < 0.5 for _ in range(4)] + [False]
        if "hold" in turn["actions"] and held != turn["held"] and self.random.random() < 0.2:
            return Move("PUT", f"{path}/holds", {"held": held}, None, 1)
        if "roll" in turn["actions"] and self.random.random() < 0.7:
            return Move("POST", f"{path}/rolls", {"held": held}, maybe, 1)
        category = max(turn["options"], key=turn["options"].get)
        events: int | None = 1
        if self.has_company:
            events = 1 if turn["seat"] == 0 else None
        elif len(turn["options"]) == 1:
            events = 2
        return Move("POST", f"{path}/scores", {"category": category}, maybe, events)
