"""Daily deals: their secrets, everybody's one try, and the results."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables of daily deals, and the day of a match."""
    op.add_column("match", sa.Column("daily", sa.String(10)))
    op.create_index("ix_match_daily", "match", ["daily"])
    op.create_table(
        "daily_deal",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("game", sa.String(16), nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("day", "game", name="pk_daily_deal"),
    )
    op.create_table(
        "daily_try",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("game", sa.String(16), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("table_code", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("day", "game", "player", name="pk_daily_try"),
    )
    op.create_index("ix_daily_try_player", "daily_try", ["player"])
    op.create_table(
        "daily_result",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("cards", sa.SmallInteger, nullable=False),
        sa.Column("points", sa.SmallInteger, nullable=False),
        sa.Column("moves", sa.SmallInteger, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name="fk_daily_result_match"),
        sa.PrimaryKeyConstraint("match", name="pk_daily_result"),
    )
