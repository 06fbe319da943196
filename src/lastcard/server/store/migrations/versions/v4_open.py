"""Open tables: which wait for players, who has left matches at them, and who has blocked whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables of open tables."""
    op.create_table(
        "open_table",
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_open_table"),
    )
    op.create_table(
        "departure",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "player", name="pk_departure"),
    )
    op.create_index("ix_departure_player", "departure", ["player"])
    op.create_table(
        "block",
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("other", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player", "other", name="pk_block"),
    )
    op.create_index("ix_block_other", "block", ["other"])
