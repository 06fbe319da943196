"""How order is kept, in the database: orders, bans, complaints, and how the workers are. Functions on a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sql
from msgspec.structs import asdict

from lastcard.server.store.rows import BanRow, Complaint, TableRow
from lastcard.server.store.schema import BAN, COMPLAINT, ORDERS, TABLE, WORKER

MOST_BANS: Final = 1000
MOST_COMPLAINTS: Final = 500
"""Older ones give way."""


def read_orders(connection: sql.Connection) -> tuple[dict[str, Any], list[BanRow]]:
    """The orders that were given, by name, and all bans, newest first."""
    orders = {row.name: row.value for row in connection.execute(sql.select(ORDERS))}
    bans = connection.execute(sql.select(BAN).order_by(BAN.c.at.desc(), BAN.c.id).limit(MOST_BANS))
    return orders, [BanRow(*ban) for ban in bans]


def give_orders(connection: sql.Connection, orders: Mapping[str, Any]) -> None:
    """Some of the orders anew."""
    connection.execute(sql.delete(ORDERS).where(ORDERS.c.name.in_(orders)))
    connection.execute(sql.insert(ORDERS), [{"name": name, "value": value} for name, value in orders.items()])


def ban(connection: sql.Connection, row: BanRow) -> None:
    """Let somebody in no more; another ban of the same person or network gives way."""
    same = BAN.c.network == row.network if row.player is None else BAN.c.player == row.player
    connection.execute(sql.delete(BAN).where(same))
    connection.execute(sql.insert(BAN).values(asdict(row)))


def lift_ban(connection: sql.Connection, ban_id: str) -> bool:
    """End a ban; whether there was one."""
    return bool(connection.execute(sql.delete(BAN).where(BAN.c.id == ban_id)).rowcount)


def complain(connection: sql.Connection, row: Complaint) -> None:
    """Keep what somebody reports; the oldest gives way where there are too many."""
    values = asdict(row)
    values["table_code"] = values.pop("table")
    connection.execute(sql.insert(COMPLAINT).values(values))
    newest = sql.select(COMPLAINT.c.id).order_by(COMPLAINT.c.at.desc()).limit(MOST_COMPLAINTS).scalar_subquery()
    connection.execute(sql.delete(COMPLAINT).where(COMPLAINT.c.id.not_in(newest)))


def complaints(connection: sql.Connection) -> list[Complaint]:
    """What people have reported, newest first."""
    found = connection.execute(sql.select(COMPLAINT).order_by(COMPLAINT.c.at.desc(), COMPLAINT.c.id))
    names = ["table" if column is COMPLAINT.c.table_code else str(column.name) for column in COMPLAINT.c]
    return [msgspec.convert(dict(zip(names, row, strict=True)), Complaint) for row in found]


def settle(connection: sql.Connection, complaint: str) -> bool:
    """Forget a complaint; whether there was one."""
    return bool(connection.execute(sql.delete(COMPLAINT).where(COMPLAINT.c.id == complaint)).rowcount)


def sweep_order(connection: sql.Connection, now: int, before: int) -> None:
    """Forget bans that are over and complaints older than a time."""
    connection.execute(sql.delete(BAN).where(BAN.c.until < now))
    connection.execute(sql.delete(COMPLAINT).where(COMPLAINT.c.at < before))


def note_worker(connection: sql.Connection, worker: str, at: int, figures: Mapping[str, Any], silent: int) -> None:
    """How a worker is; those that have been silent since some time are forgotten."""
    connection.execute(sql.delete(WORKER).where(sql.or_(WORKER.c.id == worker, WORKER.c.at < silent)))
    connection.execute(sql.insert(WORKER).values(id=worker, at=at, figures=figures))


def workers(connection: sql.Connection, since: int) -> dict[str, dict[str, Any]]:
    """How each worker is that has said so since some time."""
    return {row.id: row.figures for row in connection.execute(sql.select(WORKER).where(WORKER.c.at >= since))}


def latest_tables(connection: sql.Connection, limit: int) -> Sequence[TableRow]:
    """The tables that were touched last."""
    found = connection.execute(sql.select(TABLE).order_by(TABLE.c.touched.desc(), TABLE.c.code).limit(limit))
    return [TableRow(*row) for row in found]
