"""All that is stored about one person: what of it is theirs alone, its merging with another profile, and its deletion.

A new table with data of one person belongs into ``OWN_TABLES``; then it is exported, merged and deleted with the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sql

from lastcard.server.store.queries import delete_match_for, ids_of
from lastcard.server.store.rows import now_ms
from lastcard.server.store.schema import (
    BAN,
    BLOCK,
    BROUGHT,
    COMPLAINT,
    DAILY_TRY,
    DAY_TABLE,
    DEPARTURE,
    DUPLICATE,
    DUPLICATE_PLAYER,
    HEIR,
    MATCH,
    NOTIFICATION_ADDRESS,
    ONE_TIME,
    PASSKEY,
    PLAYER,
    SEAT,
    TOKEN,
)

OWN_TABLES: Final = (DAILY_TRY, DEPARTURE, DUPLICATE_PLAYER, TOKEN, ONE_TIME, PASSKEY, NOTIFICATION_ADDRESS)
"""Tables whose rows belong to one person, whose id is in the column ``player``."""
_SHARED: Final = (
    *(SEAT.c.player, HEIR.c.player, BROUGHT.c.player, DUPLICATE.c.host),
    *(BLOCK.c.player, BLOCK.c.other, COMPLAINT.c.player, COMPLAINT.c.by, BAN.c.player, DAY_TABLE.c.player),
)
"""Other columns with the id of a person."""


# --- secrets that are used once ---------------------------------------------------------------------------


def add_one_time(
    connection: sql.Connection, secret_hash: str, purpose: str, player: str | None, until: int, most: int
) -> None:
    """Save the hash of a secret that is valid once, until a time (ms since 1970), and delete expired ones.

    Args:
        player: the person whose secret it is; None for anybody's.
        most: maximum number of secrets of a person for a purpose; beyond it, the oldest are deleted.
    """
    connection.execute(sql.delete(ONE_TIME).where(ONE_TIME.c.until < now_ms()))
    same = (ONE_TIME.c.purpose == purpose, ONE_TIME.c.player == player)
    newest = sql.select(ONE_TIME.c.hash).where(*same).order_by(ONE_TIME.c.until.desc()).limit(most - 1)
    connection.execute(sql.delete(ONE_TIME).where(*same, ONE_TIME.c.hash.not_in(newest)))
    connection.execute(sql.insert(ONE_TIME).values(hash=secret_hash, purpose=purpose, player=player, until=until))


def find_one_time(connection: sql.Connection, secret_hash: str, purpose: str) -> str | None:
    """Return the id of the person whose secret it is; None if it is not valid."""
    valid = (ONE_TIME.c.hash == secret_hash, ONE_TIME.c.purpose == purpose, ONE_TIME.c.until >= now_ms())
    return connection.scalar(sql.select(ONE_TIME.c.player).where(*valid))


def use_one_time(connection: sql.Connection, secret_hash: str, purpose: str) -> bool:
    """Delete a secret; return whether it was valid."""
    valid = (ONE_TIME.c.hash == secret_hash, ONE_TIME.c.purpose == purpose, ONE_TIME.c.until >= now_ms())
    return bool(connection.execute(sql.delete(ONE_TIME).where(*valid)).rowcount)


# --- two profiles of one person ---------------------------------------------------------------------------


def count_own_matches(connection: sql.Connection, player: str) -> int:
    """Return the number of a person's own matches; no lessons."""
    own = sql.select(sql.func.count()).where(MATCH.c.id.in_(ids_of(player)), MATCH.c.position.is_(None))
    return connection.scalar(own) or 0


def shares_duplicate(connection: sql.Connection, player: str, other: str) -> bool:
    """Return whether two persons have different tables in an unfinished duplicate match."""
    mine, theirs = DUPLICATE_PLAYER.alias(), DUPLICATE_PLAYER.alias()
    both = (
        sql.select(mine.c.duplicate)
        .join(theirs, theirs.c.duplicate == mine.c.duplicate)
        .join(DUPLICATE, DUPLICATE.c.code == mine.c.duplicate)
        .where(mine.c.player == player, theirs.c.player == other, mine.c.table_code != theirs.c.table_code)
        .where(DUPLICATE.c.finished.is_(None))
    )
    return connection.execute(both.limit(1)).first() is not None


