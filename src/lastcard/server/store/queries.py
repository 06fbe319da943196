"""Queries of the store, as functions on a connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite

from lastcard.server.store.rows import CallsRow, DailyResultRow, FindingRow, PastMatch, Player, Sitter, TableRow, now_ms
from lastcard.server.store.schema import (
    BROUGHT,
    CALLS,
    DAILY_RESULT,
    DAY_TABLE,
    DUPLICATE,
    DUPLICATE_TABLE,
    FINDING,
    HEIR,
    MATCH,
    MOVE,
    OPEN_TABLE,
    PLAYER,
    SEAT,
    TABLE,
    TOKEN,
)
from lastcard.session.match_rows import TAKE_BACK, MatchRow, MoveRow
from lastcard.session.table_state import NOBODY

_INSERT_HEIR: Final = sql.text(
    "INSERT INTO heir (match, seat, player) VALUES (:match, :seat, :player) ON CONFLICT DO NOTHING"
)
_INSERT_BROUGHT: Final = sql.text("INSERT INTO brought (match, player) VALUES (:match, :player) ON CONFLICT DO NOTHING")
_OWNED: Final = (SEAT, HEIR, BROUGHT)
"""Tables that say which matches are a player's own."""
_SAVE: Final = sql.update(TABLE).where(TABLE.c.code == sql.bindparam("at"), TABLE.c.rev == sql.bindparam("seen"))
"""Built once, because tables are saved many times a round."""
_TAKEN_BACK: Final = sql.exists().where(MOVE.c.match == MATCH.c.id, MOVE.c.action == TAKE_BACK)
"""Whether moves of a match were taken back."""
_BATCH_MATCHES: Final = 500
"""Maximum values in one query: PostgreSQL takes 65,535, SQLite at least 32,766."""


# --- matches and their moves ----------------------------------------------------------------------------


def read_moves(connection: sql.Connection, match: str, after: int = 0) -> list[MoveRow]:
    """Return the rows of a match from a ply on, in order."""
    log = sql.select(MOVE).where(MOVE.c.match == match, MOVE.c.ply >= after).order_by(MOVE.c.ply)
    return [MoveRow(*row) for row in connection.execute(log)]


def read_heads(connection: sql.Connection, matches: Sequence[str]) -> dict[str, int]:
    """Return the number of rows of each match; unknown matches are left out. It takes any number of matches."""
    last = sql.select(sql.func.max(MOVE.c.ply)).where(MOVE.c.match == MATCH.c.id).scalar_subquery()
    heads: dict[str, int] = {}
    for start in range(0, len(matches), _BATCH_MATCHES):
        piece = matches[start : start + _BATCH_MATCHES]
        found = connection.execute(sql.select(MATCH.c.id, last).where(MATCH.c.id.in_(piece)))
        heads |= {match: 0 if ply is None else ply + 1 for match, ply in found}
    return heads


def insert_match(connection: sql.Connection, row: MatchRow) -> None:
    """Insert a match with its seats."""
    values = asdict(row)
    del values["takeovers"], values["is_open"]  # added later
    seats = zip(values.pop("names"), values.pop("players"), values.pop("bots"), strict=True)
    values["table_code"] = values.pop("table")
    connection.execute(sql.insert(MATCH).values(values))
    rows = [
        {"match": row.id, "seat": seat, "name": name, "player": player, "bot": bot}
        for seat, (name, player, bot) in enumerate(seats)
    ]
    connection.execute(sql.insert(SEAT), rows)


def import_match(connection: sql.Connection, row: MatchRow, moves: Sequence[MoveRow]) -> None:
    """Insert a match that was played elsewhere, with its log, unless it exists."""
    if connection.scalar(sql.select(MATCH.c.id).where(MATCH.c.id == row.id)) is None:
        insert_match(connection, row)
        connection.execute(sql.insert(MOVE), [dict(zip(MOVE.c.keys(), move, strict=True)) for move in moves])


def import_match_for(
    connection: sql.Connection, row: MatchRow, moves: Sequence[MoveRow], player: str, most: int
) -> str | None:
    """Import a match for a player; return its id, or that of theirs with its seed, or None if they have ``most``."""
    own = sql.select(MATCH.c.id).where(MATCH.c.id.in_(ids_of(player)), MATCH.c.seed == row.seed)
    known = connection.scalar(own.where(MATCH.c.finished.is_not(None)))
    if known is not None:
        return str(known)
    brought = sql.select(sql.func.count()).select_from(BROUGHT).where(BROUGHT.c.player == player)
    if (connection.scalar(brought) or 0) >= most:
        return None
    import_match(connection, row, moves)
    connection.execute(_INSERT_BROUGHT, {"match": row.id, "player": player})
    return row.id


