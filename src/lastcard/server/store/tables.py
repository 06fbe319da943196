"""Tables as they stand, and the sweeping of those nobody comes back to: functions on a connection, for the store."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from lastcard.server.store.matches import delete_matches, insert_match
from lastcard.server.store.rows import MatchRow, TableRow
from lastcard.server.store.schema import MATCH, MOVE, TABLE

_SAVE: Final = update(TABLE).where(TABLE.c.code == bindparam("at"), TABLE.c.rev == bindparam("seen"))
"""Put together once: tables are saved many times a round."""


def create_table(connection: Connection, code: str, doc: bytes, now: int) -> bool:
    """A new table, at revision 1; False where the code is taken."""
    if load_table(connection, code) is not None:
        return False
    connection.execute(insert(TABLE).values(code=code, rev=1, doc=doc, touched=now))
    return True


def load_table(connection: Connection, code: str) -> TableRow | None:
    """A table by its code."""
    found = connection.execute(select(TABLE).where(TABLE.c.code == code)).one_or_none()
    return TableRow(*found) if found else None


def save_table(connection: Connection, code: str, rev: int, doc: bytes, now: int) -> int | None:
    """Put a table in the place of the revision it was made from.

    Returns:
        The new revision; None where somebody else was first.
    """
    values = {"at": code, "seen": rev, "rev": rev + 1, "doc": doc, "touched": now}
    return rev + 1 if connection.execute(_SAVE, values).rowcount else None


def create_match(connection: Connection, row: MatchRow, rev: int, doc: bytes, now: int) -> int | None:
    """A match that begins, and its table saved with it; where somebody else was first (None), neither."""
    revision = save_table(connection, row.table, rev, doc, now)
    if revision is not None:
        insert_match(connection, row)
    return revision


def tables_of(connection: Connection, player: str) -> list[str]:
    """The codes of tables in whose documents a player's id stands."""
    tables = connection.execute(select(TABLE.c.code, TABLE.c.doc))
    return [code for code, doc in tables if player.encode() in doc]


def sweep(connection: Connection, before: int) -> int:
    """Delete tables nobody has touched or moved at since a time, with their unfinished matches.

    Returns:
        How many tables are gone.
    """
    open_here = (MATCH.c.table_code == TABLE.c.code, MATCH.c.finished.is_(None))
    moved = exists().where(*open_here, MOVE.c.match == MATCH.c.id, MOVE.c.at >= before)
    codes = connection.scalars(select(TABLE.c.code).where(TABLE.c.touched < before, ~moved)).all()
    unfinished = select(MATCH.c.id).where(MATCH.c.table_code.in_(codes), MATCH.c.finished.is_(None))
    delete_matches(connection, connection.scalars(unfinished).all())
    connection.execute(delete(TABLE).where(TABLE.c.code.in_(codes)))
    return len(codes)
