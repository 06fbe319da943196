"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From an empty database."""
    _create_log()
    _create_matches()
    _create_tables()
    _create_players()


def _create_log() -> None:
    op.create_table(
        "move",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("ply", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("command_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("action", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "ply", name="pk_move"),
        sa.UniqueConstraint("match", "command_id", name="uq_move_match_command_id"),
        sqlite_with_rowid=False,
    )


def _create_matches() -> None:
    op.create_table(
        "match",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("table_code", sa.String(16), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("host", sa.SmallInteger, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("numbers", sa.JSON, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("rule_cards", sa.JSON),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.BigInteger),
        sa.Column("winners", sa.JSON),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
    )
    op.create_index("ix_match_table_code", "match", ["table_code"])
    op.create_table(
        "seat",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player", sa.String(40)),
        sa.Column("bot", sa.String(16)),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_seat"),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name="fk_seat_match"),
    )
    op.create_index("ix_seat_player", "seat", ["player"])


def _create_tables() -> None:
    op.create_table(
        "table_state",
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("rev", sa.Integer, nullable=False),
        sa.Column("doc", sa.LargeBinary, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_table_state"),
    )
    op.create_index("ix_table_state_touched", "table_state", ["touched"])


def _create_players() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
    )
    op.create_table(
        "token",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_token"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="fk_token_player"),
    )
    op.create_index("ix_token_player", "token", ["player"])