def load_match(connection: sql.Connection, match: str) -> MatchRow | None:
    """Return a match by its id."""
    found = load_matches(connection, sql.select(MATCH).where(MATCH.c.id == match))
    return found[0] if found else None


def load_matches(connection: sql.Connection, matches: sql.Select[Any]) -> list[MatchRow]:
    """Return the matches that a query finds."""
    return _with_seats(connection, connection.execute(matches).all())


def take_seat(connection: sql.Connection, match: str, seat: int, player: str) -> None:
    """Record that a person takes over a seat (``MatchRow.with_takeover``). The name stays, as in the record. A
    second call changes nothing.
    """
    here = (SEAT.c.match == match, SEAT.c.seat == seat)
    of_bot = sql.update(SEAT).where(*here, SEAT.c.bot.is_not(None), SEAT.c.player.is_(None)).values(player=player)
    if not connection.execute(of_bot).rowcount and connection.scalar(sql.select(SEAT.c.player).where(*here)) != player:
        connection.execute(_INSERT_HEIR, {"match": match, "seat": seat, "player": player})


def finish_match(connection: sql.Connection, match: str, finished: int, winners: Sequence[int]) -> None:
    """Record the end of a match, unless it has one."""
    unfinished = (MATCH.c.id == match, MATCH.c.finished.is_(None))
    connection.execute(sql.update(MATCH).where(*unfinished).values(finished=finished, winners=list(winners)))


def matches_of(connection: sql.Connection, player: str, limit: int) -> list[MatchRow]:
    """Return the matches that a player sat in or imported, latest first; no lessons."""
    latest = (
        sql.select(MATCH)
        .where(MATCH.c.id.in_(ids_of(player)), MATCH.c.position.is_(None))
        .order_by(MATCH.c.started.desc(), MATCH.c.id)
        .limit(limit)
    )
    return load_matches(connection, latest)


def taken_back(connection: sql.Connection, matches: Sequence[str]) -> set[str]:
    """Return the ids of those among these matches in which moves were taken back."""
    theirs = sql.select(MATCH.c.id).where(MATCH.c.id.in_(matches), _TAKEN_BACK)
    return set(connection.scalars(theirs))


def finished_matches(connection: sql.Connection, after: str, limit: int) -> list[MatchRow]:
    """Return finished matches by id after a given one; no lessons."""
    over = (MATCH.c.finished.is_not(None), MATCH.c.position.is_(None), MATCH.c.id > after)
    return load_matches(connection, sql.select(MATCH).where(*over).order_by(MATCH.c.id).limit(limit))


def ids_of(player: str) -> sql.CompoundSelect[str]:
    """Return a query for the ids of a player's own matches."""
    return sql.union(*(sql.select(table.c.match).where(table.c.player == player) for table in _OWNED))


def delete_match_for(connection: sql.Connection, player: str, match: str) -> bool:
    """Remove a match and its name from a player's own; return whether it was. Delete a finished one without owners."""
    own = sql.update(SEAT).where(SEAT.c.match == match, SEAT.c.player == player)
    name = sql.case((SEAT.c.bot.is_(None), NOBODY), else_=SEAT.c.name)
    others = (sql.delete(table).where(table.c.match == match, table.c.player == player) for table in (HEIR, BROUGHT))
    changes = (own.values(player=None, name=name), *others)
    if not sum(connection.execute(change).rowcount for change in changes):
        return False
    owners = sql.union_all(*(sql.select(table.c.player).where(table.c.match == match) for table in _OWNED)).subquery()
    finished = connection.scalar(
        sql.select(MATCH.c.finished).where(MATCH.c.id == match, MATCH.c.duplicate.is_(None))  # an archive needs them
    )
    if finished is not None and not connection.scalar(sql.select(sql.func.count(owners.c.player))):
        delete_matches(connection, [match])
    return True


def delete_matches(connection: sql.Connection, matches: Sequence[str]) -> None:
    """Delete matches with their seats and moves."""
    for table in (MOVE, HEIR, BROUGHT, CALLS, FINDING, DAILY_RESULT, SEAT):
        connection.execute(sql.delete(table).where(table.c.match.in_(matches)))
    connection.execute(sql.delete(MATCH).where(MATCH.c.id.in_(matches)))


