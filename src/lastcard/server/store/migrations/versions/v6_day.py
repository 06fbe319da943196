"""Tables by the day: deadlines of their matches, when servers have run, and where persons are notified."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables of tables by the day."""
    op.create_table(
        "day_table",
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40)),
        sa.Column("due", sa.BigInteger),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("moved", sa.BigInteger, nullable=False),
        sa.Column("unseen", sa.BigInteger),
        sa.Column("notified", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("closes", sa.BigInteger, server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_day_table"),
    )
    op.create_index("ix_day_table_player", "day_table", ["player"])
    op.create_index("ix_day_table_due", "day_table", ["due"])
    op.create_table(
        "service",
        sa.Column("began", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("began", name="pk_service"),
    )
    op.create_table(
        "notification_address",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("keys", sa.JSON),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("failures", sa.SmallInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notification_address"),
    )
    op.create_index("ix_notification_address_player", "notification_address", ["player"])
    op.create_table(
        "server_key",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server_key"),
    )
