"""Settings, bans, reports and workers' metrics in both kinds of database, and their retention."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from lastcard.server.store import moderation_queries
from lastcard.server.store.rows import BanRow, Complaint, Player
from lastcard.server.store.store import Store
from support.store_samples import make_match_row, make_move_row, put_match

pytestmark = pytest.mark.real_time

BAN = BanRow("ban-1", "bob", None, "Bob", True, 5, None)
COMPLAINT = Complaint("c-1", "ABC234", "bob", "Bob", "ada", "Ada", "words", "rude", (("Bob", "clod"),), 5)


async def test_moderation_data_is_stored(store: Store) -> None:
    """Entries come out newest first; a duplicate replaces the older one; expired ones are removed."""
    await store.save_admin_settings({"notice": "Hello", "words": ["clod"]})
    await store.save_admin_settings({"notice": ""})
    later = changed(BAN, id="ban-2", at=7, until=9)
    network = BanRow("ban-3", None, "203.0.113.0/24", "", False, 6, 20)
    for row in (BAN, network, later):
        await store.ban(row)
    assert await store.read_admin_settings() == ({"notice": "", "words": ["clod"]}, [later, network])
    assert await store.lift_ban("ban-2") and not await store.lift_ban("ban-2")
    second = changed(COMPLAINT, id="c-2", by="cid", at=8)
    for complaint in (COMPLAINT, second):
        await store.add_complaint(complaint)
    assert await store.list_complaints() == [second, COMPLAINT]
    await store.sweep_moderation(30, 6)
    assert (await store.read_admin_settings())[1] == [] and await store.list_complaints() == [second]
    assert await store.resolve_complaint("c-2") and not await store.resolve_complaint("c-2")
    await store.save_worker("one", 100, {"load": 1.5}, 0)
    await store.save_worker("one", 200, {"load": 2.5}, 0)
    await store.save_worker("two", 300, {}, 250)
    assert await store.list_workers(250) == {"two": {}}
    assert [row.code for row in await store.latest_tables(1)] == []


async def test_old_complaints_are_deleted_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a number of the newest are stored."""
    monkeypatch.setattr(moderation_queries, "MAX_COMPLAINTS", 2)
    for number in range(4):
        await store.add_complaint(changed(COMPLAINT, id=f"c-{number}", at=number))
    assert [row.id for row in await store.list_complaints()] == ["c-3", "c-2"]


async def test_a_person_goes_with_complaints_and_ban(store: Store) -> None:
    """Reports about the person and by the person are deleted."""
    await store.create_player(Player("bob", "Bob", "en"), "b" * 64)
    await store.ban(BAN)
    await store.add_complaint(COMPLAINT)
    await store.add_complaint(changed(COMPLAINT, id="c-2", player="cid", by="bob"))
    await store.add_complaint(changed(COMPLAINT, id="c-3", player="cid"))
    await store.delete_player("bob")
    assert (await store.read_admin_settings())[1] == []
    assert [row.id for row in await store.list_complaints()] == ["c-3"]


async def test_matches_are_swept_for_everybody(store: Store) -> None:
    """The oldest are deleted first, with their moves, a few at a time; running ones stay."""
    for number in range(3):
        row = make_match_row(f"match-{number}")
        await put_match(store, row)
        await store.append(make_move_row(0, row.id))
        await store.finish_match(row.id, 10 + number, (0,))
    await put_match(store, replace(make_match_row("open"), started=1))
    assert await store.count_finished() == 3
    assert [await store.sweep_matches(12, 1) for _ in range(3)] == [1, 1, 0]
    assert await store.load_match("match-0") is None and await store.read_moves("match-1") == []
    assert await store.load_match("match-2") is not None and await store.load_match("open") is not None
    assert await store.matches_of("ada", 9) != []
