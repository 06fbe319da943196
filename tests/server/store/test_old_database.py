"""A database that an earlier lastcard wrote opens, is replayed and played on (docs/server.md).

``old_database.sql`` is the dump of a SQLite file of the version before the house was rebuilt: at ``QC5QBD`` a match
that is over and one in play, with two persons and a program; at ``XQK7DF`` a match with written rule cards.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lastcard.server.guard.security import hash_token
from lastcard.server.http.replays import record_text, replay_text
from lastcard.server.store.store import Store
from lastcard.server.table.registry import TableRegistry
from lastcard.server.wire.parts import Settings
from lastcard.server.wire.workers import Bus
from support.fakes import Person, Robot, play_a_move

OVER = "UePnz6G8VQBhYFBg"
IN_PLAY = "7JGrtfC00R0bzIdj"
TOKEN = "hxKrVnAirq9glT4wp9lu8TTYOi1eZh4-"
"""Of the program in the third seat."""
RULES = "classic+stacking=same+winning_score=100"
TOLD = {
    OVER: (
        "ae1c7fc8fc033fa50d7329050da97ad1db3b215e75358721d496ba3b590b9936",
        "5e7ad10622ca0963d2c8dd955fba3026ce0c01d4a80010493bbf80e5b79d41da",
    ),
    IN_PLAY: (
        "09dcf0f7f9a1e83f00611c0ab3b970839a532ee76c38aa303f15cf44415203e8",
        "b8367e9ef2c746b0ed8ec8434708684d08b139cfd30631e3e6fcab29303bdff9",
    ),
}
"""SHA-256 of the replay and of the record of each match, as the version that wrote them told them; replays did not say
then who was a bot."""


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Of the database, as that version left it."""
    with sqlite3.connect(tmp_path / "tables.sqlite") as connection:
        connection.executescript(Path(__file__).with_name("old_database.sql").read_text(encoding="utf-8"))
    connection.close()
    return f"sqlite:///{tmp_path}/tables.sqlite"


def at(address: str, work: Callable[[Store, TableRegistry], Awaitable[None]]) -> None:
    """Do something with a store and the tables in it."""

    async def run() -> None:
        registry = TableRegistry(store, Bus(), public_url="http://localhost:8000")
        await work(store, registry)
        await registry.close()

    store = Store.open(address)
    try:
        asyncio.run(run())
    finally:
        store.close()


def test_matches_are_told_byte_for_byte(address: str) -> None:
    """The replay of the browser and the record, of a match that is over and of one in play."""

    async def scene(store: Store, registry: TableRegistry) -> None:
        for match, told in TOLD.items():
            row = await store.load_match(match)
            assert row is not None
            moves = await store.moves(match)
            replay = re.sub(rb',"bots":\[[^]]*\]', b"", replay_text(row, moves), count=1)
            texts = replay, record_text(row, moves).encode()
            assert tuple(hashlib.sha256(text).hexdigest() for text in texts) == told

    at(address, scene)


def test_a_match_in_play_goes_on(address: str) -> None:
    """The round is played to its end by the same people and the same program, with their old tokens."""

    async def scene(store: Store, registry: TableRegistry) -> None:
        ada, bob, robot = Person("Ada"), Person("Bob", "pl"), Robot(TOKEN)
        assert await store.player_by_token(hash_token(ada.id)) == ada.player
        table = await registry.find("QC5QBD")
        assert table is not None and table.live is not None
        await ada.join(table)
        await bob.join(table)
        await robot.enter(table)
        document = table.document
        assert (table.live.id, table.live.log.ply, document.played, document.wins) == (IN_PLAY, 9, 1, {ada.id: 1})
        assert document.settings == Settings(rules=RULES, seats=3, pace="untimed", grace=500, hints=True)
        assert document.muted == (bob.id,)
        while not table.live.round_over:
            await play_a_move(table, ada, bob, robot)
        assert table.document.phase in ("between", "over") and table.live.log.ply > 9
        assert [row.ply for row in await store.moves(IN_PLAY)] == list(range(table.live.log.ply))

    at(address, scene)


def test_written_rule_cards_are_still_in_the_deck(address: str) -> None:
    async def scene(store: Store, registry: TableRegistry) -> None:
        table = await registry.find("XQK7DF")
        assert table is not None and table.live is not None
        texts = [card.text for card in table.live.match.rule_cards]
        assert texts[:2] == ["draw 2; reverse", "dare: whistle a tune"]

    at(address, scene)
