"""A thin HTTP driver in the words of the game. Knows addresses and no rules.

``guest.player("Ada")`` makes a player; her verbs give the game as it then is, and fail where the
server refuses. ``ask`` gives the response itself, whatever it is.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeAlias, TypeVar

import httpx

from app.api.problems import STATUS

Game: TypeAlias = dict[str, Any]
Json: TypeAlias = Any
Told = TypeVar("Told")

ME = {"type": "me"}
OPEN = {"type": "open"}
NOBODY = "01a0a1b2-c3d4-7e5f-8a6b-000000000000"
"""An id that is well written and names nothing."""

CATEGORIES = (
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "full_house",
    "four_of_a_kind",
    "little_straight",
    "big_straight",
    "choice",
    "yacht",
)

_VERBS = {
    "join": ("POST", "/seats"),
    "leave": ("DELETE", "/seats/me"),
    "start": ("POST", "/start"),
    "cancel": ("DELETE", ""),
    "roll": ("POST", "/rolls"),
    "hold": ("PUT", "/holds"),
    "score": ("POST", "/scores"),
    "resign": ("POST", "/resignation"),
    "set_entropy": ("PUT", "/entropy"),
    "rematch": ("POST", "/rematch"),
}


def friend(name: str) -> dict[str, str]:
    """A seat for someone at the caller's device."""
    return {"type": "guest", "name": name}


def bot(level: str) -> dict[str, str]:
    """A seat that the server plays."""
    return {"type": "bot", "level": level}


