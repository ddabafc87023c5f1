"""What schemathesis needs to know beside the document: who calls, and which findings are none.

Loaded by schemathesis itself (`SCHEMATHESIS_HOOKS`). Each excuse names its reason; everything else
that schemathesis says is a fault of the server or of the document.
"""

import itertools
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.openapi.checks import JsonSchemaError, RejectedPositiveData, UseAfterFree

_OK = 200
_GONE = 204
EXCUSED = "excused.txt"
"""The file, in the folder of the run, that gets the kind of each excused finding as a line."""

_TURNS = 5
"""Every fifth call is made by the second player, so that both meet each other's games."""

_tokens: dict[str, str] = {}
_calls = itertools.count()


@schemathesis.auth(refresh_interval=None)
class Players:
    """Two players take turns in calling."""

    def get(self, case: schemathesis.Case[Any], _context: schemathesis.AuthContext) -> str:
        """The token of whoever makes this call."""
        name = "Ada" if next(_calls) % _TURNS else "Bo"
        if name not in _tokens:
            told = httpx.post(f"{_server(case)}/v1/players", json={"name": name})
            _tokens[name] = told.json()["token"]
        return _tokens[name]

    def set(
        self, case: schemathesis.Case[Any], data: str, _context: schemathesis.AuthContext
    ) -> None:
        """Let the case carry the token."""
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(
    _context: schemathesis.HookContext,
    case: schemathesis.Case[Any],
    response: schemathesis.Response,
) -> None:
    """Whoever has deleted the account comes back as another player."""
    if case.operation.definition.raw["operationId"] == "deleteMe" and response.status_code == _GONE:
        _tokens.clear()


@schemathesis.hook
def filter_failure(
    _context: schemathesis.HookContext,
    failure: Failure,
    case: schemathesis.Case[Any],
    response: schemathesis.Response,
) -> bool:
    """Whether the finding counts."""
    excuse = _excuse(failure, case, response)
    if excuse is not None:
        with Path(EXCUSED).open("a") as told:
            told.write(f"{excuse}\n")
    return excuse is None


def _excuse(
    failure: Failure, case: schemathesis.Case[Any], response: schemathesis.Response
) -> str | None:
    """The kind of excuse that the finding has, None for none."""
    if isinstance(failure, RejectedPositiveData):
        return _excused_refusal(case.body, json.loads(response.content))
    if isinstance(failure, AcceptedNegativeData):
        # A name may be too long until it is trimmed and normalised.
        return "name-accepted" if any(map(_is_beyond_schemas, _scalars(case.body))) else None
    if isinstance(failure, JsonSchemaError) and _is_stream(response):
        # OpenAPI 3.1 describes a stream of events as the text that it is; schemathesis takes the
        # schema for that of each event.
        return "stream-schema"
    if isinstance(failure, UseAfterFree) and failure.free.startswith("DELETE /v1/games/"):
        # A cancelled game is no deleted one: it stays readable.
        return "cancelled-readable"
    return None


def _excused_refusal(body: Any, problem: dict[str, Any]) -> str | None:
    faults = {fault["code"] for fault in problem.get("errors", ())}
    # The key is well formed; another call has used it. As 409, this is about state.
    if problem["code"] == "idempotency-key-reused":
        return "key-reused"
    # To a strict reader 4.0 is another JSON type than 4; to JSON Schema both are integers.
    if faults == {"wrong-type"} and any(map(_is_whole_float, _scalars(body))):
        return "whole-float"
    # Which points a category can bring depends on the ruleset.
    if faults == {"points-impossible"}:
        return "points-impossible"
    # That a name must be visible, and how long it is when normalised, no schema can say.
    if faults == {"name"} and any(map(_is_beyond_schemas, _scalars(body))):
        return "name-refused"
    return None


def _is_stream(response: schemathesis.Response) -> bool:
    types = response.headers.get("content-type", [""])
    return response.status_code == _OK and types[0].startswith("text/event-stream")


def _is_whole_float(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer()


def _is_beyond_schemas(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    name = unicodedata.normalize("NFC", value).strip()
    is_blank = all(
        unicodedata.category(character) in {"Cf", "Mn", "Me", "Zs"}
        or "FILLER" in unicodedata.name(character, "")
        or character == "\u2800"
        for character in name
    )
    return is_blank or len(name) != len(value)


def _scalars(value: Any) -> Iterator[Any]:
    match value:
        case dict():
            for item in value.values():
                yield from _scalars(item)
        case list():
            for item in value:
                yield from _scalars(item)
        case _:
            yield value


def _server(case: schemathesis.Case[Any]) -> str:
    return str(case.operation.base_url).rstrip("/")
