"""Lists of public games find what they ask for, however many other games there are.

Revision 0003, after 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

PUBLIC = sa.text("visibility = 'public'")


def upgrade() -> None:
    """Exchange the index of all games for three of the public ones."""
    op.drop_index("ix_games_visibility_id", table_name="games")
    for name, columns in (
        ("ix_games_public", ["id"]),
        ("ix_games_public_status", ["status", "id"]),
        ("ix_games_public_ruleset", ["ruleset", "id"]),
    ):
        op.create_index(name, "games", columns, sqlite_where=PUBLIC, postgresql_where=PUBLIC)


def downgrade() -> None:
    """Exchange them back."""
    for name in ("ix_games_public", "ix_games_public_status", "ix_games_public_ruleset"):
        op.drop_index(name, table_name="games")
    op.create_index("ix_games_visibility_id", "games", ["visibility", "id"])
