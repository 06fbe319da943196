"""Open tables that wait for players, matches that persons have left, and whom they have blocked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import sqlalchemy as sql

from lastcard.server.store.queries import dialect_insert
from lastcard.server.store.schema import BLOCK, DEPARTURE, OPEN_TABLE

MAX_BLOCKED: Final = 200
"""Maximum number of persons that a person may block; beyond it, the first one is forgotten."""


class OpenCounts(NamedTuple):
    """Open tables that wait, and what is stored about a person in this matter."""

    waiting: int
    departures: list[int]
    """When the person left matches, latest first."""
    blocked: int


def list_open_tables(connection: sql.Connection, rules: str, since: int) -> list[str]:
    """Return the codes of open tables at which somebody took a seat since a time (ms since 1970), oldest first."""
    waiting = sql.select(OPEN_TABLE.c.code).where(OPEN_TABLE.c.rules == rules, OPEN_TABLE.c.at >= since)
    return list(connection.scalars(waiting.order_by(OPEN_TABLE.c.created, OPEN_TABLE.c.code)))


def read_open_counts(connection: sql.Connection, player: str, since: int, left_since: int) -> OpenCounts:
    """Return all counts that a person sees before they take a seat, since two times (ms since 1970)."""
    waiting = connection.scalar(sql.select(sql.func.count()).where(OPEN_TABLE.c.at >= since)) or 0
    blocked = connection.scalar(sql.select(sql.func.count()).where(BLOCK.c.player == player)) or 0
    return OpenCounts(waiting, list_departures(connection, player, left_since), blocked)


def save_open_table(connection: sql.Connection, code: str, rules: str, at: int, since: int) -> None:
    """Save that somebody took a seat at an open table, and forget tables where nobody has since a time."""
    connection.execute(sql.delete(OPEN_TABLE).where(OPEN_TABLE.c.at < since))
    row = dialect_insert(connection, OPEN_TABLE).values(code=code, rules=rules, created=at, at=at)
    connection.execute(row.on_conflict_do_update(index_elements=["code"], set_={"at": at}))


def close_open_table(connection: sql.Connection, code: str) -> None:
    """Forget an open table that waits for nobody any more."""
    connection.execute(sql.delete(OPEN_TABLE).where(OPEN_TABLE.c.code == code))


def save_departures(connection: sql.Connection, match: str, left: Sequence[str], back: Sequence[str], at: int) -> None:
    """Save that persons have left a match, and forget it of those who are back."""
    connection.execute(sql.delete(DEPARTURE).where(DEPARTURE.c.match == match, DEPARTURE.c.player.in_(back)))
    for player in left:
        row = dialect_insert(connection, DEPARTURE).values(match=match, player=player, at=at)
        connection.execute(row.on_conflict_do_nothing())


def list_departures(connection: sql.Connection, player: str, since: int) -> list[int]:
    """Return when a person has left matches since a time, latest first."""
    times = sql.select(DEPARTURE.c.at).where(DEPARTURE.c.player == player, DEPARTURE.c.at >= since)
    return list(connection.scalars(times.order_by(DEPARTURE.c.at.desc())))


def sweep_departures(connection: sql.Connection, before: int) -> None:
    """Forget departures before a time."""
    connection.execute(sql.delete(DEPARTURE).where(DEPARTURE.c.at < before))


def block(connection: sql.Connection, player: str, other: str, at: int) -> None:
    """Save that a person does not want to play with another."""
    row = dialect_insert(connection, BLOCK).values(player=player, other=other, at=at)
    connection.execute(row.on_conflict_do_nothing())
    newest = sql.select(BLOCK.c.other).where(BLOCK.c.player == player).order_by(BLOCK.c.at.desc()).limit(MAX_BLOCKED)
    connection.execute(sql.delete(BLOCK).where(BLOCK.c.player == player, BLOCK.c.other.not_in(newest)))


def unblock_all(connection: sql.Connection, player: str) -> None:
    """Forget whom a person has blocked."""
    connection.execute(sql.delete(BLOCK).where(BLOCK.c.player == player))


def find_blocked(connection: sql.Connection, player: str) -> set[str]:
    """Return the ids of persons whom a person has blocked, and of those who have blocked that person."""
    own = sql.select(BLOCK.c.other).where(BLOCK.c.player == player)
    return set(connection.scalars(own.union(sql.select(BLOCK.c.player).where(BLOCK.c.other == player))))
