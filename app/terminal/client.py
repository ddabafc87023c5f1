"""Speaks HTTP with a Yacht server: every call, its retries, and what an answer means.

A lost answer never doubles a move: each move has a key of its own, made once and sent again with
every further try, and counts only in the version of the game that the player saw. Knows nothing
of how a game is shown.
"""

import json
import ssl
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import httpx

from app.locale import text
from app.schemas.advice import AdviceView
from app.schemas.games import GameView, SeatView, TurnView
from app.schemas.players import NewPlayerView, PlayerView
from app.schemas.rulesets import RulesetView
from app.terminal.refusals import NoServer, Refused, Unreachable, refusal
from app.terminal.sse import Message, Retry, read_stream
from app.terminal.ways import server_address

PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds between the tries of one call; the server may ask for more."""
LONGEST_PAUSE = 60.0
TIMEOUT = httpx.Timeout(15, connect=5)
STREAM_TIMEOUT = httpx.Timeout(30, connect=5)
"""A stream says something every 15 seconds, if only that it is still there."""
_BUSY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")
"""What versions of OpenSSL say where the other side speaks, but no TLS."""
_STREAM = "text/event-stream"
_EVENT = ("seq", "type", "seat")
_PART_OF_CHOICE = {"roll": "held", "score": "category"}


class NoStream(Exception):
    """A game cannot be followed live there now, or has nothing more to tell."""


class Server:
    """A Yacht server, and who is speaking with it once ``token`` is set.

    Every call raises NoServer where no sound answer comes, and Refused where the server says no.
    """

    def __init__(
        self,
        url: str,
        *,
        new_key: Callable[[], str],
        notice: Callable[[str], None],
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self.url, is_here = server_address(url)
        self.token: str | None = None
        self._new_key = new_key
        self._notice = notice
        self._pauses = pauses
        self._is_known = False
        self._rulesets: dict[str, RulesetView] = {}
        # Reading all authorities takes longer than a game's start should, and without TLS nobody
        # asks them; a context that trusts none is as safe.
        has_tls = self.url.startswith("https:")
        self._http = httpx.Client(
            timeout=TIMEOUT,
            verify=True if has_tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            # A proxy that the environment names cannot see what is on this computer.
            trust_env=not is_here,
        )

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def greet(self) -> list[RulesetView]:
        """Find out whether a Yacht server is there, ready, and of a version that can be spoken to.

        Gives the rulesets that it plays by, and remembers them.
        """
        try:
            self._call("GET", "/readyz")
            answer = self._call("GET", "/v1/rulesets")
        except Refused as refused:
            if refused.code != "not-found":
                raise
            raise NoServer(text("play.another-version", url=self.url)) from refused
        rulesets = self._members(answer, "items")["items"]
        for ruleset in rulesets:
            self._members(ruleset, "slug", "name", "categories")
        self._rulesets = {ruleset["slug"]: ruleset for ruleset in rulesets}
        return cast("list[RulesetView]", rulesets)

    def ruleset(self, slug: str) -> RulesetView:
        """The ruleset, as the server has shown it when it was greeted."""
        if slug not in self._rulesets:
            raise NoServer(text("play.another-version", url=self.url))
        return self._rulesets[slug]

    def me(self) -> PlayerView:
        """The player whose token this is."""
        return cast("PlayerView", self._members(self._call("GET", "/v1/players/me"), "id", "name"))

    def new_player(self, name: str) -> NewPlayerView:
        """Make a player, who speaks from now on."""
        answer = self._call("POST", "/v1/players", {"name": name})
        player = cast("NewPlayerView", self._members(answer, "id", "name", "token"))
        self.token = player["token"]
        return player

    def open_game(self, wishes: dict[str, Any]) -> GameView:
        """Open a game; ``wishes`` as the API takes them."""
        return self._game(self._post("/v1/games", wishes))

    def unfinished_game(self) -> GameView | None:
        """The newest of the player's own games that is waiting or active."""
        answer = self._call("GET", "/v1/games?mine=true&limit=100")
        games = map(self._game, self._members(answer, "items")["items"])
        return next((game for game in games if game["status"] in ("waiting", "active")), None)

    def game(self, game_id: str) -> GameView:
        """The game as it is now."""
        return self._game(self._call("GET", f"/v1/games/{game_id}"))

    def newer(self, game: GameView) -> GameView | None:
        """The game as it is now, None where nothing has happened since."""
        headers = {"If-None-Match": f'"{game["version"]}"'}
        answer = self._call("GET", f"/v1/games/{game['id']}", headers=headers)
        return None if answer is None else self._game(answer)

    def join(self, game_id: str) -> GameView:
        """Take an open seat, whatever else has happened in the game."""
        return self._game(self._post(f"/v1/games/{game_id}/seats", {}))

    def start(self, game: GameView) -> GameView:
        """Begin without those who have not come."""
        return self._move(game, "start", {})

    def roll(self, game: GameView, held: Sequence[bool] | None) -> GameView:
        """Roll the dice that are not held; None on the first roll."""
        return self._move(game, "rolls", {} if held is None else {"held": list(held)})

    def score(self, game: GameView, category: str) -> GameView:
        """Fill a category."""
        return self._move(game, "scores", {"category": category})

    def resign(self, game: GameView, seat: int) -> GameView:
        """Give a seat up."""
        return self._move(game, "resignation", {"seat": seat})

    def cancel(self, game: GameView) -> GameView:
        """Call a waiting game off."""
        self._call("DELETE", f"/v1/games/{game['id']}", headers=_seen(game))
        return self.game(game["id"])

    def leave(self, game: GameView) -> GameView:
        """Give one's seat in a waiting game back."""
        path = f"/v1/games/{game['id']}/seats/me"
        return self._game(self._call("DELETE", path, headers=_seen(game)))

    def rematch(self, game: GameView) -> GameView:
        """The game in which the players of this one meet again; opened if nobody has yet."""
        return self._game(self._post(f"/v1/games/{game['id']}/rematch", {}))

    def advice(self, game: GameView) -> AdviceView:
        """What every choice of the seat on turn is worth, in the state that the player sees."""
        answer = self._call("GET", f"/v1/games/{game['id']}/advice", headers=_seen(game))
        with self._expecting():
            self._members(answer, "dice")
            self._members(answer["best"], _PART_OF_CHOICE[answer["best"]["action"]])
            self._members(answer["tip"], "text")
            for hold in answer["holds"]:
                self._members(hold, "held", "loss")
            for score in answer["scores"]:
                self._members(score, "category", "loss")
        return cast("AdviceView", answer)

    def stream(self, game_id: str, after: int) -> Generator[Message | Retry, None, None]:
        """What happens in the game after that event, as it happens; ends with the connection.

        Raises NoStream where there is none, for whatever reason: asking for the game tells it.
        """
        request = self._http.build_request(
            "GET",
            f"{self.url}/v1/games/{game_id}/stream",
            headers={"Accept": _STREAM, "Cache-Control": "no-store", "Last-Event-ID": str(after)},
            timeout=STREAM_TIMEOUT,
        )
        send = partial(self._http.send, request, stream=True)
        with closing(self._try(send, waits_for_busy=False)) as response:
            kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
            if response.status_code != HTTPStatus.OK or kind != _STREAM:
                raise NoStream
            with suppress(httpx.RequestError):
                for told in read_stream(response.iter_bytes()):
                    if isinstance(told, Message) and told.type == "snapshot":
                        raise NoStream  # the log is shorter than it was: its numbers start anew
                    yield told

    def event(self, message: Message) -> dict[str, Any]:
        """The event of the game that a stream has told."""
        try:
            answer = json.loads(message.data)
        except ValueError as error:
            raise NoServer(text("play.not-yacht", url=self.url)) from error
        return self._members(answer, *_EVENT)

    def events(self, game_id: str, after: int = 0) -> list[dict[str, Any]]:
        """What has happened in the game after the event of that number, oldest first."""
        events: list[dict[str, Any]] = []
        cursor: str | None = str(after)
        while cursor is not None:
            answer = self._call("GET", f"/v1/games/{game_id}/events?after={cursor}")
            page = self._members(answer, "items", "next_cursor")
            events += [self._members(event, *_EVENT) for event in page["items"]]
            cursor = page["next_cursor"]
        return events

    def fairness(self, game_id: str) -> dict[str, Any]:
        """The record of the game's dice."""
        return self._members(self._call("GET", f"/v1/games/{game_id}/fairness"), "commitment")

    def _move(self, game: GameView, verb: str, body: dict[str, Any]) -> GameView:
        return self._game(self._post(f"/v1/games/{game['id']}/{verb}", body, _seen(game)))

    def _post(self, path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> Any:
        return self._call(
            "POST", path, body, {"Idempotency-Key": self._new_key(), **(headers or {})}
        )

    def _call(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """What the server answers, as JSON; None where the answer has no body."""
        named = dict(headers or {})
        if self.token is not None:
            named["Authorization"] = f"Bearer {self.token}"
        response = self._try(
            lambda: self._http.request(method, self.url + path, json=body, headers=named)
        )
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return None
        if not response.is_success:
            raise refusal(response, self.url)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError as error:
            raise NoServer(text("play.not-yacht", url=self.url)) from error

    def _try(
        self, send: Callable[[], httpx.Response], *, waits_for_busy: bool = True
    ) -> httpx.Response:
        """The response, after as many tries as it takes and patience allows."""
        for pause in self._pauses:
            try:
                response = send()
            except httpx.RequestError as error:
                # An address where nobody ever answered is more likely mistyped than restarting.
                if not self._is_known and isinstance(error, httpx.ConnectError):
                    raise self._unreachable(error) from error
                wait = pause
            else:
                self._is_known = True
                asked = _asked_pause(response) if waits_for_busy else None
                if asked is None:
                    return response
                wait = max(pause, asked)
            self._notice(text("play.trying-again", seconds=f"{wait:g}"))
            time.sleep(wait)
        try:
            return send()
        except httpx.RequestError as error:
            raise self._unreachable(error) from error

    def _unreachable(self, error: httpx.RequestError) -> Unreachable:
        if any(reason in str(error) for reason in _NO_TLS):
            plain = self.url.replace("https:", "http:", 1)
            return Unreachable(text("play.no-tls", url=self.url, plain=plain))
        return Unreachable(text("play.unreachable", url=self.url, reason=error))

    def _game(self, answer: Any) -> GameView:
        with self._expecting():
            self._members(answer, *GameView.__required_keys__)
            for seat in answer["seats"]:
                self._members(seat, *SeatView.__required_keys__)
            if answer["turn"] is not None:
                self._members(answer["turn"], *TurnView.__required_keys__)
        return cast("GameView", answer)

    def _members(self, answer: Any, *names: str) -> dict[str, Any]:
        """The answer, which is an object with these members and any others."""
        with self._expecting():
            for name in names:
                answer[name]
        return cast("dict[str, Any]", answer)

    @contextmanager
    def _expecting(self) -> Iterator[None]:
        try:
            yield
        except (TypeError, KeyError) as error:
            raise NoServer(text("play.another-version", url=self.url)) from error


def _seen(game: GameView) -> dict[str, str]:
    """The header that lets a move count only in the state that the player saw."""
    return {"If-Match": f'"{game["version"]}"'}


def _asked_pause(response: httpx.Response) -> float | None:
    """How long to wait before trying again; None where the answer is to be taken as it is."""
    if response.status_code not in _BUSY:
        return None
    asked = response.headers.get("Retry-After", "")
    if not asked.isdecimal():
        # Too many games, unlike too many requests, are not fewer after a while.
        return None if response.status_code == HTTPStatus.TOO_MANY_REQUESTS else 0.0
    return float(asked) if float(asked) <= LONGEST_PAUSE else None


__all__ = ["NoServer", "Refused", "Server"]
