"""The initial schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables in an empty database."""
    _create_matches()
    _create_results()
    _create_tables()
    _create_players()
    _create_moderation()


def _match() -> sa.Column[str]:
    return sa.Column("match", sa.String(40), nullable=False)


def _seat() -> sa.Column[int]:
    return sa.Column("seat", sa.SmallInteger, autoincrement=False, nullable=False)


def _of_match(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["match"], ["match.id"], name=f"fk_{table}_match")


def _create_matches() -> None:
    op.create_table(
        "move",
        _match(),
        sa.Column("ply", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("command_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("action", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "ply", name="pk_move"),
        sa.UniqueConstraint("match", "command_id", name="uq_move_match_command_id"),
        sqlite_with_rowid=False,
    )
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
        sa.Column("position", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
    )
    op.create_index("ix_match_table_code", "match", ["table_code"])
    op.create_index("ix_match_finished", "match", ["finished"])
    op.create_table(
        "seat",
        _match(),
        _seat(),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player", sa.String(40)),
        sa.Column("bot", sa.String(16)),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_seat"),
        _of_match("seat"),
    )
    op.create_index("ix_seat_player", "seat", ["player"])
    op.create_table(
        "heir",
        _match(),
        _seat(),
        sa.Column("player", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", "player", name="pk_heir"),
        _of_match("heir"),
    )
    op.create_index("ix_heir_player", "heir", ["player"])
    op.create_table(
        "brought",
        _match(),
        sa.Column("player", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("match", "player", name="pk_brought"),
        _of_match("brought"),
    )
    op.create_index("ix_brought_player", "brought", ["player"])


def _create_results() -> None:
    op.create_table(
        "calls",
        _match(),
        _seat(),
        sa.Column("called", sa.SmallInteger, nullable=False),
        sa.Column("caught", sa.SmallInteger, nullable=False),
        sa.Column("catches", sa.SmallInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_calls"),
        _of_match("calls"),
    )
    op.create_table(
        "finding",
        _match(),
        _seat(),
        sa.Column("luck", sa.Float, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("mistakes", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_finding"),
        _of_match("finding"),
    )


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
        sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.true()),
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


def _create_moderation() -> None:
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
