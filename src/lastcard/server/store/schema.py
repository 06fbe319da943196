"""The tables of the database. Every change needs a step in ``migrations/versions``; a test compares them."""

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
"""The log of moves. Times, here and below, are in milliseconds since 1970."""

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
    sql.Column("daily", sql.String(10), index=True),
    sql.Column("duplicate", sql.String(16), index=True),
    sql.Column("deal", sql.SmallInteger),
)

SEAT: Final = sql.Table(
    "seat",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("player", sql.String(40), index=True),
    sql.Column("bot", sql.String(16)),
)
"""The seats of a match; with both a bot and a player, the player took over from the bot. The player is no foreign key,
because the match outlives the account.
"""

HEIR: Final = sql.Table(
    "heir",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("player", sql.String(40), primary_key=True, index=True),
)
"""Persons who took over a seat that another person had left; both own the match."""

BROUGHT: Final = sql.Table(
    "brought",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("player", sql.String(40), primary_key=True, index=True),
)
"""Persons who imported the record of a match played elsewhere, in which nobody here has a seat."""

CALLS: Final = sql.Table(
    "calls",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("called", sql.SmallInteger, nullable=False),
    sql.Column("caught", sql.SmallInteger, nullable=False),
    sql.Column("catches", sql.SmallInteger, nullable=False),
)
"""UNO calls in a finished match, by seat; counted on first request."""

FINDING: Final = sql.Table(
    "finding",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("luck", sql.Float, nullable=False),
    sql.Column("decisions", sql.Integer, nullable=False),
    sql.Column("mistakes", sql.Text, nullable=False),
)
"""Results of a match's report by seat, once requested; mistakes are counts by kind, as JSON."""

DAILY_DEAL: Final = sql.Table(
    "daily_deal",
    METADATA,
    sql.Column("day", sql.String(10), primary_key=True),
    sql.Column("game", sql.String(16), primary_key=True),
    sql.Column("secret", sql.LargeBinary, nullable=False),
)
"""The secret of each day's deal of a game; a day is written as in ``2026-11-30``."""

DAILY_TRY: Final = sql.Table(
    "daily_try",
    METADATA,
    sql.Column("day", sql.String(10), primary_key=True),
    sql.Column("game", sql.String(16), primary_key=True),
    sql.Column("player", sql.String(40), primary_key=True, index=True),
    sql.Column("table_code", sql.String(16), nullable=False),
)
"""The only try of a person at a daily deal, and the table where it is played."""

DAILY_RESULT: Final = sql.Table(
    "daily_result",
    METADATA,
    sql.Column("match", sql.String(40), sql.ForeignKey("match.id"), primary_key=True),
    sql.Column("cards", sql.SmallInteger, nullable=False),
    sql.Column("points", sql.SmallInteger, nullable=False),
    sql.Column("moves", sql.SmallInteger, nullable=False),
)
"""What the person of a finished daily deal has left in hand, cards and points, and how often they moved."""

