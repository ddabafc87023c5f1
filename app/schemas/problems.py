"""What went wrong, as clients see it (RFC 9457)."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.schemas.fields import about


class FaultView(TypedDict):
    """One thing that does not fit.

    `pointer` is a JSON pointer into the body as a URI fragment (`#/seats/0/name`), or
    `query/<parameter>`, `query` for an unknown one, or `header/<name>`.
    """

    pointer: Annotated[str, about("where it is")]
    code: Annotated[str, about("what it is, for programs")]
    detail: Annotated[str, about("what is wanted, in the reader's language")]


class ProblemView(TypedDict):
    """A refusal; `code` is for programs, `detail` for people, `instance` for whoever reports it."""

    type: Annotated[
        str,
        Field(
            examples=["/problems/roll-first"],
            description="the address of a page about this problem",
        ),
    ]
    title: Annotated[str, about("the problem in a few words, in the reader's language")]
    status: Annotated[int, Field(ge=400, le=599, description="the HTTP status")]
    detail: Annotated[str, about("what to do about it, in the reader's language")]
    code: Annotated[str, about("which problem it is, for programs")]
    instance: Annotated[str, Field(description="the request id")]
    errors: NotRequired[Annotated[list[FaultView], Field(description="with status 422")]]
    version: NotRequired[Annotated[int, Field(description="with status 412: the game's now")]]
