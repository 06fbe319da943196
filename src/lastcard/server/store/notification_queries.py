"""Where persons are notified of their turns, and the keys that servers sign with."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sql

from lastcard.server.store.queries import dialect_insert
from lastcard.server.store.rows import NotificationAddress
from lastcard.server.store.schema import NOTIFICATION_ADDRESS, PLAYER, SERVER_KEY

PUSH: Final = "push"
"""The kind of address of a browser."""
MAX_ADDRESSES: Final = 8
"""Maximum number of addresses of a person; beyond it, the oldest is forgotten."""
MAX_FAILURES: Final = 10
"""Failures in succession after which an address is turned off."""


def notification_addresses(connection: sql.Connection, player: str) -> list[NotificationAddress]:
    """Return where a person is notified, oldest first: all that is stored, as for the export of their data."""
    own = sql.select(NOTIFICATION_ADDRESS).where(NOTIFICATION_ADDRESS.c.player == player)
    rows = connection.execute(own.order_by(NOTIFICATION_ADDRESS.c.at, NOTIFICATION_ADDRESS.c.id))
    return [NotificationAddress(*row) for row in rows]


def language_of(connection: sql.Connection, player: str) -> str:
    """Return the language of a person; English if they are not known any more."""
    return connection.scalar(sql.select(PLAYER.c.language).where(PLAYER.c.id == player)) or "en"


def add_notification_address(connection: sql.Connection, row: NotificationAddress) -> None:
    """Save an address of a person who still exists, in place of the same address."""
    if connection.scalar(sql.select(PLAYER.c.id).where(PLAYER.c.id == row.player)) is None:
        return
    known = sql.delete(NOTIFICATION_ADDRESS).where(NOTIFICATION_ADDRESS.c.address == row.address)
    if row.kind != PUSH:  # a browser belongs to one person
        known = known.where(NOTIFICATION_ADDRESS.c.player == row.player)
    connection.execute(known)
    connection.execute(sql.insert(NOTIFICATION_ADDRESS).values(row._asdict()))
    for old in notification_addresses(connection, row.player)[:-MAX_ADDRESSES]:
        delete_notification_address(connection, row.player, old.id)


def set_notification_address(connection: sql.Connection, player: str, id: str, enabled: bool) -> bool:
    """Turn an address of a person on or off; return whether there is one."""
    own = (NOTIFICATION_ADDRESS.c.player == player, NOTIFICATION_ADDRESS.c.id == id)
    change = sql.update(NOTIFICATION_ADDRESS).where(*own).values(enabled=enabled, failures=0)
    return bool(connection.execute(change).rowcount)


def delete_notification_address(connection: sql.Connection, player: str, id: str) -> bool:
    """Forget an address of a person; return whether there was one."""
    own = (NOTIFICATION_ADDRESS.c.player == player, NOTIFICATION_ADDRESS.c.id == id)
    return bool(connection.execute(sql.delete(NOTIFICATION_ADDRESS).where(*own)).rowcount)


def note_delivery(connection: sql.Connection, id: str, has_arrived: bool) -> None:
    """Save whether a notification has reached an address; turn off one that fails again and again."""
    change = sql.update(NOTIFICATION_ADDRESS).where(NOTIFICATION_ADDRESS.c.id == id)
    if has_arrived:
        connection.execute(change.where(NOTIFICATION_ADDRESS.c.failures > 0).values(failures=0))
        return
    failures = NOTIFICATION_ADDRESS.c.failures + 1
    enabled = sql.and_(NOTIFICATION_ADDRESS.c.enabled, failures < MAX_FAILURES)
    connection.execute(change.values(failures=failures, enabled=enabled))


def server_key(connection: sql.Connection, name: str, new: bytes) -> bytes:
    """Return a key that all servers share: the saved one, or else a new one, which is saved."""
    key = dialect_insert(connection, SERVER_KEY).values(name=name, value=new)
    connection.execute(key.on_conflict_do_nothing())
    return bytes(connection.scalar(sql.select(SERVER_KEY.c.value).where(SERVER_KEY.c.name == name)) or b"")
