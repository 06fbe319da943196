"""What is asked of the database and written into it: functions on a connection, for the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite

from lastcard.server.store.rows import (
    NOBODY,
    TAKE_BACK,
    CallsRow,
    FindingRow,
    MatchRow,
    MoveRow,
    PastMatch,
    Player,
    Sitter,
    TableRow,
    now_ms,
)
from lastcard.server.store.schema import (
    BAN,
    BROUGHT,
    CALLS,
    COMPLAINT,
    FINDING,
    HEIR,
    MATCH,
    MOVE,
    PLAYER,
    SEAT,
    TABLE,
    TOKEN,
)

_INHERIT: Final = sql.text(
    "INSERT INTO heir (match, seat, player) VALUES (:match, :seat, :player) ON CONFLICT DO NOTHING"
)
_BRING: Final = sql.text("INSERT INTO brought (match, player) VALUES (:match, :player) ON CONFLICT DO NOTHING")
_OWNED: Final = (SEAT, HEIR, BROUGHT)
"""Tables in which stands whose matches are."""
_SAVE: Final = sql.update(TABLE).where(TABLE.c.code == sql.bindparam("at"), TABLE.c.rev == sql.bindparam("seen"))
"""Put together once: tables are saved many times a round."""
_TAKEN_BACK: Final = sql.exists().where(MOVE.c.match == MATCH.c.id, MOVE.c.action == TAKE_BACK)
"""Whether moves of a match were taken back."""
_AT_ONCE: Final = 500
"""How long a list of values may be in one question: PostgreSQL takes 65,535, SQLite at least 32,766."""


# --- matches and their moves ----------------------------------------------------------------------------


def read_moves(connection: sql.Connection, match: str, after: int = 0) -> list[MoveRow]:
    """The rows of a match from a ply on, in order."""
    log = sql.select(MOVE).where(MOVE.c.match == match, MOVE.c.ply >= after).order_by(MOVE.c.ply)
    return [MoveRow(*row) for row in connection.execute(log)]


def read_heads(connection: sql.Connection, matches: Sequence[str]) -> dict[str, int]:
    """How many rows each match has; those that are not here are left out. Of any number of matches."""
    last = sql.select(sql.func.max(MOVE.c.ply)).where(MOVE.c.match == MATCH.c.id).scalar_subquery()
    heads: dict[str, int] = {}
    for start in range(0, len(matches), _AT_ONCE):
        piece = matches[start : start + _AT_ONCE]
        found = connection.execute(sql.select(MATCH.c.id, last).where(MATCH.c.id.in_(piece)))
        heads |= {match: 0 if ply is None else ply + 1 for match, ply in found}
    return heads


def insert_match(connection: sql.Connection, row: MatchRow) -> None:
    """A match with its seats."""
    values = asdict(row)
    del values["heirs"]  # they come later
    seats = zip(values.pop("names"), values.pop("players"), values.pop("bots"), strict=True)
    values["table_code"] = values.pop("table")
    connection.execute(sql.insert(MATCH).values(values))
    rows = [
        {"match": row.id, "seat": seat, "name": name, "player": player, "bot": bot}
        for seat, (name, player, bot) in enumerate(seats)
    ]
    connection.execute(sql.insert(SEAT), rows)


def keep_match(connection: sql.Connection, row: MatchRow, moves: Sequence[MoveRow]) -> None:
    """A match that was played elsewhere, with its log; nothing where it is here already."""
    if connection.scalar(sql.select(MATCH.c.id).where(MATCH.c.id == row.id)) is None:
        insert_match(connection, row)
        connection.execute(sql.insert(MOVE), [dict(zip(MOVE.c.keys(), move, strict=True)) for move in moves])


def bring_match(
    connection: sql.Connection, row: MatchRow, moves: Sequence[MoveRow], player: str, most: int
) -> str | None:
    """A match that was played elsewhere is one of a player's own; one with the same seed that is already stays alone.

    Args:
        connection: to write to.
        row: the match.
        moves: its log.
        player: whose it is to be.
        most: how many matches a player may bring in.

    Returns:
        The id under which the player has it; None where there are too many.
    """
    own = sql.select(MATCH.c.id).where(MATCH.c.id.in_(ids_of(player)), MATCH.c.seed == row.seed)
    known = connection.scalar(own.where(MATCH.c.finished.is_not(None)))
    if known is not None:
        return str(known)
    brought = sql.select(sql.func.count()).select_from(BROUGHT).where(BROUGHT.c.player == player)
    if (connection.scalar(brought) or 0) >= most:
        return None
    keep_match(connection, row, moves)
    connection.execute(_BRING, {"match": row.id, "player": player})
    return row.id


def load_match(connection: sql.Connection, match: str) -> MatchRow | None:
    """A match by its id."""
    found = _with_seats(connection, connection.execute(sql.select(MATCH).where(MATCH.c.id == match)).all())
    return found[0] if found else None


def take_seat(connection: sql.Connection, match: str, seat: int, player: str) -> None:
    """A person takes over a seat (``MatchRow.with_heir``); the name stays, as in the record. Twice changes nothing."""
    here = (SEAT.c.match == match, SEAT.c.seat == seat)
    of_bot = sql.update(SEAT).where(*here, SEAT.c.bot.is_not(None), SEAT.c.player.is_(None)).values(player=player)
    if not connection.execute(of_bot).rowcount and connection.scalar(sql.select(SEAT.c.player).where(*here)) != player:
        connection.execute(_INHERIT, {"match": match, "seat": seat, "player": player})


def finish_match(connection: sql.Connection, match: str, finished: int, winners: Sequence[int]) -> None:
    """The end of a match; it has only one."""
    unfinished = (MATCH.c.id == match, MATCH.c.finished.is_(None))
    connection.execute(sql.update(MATCH).where(*unfinished).values(finished=finished, winners=list(winners)))


def matches_of(connection: sql.Connection, player: str, limit: int) -> list[MatchRow]:
    """The matches a player has sat in or brought in, latest first; no lessons."""
    latest = (
        sql.select(MATCH)
        .where(MATCH.c.id.in_(ids_of(player)), MATCH.c.position.is_(None))
        .order_by(MATCH.c.started.desc(), MATCH.c.id)
        .limit(limit)
    )
    return _with_seats(connection, connection.execute(latest).all())


def taken_back(connection: sql.Connection, matches: Sequence[str]) -> set[str]:
    """The ids of those among these matches in which moves were taken back."""
    theirs = sql.select(MATCH.c.id).where(MATCH.c.id.in_(matches), _TAKEN_BACK)
    return set(connection.scalars(theirs))


def finished_matches(connection: sql.Connection, after: str, limit: int) -> list[MatchRow]:
    """Matches that are over, by id, from after one on; no lessons."""
    over = (MATCH.c.finished.is_not(None), MATCH.c.position.is_(None), MATCH.c.id > after)
    return _with_seats(
        connection, connection.execute(sql.select(MATCH).where(*over).order_by(MATCH.c.id).limit(limit)).all()
    )


def ids_of(player: str) -> sql.CompoundSelect[str]:
    """Asks for the ids of these matches."""
    return sql.union(*(sql.select(table.c.match).where(table.c.player == player) for table in _OWNED))


def delete_match_for(connection: sql.Connection, player: str, match: str) -> bool:
    """Take a match from a player's own, name included; a finished one that is nobody's any more goes altogether.

    Returns:
        Whether it was the player's.
    """
    own = sql.update(SEAT).where(SEAT.c.match == match, SEAT.c.player == player)
    name = sql.case((SEAT.c.bot.is_(None), NOBODY), else_=SEAT.c.name)
    others = (sql.delete(table).where(table.c.match == match, table.c.player == player) for table in (HEIR, BROUGHT))
    changes = (own.values(player=None, name=name), *others)
    if not sum(connection.execute(change).rowcount for change in changes):
        return False
    owners = sql.union_all(*(sql.select(table.c.player).where(table.c.match == match) for table in _OWNED)).subquery()
    finished = connection.scalar(sql.select(MATCH.c.finished).where(MATCH.c.id == match))
    if finished is not None and not connection.scalar(sql.select(sql.func.count(owners.c.player))):
        delete_matches(connection, [match])
    return True


def delete_matches(connection: sql.Connection, matches: Sequence[str]) -> None:
    """Matches with their seats and moves."""
    for table in (MOVE, HEIR, BROUGHT, CALLS, FINDING, SEAT):
        connection.execute(sql.delete(table).where(table.c.match.in_(matches)))
    connection.execute(sql.delete(MATCH).where(MATCH.c.id.in_(matches)))


def _with_seats(connection: sql.Connection, matches: Sequence[sql.Row[Any]]) -> list[MatchRow]:
    """Rows of matches put together with those of their seats."""
    ids = [row.id for row in matches]
    seats, heirs = (_by_match(connection, table, ids) for table in (SEAT, HEIR))
    return [_match_row(row, seats[row.id], heirs[row.id]) for row in matches]


def _by_match(connection: sql.Connection, table: sql.Table, matches: Sequence[str]) -> dict[str, list[sql.Row[Any]]]:
    """What a table says of each match, seat by seat."""
    rows: dict[str, list[sql.Row[Any]]] = {match: [] for match in matches}
    for row in connection.execute(sql.select(table).where(table.c.match.in_(matches)).order_by(*table.primary_key)):
        rows[row.match].append(row)
    return rows


def _match_row(row: sql.Row[Any], seats: Sequence[sql.Row[Any]], heirs: Sequence[sql.Row[Any]]) -> MatchRow:
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
        position=row.position,
        heirs=tuple((heir.seat, heir.player) for heir in heirs),
    )


# --- what matches come to -------------------------------------------------------------------------------


def past_matches(connection: sql.Connection, players: Sequence[str], least: int, limit: int) -> list[PastMatch]:
    """Matches that were won in which some of these persons sat, latest first; no lessons, none with moves taken back.

    Args:
        connection: to read from.
        players: ids of persons. Who took over the seat of another person is not counted.
        least: how many of them must have sat in a match.
        limit: how many matches at most.
    """
    theirs = (
        sql.select(SEAT.c.match)
        .where(SEAT.c.player.in_(players))
        .group_by(SEAT.c.match)
        .having(sql.func.count() >= least)
    )
    latest = (
        sql.select(MATCH.c.id, MATCH.c.rules, MATCH.c.finished, MATCH.c.winners)
        .where(MATCH.c.id.in_(theirs), MATCH.c.finished.is_not(None), MATCH.c.position.is_(None), ~_TAKEN_BACK)
        .where(MATCH.c.winners.is_not(sql.null()))  # else it was abandoned
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
    calls: dict[str, list[CallsRow]] = {row.id: [] for row in matches}
    for counted in connection.execute(sql.select(CALLS).join(chosen, chosen.c.id == CALLS.c.match)):
        calls[counted.match].append(CallsRow(*counted))
    findings: dict[str, list[FindingRow]] = {row.id: [] for row in matches}
    for found in connection.execute(sql.select(FINDING).join(chosen, chosen.c.id == FINDING.c.match)):
        findings[found.match].append(FindingRow(*found))
    return [
        PastMatch(
            id=row.id,
            rules=row.rules,
            finished=row.finished,
            winners=tuple(row.winners or ()),
            sitters=tuple(sitters[row.id]),
            calls=tuple(calls[row.id]),
            findings=tuple(findings[row.id]),
        )
        for row in matches
    ]


def keep_calls(connection: sql.Connection, rows: Sequence[CallsRow]) -> None:
    """What was counted of matches, where it is not here yet and the match still is."""
    _keep_new(connection, CALLS, rows)


def keep_findings(connection: sql.Connection, rows: Sequence[FindingRow]) -> None:
    """What reports came to, where it is not here yet and the match still is."""
    _keep_new(connection, FINDING, rows)


def _keep_new(connection: sql.Connection, table: sql.Table, rows: Sequence[CallsRow | FindingRow]) -> None:
    names = table.c.keys()
    values = sql.select(*(sql.bindparam(name, type_=table.c[name].type) for name in names)).where(
        sql.exists().where(MATCH.c.id == sql.bindparam("match"))
    )
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    for row in rows:
        connection.execute(insert(table).from_select(names, values).on_conflict_do_nothing(), row._asdict())


# --- tables as they stand -------------------------------------------------------------------------------


def create_table(connection: sql.Connection, code: str, doc: bytes) -> bool:
    """A new table, at revision 1; False where the code is taken."""
    if load_table(connection, code) is not None:
        return False
    connection.execute(sql.insert(TABLE).values(code=code, rev=1, doc=doc, touched=now_ms()))
    return True


def load_table(connection: sql.Connection, code: str) -> TableRow | None:
    """A table by its code."""
    found = connection.execute(sql.select(TABLE).where(TABLE.c.code == code)).one_or_none()
    return TableRow(*found) if found else None


def save_table(connection: sql.Connection, code: str, rev: int, doc: bytes) -> int | None:
    """Put a table in the place of the revision it was made from.

    Returns:
        The new revision; None where somebody else was first.
    """
    values = {"at": code, "seen": rev, "rev": rev + 1, "doc": doc, "touched": now_ms()}
    return rev + 1 if connection.execute(_SAVE, values).rowcount else None


def create_match(connection: sql.Connection, row: MatchRow, rev: int, doc: bytes) -> int | None:
    """A match that begins, and its table saved with it; where somebody else was first (None), neither."""
    revision = save_table(connection, row.table, rev, doc)
    if revision is not None:
        insert_match(connection, row)
    return revision


def tables_of(connection: sql.Connection, player: str) -> list[str]:
    """The codes of tables in whose documents a player's id stands.

    The database looks through them: that takes as long as here, but no other thread of this process waits for it.
    """
    wanted = sql.literal(player.encode(), sql.LargeBinary)
    if connection.dialect.name == "postgresql":
        place = sql.func.position(wanted.op("IN")(TABLE.c.doc))
    else:
        place = sql.func.instr(TABLE.c.doc, wanted)
    return list(connection.scalars(sql.select(TABLE.c.code).where(place > 0)))


def count_tables(connection: sql.Connection) -> tuple[int, int]:
    """How many tables there are, and when the last of them was touched. That of one does not count which was touched
    while the clock was too far on.
    """
    last = sql.func.max(TABLE.c.touched).filter(TABLE.c.touched <= now_ms())
    row = connection.execute(sql.select(sql.func.count(), last).select_from(TABLE)).one()
    return row[0], row[1] or 0


def touch_tables(connection: sql.Connection, codes: Sequence[str]) -> None:
    """Somebody is at these tables."""
    connection.execute(
        sql.update(TABLE).where(TABLE.c.code == sql.bindparam("at")).values(touched=now_ms()),
        [{"at": code} for code in codes],
    )


def sweep(connection: sql.Connection, before: int, most: int) -> int:
    """Delete tables nobody has touched or moved at since a time. Their matches cannot go on any more: those that are a
    person's and have moves are over now, without winners, and the others go with them.

    Args:
        connection: to the database.
        before: that time.
        most: tables that are deleted at once, those abandoned longest first: nobody else can write meanwhile.

    Returns:
        How many tables are gone.
    """
    open_here = (MATCH.c.table_code == TABLE.c.code, MATCH.c.finished.is_(None))
    moved = sql.exists().where(*open_here, MOVE.c.match == MATCH.c.id, MOVE.c.at >= before)
    abandoned = sql.select(TABLE.c.code).where(TABLE.c.touched < before, ~moved).order_by(TABLE.c.touched).limit(most)
    codes = connection.scalars(abandoned).all()
    unfinished = (MATCH.c.table_code.in_(codes), MATCH.c.finished.is_(None))
    owned = [sql.exists().where(table.c.match == MATCH.c.id, table.c.player.is_not(None)) for table in (SEAT, HEIR)]
    played = (MATCH.c.position.is_(None), sql.exists().where(MOVE.c.match == MATCH.c.id), sql.or_(*owned))
    connection.execute(sql.update(MATCH).where(*unfinished, *played).values(finished=now_ms()))
    delete_matches(connection, connection.scalars(sql.select(MATCH.c.id).where(*unfinished)).all())
    connection.execute(sql.delete(TABLE).where(TABLE.c.code.in_(codes)))
    return len(codes)


def sweep_matches(connection: sql.Connection, before: int, most: int) -> int:
    """Delete matches that were over before a time, for everybody.

    Args:
        connection: to the database.
        before: that time.
        most: matches that are deleted at once, oldest first.

    Returns:
        How many are gone.
    """
    old = sql.select(MATCH.c.id).where(MATCH.c.finished < before).order_by(MATCH.c.finished).limit(most)
    matches = connection.scalars(old).all()
    delete_matches(connection, matches)
    return len(matches)


def count_finished(connection: sql.Connection) -> int:
    """How many matches are over."""
    return connection.scalar(sql.select(sql.func.count()).where(MATCH.c.finished.is_not(None))) or 0


# --- players, and what their browsers prove themselves with ---------------------------------------------


def create_player(connection: sql.Connection, player: Player, token_hash: str) -> None:
    """A new player with a token."""
    connection.execute(sql.insert(PLAYER).values(asdict(player)))
    connection.execute(sql.insert(TOKEN).values(hash=token_hash, player=player.id))


def save_player(connection: sql.Connection, player: Player) -> None:
    """Another name or language of a player, or another wish."""
    connection.execute(sql.update(PLAYER).where(PLAYER.c.id == player.id).values(asdict(player)))


def player_by_token(connection: sql.Connection, token_hash: str) -> Player | None:
    """Whose token it is."""
    joined = sql.select(PLAYER).join(TOKEN, TOKEN.c.player == PLAYER.c.id)
    found = connection.execute(joined.where(TOKEN.c.hash == token_hash)).one_or_none()
    return Player(*found) if found else None


def add_token(connection: sql.Connection, player: str, token_hash: str) -> None:
    """One more token of a player, if there still is the player."""
    if connection.scalar(sql.select(PLAYER.c.id).where(PLAYER.c.id == player)) is not None:
        connection.execute(sql.insert(TOKEN).values(hash=token_hash, player=player))


def revoke_token(connection: sql.Connection, token_hash: str) -> None:
    """A token that is no longer good for anything."""
    connection.execute(sql.delete(TOKEN).where(TOKEN.c.hash == token_hash))


def renew_token(connection: sql.Connection, player: str, token_hash: str) -> None:
    """One new token in the place of all a player has."""
    connection.execute(sql.delete(TOKEN).where(TOKEN.c.player == player))
    connection.execute(sql.insert(TOKEN).values(hash=token_hash, player=player))


def delete_player(connection: sql.Connection, player: str) -> None:
    """Everything that is the player's own: tokens, account, the name in matches, and what was reported by or of this
    person; the others keep their matches.
    """
    for match in connection.scalars(ids_of(player)).all():
        delete_match_for(connection, player, match)
    connection.execute(sql.delete(COMPLAINT).where(sql.or_(COMPLAINT.c.player == player, COMPLAINT.c.by == player)))
    connection.execute(sql.delete(BAN).where(BAN.c.player == player))
    connection.execute(sql.delete(TOKEN).where(TOKEN.c.player == player))
    connection.execute(sql.delete(PLAYER).where(PLAYER.c.id == player))