def merge_players(connection: sql.Connection, player: str, into: str) -> bool:
    """Give all that a person has to another profile of theirs, and delete the first; return whether both existed.

    Of two tries at one daily deal the earlier one counts. Another worker that joins one of the two at the same instant
    waits for this transaction, and then finds one profile less.
    """
    both = sql.select(PLAYER.c.id).where(PLAYER.c.id.in_([player, into])).order_by(PLAYER.c.id).with_for_update()
    if len(connection.scalars(both).all()) != 2:
        return False
    _drop_later_tries(connection, [player, into])
    connection.execute(sql.delete(ONE_TIME).where(ONE_TIME.c.player.in_([player, into])))
    for column in (*_SHARED, *(table.c.player for table in OWN_TABLES)):
        _move(connection, column, player, into)
    connection.execute(sql.delete(BLOCK).where(BLOCK.c.player == BLOCK.c.other))
    owned = sql.exists().where(SEAT.c.match == HEIR.c.match, SEAT.c.seat == HEIR.c.seat, SEAT.c.player == into)
    connection.execute(sql.delete(HEIR).where(HEIR.c.player == into, owned))
    connection.execute(sql.delete(PLAYER).where(PLAYER.c.id == player))
    return True


def _move(connection: sql.Connection, column: sql.Column[str], player: str, into: str) -> None:
    """Replace the id of a person in a column; a row that the other profile has already is deleted."""
    table = column.table
    assert isinstance(table, sql.Table)
    if column.primary_key:
        twin = table.alias()
        rest = (twin.c[key.name] == key for key in table.primary_key if key is not column)
        known = sql.exists().where(twin.c[column.name] == into, *rest)
        connection.execute(sql.delete(table).where(column == player, known))
    connection.execute(sql.update(table).where(column == player).values({column.name: into}))


def _drop_later_tries(connection: sql.Connection, players: Sequence[str]) -> None:
    """Of the tries of two profiles at one daily deal, delete the later one; its match stays."""
    tries = (
        sql.select(DAILY_TRY)
        .outerjoin(MATCH, (MATCH.c.table_code == DAILY_TRY.c.table_code) & (MATCH.c.daily == DAILY_TRY.c.day))
        .where(DAILY_TRY.c.player.in_(players))
        .order_by(MATCH.c.started.is_(None), MATCH.c.started)
    )
    first: set[tuple[str, str]] = set()
    for day, game, player, _ in connection.execute(tries).all():
        if (day, game) in first:
            later = (DAILY_TRY.c.day == day, DAILY_TRY.c.game == game, DAILY_TRY.c.player == player)
            connection.execute(sql.delete(DAILY_TRY).where(*later))
        first.add((day, game))


# --- deletion ---------------------------------------------------------------------------------------------


def delete_player(connection: sql.Connection, player: str) -> None:
    """Delete all data of a person: tokens, account, the name in matches, complaints and blocks by or about them. Other
    players still have their matches.
    """
    for match in connection.scalars(ids_of(player)).all():
        delete_match_for(connection, player, match)
    connection.execute(sql.delete(COMPLAINT).where(sql.or_(COMPLAINT.c.player == player, COMPLAINT.c.by == player)))
    connection.execute(sql.delete(BAN).where(BAN.c.player == player))
    connection.execute(sql.update(DUPLICATE).where(DUPLICATE.c.host == player).values(host=""))
    connection.execute(sql.delete(BLOCK).where(sql.or_(BLOCK.c.player == player, BLOCK.c.other == player)))
    connection.execute(sql.update(DAY_TABLE).where(DAY_TABLE.c.player == player).values(player=None))
    for table in OWN_TABLES:
        connection.execute(sql.delete(table).where(table.c.player == player))
    connection.execute(sql.delete(PLAYER).where(PLAYER.c.id == player))
