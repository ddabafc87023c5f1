"""What an operator can set. Read once, from the environment and the flags over it, then frozen."""

import os
import re
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_PORT = 65_535
CLIENT_VARIABLE = "YACHT_SERVER"
"""What only `yacht play` and `yacht watch` read."""
ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+")


class Settings(BaseSettings):
    """Every setting is the environment variable YACHT_<NAME> and the flag --<name> of `serve`."""

    model_config = SettingsConfigDict(env_prefix="YACHT_", frozen=True, extra="ignore")

    database_url: str = Field(
        default="sqlite:///yacht.db", description="where games are kept: sqlite:///FILE"
    )
    host: str = Field(default="127.0.0.1", min_length=1, description="address to listen on")
    port: int = Field(default=8000, ge=0, le=MAX_PORT, description="port to listen on")
    workers: int = Field(default=1, ge=1, le=64, description="server processes; SQLite takes one")
    cors_origins: str = Field(
        default="*", description="origins browsers may call from: * or a comma list"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="least level that is logged"
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="log lines for people (text) or for machines (json)"
    )
    access_log: bool = Field(default=False, description="log a line for every request")
    trusted_proxies: str = Field(
        default="", description="comma list of addresses or networks whose X-Forwarded-For counts"
    )
    rate_limit: int = Field(
        default=600_000,
        ge=0,
        le=1_000_000_000,
        description="requests a minute from one address, 0 for no limits of any kind",
    )

    streams_per_address: int = Field(
        default=1_000, ge=1, description="open streams one address may have"
    )
    streams: int = Field(default=10_000, ge=1, description="open streams this process may have")
    waiting_hours: int = Field(
        default=24, ge=1, le=8_760, description="hours after which a waiting game is cancelled"
    )
    idle_days: int = Field(
        default=30,
        ge=1,
        le=3_650,
        description="days without a move after which a game is cancelled",
    )

    @field_validator("database_url")
    @classmethod
    def _is_sqlite_file(cls, url: str) -> str:
        prefix, _, path = url.partition("///")
        if prefix != "sqlite:" or not path or "?" in path or path == ":memory:":
            raise ValueError("must be sqlite:///FILE, or sqlite:////FILE for an absolute path")
        return url

    @field_validator("cors_origins")
    @classmethod
    def _are_origins(cls, origins: str) -> str:
        for origin in origins.split(","):
            if origin.strip() != "*" and not ORIGIN.fullmatch(origin.strip()):
                raise ValueError(
                    "must be * or origins such as https://example.org,http://localhost:3000"
                )
        return origins

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, networks: str) -> str:
        try:
            for network in filter(None, map(str.strip, networks.split(","))):
                ip_network(network)
        except ValueError:
            raise ValueError(
                "must be addresses or networks such as 127.0.0.1,10.0.0.0/8, or empty"
            ) from None
        return networks

    @model_validator(mode="after")
    def _one_process_on_sqlite(self) -> Self:
        if self.workers > 1:
            raise ValueError(
                f"YACHT_WORKERS={self.workers} does not go with SQLite, which takes one server "
                "process; leave YACHT_WORKERS at 1 (one process serves thousands of moves a second)"
            )
        return self

    @property
    def database_file(self) -> Path:
        """The SQLite file itself, whatever relative path or link the URL names it by."""
        return Path(self.database_url.removeprefix("sqlite:///")).resolve()

    @property
    def origins(self) -> list[str]:
        """The allowed origins, one an entry."""
        return [origin.strip() for origin in self.cors_origins.split(",")]


def load_settings(**flags: Any) -> Settings:
    """The settings of this process: flags over environment over defaults.

    Raises SettingsError, whose one line names every wrong setting, the value and what is allowed.
    """
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except ValidationError as error:
        raise SettingsError("; ".join(map(_complaint, error.errors()))) from None


class SettingsError(ValueError):
    """A setting has a value with which the server cannot start."""


def unknown_variables() -> list[str]:
    """The variables of this process that look like settings and are none, sorted."""
    known = {f"YACHT_{name.upper()}" for name in Settings.model_fields} | {CLIENT_VARIABLE}
    return sorted(
        name for name in os.environ if name.startswith("YACHT_") and name.upper() not in known
    )


@cache
def shape(name: str) -> dict[str, Any]:
    """The JSON schema of a setting: its `type`, and its `enum` or `minimum` and `maximum`."""
    found: dict[str, Any] = Settings.model_json_schema()["properties"][name]
    return found


def _complaint(error: "ErrorDetails") -> str:
    own = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return own
    name = str(error["loc"][0])
    given = f"YACHT_{name.upper()} (or --{name.replace('_', '-')}) {error['input']!r}"
    return f"{given}: {own if error['type'] == 'value_error' else _wanted(shape(name))}"


def _wanted(schema: dict[str, Any]) -> str:
    match schema:
        case {"enum": [*others, last]}:
            return f"must be {', '.join(others)} or {last}"
        case {"type": "boolean"}:
            return "must be true or false"
        case {"minimum": least, "maximum": most}:
            return f"must be a whole number from {least} to {most}"
        case {"minimum": least}:
            return f"must be a whole number, {least} or more"
        case _:
            return "must not be empty"
