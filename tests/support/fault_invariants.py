"""Invariants after any fault: no acknowledged move is lost, none is logged twice, plies have no gap, folding the log
gives the state that people see, and no card is missing.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

import msgspec

from lastcard.match.match import Match
from lastcard.server.store.store import Store
from lastcard.server.wire.messages import public_of
from lastcard.session.match_log import apply_row, new_match
from lastcard.session.match_rows import NEXT_ROUND, MoveRow
from support.random_play import all_cards
from support.websocket_players import WebSocketPlayer


async def read_log(database: str, person: WebSocketPlayer) -> tuple[Match, list[MoveRow]]:
    """The log of a person's match on disk and the match folded from it. With SQLite, the server must be down."""
    assert person.game is not None
    with closing(await asyncio.to_thread(Store.open, database)) as store:
        row = await store.load_match(person.game["match"])
        assert row is not None
        moves = await store.read_moves(row.id)
    folded = new_match(row)
    deck = all_cards(folded.round)
    for move in moves:
        apply_row(folded, move)
        assert all_cards(folded.round) == deck or move.action == NEXT_ROUND
    return folded, moves


def check_log(moves: Sequence[MoveRow], people: Sequence[WebSocketPlayer]) -> None:
    """Every acknowledged command is in the log once, at the acknowledged ply; the log has no gap."""
    assert [move.ply for move in moves] == list(range(len(moves)))
    assert max(Counter(move.command for move in moves).values()) == 1
    plies = {move.command: move.ply + 1 for move in moves}
    for person in people:
        assert {command: plies.get(command) for command in person.acknowledged} == person.acknowledged


def check_view(match: Match, person: WebSocketPlayer) -> None:
    """The person's view is the one that the folded log gives."""
    assert person.game is not None
    public = public_of(match, match.round.public_state())
    assert person.game["public"] == json.loads(msgspec.json.encode(public))
