"""The tables, for every database; `migrations` has their history, and a test compares the two."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

REVISION = "0003"
"""The newest migration, which makes these tables."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = String(36)
"""A lower-case hyphenated UUID, in the database as in addresses and logs."""

IS_PUBLIC = text("visibility = 'public'")
"""As the partial indexes have it: a bound value would not let the database use them."""

_public: dict[str, Any] = {"sqlite_where": IS_PUBLIC, "postgresql_where": IS_PUBLIC}

players = Table(
    "players",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    # A new token waits here until it is first used; only then does the old one die.
    Column("next_token_hash", String(64), unique=True),
)

games = Table(
    "games",
    metadata,
    Column("id", ID, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("status", String(9), nullable=False),
    Column("updated_at", BigInteger, nullable=False, server_default="0"),
    # When the open turn's time is up; without a clock, or between turns, never.
    Column("deadline", BigInteger),
    Column("ruleset", String(40), nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    # The fold of the game's events, so that a move reads one row however long the game is.
    Column("state", Text, nullable=False),
    # A list of public games reads the newest of these and no other game, whatever it asks for.
    Index("ix_games_public", "id", **_public),
    Index("ix_games_public_status", "status", "id", **_public),
    Index("ix_games_public_ruleset", "ruleset", "id", **_public),
    # Few games have a clock, so the sweep for late turns reads next to nothing.
    Index(
        "ix_games_deadline",
        "deadline",
        sqlite_where=text("deadline IS NOT NULL"),
        postgresql_where=text("deadline IS NOT NULL"),
    ),
    Index("ix_games_status", "status"),
)

events = Table(
    "events",
    metadata,
    Column("game_id", ID, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("type", String(20), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", SmallInteger),
    Column("data", Text, nullable=False),
    sqlite_with_rowid=False,
)

participants = Table(
    "participants",
    metadata,
    Column("player_id", ID, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("game_id", ID, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    # open: seated, and the game waits or runs; ended: seated, and it is over; left: was seated.
    Column("standing", String(5), nullable=False),
    Index("ix_participants_game_id", "game_id"),
    Index("ix_participants_player_id_standing", "player_id", "standing"),
    sqlite_with_rowid=False,
)

answers = Table(
    "answers",
    metadata,
    Column("player_id", ID, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("key_hash", String(64), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("status", SmallInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("etag", Integer),
    Column("location", String(200)),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_answers_created_at", "created_at"),
    sqlite_with_rowid=False,
)
