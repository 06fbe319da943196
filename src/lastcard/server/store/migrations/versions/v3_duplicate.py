"""Duplicate matches: their tables, who plays at which, and the results of their deals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables of duplicate matches, and the deal of one that a match is."""
    op.add_column("match", sa.Column("duplicate", sa.String(16)))
    op.add_column("match", sa.Column("deal", sa.SmallInteger))
    op.create_index("ix_match_duplicate", "match", ["duplicate"])
    op.create_table(
        "duplicate",
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("host", sa.String(40), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("seats", sa.SmallInteger, nullable=False),
        sa.Column("deals", sa.SmallInteger, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("started", sa.BigInteger),
        sa.Column("finished", sa.BigInteger),
        sa.PrimaryKeyConstraint("code", name="pk_duplicate"),
    )
    op.create_table(
        "duplicate_table",
        sa.Column("duplicate", sa.String(16), nullable=False),
        sa.Column("number", sa.SmallInteger, nullable=False),
        sa.Column("table_code", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["duplicate"], ["duplicate.code"], name="fk_duplicate_table_duplicate"),
        sa.PrimaryKeyConstraint("duplicate", "number", name="pk_duplicate_table"),
    )
    op.create_index("ix_duplicate_table_table_code", "duplicate_table", ["table_code"])
    op.create_table(
        "duplicate_player",
        sa.Column("duplicate", sa.String(16), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("table_code", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["duplicate"], ["duplicate.code"], name="fk_duplicate_player_duplicate"),
        sa.PrimaryKeyConstraint("duplicate", "player", name="pk_duplicate_player"),
    )
    op.create_index("ix_duplicate_player_player", "duplicate_player", ["player"])
    op.create_table(
        "duplicate_result",
        sa.Column("duplicate", sa.String(16), nullable=False),
        sa.Column("deal", sa.SmallInteger, nullable=False),
        sa.Column("table_code", sa.String(16), nullable=False),
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("points", sa.JSON, nullable=False),
        sa.Column("winners", sa.JSON, nullable=False),
        sa.Column("luck", sa.JSON, nullable=False),
        sa.ForeignKeyConstraint(["duplicate"], ["duplicate.code"], name="fk_duplicate_result_duplicate"),
        sa.PrimaryKeyConstraint("duplicate", "deal", "table_code", name="pk_duplicate_result"),
    )
