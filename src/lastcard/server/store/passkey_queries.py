"""Queries about passkeys, as functions on a connection."""

from __future__ import annotations

import sqlalchemy as sql

from lastcard.server.store.rows import PasskeyRow, now_ms
from lastcard.server.store.schema import PASSKEY, PLAYER


def list_passkeys(connection: sql.Connection, player: str) -> list[PasskeyRow]:
    """Return a person's passkeys, oldest first."""
    own = sql.select(PASSKEY).where(PASSKEY.c.player == player).order_by(PASSKEY.c.created, PASSKEY.c.id)
    return [PasskeyRow(*row) for row in connection.execute(own)]


def find_passkey(connection: sql.Connection, passkey: str) -> PasskeyRow | None:
    """Return a passkey by its id."""
    found = connection.execute(sql.select(PASSKEY).where(PASSKEY.c.id == passkey)).one_or_none()
    return None if found is None else PasskeyRow(*found)


def add_passkey(connection: sql.Connection, row: PasskeyRow, most: int) -> bool:
    """Save a passkey; return False if it exists, its person does not, or they have ``most``."""
    count = sql.select(sql.func.count()).where(PASSKEY.c.player == row.player)
    person = sql.select(PLAYER.c.id).where(PLAYER.c.id == row.player)
    if find_passkey(connection, row.id) or not connection.scalar(person) or (connection.scalar(count) or 0) >= most:
        return False
    connection.execute(sql.insert(PASSKEY).values(row._asdict()))
    return True


def rename_passkey(connection: sql.Connection, player: str, passkey: str, name: str) -> bool:
    """Change the name of a person's passkey; return whether it exists."""
    own = sql.update(PASSKEY).where(PASSKEY.c.id == passkey, PASSKEY.c.player == player)
    return bool(connection.execute(own.values(name=name)).rowcount)


def delete_passkey(connection: sql.Connection, player: str, passkey: str) -> bool:
    """Delete a person's passkey; return whether it existed."""
    own = sql.delete(PASSKEY).where(PASSKEY.c.id == passkey, PASSKEY.c.player == player)
    return bool(connection.execute(own).rowcount)


def use_passkey(connection: sql.Connection, passkey: str, uses: int) -> bool:
    """Record that somebody has signed in; return False if the number of uses shows a copy of the passkey."""
    later = PASSKEY.c.uses < uses if uses else PASSKEY.c.uses == 0
    used = sql.update(PASSKEY).where(PASSKEY.c.id == passkey, later)
    return bool(connection.execute(used.values(uses=uses, used=now_ms())).rowcount)
