"""Matches at tables by the day: whose move is due when, when servers have run, and which matches are closed."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import sqlalchemy as sql

from lastcard.server.store.queries import dialect_insert, insert_for
from lastcard.server.store.rows import DayMatch, DayTurn
from lastcard.server.store.schema import DAY_TABLE, MATCH, SEAT, SERVICE

SERVICE_GAP_MS: Final = 180_000
"""Milliseconds without a sign of a server after which it counts as down."""
SERVICE_RETENTION_MS: Final = 90 * 24 * 3_600_000
"""How long times of service are stored; no turn lasts that long."""
MAX_LISTED: Final = 100
"""Maximum number of matches in one answer."""


def save_day_turn(connection: sql.Connection, code: str, turn: DayTurn | None) -> None:
    """Save whose turn it is at a table by the day; None if no match is played there. Moves cancel that it is closed."""
    if turn is None:
        connection.execute(sql.delete(DAY_TABLE).where(DAY_TABLE.c.code == code))
        return
    connection.execute(
        _replace_turn(connection.dialect.name), turn._asdict() | {"code": code, "notified": 0, "closes": 0}
    )


@cache
def _replace_turn(dialect: str) -> Any:
    """Return the statement that inserts a turn, or replaces that of the table."""
    row = insert_for(dialect, DAY_TABLE)
    new = row.excluded
    stays = sql.and_(DAY_TABLE.c.match == new.match, DAY_TABLE.c.moved == new.moved)
    changed: dict[str, Any] = {
        column.name: new[column.name] for column in DAY_TABLE.c if column.name not in ("code", "notified")
    }
    changed["closes"] = sql.case((stays, DAY_TABLE.c.closes), else_=0)
    return row.on_conflict_do_update(index_elements=["code"], set_=changed)


_ANY_DAY_TABLE: Final = sql.select(DAY_TABLE.c.code).limit(1)


def has_day_tables(connection: sql.Connection) -> bool:
    """Return whether there is a match at a table by the day."""
    return connection.scalar(_ANY_DAY_TABLE) is not None


def list_day_tables(connection: sql.Connection) -> list[str]:
    """Return the codes of all tables by the day with a match."""
    return list(connection.scalars(sql.select(DAY_TABLE.c.code).order_by(DAY_TABLE.c.code)))


_DUE: Final = (
    sql.select(DAY_TABLE.c.code)
    .where(DAY_TABLE.c.due <= sql.bindparam("now"))
    .order_by(DAY_TABLE.c.due)
    .limit(MAX_LISTED)
)


def list_due_tables(connection: sql.Connection, now: int) -> list[str]:
    """Return the codes of tables by the day where the server has to do something, those that wait longest first."""
    return list(connection.scalars(_DUE, {"now": now}))


def list_day_turns(connection: sql.Connection, player: str) -> list[DayMatch]:
    """Return the matches by the day in which a person is on turn, the next deadline first, those without one last."""
    own = sql.select(DAY_TABLE.c.code, MATCH.c.rules, DAY_TABLE.c.due, DAY_TABLE.c.closes).join(
        MATCH, MATCH.c.id == DAY_TABLE.c.match
    )
    order = (DAY_TABLE.c.due.is_(None), DAY_TABLE.c.due, DAY_TABLE.c.code)
    found = connection.execute(own.where(DAY_TABLE.c.player == player).order_by(*order).limit(MAX_LISTED))
    return [DayMatch(*row) for row in found]


# --- notifications ----------------------------------------------------------------------------------------


_UNNOTIFIED: Final = (
    sql.select(DAY_TABLE.c.code, DAY_TABLE.c.player, MATCH.c.rules, DAY_TABLE.c.began)
    .join(MATCH, MATCH.c.id == DAY_TABLE.c.match)
    .where(DAY_TABLE.c.player.is_not(None), DAY_TABLE.c.unseen <= sql.bindparam("unseen_before"))
    .where(DAY_TABLE.c.notified < DAY_TABLE.c.began)
    .order_by(DAY_TABLE.c.began)
    .limit(MAX_LISTED)
)


def claim_turn_notices(connection: sql.Connection, unseen_before: int) -> list[tuple[str, str, str]]:
    """Return code, player and rules of turns that nobody has been notified of, and mark them as notified.

    Args:
        unseen_before: the person on turn is not connected since that time (ms since 1970) or longer.
    """
    claimed = []
    for code, player, rules, began in connection.execute(_UNNOTIFIED, {"unseen_before": unseen_before}).all():
        mine = sql.update(DAY_TABLE).where(DAY_TABLE.c.code == code, DAY_TABLE.c.notified < began)
        if connection.execute(mine.values(notified=began)).rowcount:
            claimed.append((code, player, rules))
    return claimed


_UNMOVED: Final = (
    sql.select(DAY_TABLE.c.code, DAY_TABLE.c.match, MATCH.c.rules)
    .join(MATCH, MATCH.c.id == DAY_TABLE.c.match)
    .where(DAY_TABLE.c.moved <= sql.bindparam("moved_before"), DAY_TABLE.c.closes == 0)
    .limit(MAX_LISTED)
)


def claim_closing_notices(
    connection: sql.Connection, moved_before: int, closes: int
) -> list[tuple[str, tuple[str, ...], str]]:
    """Return code, players and rules of matches without a move since a time, and fix when they are closed.

    Args:
        moved_before: the time of the last move (ms since 1970) or later.
        closes: when they are closed, likewise.
    """
    claimed = []
    for code, match, rules in connection.execute(_UNMOVED, {"moved_before": moved_before}).all():
        mine = sql.update(DAY_TABLE).where(DAY_TABLE.c.code == code, DAY_TABLE.c.closes == 0)
        if connection.execute(mine.values(closes=closes)).rowcount:
            seated = sql.select(SEAT.c.player).where(SEAT.c.match == match, SEAT.c.player.is_not(None))
            claimed.append((code, tuple(connection.scalars(seated.order_by(SEAT.c.seat))), rules))
    return claimed


# --- times of service -------------------------------------------------------------------------------------


_FORGET_SERVICE: Final = sql.delete(SERVICE).where(SERVICE.c.seen < sql.bindparam("before"))
_GO_ON: Final = (
    sql.update(SERVICE)
    .where(SERVICE.c.began == sql.select(sql.func.max(SERVICE.c.began)).scalar_subquery())
    .where(SERVICE.c.seen >= sql.bindparam("lately"))
    .values(seen=sql.bindparam("now"))
)
_PERIODS: Final = sql.select(SERVICE.c.began, SERVICE.c.seen).order_by(SERVICE.c.began)


def note_service(connection: sql.Connection, now: int) -> list[tuple[int, int]]:
    """Save that a server runs if there are matches by the day; return the times in which servers have run."""
    if has_day_tables(connection):
        connection.execute(_FORGET_SERVICE, {"before": now - SERVICE_RETENTION_MS})
        if not connection.execute(_GO_ON, {"lately": now - SERVICE_GAP_MS, "now": now}).rowcount:
            begins = dialect_insert(connection, SERVICE).values(began=now, seen=now)
            connection.execute(begins.on_conflict_do_nothing())
    return [(began, seen) for began, seen in connection.execute(_PERIODS)]