DUPLICATE: Final = sql.Table(
    "duplicate",
    METADATA,
    sql.Column("code", sql.String(16), primary_key=True),
    sql.Column("host", sql.String(40), nullable=False),
    sql.Column("rules", sql.Text, nullable=False),
    sql.Column("seats", sql.SmallInteger, nullable=False),
    sql.Column("deals", sql.SmallInteger, nullable=False),
    sql.Column("secret", sql.LargeBinary, nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("started", sql.BigInteger),
    sql.Column("finished", sql.BigInteger),
)
"""Duplicate matches: several tables play the same deals, whose secrets follow from one."""

DUPLICATE_TABLE: Final = sql.Table(
    "duplicate_table",
    METADATA,
    sql.Column("duplicate", sql.String(16), sql.ForeignKey("duplicate.code"), primary_key=True),
    sql.Column("number", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("table_code", sql.String(16), nullable=False, index=True),
)
"""The tables of duplicate matches, from 1."""

DUPLICATE_PLAYER: Final = sql.Table(
    "duplicate_player",
    METADATA,
    sql.Column("duplicate", sql.String(16), sql.ForeignKey("duplicate.code"), primary_key=True),
    sql.Column("player", sql.String(40), primary_key=True, index=True),
    sql.Column("table_code", sql.String(16), nullable=False),
)
"""The only table of a duplicate match at which a person may sit."""

DUPLICATE_RESULT: Final = sql.Table(
    "duplicate_result",
    METADATA,
    sql.Column("duplicate", sql.String(16), sql.ForeignKey("duplicate.code"), primary_key=True),
    sql.Column("deal", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("table_code", sql.String(16), primary_key=True),
    sql.Column("match", sql.String(40), nullable=False),
    sql.Column("points", sql.JSON, nullable=False),
    sql.Column("winners", sql.JSON, nullable=False),
    sql.Column("luck", sql.JSON, nullable=False),
)
"""The result of a deal at a table, by seat. It outlives the match."""

OPEN_TABLE: Final = sql.Table(
    "open_table",
    METADATA,
    sql.Column("code", sql.String(16), primary_key=True),
    sql.Column("rules", sql.String(16), nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
)
"""Open tables whose first match has not begun; ``at`` is when somebody last took a seat."""

DEPARTURE: Final = sql.Table(
    "departure",
    METADATA,
    sql.Column("match", sql.String(40), primary_key=True),
    sql.Column("player", sql.String(40), primary_key=True, index=True),
    sql.Column("at", sql.BigInteger, nullable=False),
)
"""Persons who have left a match at an open table before its end. They are forgotten after a day."""

BLOCK: Final = sql.Table(
    "block",
    METADATA,
    sql.Column("player", sql.String(40), primary_key=True),
    sql.Column("other", sql.String(40), primary_key=True, index=True),
    sql.Column("at", sql.BigInteger, nullable=False),
)
"""Persons whom a person does not want to play with."""

DAY_TABLE: Final = sql.Table(
    "day_table",
    METADATA,
    sql.Column("code", sql.String(16), primary_key=True),
    sql.Column("match", sql.String(40), nullable=False),
    sql.Column("player", sql.String(40), index=True),
    sql.Column("due", sql.BigInteger, index=True),
    sql.Column("began", sql.BigInteger, nullable=False),
    sql.Column("moved", sql.BigInteger, nullable=False),
    sql.Column("unseen", sql.BigInteger),
    sql.Column("notified", sql.BigInteger, nullable=False, server_default="0"),
    sql.Column("closes", sql.BigInteger, nullable=False, server_default="0"),
)
"""Matches in play at tables by the day, as in ``DayTurn``, with the turn that the person was last ``notified`` of, and
when the match is closed (0 if people move).
"""

SERVICE: Final = sql.Table(
    "service",
    METADATA,
    sql.Column("began", sql.BigInteger, primary_key=True, autoincrement=False),
    sql.Column("seen", sql.BigInteger, nullable=False),
)
"""Times in which servers have run while there were matches by the day; between them no clock runs."""

NOTIFICATION_ADDRESS: Final = sql.Table(
    "notification_address",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("player", sql.String(40), nullable=False, index=True),
    sql.Column("kind", sql.String(16), nullable=False),
    sql.Column("address", sql.Text, nullable=False),
    sql.Column("keys", sql.JSON(none_as_null=True)),
    sql.Column("enabled", sql.Boolean, nullable=False),
    sql.Column("failures", sql.SmallInteger, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
)
"""Where persons are notified of their turns: a push service with the keys of a browser, or a webhook of a kind."""

SERVER_KEY: Final = sql.Table(
    "server_key",
    METADATA,
    sql.Column("name", sql.String(16), primary_key=True),
    sql.Column("value", sql.LargeBinary, nullable=False),
)
"""Private keys that all servers of a database share."""

TABLE: Final = sql.Table(
    "table_state",
    METADATA,
    sql.Column("code", sql.String(16), primary_key=True),
    sql.Column("rev", sql.Integer, nullable=False),
    sql.Column("doc", sql.LargeBinary, nullable=False),
    sql.Column("touched", sql.BigInteger, nullable=False),
    sql.Index(None, "touched"),
)
"""Saved tables, without moves."""

PLAYER: Final = sql.Table(
    "player",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("language", sql.String(8), nullable=False),
    sql.Column("shown", sql.Boolean, nullable=False, server_default=sql.true()),
)
"""Persons; ``shown`` says whether leaderboards may name them."""

TOKEN: Final = sql.Table(
    "token",
    METADATA,
    sql.Column("hash", sql.String(64), primary_key=True),
    sql.Column("player", sql.String(40), sql.ForeignKey("player.id"), nullable=False, index=True),
)
"""Hashes of the tokens of browsers; a player may have several."""

ONE_TIME: Final = sql.Table(
    "one_time",
    METADATA,
    sql.Column("hash", sql.String(64), primary_key=True),
    sql.Column("purpose", sql.String(16), nullable=False),
    sql.Column("player", sql.String(40), index=True),
    sql.Column("until", sql.BigInteger, nullable=False, index=True),
)
"""Hashes of secrets that are valid once, for some minutes, each for a purpose."""

PASSKEY: Final = sql.Table(
    "passkey",
    METADATA,
    sql.Column("id", sql.String(340), primary_key=True),
    sql.Column("player", sql.String(40), sql.ForeignKey("player.id"), nullable=False, index=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("data", sql.LargeBinary, nullable=False),
    sql.Column("uses", sql.BigInteger, nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("used", sql.BigInteger),
)
"""Passkeys of persons (``PasskeyRow``)."""

ORDERS: Final = sql.Table(
    "orders",
    METADATA,
    sql.Column("name", sql.String(16), primary_key=True),
    sql.Column("value", sql.JSON, nullable=False),
)
"""The administrator's settings, one row for each field of ``AdminSettings``."""

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
"""Complaints about persons, with the chat before them."""

WORKER: Final = sql.Table(
    "worker",
    METADATA,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.Column("figures", sql.JSON, nullable=False),
)
"""The statistics of each worker, if there are several."""
