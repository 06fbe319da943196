"""Persons bring in records of matches that were played elsewhere."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From matches that were all played here."""
    op.create_table(
        "brought",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("match", "player", name="pk_brought"),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name="fk_brought_match"),
    )
    op.create_index("ix_brought_player", "brought", ["player"])
