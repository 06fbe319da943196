"""One profile on several devices: secrets that are valid once, and passkeys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables of these."""
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
    op.create_table(
        "passkey",
        sa.Column("id", sa.String(340), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_passkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="fk_passkey_player"),
    )
    op.create_index("ix_passkey_player", "passkey", ["player"])