def _with_seats(connection: sql.Connection, matches: Sequence[sql.Row[Any]]) -> list[MatchRow]:
    """Return rows of matches combined with their seats."""
    ids = [row.id for row in matches]
    unfinished = (
        DUPLICATE.c.code.in_({row.duplicate for row in matches if row.duplicate}),
        DUPLICATE.c.finished.is_(None),
    )
    still_open = set(connection.scalars(sql.select(DUPLICATE.c.code).where(*unfinished))) if matches else set()
    seats, heirs = (_by_match(connection, table, ids) for table in (SEAT, HEIR))
    return [
        MatchRow(
            id=row.id,
            table=row.table_code,
            rules=row.rules,
            names=tuple(seat.name for seat in seats[row.id]),
            players=tuple(seat.player for seat in seats[row.id]),
            bots=tuple(seat.bot for seat in seats[row.id]),
            host=row.host,
            secret=row.secret,
            numbers=tuple(row.numbers),
            seed=row.seed,
            rule_cards=None if row.rule_cards is None else tuple(row.rule_cards),
            started=row.started,
            finished=row.finished,
            winners=None if row.winners is None else tuple(row.winners),
            position=row.position,
            takeovers=tuple((heir.seat, heir.player) for heir in heirs[row.id]),
            daily=row.daily,
            duplicate=row.duplicate,
            deal=row.deal or 0,
            is_open=row.duplicate in still_open,
        )
        for row in matches
    ]


def _by_match(connection: sql.Connection, table: sql.Table, matches: Sequence[str]) -> dict[str, list[Any]]:
    """Return the rows of a table for each match, by seat."""
    rows: dict[str, list[Any]] = {match: [] for match in matches}
    for row in connection.execute(sql.select(table).where(table.c.match.in_(matches)).order_by(*table.primary_key)):
        rows[row.match].append(row)
    return rows


# --- statistics -----------------------------------------------------------------------------------------


def past_matches(connection: sql.Connection, players: Sequence[str], least: int, limit: int) -> list[PastMatch]:
    """Return won matches in which ``least`` or more of these persons sat, latest first.

    There are no lessons, none with take-backs, none in which one of them had two seats (by profiles that were merged
    later). A person who took over another person's seat is not counted.
    """
    theirs = (
        sql.select(SEAT.c.match)
        .where(SEAT.c.player.in_(players))
        .group_by(SEAT.c.match)
        .having(sql.func.count() >= least, sql.func.count() == sql.func.count(SEAT.c.player.distinct()))
    )
    latest = (
        sql.select(MATCH.c.id, MATCH.c.rules, MATCH.c.finished, MATCH.c.winners)
        .where(MATCH.c.id.in_(theirs), MATCH.c.finished.is_not(None), MATCH.c.position.is_(None), ~_TAKEN_BACK)
        .where(MATCH.c.winners.is_not(sql.null()))  # otherwise it was abandoned
        .order_by(MATCH.c.finished.desc(), MATCH.c.id)
        .limit(limit)
    )
    matches = connection.execute(latest).all()
    chosen = latest.with_only_columns(MATCH.c.id).subquery()
    seats = (
        sql.select(SEAT.c.match, SEAT.c.seat, SEAT.c.player, PLAYER.c.name, PLAYER.c.shown)
        .join(chosen, chosen.c.id == SEAT.c.match)
        .outerjoin(PLAYER, PLAYER.c.id == SEAT.c.player)
        .order_by(SEAT.c.match, SEAT.c.seat)
    )
    sitters: dict[str, list[Sitter]] = {row.id: [] for row in matches}
    for match, *sitter in connection.execute(seats):
        sitters[match].append(Sitter(*sitter))
    calls, findings = (_by_match(connection, table, [*sitters]) for table in (CALLS, FINDING))
    return [
        PastMatch(
            id=row.id,
            rules=row.rules,
            finished=row.finished,
            winners=tuple(row.winners or ()),
            sitters=tuple(sitters[row.id]),
            calls=tuple(CallsRow(*counted) for counted in calls[row.id]),
            findings=tuple(FindingRow(*found) for found in findings[row.id]),
        )
        for row in matches
    ]


def save_calls(connection: sql.Connection, rows: Sequence[CallsRow]) -> None:
    """Save counts of calls that are new, for matches that still exist."""
    insert_for_matches(connection, CALLS, rows)


