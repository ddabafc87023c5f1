"""One call: a request read strictly, in the order of checks that clients may rely on.

FastAPI describes the routes and finds them; the reading of a request is done here because its own
takes lenient JSON, checks in another order, and is half of what a move costs.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from http import HTTPStatus
from typing import Any, cast

from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app import play
from app.api.answers import no_content
from app.api.body import read_json
from app.api.pages import Pages
from app.api.problems import Problem, fault, invalid_body, invalid_query
from app.chance import new_id
from app.config import Settings
from app.live import Live
from app.play import MAX_OPEN_GAMES, IfMatch
from app.schemas.requests import EmptyRequest
from app.store.answers import Answer
from app.store.command import Change, Command, Key, NotFound, Outcome, Unauthenticated, Verb
from app.store.games import EventRow, GameRow, get_game, read_log
from app.store.ledger import Ledger
from app.store.players import PlayerRow, players_by_token
from app.store.reader import Reader
from app.thinking import Thinker

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_KEY = re.compile(r'"(?P<quoted>[!#-\[\]-~]{1,255})"|(?P<bare>[!#-~][!-~]{0,254})')
_TAG = re.compile(r'(?:W/)?"([1-9][0-9]{0,9})"')
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_WEIGHT = re.compile(r"[01](\.[0-9]{0,3})?")
_NOWHERE = ""
_SPACE = " \t"
"""What HTTP lets stand around a value; more, as text has it, would be part of it."""


class Call(Request):
    """A request with what the routes need of it; its body has been read and parsed."""

    payload: Any = None

    @cached_property
    def sent(self) -> dict[str, list[str]]:
        """The values of each header, by its lower-case name, in the order in which they came."""
        values: dict[str, list[str]] = {}
        for name, value in self.scope["headers"]:
            values.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        return values

    @property
    def ledger(self) -> Ledger:
        """The writer."""
        return cast("Ledger", self.app.state.ledger)

    @property
    def reader(self) -> Reader:
        """The readers."""
        return cast("Reader", self.app.state.reader)

    @property
    def thinker(self) -> Thinker:
        """Exact play, off the event loop."""
        return cast("Thinker", self.app.state.thinker)

    @property
    def live(self) -> Live:
        """The open streams."""
        return cast("Live", self.app.state.live)

    @property
    def pages(self) -> Pages:
        """The logs, as streams send them."""
        return cast("Pages", self.app.state.pages)

    @property
    def address(self) -> str:
        """Where the request comes from, behind trusted proxies."""
        return self.client.host if self.client else ""

    @property
    def is_head(self) -> bool:
        """Whether only the headers are wanted."""
        return cast("bool", self.state.is_head)

    @property
    def new_seed(self) -> Callable[[], bytes]:
        """Where the seeds of new games come from."""
        return cast("Callable[[], bytes]", self.app.state.new_seed)

    def new_id(self) -> str:
        """An id for what is about to be made."""
        return new_id(self.app.state.now())

    @property
    def settings(self) -> Settings:
        """The settings of this server."""
        return cast("Settings", self.app.state.settings)

    @property
    def max_open_games(self) -> int | None:
        """In how many waiting and active games a player may take part; None for no limit."""
        return MAX_OPEN_GAMES if self.settings.rate_limit else None

    @property
    def if_match(self) -> IfMatch:
        """The versions that If-Match names; None without the header or with `*`."""
        values = self.sent.get("if-match", [])
        if not values or values == ["*"]:
            return None
        return _tags(",".join(values))

    def is_known(self, version: int) -> bool:
        """Whether If-None-Match says that the client has this version of the game."""
        values = self.sent.get("if-none-match", [])
        return bool(values) and (values == ["*"] or version in _tags(",".join(values)))

    def prefers(self, wanted: str, usual: str) -> bool:
        """Whether Accept likes the wanted media type better than the usual one."""
        accept = ",".join(self.sent.get("accept", []))
        return bool(accept) and _quality(accept, wanted) > _quality(accept, usual)

    def token_hash(self) -> str:
        """The hash of the bearer token. Raises Unauthenticated where there is none."""
        scheme, _, token = self.sent.get("authorization", [""])[0].partition(" ")
        if scheme.lower() != "bearer" or not (token := token.strip(_SPACE)):
            raise Unauthenticated
        return hash_token(token)

    def key(self) -> Key | None:
        """The idempotency key, if one was sent. Raises Problem: invalid-request."""
        values = self.sent.get("idempotency-key", [])
        if not values:
            return None
        match = _KEY.fullmatch(values[0].strip(_SPACE))
        if match is None or len(values) > 1:
            raise Problem("invalid-request", [fault("header/Idempotency-Key", "not-allowed")])
        key = match["quoted"] or match["bare"]
        asked = json.dumps([self.method, self.scope["path"], self.payload], sort_keys=True)
        return Key(_sha256(key), _sha256(asked))

    async def submit(
        self,
        verb: Verb,
        answer: Callable[[Change], Answer],
        game_id: str | None = None,
        *,
        is_keyed: bool = True,
        **needs: bool,
    ) -> Outcome:
        """Have the ledger run a verb for whoever holds the token."""
        key = self.key() if is_keyed and self.method == "POST" else None
        token_hash = self.token_hash()
        named = game_id if game_id is None or is_id(game_id) else _NOWHERE
        return await self.thinker.submit(Command(verb, answer, token_hash, named, key, **needs))

    async def game(self, game_id: str) -> GameRow:
        """A game. Raises NotFound where there is none, StaleVersion by If-Match."""
        row = await self.any_game(game_id)
        play.check_version(row, self.if_match)
        return row

    async def any_game(self, game_id: str) -> GameRow:
        """A game, whatever version the caller has seen. Raises NotFound where there is none."""
        row = await self.reader.read(get_game, known_id(game_id))
        if row is None:
            raise NotFound
        return row

    async def log(
        self, game_id: str, after: int = 0, limit: int | None = None
    ) -> tuple[GameRow, list[EventRow]]:
        """A game and a part of its log. Raises as ``game`` does."""
        found = await self.reader.read(read_log, known_id(game_id), after, limit)
        if found is None:
            raise NotFound
        play.check_version(found[0], self.if_match)
        return found

    async def identify(self) -> PlayerRow:
        """Who holds the token, for calls that only read."""
        token_hash = self.token_hash()
        found = await self.reader.read(players_by_token, [token_hash])
        if token_hash not in found:
            raise Unauthenticated
        if found[token_hash].next_token_hash == token_hash:
            await self.thinker.submit(Command(play.first_use, no_content, token_hash))
        return found[token_hash]


class StrictRoute(APIRoute):
    """A route whose request is checked in the order 413, 415, 400, 422; then the endpoint runs.

    The endpoint takes a Call, the path's parameters as text, and `body` and `query` where its
    signature has them. Dependencies are not solved here; the routes have none.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The framework's own end of a line also fits before a last line feed.
        self.path_regex = re.compile(self.path_regex.pattern.removesuffix("$") + r"\Z")
        self._reads_body = not _BODY_METHODS.isdisjoint(self.methods or ())
        self._has_body = self.body_field is not None
        models = [
            cast("type[BaseModel] | None", field.field_info.annotation) if field else None
            for field in (self.body_field, next(iter(self.dependant.query_params), None))
        ]
        self._body, self._query = models[0] or EmptyRequest, models[1]

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request whose path fits. Raises HTTPException 405 for another method."""
        if scope["method"] not in (self.methods or ()):
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)
        response = await self._respond(Call(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, call: Call) -> Response:
        arguments: dict[str, Any] = dict(call.path_params)
        if self._reads_body:
            call.payload = await read_json(call, call.sent)
            body = _validate_body(self._body, call.payload)
            if self._has_body:
                arguments["body"] = body
        if self._query is not None:
            arguments["query"] = _validate_query(self._query, call)
        elif call.scope["query_string"]:
            _refuse_query(call)
        response: Response = await self.endpoint(call, **arguments)
        return response


def is_id(text: str) -> bool:
    """Whether the text is written as ids are: a lower-case hyphenated UUID."""
    return _ID.fullmatch(text) is not None


def known_id(text: str) -> str:
    """The id of a path. Raises NotFound where nothing can have it."""
    if not is_id(text):
        raise NotFound
    return text


def hash_token(token: str) -> str:
    """What is kept of a token. A token is 256 random bits, so a plain hash hides it."""
    return _sha256(token)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _tags(header: str) -> frozenset[int]:
    """The versions in a list of entity tags; a tag that is not one of ours stands for nothing."""
    tags = (_TAG.fullmatch(tag.strip(_SPACE)) for tag in header.split(","))
    return frozenset(int(tag[1]) for tag in tags if tag is not None)


def _quality(accept: str, media_type: str) -> float:
    """How much an Accept header likes a media type, 0 to 1; the most specific range counts."""
    best = (-1, 0.0)
    for entry in accept.split(","):
        name, *parameters = (part.strip().lower() for part in entry.split(";"))
        if name not in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
            continue
        weights = [p.removeprefix("q=") for p in parameters if p.startswith("q=")]
        weight = float(weights[0]) if weights and _WEIGHT.fullmatch(weights[0]) else 1.0
        best = max(best, (len(name.replace("*", "")), weight))
    return best[1]


def _validate_body(model: type[BaseModel], payload: Any) -> BaseModel:
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        raise invalid_body(error, payload) from None


def _validate_query(model: type[BaseModel], call: Call) -> BaseModel:
    parameters = call.query_params.multi_items()
    values: Mapping[str, str] = dict(parameters)
    if len(values) != len(parameters):
        raise Problem("invalid-request", [fault("query", "repeated")])
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise invalid_query(error) from None


def _refuse_query(call: Call) -> None:
    if call.query_params:
        raise Problem("invalid-request", [fault("query", "unknown")])
