"""The tables of the database. Every change here has its step in ``migrations/versions``; a test compares them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

MOVE: Final = Table(
    "move",
    METADATA,
    Column("match", String(40), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("command_id", String(40), nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("action", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("match", "command_id"),
    sqlite_with_rowid=False,
)
"""The one log of moves. Times, here and below, are milliseconds since 1970."""

MATCH: Final = Table(
    "match",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("table_code", String(16), nullable=False, index=True),
    Column("rules", Text, nullable=False),
    Column("host", SmallInteger, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("numbers", JSON, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("rule_cards", JSON(none_as_null=True)),
    Column("started", BigInteger, nullable=False),
    Column("finished", BigInteger),
    Column("winners", JSON(none_as_null=True)),
)
"""What a match's moves are folded onto."""

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("match", String(40), ForeignKey("match.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("player", String(40), index=True),
    Column("bot", String(16)),
)
"""Who sat where in a match; with both a bot and a player, the player took over from the bot. No foreign key to the
player: the match outlives the account.
"""

HEIR: Final = Table(
    "heir",
    METADATA,
    Column("match", String(40), ForeignKey("match.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("player", String(40), primary_key=True, index=True),
)
"""Who took over a seat that another person had left; both have the match."""

TABLE: Final = Table(
    "table_state",
    METADATA,
    Column("code", String(16), primary_key=True),
    Column("rev", Integer, nullable=False),
    Column("doc", LargeBinary, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Index(None, "touched"),
)
"""Tables as they stand, all but the moves."""

PLAYER: Final = Table(
    "player",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("name", Text, nullable=False),
    Column("language", String(8), nullable=False),
)

TOKEN: Final = Table(
    "token",
    METADATA,
    Column("hash", String(64), primary_key=True),
    Column("player", String(40), ForeignKey("player.id"), nullable=False, index=True),
)
"""What a browser proves itself with, hashed; a player may have several."""
