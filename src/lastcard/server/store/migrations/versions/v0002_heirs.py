"""Who took over the seat of another person has the match too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From one person for each seat of a match."""
    op.create_table(
        "heir",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", "player", name="pk_heir"),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name="fk_heir_match"),
    )
    op.create_index("ix_heir_player", "heir", ["player"])
