"""How the server is, as monitors see it."""

from typing import Literal

from typing_extensions import TypedDict


class HealthView(TypedDict):
    """All is well; anything else is a problem document."""

    status: Literal["ok"]
