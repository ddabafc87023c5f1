"""Why a call failed, in words for whoever plays."""

from http import HTTPStatus
from typing import Any

import httpx

from app.locale import text

_FINAL = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


class NoServer(Exception):
    """No answer, or none that a Yacht server of this version gives. Says so in one sentence."""


class Unreachable(NoServer):
    """Nobody answers at the address."""


class Refused(Exception):
    """The server said no, and changed nothing. Says why, in words for a player."""

    def __init__(self, code: str, status: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.is_final = status in _FINAL
        """Whether asking for something else in the same game is in vain too."""


def refusal(response: httpx.Response, url: str) -> Exception:
    """What an answer that is no success means."""
    problem = _problem(response)
    if problem is not None:
        return Refused(problem["code"], response.status_code, problem_message(problem))
    if response.has_redirect_location:
        return NoServer(text("play.moved", url=url, location=response.headers["Location"]))
    if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return NoServer(text("play.broken", url=url, status=response.status_code))
    return NoServer(text("play.not-yacht", url=url))


def problem_message(problem: dict[str, Any]) -> str:
    """What the problem means at the table; a code of a later server speaks for itself."""
    try:
        message = text(f"play.problem.{problem['code']}", instance=problem.get("instance"))
    except KeyError:
        message = f"{problem.get('title')}: {problem.get('detail')}"
    errors = problem.get("errors")
    faults = (
        [fault.get("detail") for fault in errors if isinstance(fault, dict)]
        if isinstance(errors, list)
        else []
    )
    return " ".join([message, *map(str, faults)])


def _problem(response: httpx.Response) -> dict[str, Any] | None:
    try:
        body = response.json()
    except ValueError:
        return None
    if isinstance(body, dict) and isinstance(body.get("code"), str):
        return body
    return None