def save_findings(connection: sql.Connection, rows: Sequence[FindingRow]) -> None:
    """Save findings of reports that are new, for matches that still exist."""
    insert_for_matches(connection, FINDING, rows)


def insert_for_matches(
    connection: sql.Connection, table: sql.Table, rows: Sequence[CallsRow | FindingRow | DailyResultRow]
) -> None:
    """Insert rows that are new, of matches that still exist."""
    names = table.c.keys()
    values = sql.select(*(sql.bindparam(name, type_=table.c[name].type) for name in names)).where(
        sql.exists().where(MATCH.c.id == sql.bindparam("match"))
    )
    insert = dialect_insert(connection, table).from_select(names, values).on_conflict_do_nothing()
    for row in rows:
        connection.execute(insert, row._asdict())


def dialect_insert(connection: sql.Connection, table: sql.Table) -> postgresql.Insert | sqlite.Insert:
    """Return an INSERT of the connection's kind of database, which can ignore rows whose keys exist."""
    return insert_for(connection.dialect.name, table)


def insert_for(dialect: str, table: sql.Table) -> postgresql.Insert | sqlite.Insert:
    """Return such an INSERT for the name of a dialect."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


# --- tables ---------------------------------------------------------------------------------------------


def create_table(connection: sql.Connection, code: str, doc: bytes) -> bool:
    """Insert a table at revision 1; return False if the code is taken."""
    if load_table(connection, code) is not None:
        return False
    connection.execute(sql.insert(TABLE).values(code=code, rev=1, doc=doc, touched=now_ms()))
    return True


_TABLE_OF_CODE: Final = sql.select(TABLE).where(TABLE.c.code == sql.bindparam("code"))


def load_table(connection: sql.Connection, code: str) -> TableRow | None:
    """Return a table by its code."""
    found = connection.execute(_TABLE_OF_CODE, {"code": code}).one_or_none()
    return TableRow(*found) if found else None


def save_table(connection: sql.Connection, code: str, rev: int, doc: bytes) -> int | None:
    """Save a table if its revision is the expected one; return the new one, or None if somebody else was first."""
    values = {"at": code, "seen": rev, "rev": rev + 1, "doc": doc, "touched": now_ms()}
    return rev + 1 if connection.execute(_SAVE, values).rowcount else None


def create_match(connection: sql.Connection, row: MatchRow, rev: int, doc: bytes) -> int | None:
    """Insert a match and save its table; return the revision, or None and save nothing if somebody was first."""
    revision = save_table(connection, row.table, rev, doc)
    if revision is not None:
        insert_match(connection, row)
        connection.execute(sql.delete(OPEN_TABLE).where(OPEN_TABLE.c.code == row.table))
    return revision


def tables_of(connection: sql.Connection, player: str) -> list[str]:
    """Return the codes of tables whose state contains a player's id.

    The database searches all tables, which blocks no other thread of this process.
    """
    wanted = sql.literal(player.encode(), sql.LargeBinary)
    if connection.dialect.name == "postgresql":
        position = sql.func.position(wanted.op("IN")(TABLE.c.doc))
    else:
        position = sql.func.instr(TABLE.c.doc, wanted)
    return list(connection.scalars(sql.select(TABLE.c.code).where(position > 0)))


def count_tables(connection: sql.Connection) -> tuple[int, int]:
    """Return the number of tables, and the latest time at which one was saved. It ignores a table with a time in the
    future.
    """
    last = sql.func.max(TABLE.c.touched).filter(TABLE.c.touched <= now_ms())
    row = connection.execute(sql.select(sql.func.count(), last).select_from(TABLE)).one()
    return row[0], row[1] or 0


def touch_tables(connection: sql.Connection, codes: Sequence[str]) -> None:
    """Mark tables as in use."""
    connection.execute(
        sql.update(TABLE).where(TABLE.c.code == sql.bindparam("at")).values(touched=now_ms()),
        [{"at": code} for code in codes],
    )


def sweep(connection: sql.Connection, before: int, most: int) -> int:
    """Delete tables idle since a time in milliseconds since 1970; return their number. Their unfinished matches end
    without winners if they have moves and an owner; the others are deleted. A match by the day is closed this way only
    after a notice that said when.

    Args:
        most: maximum number of tables to delete, oldest first, because others cannot write meanwhile.
    """
    open_here = (MATCH.c.table_code == TABLE.c.code, MATCH.c.finished.is_(None))
    moved = sql.exists().where(*open_here, MOVE.c.match == MATCH.c.id, MOVE.c.at >= before)
    by_day = sql.exists().where(DAY_TABLE.c.code == TABLE.c.code)
    closes = by_day.where(DAY_TABLE.c.closes.between(1, now_ms()))
    idle = sql.and_(TABLE.c.touched < before, ~moved, ~by_day)
    abandoned = sql.select(TABLE.c.code).where(sql.or_(idle, closes))
    abandoned = abandoned.order_by(TABLE.c.touched).limit(most)
    codes = connection.scalars(abandoned).all()
    if not codes:
        return 0
    unfinished = (MATCH.c.table_code.in_(codes), MATCH.c.finished.is_(None))
    owned = [sql.exists().where(table.c.match == MATCH.c.id, table.c.player.is_not(None)) for table in (SEAT, HEIR)]
    played = (MATCH.c.position.is_(None), sql.exists().where(MOVE.c.match == MATCH.c.id), sql.or_(*owned))
    connection.execute(sql.update(MATCH).where(*unfinished, *played).values(finished=now_ms()))
    delete_matches(connection, connection.scalars(sql.select(MATCH.c.id).where(*unfinished)).all())
    for table in (TABLE, DAY_TABLE):
        connection.execute(sql.delete(table).where(table.c.code.in_(codes)))
    theirs = sql.select(DUPLICATE_TABLE.c.duplicate).where(DUPLICATE_TABLE.c.table_code.in_(codes))
    ended = sql.update(DUPLICATE).where(DUPLICATE.c.code.in_(theirs), DUPLICATE.c.finished.is_(None))
    connection.execute(ended.values(finished=now_ms()))
    return len(codes)


def sweep_matches(connection: sql.Connection, before: int, most: int) -> int:
    """Delete the oldest matches, up to ``most``, that ended before a time (ms since 1970); return how many."""
    old = sql.select(MATCH.c.id).where(MATCH.c.finished < before).order_by(MATCH.c.finished).limit(most)
    matches = connection.scalars(old).all()
    delete_matches(connection, matches)
    return len(matches)


def count_finished(connection: sql.Connection) -> int:
    """Return the number of finished matches."""
    return connection.scalar(sql.select(sql.func.count()).where(MATCH.c.finished.is_not(None))) or 0


# --- players and tokens ---------------------------------------------------------------------------------


def create_player(connection: sql.Connection, player: Player, token_hash: str) -> None:
    """Insert a player with a token."""
    connection.execute(sql.insert(PLAYER).values(asdict(player)))
    connection.execute(sql.insert(TOKEN).values(hash=token_hash, player=player.id))


def save_player(connection: sql.Connection, player: Player) -> None:
    """Save a player's name, language or wish."""
    connection.execute(sql.update(PLAYER).where(PLAYER.c.id == player.id).values(asdict(player)))


