"""Import of match records into the store, where the browser shows them like matches played here."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Final

from lastcard.errors import RecordError
from lastcard.formats.replay import replay
from lastcard.game.moves import move_to_action
from lastcard.match.record import Record
from lastcard.server.store.database_address import own_database
from lastcard.server.store.rows import now_ms
from lastcard.server.store.store import Store
from lastcard.session.match_rows import NEXT_ROUND, MatchRow, MoveRow

_ID_CHARS: Final = 22


def import_record(record: Record, database_url: str | None = None) -> str:
    """Import a record into the store; an existing match is left unchanged.

    Args:
        record: a record with the origin of its seed, so that the browser can check the shuffle.
        database_url: address of the store; None for the file in the data folder.

    Returns:
        The path of the match's page: ``/match/ID``.

    Raises:
        RecordError: if the record is false, or leaves out its seed or the seed's origin.
        LastcardError: if the database does not open.
    """
    row, moves = record_rows(record)
    store = Store.open(database_url or own_database())
    try:
        asyncio.run(store.import_match(row, moves))
    finally:
        store.close()
    return f"/match/{row.id}"


def record_rows(record: Record) -> tuple[MatchRow, list[MoveRow]]:
    """Return a verified record as rows of the store. Its id is derived from its text.

    Raises:
        RecordError: as for ``import_record``.
    """
    if record.seed is None or record.shuffle is None or record.shuffle.secret is None:
        raise RecordError(
            "head: the browser checks the shuffle, so it needs promise, numbers and secret, as records of a table and "
            "of lastcard.envs.pettingzoo have them; `lastcard replay FILE` shows any record"
        )
    name, now = hashlib.sha256(record.text().encode()).hexdigest()[:_ID_CHARS], now_ms()
    moves: list[MoveRow] = []
    number, match = 0, None
    for match, seat, move, _ in replay(record):
        if match.round.number != number:
            number = match.round.number
            moves.append(MoveRow(name, len(moves), f"round-{number}", NEXT_ROUND, NEXT_ROUND, now))
        moves.append(MoveRow(name, len(moves), f"ply-{len(moves)}", seat, move_to_action(move), now))
    if match is None:
        raise RecordError("nothing was played in this match")
    nobody = (None,) * len(record.players)
    row = MatchRow(
        id=name,
        table="",
        rules=str(record.rules),
        names=tuple(record.players),
        players=nobody,
        bots=nobody,
        host=record.host,
        secret=record.shuffle.secret,
        numbers=record.shuffle.numbers,
        seed=record.seed,
        rule_cards=None if record.rule_cards is None else tuple(card.text for card in record.rule_cards),
        started=now,
        finished=now,
        winners=match.winners or (),
    )
    return row, moves