class Visitor:
    """Whoever has no token: may look, and become a player."""

    def __init__(self, http: httpx.Client, headers: Mapping[str, str] | None = None) -> None:
        self.http = http
        self.headers = dict(headers or {})

    def send(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        content: Any = None,
        headers: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        """Call an address; ``body`` is sent as JSON, ``content`` as it is."""
        return self.http.request(
            method, path, json=body, content=content, headers=self.headers | dict(headers or {})
        )

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Look at an address; ``if_none_match="…"`` becomes the header."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.send("GET", path, headers=named)

    def post(self, path: str, body: Json = None, *, key: str | None = None) -> httpx.Response:
        """Post a body, with an idempotency key if one is given."""
        return self.send(
            "POST", path, body, headers={} if key is None else {"Idempotency-Key": key}
        )

    def player(self, name: str = "Ada") -> "Player":
        """Become a player."""
        return Player(self.http, success(self.post("/v1/players", {"name": name})))

    def read(self, game: Game) -> Game:
        """The game as it is now."""
        return success(self.get(path_of(game)))

    def events(self, game: Game) -> list[Json]:
        """The whole log of the game."""
        page = success(self.get(path_of(game, "/events")))
        assert page["next_cursor"] is None
        return list(page["items"])

    def fairness(self, game: Game) -> Json:
        """The record of the game's dice."""
        return success(self.get(path_of(game, "/fairness")))


class Player(Visitor):
    """Someone with a token."""

    def __init__(self, http: httpx.Client, told: Json) -> None:
        super().__init__(http, {"Authorization": f"Bearer {told['token']}"})
        self.id: str = told["id"]
        self.name: str = told["name"]
        self.token: str = told["token"]

    def with_token(self, token: str) -> "Player":
        """The same player with another token."""
        return Player(self.http, {"id": self.id, "name": self.name, "token": token})

    def open(self, *seats: Json, **wishes: Json) -> Game:
        """Open a game; without seats it is a solo game."""
        body = wishes | ({"seats": list(seats)} if seats else {})
        return success(self.post("/v1/games", body))

    def ask(
        self,
        verb: str,
        game: Game,
        body: Json = None,
        *,
        key: str | None = None,
        if_match: str | None = None,
    ) -> httpx.Response:
        """Ask for something that may be refused."""
        method, below = _VERBS[verb]
        headers = {"Idempotency-Key": key, "If-Match": if_match}
        given = {name: value for name, value in headers.items() if value is not None}
        return self.send(method, path_of(game, below), body, headers=given)

    def join(self, game: Game, entropy: str | None = None) -> Game:
        """Take the first open seat."""
        return success(self.ask("join", game, _given(entropy=entropy)))

    def leave(self, game: Game) -> Game:
        """Give the seat back."""
        return success(self.ask("leave", game))

    def start(self, game: Game) -> Game:
        """Start with whoever is there."""
        return success(self.ask("start", game))

    def cancel(self, game: Game) -> Game:
        """Call the game off, and look what became of it."""
        assert self.ask("cancel", game).status_code == 204
        return self.read(game)

    def set_entropy(self, game: Game, value: str) -> Game:
        """Add to the draw."""
        return success(self.ask("set_entropy", game, {"value": value}))

    def roll(self, game: Game, held: Sequence[bool] | None = None) -> Game:
        """Roll the dice that are not held."""
        return success(self.ask("roll", game, _given(held=None if held is None else list(held))))

    def hold(self, game: Game, held: Sequence[bool]) -> Game:
        """Change which dice stay."""
        return success(self.ask("hold", game, {"held": list(held)}))

    def score(self, game: Game, category: str) -> Game:
        """Fill a category."""
        return success(self.ask("score", game, {"category": category}))

    def resign(self, game: Game, seat: int | None = None) -> Game:
        """Give up."""
        return success(self.ask("resign", game, _given(seat=seat)))

    def turn(self, game: Game, category: str | None = None) -> Game:
        """Roll once and fill the category, or the first that is open."""
        rolled = self.roll(game)
        return self.score(rolled, category or next(iter(rolled["turn"]["options"])))


def path_of(game: Game, below: str = "") -> str:
    """The address of a game, or of something below it."""
    return f"/v1/games/{game['id']}{below}"


def success(response: httpx.Response) -> dict[str, Any]:
    """What a call that must succeed has told."""
    assert response.is_success, f"{response.status_code}: {response.text}"
    told: dict[str, Any] = response.json()
    return told


def at_once(calls: Sequence[Callable[[], Told]]) -> list[Told]:
    """What the calls give when all are made at the same moment, each by its own thread."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Told]) -> Told:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def assert_problem(response: httpx.Response, status: int, code: str) -> Json:
    """The answer is this problem, complete and consistent; what it tells."""
    assert (response.status_code, response.headers["Content-Type"]) == (
        status,
        "application/problem+json",
    ), f"{response.status_code}: {response.text}"
    problem = response.json()
    assert problem["code"] == code, problem
    assert STATUS[code] == problem["status"] == status
    assert problem["type"] == f"/problems/{code}"
    assert problem["instance"] == response.headers["X-Request-ID"]
    assert problem["title"]
    assert problem["detail"]
    further = {422: {"errors"}, 412: {"version"}}.get(status, set())
    assert problem.keys() == {"type", "title", "status", "detail", "code", "instance"} | further
    for fault in problem.get("errors", []):
        assert fault.keys() == {"pointer", "code", "detail"}
        assert fault["detail"]
    assert response.headers["Content-Language"] == "en"
    assert "Accept-Language" in response.headers["Vary"]
    is_kept = not response.url.path.startswith("/v1")
    assert is_kept or response.headers["Cache-Control"] == "no-store"
    named = {401: "WWW-Authenticate", 405: "Allow", 503: "Retry-After"}.get(status)
    assert named is None or response.headers[named]
    return problem


def faults(response: httpx.Response) -> set[tuple[str, str]]:
    """Where a request is invalid, and how: pairs of pointer and code."""
    problem = assert_problem(response, 422, "invalid-request")
    return {(fault["pointer"], fault["code"]) for fault in problem["errors"]}


def assert_reused(response: httpx.Response) -> None:
    """The answer is that the key came before with something else."""
    problem = assert_problem(response, 422, "idempotency-key-reused")
    [fault] = problem["errors"]
    assert (fault["pointer"], fault["code"]) == ("header/Idempotency-Key", "reused")


def _given(**members: Json) -> Json:
    body = {name: value for name, value in members.items() if value is not None}
    return body or None
