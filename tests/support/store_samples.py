"""Rows for tests of the store."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from lastcard.server.store.store import Store
from lastcard.session.match_rows import MatchRow, MoveRow


def make_match_row(match: str = "match-1", **changes: Any) -> MatchRow:
    """A running match of Ada, a bot and Ben."""
    row = MatchRow(
        id=match,
        table="ABC234",
        rules="classic+jump_in",
        names=("Ada", "Bot", "Ben"),
        players=("ada", None, "ben"),
        bots=(None, "casual", None),
        host=2,
        secret=b"s" * 32,
        numbers=("0" * 32, "", "1" * 32),
        seed=bytes(range(32)),
        rule_cards=None,
        started=1_700_000_000_000,
        finished=None,
        winners=None,
    )
    return replace(row, **changes)


def make_move_row(ply: int, match: str = "match-1") -> MoveRow:
    """A row for the log of a match."""
    return MoveRow(match, ply, f"command-{ply:030}", 0, ply, ply)


async def put_match(store: Store, row: MatchRow) -> None:
    """Store a match without an end, and its table if that is missing."""
    await store.create_table(row.table, b"doc")
    table = await store.load_table(row.table)
    assert table is not None and await store.create_match(row, table.rev, table.doc)


async def put_log(store: Store, row: MatchRow, moves: Sequence[MoveRow]) -> None:
    """Store a match with its moves, and its end if it has one."""
    await put_match(store, replace(row, finished=None, winners=None))
    await asyncio.gather(*(store.append(move) for move in moves))
    if row.finished is not None:
        await store.finish_match(row.id, row.finished, row.winners or ())


@contextmanager
def limit_file_size(size: int) -> Iterator[None]:
    """Make every write beyond a size fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
