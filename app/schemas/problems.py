"""What went wrong, as clients see it (RFC 9457)."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict


class FaultView(TypedDict):
    """One thing that does not fit.

    `pointer` is a JSON pointer into the body as a URI fragment (`#/seats/0/name`), or
    `query/<parameter>`, `query` for an unknown one, or `header/<name>`.
    """

    pointer: str
    code: str
    detail: str


class ProblemView(TypedDict):
    """A refusal; `code` is for programs, `detail` for people, `instance` for whoever reports it."""

    type: Annotated[str, Field(examples=["/problems/roll-first"])]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    code: str
    instance: Annotated[str, Field(description="the request id")]
    errors: NotRequired[Annotated[list[FaultView], Field(description="with status 422")]]
    version: NotRequired[Annotated[int, Field(description="with status 412: the game's now")]]
