"""Everything that is stored about one person, as plain values for a JSON file."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

import sqlalchemy as sql

from lastcard.server.store.personal_data import OWN_TABLES
from lastcard.server.store.queries import ids_of, load_matches, tables_of
from lastcard.server.store.rows import Player, now_ms
from lastcard.server.store.schema import (
    BAN,
    BLOCK,
    BROUGHT,
    CALLS,
    COMPLAINT,
    DAILY_RESULT,
    DAY_TABLE,
    DUPLICATE,
    FINDING,
    HEIR,
    MATCH,
    MOVE,
    ONE_TIME,
    PLAYER,
    SEAT,
    TABLE,
    TOKEN,
)
from lastcard.session.match_rows import MatchRow
from lastcard.session.table_state import CommandError, TableState, read_table_state

_SECRETS: Final = {TOKEN.c.hash, ONE_TIME.c.hash, DUPLICATE.c.secret}
"""Columns that are no data about a person; a reader of the file could act as that person, or know the cards."""


def find_players(connection: sql.Connection, name: str) -> list[Player]:
    """Return the players with an id or a name."""
    named = sql.select(PLAYER).where(sql.or_(PLAYER.c.id == name, PLAYER.c.name == name)).order_by(PLAYER.c.id)
    return [Player(*row) for row in connection.execute(named)]


def export_player(connection: sql.Connection, player: str) -> dict[str, Any]:
    """Return everything stored about a person, by kind. Times are in milliseconds since 1970.

    Records of matches are separate files, and what others have said about the person is theirs.
    """
    own = sql.union(*(sql.select(each.c.match, each.c.seat).where(each.c.player == player) for each in (SEAT, HEIR)))
    played = sql.select(MATCH).where(MATCH.c.id.in_(ids_of(player))).order_by(MATCH.c.started, MATCH.c.id)
    reported = sql.select(COMPLAINT.c.table_code, COMPLAINT.c.name, COMPLAINT.c.why, COMPLAINT.c.at)
    return {
        "exported": now_ms(),
        "player": _rows(connection, _of(PLAYER, PLAYER.c.id == player)),
        **{table.name: _rows(connection, _of(table, table.c.player == player)) for table in OWN_TABLES},
        "matches": [_match_values(row, player) for row in load_matches(connection, played)],
        "moves": _rows(connection, _in_own_seats(MOVE, own)),
        "calls": _rows(connection, _in_own_seats(CALLS, own)),
        "findings": _rows(connection, _in_own_seats(FINDING, own)),
        "daily_results": _rows(
            connection,
            _of(DAILY_RESULT, DAILY_RESULT.c.match.in_(sql.select(SEAT.c.match).where(SEAT.c.player == player))),
        ),
        "turns_by_day": _rows(connection, _of(DAY_TABLE, DAY_TABLE.c.player == player)),
        "imported_matches": _rows(connection, _of(BROUGHT, BROUGHT.c.player == player)),
        "duplicate_matches": _rows(connection, _of(DUPLICATE, DUPLICATE.c.host == player)),
        "blocks": _rows(connection, _of(BLOCK, BLOCK.c.player == player)),
        "reports_by": _rows(connection, _of(COMPLAINT, COMPLAINT.c.by == player)),
        "reports_about": _rows(connection, reported.where(COMPLAINT.c.player == player)),
        "bans": _rows(connection, _of(BAN, BAN.c.player == player)),
        "tables": _table_values(connection, player),
    }


def _of(table: sql.Table, where: sql.ColumnElement[bool]) -> sql.Select[Any]:
    return sql.select(*(column for column in table.c if column not in _SECRETS)).where(where)


def _in_own_seats(table: sql.Table, own: sql.CompoundSelect[Any]) -> sql.Select[Any]:
    """Return a query for the rows of a person's seats, in order."""
    seats = own.subquery()
    joined = sql.select(table).join(seats, (seats.c.match == table.c.match) & (seats.c.seat == table.c.seat))
    return joined.order_by(*table.primary_key)


def _rows(connection: sql.Connection, query: sql.Select[Any]) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def _match_values(row: MatchRow, player: str) -> dict[str, Any]:
    """Return a match without secrets, which are in its record once they may be seen."""
    seat = row.seat_of(player) if player in row.persons else None
    return {
        "id": row.id,
        "table": row.table,
        "rules": row.rules,
        "names": row.names,
        "seat": seat,
        "number": None if seat is None else row.numbers[seat],
        "rule_cards": row.rule_cards,
        "started": row.started,
        "finished": row.finished,
        "winners": row.winners,
        "daily": row.daily,
        "duplicate": row.duplicate,
    }


def _table_values(connection: sql.Connection, player: str) -> list[dict[str, Any]]:
    """Return what the saved tables have of a person."""
    found = []
    for code in tables_of(connection, player):
        doc = connection.scalar(sql.select(TABLE.c.doc).where(TABLE.c.code == code))
        with suppress(CommandError):  # nobody can read it any more
            found.append({"code": code, **_table_part(read_table_state(doc or b""), player)})
    return found


def _table_part(table: TableState, player: str) -> dict[str, Any]:
    def ids(people: Iterable[Any]) -> bool:
        return any(getattr(person, "id", person) == player for person in people)

    return {
        "host": table.host.id == player,
        "seat": table.seat_of(player),
        "waiting": ids(table.queue),
        "muted": ids(table.muted),
        "wins": table.wins.get(player, 0),
        "number": table.numbers.get(player),
        "avatar": table.avatars.get(player),
        "cards": table.cards.get(player),
    }
