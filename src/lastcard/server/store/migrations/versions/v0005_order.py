"""Whoever runs a server keeps order: orders, bans, what people have reported, and how each worker is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From servers that nobody looked after."""
    op.create_table(
        "orders",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_orders"),
    )
    op.create_table(
        "ban",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40)),
        sa.Column("network", sa.String(50)),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("widely", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_ban"),
    )
    op.create_table(
        "complaint",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("table_code", sa.String(16), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("by", sa.String(40), nullable=False),
        sa.Column("by_name", sa.Text, nullable=False),
        sa.Column("why", sa.String(16), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("notes", sa.JSON, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_complaint"),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("figures", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_worker"),
    )
    op.create_index("ix_match_finished", "match", ["finished"])
