"""Queries about duplicate matches, as functions on a connection."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from typing import Final

import sqlalchemy as sql

from lastcard.server.store.queries import create_match, dialect_insert, load_matches
from lastcard.server.store.rows import DuplicateResultRow, DuplicateRow, TableRow, now_ms
from lastcard.server.store.schema import (
    DUPLICATE,
    DUPLICATE_PLAYER,
    DUPLICATE_RESULT,
    DUPLICATE_TABLE,
    MATCH,
    MOVE,
    TABLE,
)
from lastcard.session.match_rows import MatchRow, MoveRow

_OPEN: Final = (DUPLICATE.c.started.is_not(None), DUPLICATE.c.finished.is_(None))
"""Which duplicate matches are being played."""


def create_duplicate(connection: sql.Connection, row: DuplicateRow) -> bool:
    """Insert a duplicate match with its tables; return False if the code is taken."""
    *values, tables = row
    insert = dialect_insert(connection, DUPLICATE).values(values).on_conflict_do_nothing()
    if connection.scalar(insert.returning(DUPLICATE.c.code)) is None:
        return False
    numbered = [
        {"duplicate": row.code, "number": number, "table_code": code} for number, code in enumerate(tables, start=1)
    ]
    connection.execute(sql.insert(DUPLICATE_TABLE), numbered)
    return True


def find_duplicate(connection: sql.Connection, code: str) -> DuplicateRow | None:
    """Return a duplicate match by its code."""
    row = connection.execute(sql.select(DUPLICATE).where(DUPLICATE.c.code == code)).one_or_none()
    tables = sql.select(DUPLICATE_TABLE.c.table_code).where(DUPLICATE_TABLE.c.duplicate == code)
    codes = connection.scalars(tables.order_by(DUPLICATE_TABLE.c.number)).all()
    return None if row is None else DuplicateRow(**row._asdict(), tables=tuple(codes))


def start_duplicate(connection: sql.Connection, code: str) -> None:
    """Record that a duplicate match has started, unless it has."""
    _mark(connection, DUPLICATE.c.started, code)


def finish_duplicate(connection: sql.Connection, code: str) -> None:
    """Record that a duplicate match has finished, unless it has."""
    _mark(connection, DUPLICATE.c.finished, code)


def open_duplicates(connection: sql.Connection, limit: int) -> list[str]:
    """Return the codes of duplicate matches that are being played, the first started first."""
    return list(
        connection.scalars(sql.select(DUPLICATE.c.code).where(*_OPEN).order_by(DUPLICATE.c.started).limit(limit))
    )


def stalled_tables(connection: sql.Connection, before: int) -> list[TableRow]:
    """Return the tables of such matches that nobody has saved or moved at since a time in milliseconds since 1970."""
    here = sql.select(MATCH.c.id).where(MATCH.c.table_code == TABLE.c.code, MATCH.c.finished.is_(None))
    moved = sql.exists().where(MOVE.c.match.in_(here), MOVE.c.at >= before)
    stalled = (
        sql.select(TABLE)
        .join(DUPLICATE_TABLE, DUPLICATE_TABLE.c.table_code == TABLE.c.code)
        .join(DUPLICATE, DUPLICATE.c.code == DUPLICATE_TABLE.c.duplicate)
        .where(*_OPEN, TABLE.c.touched < before, ~moved)
        .order_by(DUPLICATE.c.started, DUPLICATE_TABLE.c.number)
    )
    return list(starmap(TableRow, connection.execute(stalled)))


def join_duplicate(connection: sql.Connection, code: str, player: str, table: str) -> str:
    """Record that a person plays a duplicate match at a table; return the code of the table that counts, the first."""
    mine = {"duplicate": code, "player": player, "table_code": table}
    connection.execute(dialect_insert(connection, DUPLICATE_PLAYER).values(mine).on_conflict_do_nothing())
    counts = sql.select(DUPLICATE_PLAYER.c.table_code).where(*_of(code, player))
    return connection.scalar(counts) or table


def leave_duplicate(connection: sql.Connection, code: str, player: str) -> None:
    """Let a person who has left their seat before the first deal choose another table."""
    started = sql.exists().where(DUPLICATE.c.code == code, DUPLICATE.c.started.is_not(None))
    connection.execute(sql.delete(DUPLICATE_PLAYER).where(*_of(code, player), ~started))


def uncounted_duplicates(connection: sql.Connection, code: str, limit: int) -> list[str]:
    """Return the ids of finished matches of a duplicate match whose results are not saved yet."""
    counted = sql.exists().where(
        DUPLICATE_RESULT.c.duplicate == code,
        DUPLICATE_RESULT.c.deal == MATCH.c.deal,
        DUPLICATE_RESULT.c.table_code == MATCH.c.table_code,
    )
    waiting = sql.select(MATCH.c.id).where(MATCH.c.duplicate == code, MATCH.c.winners.is_not(sql.null()), ~counted)
    return list(connection.scalars(waiting.order_by(MATCH.c.finished, MATCH.c.id).limit(limit)))


def save_duplicate_result(connection: sql.Connection, row: DuplicateResultRow) -> None:
    """Save a result that is new."""
    insert = dialect_insert(connection, DUPLICATE_RESULT).values(tuple(row))
    connection.execute(insert.on_conflict_do_nothing())


def save_duplicate_run(
    connection: sql.Connection, row: MatchRow, moves: Sequence[MoveRow], rev: int, doc: bytes
) -> bool:
    """Save a match that bots have played at once, and its table; return False if somebody else was first."""
    if create_match(connection, row, rev, doc) is None:
        return False
    connection.execute(sql.insert(MOVE), [dict(zip(MOVE.c.keys(), move, strict=True)) for move in moves])
    return True


def duplicate_results(connection: sql.Connection, code: str) -> list[DuplicateResultRow]:
    """Return the saved results of a duplicate match, by deal."""
    results = sql.select(DUPLICATE_RESULT).where(DUPLICATE_RESULT.c.duplicate == code).order_by(DUPLICATE_RESULT.c.deal)
    return list(starmap(DuplicateResultRow, connection.execute(results)))


def duplicate_matches(connection: sql.Connection, code: str) -> list[MatchRow]:
    """Return the finished matches of a duplicate match that still exist, by deal and table."""
    numbered = (
        sql.select(MATCH)
        .join(DUPLICATE_TABLE, DUPLICATE_TABLE.c.table_code == MATCH.c.table_code)
        .where(MATCH.c.duplicate == code, MATCH.c.winners.is_not(sql.null()))
        .order_by(MATCH.c.deal, DUPLICATE_TABLE.c.number)
    )
    return load_matches(connection, numbered)


def _mark(connection: sql.Connection, column: sql.Column[int], code: str) -> None:
    """Set a time that is not set."""
    unset = sql.update(DUPLICATE).where(DUPLICATE.c.code == code, column.is_(None))
    connection.execute(unset.values({column: now_ms()}))


def _of(code: str, player: str) -> tuple[sql.ColumnElement[bool], sql.ColumnElement[bool]]:
    return DUPLICATE_PLAYER.c.duplicate == code, DUPLICATE_PLAYER.c.player == player
