"""Queries about settings, bans, complaints and workers, as functions on a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sql
from msgspec.structs import asdict

from lastcard.server.store.rows import BanRow, Complaint, TableRow
from lastcard.server.store.schema import BAN, COMPLAINT, ORDERS, TABLE, WORKER

MAX_BANS: Final = 1000
MAX_COMPLAINTS: Final = 500
"""Maximum number of complaints; beyond it, the oldest are deleted."""


_SETTINGS: Final = sql.select(ORDERS)
_BANS: Final = sql.select(BAN).order_by(BAN.c.at.desc(), BAN.c.id).limit(MAX_BANS)


def read_admin_settings(connection: sql.Connection) -> tuple[dict[str, Any], list[BanRow]]:
    """Return the settings by name, and all bans, newest first."""
    settings = {row.name: row.value for row in connection.execute(_SETTINGS)}
    return settings, [BanRow(*ban) for ban in connection.execute(_BANS)]


def save_admin_settings(connection: sql.Connection, settings: Mapping[str, Any]) -> None:
    """Save some of the settings."""
    connection.execute(sql.delete(ORDERS).where(ORDERS.c.name.in_(settings)))
    connection.execute(sql.insert(ORDERS), [{"name": name, "value": value} for name, value in settings.items()])


def ban(connection: sql.Connection, row: BanRow) -> None:
    """Save a ban; it replaces another ban of the same person or network."""
    same = BAN.c.network == row.network if row.player is None else BAN.c.player == row.player
    connection.execute(sql.delete(BAN).where(same))
    connection.execute(sql.insert(BAN).values(asdict(row)))


def lift_ban(connection: sql.Connection, ban_id: str) -> bool:
    """End a ban; return whether it existed."""
    return bool(connection.execute(sql.delete(BAN).where(BAN.c.id == ban_id)).rowcount)


def add_complaint(connection: sql.Connection, row: Complaint) -> None:
    """Save a complaint; delete the oldest if there are too many."""
    values = asdict(row)
    values["table_code"] = values.pop("table")
    connection.execute(sql.insert(COMPLAINT).values(values))
    newest = sql.select(COMPLAINT.c.id).order_by(COMPLAINT.c.at.desc()).limit(MAX_COMPLAINTS).scalar_subquery()
    connection.execute(sql.delete(COMPLAINT).where(COMPLAINT.c.id.not_in(newest)))


def list_complaints(connection: sql.Connection) -> list[Complaint]:
    """Return the complaints, newest first."""
    found = connection.execute(sql.select(COMPLAINT).order_by(COMPLAINT.c.at.desc(), COMPLAINT.c.id))
    names = ["table" if column is COMPLAINT.c.table_code else str(column.name) for column in COMPLAINT.c]
    return [msgspec.convert(dict(zip(names, row, strict=True)), Complaint) for row in found]


def resolve_complaint(connection: sql.Connection, complaint: str) -> bool:
    """Delete a complaint; return whether it existed."""
    return bool(connection.execute(sql.delete(COMPLAINT).where(COMPLAINT.c.id == complaint)).rowcount)


def sweep_moderation(connection: sql.Connection, now: int, before: int) -> None:
    """Delete expired bans, and complaints older than a time."""
    connection.execute(sql.delete(BAN).where(BAN.c.until < now))
    connection.execute(sql.delete(COMPLAINT).where(COMPLAINT.c.at < before))


def save_worker(connection: sql.Connection, worker: str, at: int, figures: Mapping[str, Any], silent: int) -> None:
    """Save the statistics of a worker, and delete those of workers that have been silent since a time."""
    connection.execute(sql.delete(WORKER).where(sql.or_(WORKER.c.id == worker, WORKER.c.at < silent)))
    connection.execute(sql.insert(WORKER).values(id=worker, at=at, figures=figures))


def list_workers(connection: sql.Connection, since: int) -> dict[str, dict[str, Any]]:
    """Return the statistics of workers that have reported since a time."""
    return {row.id: row.figures for row in connection.execute(sql.select(WORKER).where(WORKER.c.at >= since))}


def latest_tables(connection: sql.Connection, limit: int) -> Sequence[TableRow]:
    """Return the most recently saved tables."""
    found = connection.execute(sql.select(TABLE).order_by(TABLE.c.touched.desc(), TABLE.c.code).limit(limit))
    return [TableRow(*row) for row in found]
