"""The tables of the database. Every change here has its step in ``migrations/versions``; a test compares them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sql

METADATA: Final = sql.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

MOVE: Final = sql.Table(
    "move",
    METADATA,
    sql.Column("match", sql.String(40), primary_key=True),
    sql.Column("ply", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("command_id", sql.String(40), nullable=False),
    sql.Column("seat", sql.SmallInteger, nullable=False),
    sql.Column("action", sql.Integer, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.UniqueConstraint("match", "command_id"),
    sqlite_with_rowid=False,
)
"""The one log of moves. Times, here and below, are milliseconds since 1970."""

MATCH: Final = sql.Table(
    "match",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("table_code", sql.String(16), nullable=False, index=True),
    sql.Column("rules", sql.Text, nullable=False),
    sql.Column("host", sql.SmallInteger, nullable=False),
    sql.Column("secret", sql.LargeBinary, nullable=False),
    sql.Column("numbers", sql.JSON, nullable=False),
    sql.Column("seed", sql.LargeBinary, nullable=False),
    sql.Column("rule_cards", sql.JSON(none_as_null=True)),
    sql.Column("started", sql.BigInteger, nullable=False),
    sql.Column("finished", sql.BigInteger, index=True),
    sql.Column("winners", sql.JSON(none_as_null=True)),
    sql.Column("position", sql.Text),
)
"""What a match's moves are folded onto."""

SEAT: Final = sql.Table(
    "seat",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("player", sql.String(40), index=True),
    sql.Column("bot", sql.String(16)),
)
"""Who sat where in a match; with both a bot and a player, the player took over from the bot. No foreign key to the
player: the match outlives the account.
"""

HEIR: Final = sql.Table(
    "heir",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("player", sql.String(40), primary_key=True, index=True),
)
"""Who took over a seat that another person had left; both have the match."""

BROUGHT: Final = sql.Table(
    "brought",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("player", sql.String(40), primary_key=True, index=True),
)
"""Who has brought in the record of a match that was played elsewhere; it has no seat of anybody here."""

CALLS: Final = sql.Table(
    "calls",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("called", sql.SmallInteger, nullable=False),
    sql.Column("caught", sql.SmallInteger, nullable=False),
    sql.Column("catches", sql.SmallInteger, nullable=False),
)
"""UNO in a match that is over, by seat; counted when somebody first asks."""

FINDING: Final = sql.Table(
    "finding",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("luck", sql.Float, nullable=False),
    sql.Column("decisions", sql.Integer, nullable=False),
    sql.Column("mistakes", sql.Text, nullable=False),
)
"""What the report of a match came to, by seat, where one was asked for; mistakes are counts by kind, as JSON."""

TABLE: Final = sql.Table(
    "table_state",
    METADATA,
    sql.Column("code", sql.String(16), primary_key=True),
    sql.Column("rev", sql.Integer, nullable=False),
    sql.Column("doc", sql.LargeBinary, nullable=False),
    sql.Column("touched", sql.BigInteger, nullable=False),
    sql.Index(None, "touched"),
)
"""Tables as they stand, all but the moves."""

PLAYER: Final = sql.Table(
    "player",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("language", sql.String(8), nullable=False),
    sql.Column("shown", sql.Boolean, nullable=False, server_default=sql.true()),
)
"""Persons; ``shown`` is whether tables of honor may name them."""

TOKEN: Final = sql.Table(
    "token",
    METADATA,
    sql.Column("hash", sql.String(64), primary_key=True),
    sql.Column("player", sql.String(40), sql.ForeignKey("player.id"), nullable=False, index=True),
)
"""What a browser proves itself with, hashed; a player may have several."""

ORDERS: Final = sql.Table(
    "orders",
    METADATA,
    sql.Column("name", sql.String(16), primary_key=True),
    sql.Column("value", sql.JSON, nullable=False),
)
"""What whoever runs the server has ordered, field by field of ``Orders``."""

BAN: Final = sql.Table(
    "ban",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("player", sql.String(40)),
    sql.Column("network", sql.String(50)),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("widely", sql.Boolean, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.Column("until", sql.BigInteger),
)
"""Who may not come: a person, or a network."""

COMPLAINT: Final = sql.Table(
    "complaint",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("table_code", sql.String(16), nullable=False),
    sql.Column("player", sql.String(40), nullable=False),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("by", sql.String(40), nullable=False),
    sql.Column("by_name", sql.Text, nullable=False),
    sql.Column("why", sql.String(16), nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("notes", sql.JSON, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
)
"""Somebody whom another person has reported, with what was said before."""

WORKER: Final = sql.Table(
    "worker",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.Column("figures", sql.JSON, nullable=False),
)
"""How each worker is, where there are several."""
