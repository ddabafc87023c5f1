"""A thin driver in the words of the game: who calls, and the game as it then is."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any, TypeAlias, TypeVar

import httpx

from tests.contract import CONTRACT
from tests.live.servers import HOST, PATIENCE

Game: TypeAlias = dict[str, Any]
Told = TypeVar("Told")

MANY = 100
ME = {"type": "me"}
OPEN = {"type": "open"}


class Player:
    """Someone with a token, or without one where the name is None."""

    def __init__(self, http: httpx.Client, name: str | None = None) -> None:
        self.http = http
        self.headers: dict[str, str] = {}
        if name is not None:
            told = success(self.ask("POST", "/v1/players", {"name": name}))
            self.id = told["id"]
            self.headers = {"Authorization": f"Bearer {told['token']}"}

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str | None
    ) -> httpx.Response:
        """Call an address; ``if_match="…"`` becomes the header."""
        named = {name.replace("_", "-"): value for name, value in headers.items() if value}
        return self.http.request(method, path, json=body, headers=self.headers | named)

    def open(self, *seats: Any, **wishes: Any) -> Game:
        """Open a game; without seats it is a solo game."""
        return _game(
            self.ask("POST", "/v1/games", wishes | ({"seats": list(seats)} if seats else {}))
        )

    def read(self, game: Game) -> Game:
        """The game as it is now."""
        return _game(self.ask("GET", path(game)))

    def events(self, game: Game) -> list[Any]:
        """The whole log of the game, page by page."""
        items: list[Any] = []
        after: str | None = "0"
        while after is not None:
            page = success(self.ask("GET", path(game, f"/events?after={after}")))
            items += page["items"]
            after = page["next_cursor"]
        return items

    def join(self, game: Game) -> Game:
        """Take the first open seat."""
        return _game(self.ask("POST", path(game, "/seats")))

    def roll(self, game: Game) -> Game:
        """Roll."""
        return _game(self.ask("POST", path(game, "/rolls")))

    def hold(self, game: Game, number: int) -> Game:
        """Hold the dice that the number, 0 to 31, names in binary."""
        held = [bool(number & 1 << place) for place in range(5)]
        return _game(self.ask("PUT", path(game, "/holds"), {"held": held}))

    def score(self, game: Game, category: str) -> Game:
        """Fill a category."""
        return _game(self.ask("POST", path(game, "/scores"), {"category": category}))

    def turn(self, game: Game) -> Game:
        """Roll once and fill the first category that is open."""
        rolled = self.roll(game)
        return self.score(rolled, next(iter(rolled["turn"]["options"])))

    def finish(self, game: Game) -> Game:
        """Play a game to its end in which all seats are this player's."""
        while game["status"] == "active":
            game = self.turn(game)
        return game

    def resign(self, game: Game) -> Game:
        """Give up."""
        return _game(self.ask("POST", path(game, "/resignation")))

    def make_events(self, game: Game, count: int) -> None:
        """Make so many events, in a game with dice on the table: other dice held each time.

        Many of them are made by several hands at once, each with two marks of its own, so that no
        hold is ever the one that is there already.
        """
        hands = 8 if count >= MANY else 1

        def make(hand: int) -> None:
            for number in range(hand, count, hands):
                self.hold(game, 1 + 2 * hand + number // hands % 2)

        with ThreadPoolExecutor(hands) as threads:
            for made in [threads.submit(make, hand) for hand in range(hands)]:
                made.result()


@contextmanager
def at(port: int) -> Iterator[httpx.Client]:
    """Connections to the server on that port; its answers have to be those of the document."""
    hooks = {"response": [CONTRACT.check]}
    url = f"http://{HOST}:{port}"
    with httpx.Client(base_url=url, event_hooks=hooks, timeout=PATIENCE) as http:
        yield http


def path(game: Game, below: str = "") -> str:
    """The address of a game, or of something below it."""
    return f"/v1/games/{game['id']}{below}"


def success(response: httpx.Response) -> Any:
    """What a call that must succeed has told."""
    assert response.is_success, f"{response.status_code}: {response.text}"
    return response.json()


def problem(response: httpx.Response, status: int) -> str:
    """The code of the problem that the answer is."""
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"] == "application/problem+json"
    told = response.json()
    assert told["status"] == status
    return str(told["code"])


def at_once(calls: Sequence[Callable[[], Told]]) -> list[Told]:
    """What the calls give when all are made at the same moment, each by its own thread."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Told]) -> Told:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def _game(response: httpx.Response) -> Game:
    game: Game = success(response)
    return game
