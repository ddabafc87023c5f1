"""When a game was last played and when its open turn is late, for the clock and the sweeps.

Revision 0002, after 0001.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; the time of the last move is that of the last event."""
    # Never by copying the table, as batch mode might: SQLite would take its events away with it.
    op.add_column(
        "games", sa.Column("updated_at", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.add_column("games", sa.Column("deadline", sa.BigInteger(), nullable=True))
    op.execute(
        "UPDATE games SET updated_at = "
        "coalesce((SELECT max(at) FROM events WHERE game_id = games.id), 0)"
    )
    op.create_index(
        "ix_games_deadline",
        "games",
        ["deadline"],
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    )
    op.create_index("ix_games_status", "games", ["status"])


def downgrade() -> None:
    """Drop them; games with a clock play on without it, and a rematch is not found again."""
    op.drop_index("ix_games_status", table_name="games")
    op.drop_index("ix_games_deadline", table_name="games")
    op.drop_column("games", "deadline")
    op.drop_column("games", "updated_at")
    connection = op.get_bind()
    for game_id, state in connection.execute(sa.select(GAMES.c.id, GAMES.c.state)).all():
        older = GAMES.update().where(GAMES.c.id == game_id).values(state=_without_clock(state))
        connection.execute(older)


GAMES = sa.table("games", sa.column("id", sa.String), sa.column("state", sa.Text))
SEATS, TURN, REMATCH = 8, 13, 16
"""Where these stand in a state, which is a list; what 0002 knows more of is last in each."""
LAPSES, EXPIRED = 8, 6


def _without_clock(state: str) -> str:
    """A state as revision 0001 reads it."""
    game = json.loads(state)
    for seat in game[SEATS]:
        del seat[LAPSES:]
    if game[TURN] is not None:
        del game[TURN][EXPIRED:]
    del game[REMATCH:]
    return json.dumps(game)
