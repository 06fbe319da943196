"""Matches and the log of their moves: functions on a connection, for the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Connection, Row, case, delete, func, insert, select, update

from lastcard.server.schema import MATCH, MOVE, SEAT
from lastcard.server.store_rows import MatchRow, MoveRow

NOBODY: Final = "–"
"""Stands in matches for the name of a person whose data was deleted; the same in every language."""


def read_moves(connection: Connection, match: str, after: int) -> list[MoveRow]:
    """The rows of a match from a ply on, in order."""
    log = select(MOVE).where(MOVE.c.match == match, MOVE.c.ply >= after).order_by(MOVE.c.ply)
    return [MoveRow(*row) for row in connection.execute(log)]


def read_heads(connection: Connection, matches: Sequence[str]) -> dict[str, int]:
    """How many rows each match has."""
    last = select(func.max(MOVE.c.ply)).where(MOVE.c.match == MATCH.c.id).scalar_subquery()
    found = connection.execute(select(MATCH.c.id, last).where(MATCH.c.id.in_(matches)))
    return {match: 0 if ply is None else ply + 1 for match, ply in found}


def insert_match(connection: Connection, row: MatchRow) -> None:
    """A match with its seats."""
    values = asdict(row)
    seats = zip(values.pop("names"), values.pop("players"), values.pop("bots"), strict=True)
    values["table_code"] = values.pop("table")
    connection.execute(insert(MATCH).values(values))
    rows = [
        {"match": row.id, "seat": seat, "name": name, "player": player, "bot": bot}
        for seat, (name, player, bot) in enumerate(seats)
    ]
    connection.execute(insert(SEAT), rows)


def load_match(connection: Connection, match: str) -> MatchRow | None:
    """A match by its id."""
    found = _with_seats(connection, connection.execute(select(MATCH).where(MATCH.c.id == match)).all())
    return found[0] if found else None


def take_seat(connection: Connection, match: str, seat: int, player: str) -> None:
    """A bot's seat is a person's from now on; the name stays, as it does in the record."""
    of_bot = (SEAT.c.match == match, SEAT.c.seat == seat, SEAT.c.bot.is_not(None), SEAT.c.player.is_(None))
    connection.execute(update(SEAT).where(*of_bot).values(player=player))


def finish_match(connection: Connection, match: str, finished: int, winners: Sequence[int]) -> None:
    """The end of a match; it has only one."""
    unfinished = (MATCH.c.id == match, MATCH.c.finished.is_(None))
    connection.execute(update(MATCH).where(*unfinished).values(finished=finished, winners=list(winners)))


def matches_of(connection: Connection, player: str, limit: int) -> list[MatchRow]:
    """The matches a player has sat in, latest first."""
    own = select(SEAT.c.match).where(SEAT.c.player == player)
    latest = select(MATCH).where(MATCH.c.id.in_(own)).order_by(MATCH.c.started.desc(), MATCH.c.id).limit(limit)
    return _with_seats(connection, connection.execute(latest).all())


def delete_match_for(connection: Connection, player: str, match: str) -> bool:
    """Take a match from a player's own, name included; a finished one that is nobody's any more goes altogether.

    Returns:
        Whether it was the player's.
    """
    own = update(SEAT).where(SEAT.c.match == match, SEAT.c.player == player)
    name = case((SEAT.c.bot.is_(None), NOBODY), else_=SEAT.c.name)
    if not connection.execute(own.values(player=None, name=name)).rowcount:
        return False
    left = select(func.count()).where(SEAT.c.match == match, SEAT.c.player.is_not(None))
    finished = connection.scalar(select(MATCH.c.finished).where(MATCH.c.id == match))
    if finished is not None and not connection.scalar(left):
        delete_matches(connection, [match])
    return True


def delete_matches(connection: Connection, matches: Sequence[str]) -> None:
    """Matches with their seats and moves."""
    connection.execute(delete(MOVE).where(MOVE.c.match.in_(matches)))
    connection.execute(delete(SEAT).where(SEAT.c.match.in_(matches)))
    connection.execute(delete(MATCH).where(MATCH.c.id.in_(matches)))


def _with_seats(connection: Connection, matches: Sequence[Row[Any]]) -> list[MatchRow]:
    """Rows of matches put together with those of their seats."""
    of_these = SEAT.c.match.in_([row.id for row in matches])
    seats: dict[str, list[Row[Any]]] = {row.id: [] for row in matches}
    for seat in connection.execute(select(SEAT).where(of_these).order_by(SEAT.c.match, SEAT.c.seat)):
        seats[seat.match].append(seat)
    return [_match_row(row, seats[row.id]) for row in matches]


def _match_row(row: Row[Any], seats: Sequence[Row[Any]]) -> MatchRow:
    return MatchRow(
        id=row.id,
        table=row.table_code,
        rules=row.rules,
        names=tuple(seat.name for seat in seats),
        players=tuple(seat.player for seat in seats),
        bots=tuple(seat.bot for seat in seats),
        host=row.host,
        secret=row.secret,
        numbers=tuple(row.numbers),
        seed=row.seed,
        rule_cards=None if row.rule_cards is None else tuple(row.rule_cards),
        started=row.started,
        finished=row.finished,
        winners=None if row.winners is None else tuple(row.winners),
    )
