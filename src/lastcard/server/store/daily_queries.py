"""Queries about daily deals, as functions on a connection. A day is written as in ``2026-11-30``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from typing import Any

import sqlalchemy as sql

from lastcard.game.daily_deal import PERSON_SEAT
from lastcard.server.store.queries import dialect_insert, insert_for_matches
from lastcard.server.store.rows import DailyResultRow, DailyStanding, DailyTryRow
from lastcard.server.store.schema import DAILY_DEAL, DAILY_RESULT, DAILY_TRY, FINDING, MATCH, PLAYER, SEAT


def daily_secret(connection: sql.Connection, day: str, game: str, fresh: bytes) -> bytes:
    """Return the secret of a day's deal; the first caller's ``fresh`` one becomes it."""
    _insert_new(connection, DAILY_DEAL, {"day": day, "game": game, "secret": fresh})
    return find_daily_secret(connection, day, game) or fresh


def find_daily_secret(connection: sql.Connection, day: str, game: str) -> bytes | None:
    """Return the secret of a day's deal; None if nobody has played it."""
    secret = sql.select(DAILY_DEAL.c.secret).where(DAILY_DEAL.c.day == day, DAILY_DEAL.c.game == game)
    return connection.scalar(secret)


def find_daily_try(connection: sql.Connection, day: str, game: str, player: str) -> str | None:
    """Return the code of the table of a person's try; None before it."""
    mine = (DAILY_TRY.c.day == day, DAILY_TRY.c.game == game, DAILY_TRY.c.player == player)
    return connection.scalar(sql.select(DAILY_TRY.c.table_code).where(*mine))


def begin_daily_try(connection: sql.Connection, day: str, game: str, player: str, code: str) -> str:
    """Save at which table a person tries a deal; return the code of the table that counts, which is the first."""
    _insert_new(connection, DAILY_TRY, {"day": day, "game": game, "player": player, "table_code": code})
    return find_daily_try(connection, day, game, player) or code


def daily_tries(connection: sql.Connection, player: str) -> list[DailyTryRow]:
    """Return a person's tries, latest first."""
    tries = (
        sql.select(DAILY_TRY.c.day, DAILY_TRY.c.game, DAILY_TRY.c.table_code, MATCH.c.winners)
        .outerjoin(MATCH, (MATCH.c.table_code == DAILY_TRY.c.table_code) & (MATCH.c.daily == DAILY_TRY.c.day))
        .where(DAILY_TRY.c.player == player)
        .order_by(DAILY_TRY.c.day.desc(), DAILY_TRY.c.game)
    )
    return list(starmap(DailyTryRow, connection.execute(tries)))


def uncounted_dailies(connection: sql.Connection, day: str, limit: int) -> list[str]:
    """Return the ids of finished matches of a day's deals whose results are not saved yet."""
    counted = sql.exists().where(DAILY_RESULT.c.match == MATCH.c.id)
    waiting = sql.select(MATCH.c.id).where(MATCH.c.daily == day, MATCH.c.winners.is_not(sql.null()), ~counted)
    return list(connection.scalars(waiting.order_by(MATCH.c.finished).limit(limit)))


def save_daily_results(connection: sql.Connection, rows: Sequence[DailyResultRow]) -> None:
    """Save results that are new, for matches that still exist."""
    insert_for_matches(connection, DAILY_RESULT, rows)


def daily_standings(
    connection: sql.Connection, day: str, game: str, player: str | None, limit: int
) -> list[DailyStanding]:
    """Return the best saved results of a day's deal of a game, and a person's own, by place.

    Wins come first, then fewest points left, then fewest moves; equal results share a place.
    """
    result = (DAILY_RESULT.c.cards == 0).desc(), DAILY_RESULT.c.points, DAILY_RESULT.c.moves
    ranked = (
        sql.select(
            MATCH.c.id.label("match"),
            SEAT.c.player,
            PLAYER.c.name,
            PLAYER.c.shown,
            MATCH.c.finished,
            MATCH.c.winners,
            DAILY_RESULT.c.points,
            DAILY_RESULT.c.moves,
            FINDING.c.luck,
            sql.func.rank().over(order_by=result).label("place"),
            sql.func.count().over().label("players"),
            sql.func.row_number().over(order_by=(*result, MATCH.c.finished, MATCH.c.id)).label("line"),
        )
        .join(DAILY_RESULT, DAILY_RESULT.c.match == MATCH.c.id)
        .join(DAILY_TRY, (DAILY_TRY.c.table_code == MATCH.c.table_code) & (DAILY_TRY.c.day == MATCH.c.daily))
        .join(SEAT, (SEAT.c.match == MATCH.c.id) & (SEAT.c.seat == PERSON_SEAT))
        .outerjoin(PLAYER, PLAYER.c.id == SEAT.c.player)
        .outerjoin(FINDING, (FINDING.c.match == MATCH.c.id) & (FINDING.c.seat == PERSON_SEAT))
        .where(MATCH.c.daily == day, DAILY_TRY.c.game == game)
        .subquery()
    )
    columns = [column for column in ranked.c if column is not ranked.c.line]
    shown = sql.select(*columns).where((ranked.c.line <= limit) | (ranked.c.player == player)).order_by(ranked.c.line)
    return list(starmap(DailyStanding, connection.execute(shown)))


def _insert_new(connection: sql.Connection, table: sql.Table, values: dict[str, Any]) -> None:
    """Insert a row unless its key exists."""
    connection.execute(dialect_insert(connection, table).values(values).on_conflict_do_nothing())
