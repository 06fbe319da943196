"""One profile on several devices: secrets that are valid once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table of these secrets."""
    op.create_table(
        "one_time",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("purpose", sa.String(16), nullable=False),
        sa.Column("player", sa.String(40)),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_one_time"),
    )
    op.create_index("ix_one_time_player", "one_time", ["player"])
    op.create_index("ix_one_time_until", "one_time", ["until"])
