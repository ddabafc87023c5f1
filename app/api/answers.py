"""Answers as bytes: made once, kept under an idempotency key, sent as they are."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_json
from starlette.responses import Response

from app.schemas.games import GameView, game_view
from app.store.answers import Answer
from app.store.command import Change, Outcome
from app.store.games import GameRow

GAME_CACHE = "private, no-cache"
MEDIA_TYPE = "application/json"

# Knowing the shape beforehand makes the bytes three times as fast as looking at every value.
_GAME = TypeAdapter(GameView)


class JsonResponse(Response):
    """JSON that is bytes already."""

    media_type = MEDIA_TYPE


def game_answer(status: int) -> Callable[[Change], Answer]:
    """How a verb's change to one game is answered: the whole game."""

    def answer(change: Change) -> Answer:
        row = change.moves[0].row
        return Answer(status, _GAME.dump_json(game_view(row)), row.game.version)

    return answer


def opened_answer(change: Change) -> Answer:
    """How a new game is answered: with the address where it is from now on."""
    return game_answer(201)(change)._replace(location=f"/v1/games/{change.moves[0].row.id}")


def rematch_answer(change: Change) -> Answer:
    """How a rematch is answered: 201 to whoever opens it, 200 to all who come after."""
    if len(change.moves) == 1:
        return game_answer(200)(change)
    return opened_answer(change)


def no_content(_change: Change) -> Answer:
    """How a call is answered of which nothing remains to be shown."""
    return Answer(204, b"")


def game_response(outcome: Outcome) -> Response:
    """A Game, as the ledger answered it."""
    return _response(outcome, {"Cache-Control": GAME_CACHE})


def plain_response(outcome: Outcome) -> Response:
    """Whatever else the ledger answered."""
    return _response(outcome, {})


def json_response(
    content: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """What was read, as JSON."""
    return JsonResponse(to_json(content), status, headers)


def found_game(row: GameRow) -> Response:
    """A Game that was read."""
    return JsonResponse(_GAME.dump_json(game_view(row)), 200, _tagged(row.game.version))


def unchanged_game(version: int) -> Response:
    """Nothing, because the client has this version."""
    return Response(status_code=304, headers=_tagged(version))


def _response(outcome: Outcome, headers: dict[str, str]) -> Response:
    answer = outcome.answer
    if answer.etag is not None:
        headers["ETag"] = f'"{answer.etag}"'
    if answer.location is not None:
        headers["Location"] = answer.location
    if outcome.is_replay:
        headers["Idempotent-Replayed"] = "true"
    if not answer.body:
        return Response(status_code=answer.status, headers=headers)
    return JsonResponse(answer.body, answer.status, headers)


def _tagged(version: int) -> dict[str, str]:
    return {"ETag": f'"{version}"', "Cache-Control": GAME_CACHE}
