"""How the server is, as monitors see it."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from app.schemas.fields import about


class HealthView(TypedDict):
    """All is well; anything else is a problem document."""

    status: Annotated[Literal["ok"], about("all is well")]