def load_player(connection: sql.Connection, player: str) -> Player | None:
    """Return a player by their id."""
    found = connection.execute(sql.select(PLAYER).where(PLAYER.c.id == player)).one_or_none()
    return Player(*found) if found else None


_PLAYER_OF_TOKEN: Final = (
    sql.select(PLAYER).join(TOKEN, TOKEN.c.player == PLAYER.c.id).where(TOKEN.c.hash == sql.bindparam("hash"))
)


def player_by_token(connection: sql.Connection, token_hash: str) -> Player | None:
    """Return the player of a token."""
    found = connection.execute(_PLAYER_OF_TOKEN, {"hash": token_hash}).one_or_none()
    return Player(*found) if found else None


def add_token(connection: sql.Connection, player: str, token_hash: str) -> None:
    """Add a token of a player, if the player still exists."""
    if connection.scalar(sql.select(PLAYER.c.id).where(PLAYER.c.id == player)) is not None:
        connection.execute(sql.insert(TOKEN).values(hash=token_hash, player=player))


def revoke_token(connection: sql.Connection, token_hash: str) -> None:
    """Delete a token."""
    connection.execute(sql.delete(TOKEN).where(TOKEN.c.hash == token_hash))


def renew_token(connection: sql.Connection, player: str, token_hash: str) -> None:
    """Replace all tokens of a player with a new one."""
    connection.execute(sql.delete(TOKEN).where(TOKEN.c.player == player))
    connection.execute(sql.insert(TOKEN).values(hash=token_hash, player=player))
