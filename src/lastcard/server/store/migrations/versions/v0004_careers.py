"""What matches come to is kept, by seat; who does not want to stand in tables of honor can say so."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From matches that were only kept, and persons who were only named at tables."""
    op.create_table(
        "calls",
        *_seat(),
        sa.Column("called", sa.SmallInteger, nullable=False),
        sa.Column("caught", sa.SmallInteger, nullable=False),
        sa.Column("catches", sa.SmallInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_calls"),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name="fk_calls_match"),
    )
    op.create_table(
        "finding",
        *_seat(),
        sa.Column("luck", sa.Float, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("mistakes", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_finding"),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name="fk_finding_match"),
    )
    op.add_column("player", sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.true()))


def _seat() -> tuple[sa.Column[str], sa.Column[int]]:
    return (
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.SmallInteger, autoincrement=False, nullable=False),
    )
