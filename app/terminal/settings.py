"""What the environment tells a player's program: a server of choice, and where data belongs."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class PlaySettings(BaseSettings):
    """Read once at the start; an empty variable counts as none."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    server: str | None = Field(default=None, validation_alias="YACHT_SERVER")
    data_home: Path | None = Field(default=None, validation_alias="XDG_DATA_HOME")

    @property
    def data_folder(self) -> Path:
        """Where this user's programs keep their data. A relative path there is void (XDG)."""
        home = self.data_home
        if home is None or not home.is_absolute():
            home = Path.home() / ".local" / "share"
        return home / "yacht"
