"""Moderation: blocked words, chat, bans, reports, a stop of new matches, and retention of matches."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from lastcard.server.store.rows import now_ms
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.protocol import NotePosted, Notice, Quick, Report, Say, TableChanged
from lastcard.server.wire.worker_bus import Bus
from lastcard.session.commands import Ready, Start
from lastcard.session.names import clean_text
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError
from support.fakes import (
    MemoryStore,
    Person,
    new_registry,
    new_table,
    open_registry,
    playing_table,
    refusal_code,
    set_position,
)
from support.store_samples import make_match_row


def new_moderation(chat: str = "on") -> Moderation:
    """Moderation over a store in memory."""
    return Moderation(MemoryStore(), Bus(), chat=chat)  # type: ignore[arg-type]


# --- words ------------------------------------------------------------------------------------------------


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("what a clod", True),
        ("CLOD!", True),
        ("сlоd", True),  # two letters are Cyrillic
        ("clods", False),
        ("cloddish", False),
        ("a numbskull, I say", True),
        ("numbness", False),
        ("my dear", False),
        ("c\u200dl\u200co\u200dd", True),  # joiners, which scripts and emoji need
        ("cl\ufe0fo\U000e0100d", True),  # variation selectors
        ("c\u0332lo\u0489d", True),  # marks above and below
        ("cl\u05b0o\u093ed", True),
        ("numb\u200dskull", True),
        ("nu\u0331mb-skull", False),
        ("péché", True),
        ("pe\u0301che\u0301", True),
        ("peche", False),  # another word
        ("कुत्ता", True),
        ("می\u200cخواهم", True),
        ("می‌روم, नमस्ते, 👩\u200d🚀", False),
    ],
)
async def test_blocked_words_match_whole_or_by_prefix(text: str, refused: bool) -> None:
    """Capitals, other scripts and invisible characters do not help; a word inside another one is another word."""
    moderation = new_moderation()
    await moderation.change_settings(words=("Clod", "numbsk*", "**", "péché", "कुत्ता", "می\u200cخواهم"))
    if refused:
        with pytest.raises(CommandError, match="words"):
            moderation.check_words(clean_text(text), "words")
    else:
        moderation.check_words(clean_text(text), "words")


async def test_chat_at_a_table_obeys_blocked_words_and_the_ban_on_chat(ada: Person, bob: Person) -> None:
    """Phrases are always allowed; old browsers see a table without chat."""
    table = await new_table(ada, bob)
    await table._moderation.change_settings(words=("clod",))
    assert await ada.refusal(Say("you clod")) == "words" and not bob.count(NotePosted)
    await table._moderation.change_settings(chat="never")
    assert not bob.last(TableChanged).table.settings.chat
    assert await ada.refusal(Say("hello")) == "chat-off"
    await ada.send_command(Quick("hello"))
    assert bob.count(NotePosted) == 1


@pytest.mark.real_time
@pytest.mark.parametrize(("ordered", "begins"), [("", False), ("on", True), ("off", False), ("never", False)])
async def test_new_tables_of_a_public_site_begin_without_chat(ordered: str, begins: bool) -> None:
    """The server's settings may change that; the host of a table may turn it on."""
    registry = TableRegistry(MemoryStore(), Bus(), public_url="https://x.example", moderation=new_moderation("off"))  # type: ignore[arg-type]
    await registry.moderation.change_settings(chat=ordered)
    table = await registry.create(Person("Ada").player, Settings())
    assert table.state.settings.chat is begins


# --- an update --------------------------------------------------------------------------------------------


async def test_no_new_match_before_an_update(ada: Person, bob: Person, cleo: Person, eve: Person) -> None:
    """Tables say so; the next round comes, a finished match does not restart, and no new table is made."""
    table = await playing_table(ada, bob, rules="classic+winning_score=100", pace="untimed")
    other = await new_table(cleo, eve)
    for each in (table, other):
        await each._moderation.change_settings(draining=True, notice="Back at eight")
    assert bob.last(TableChanged).table.draining and bob.last(TableChanged).table.notice == "Back at eight"
    assert await cleo.refusal(Start()) == "draining" and other.state.phase == "lobby"
    set_position(table, "R1", "B8")
    await ada.make_move("R1!")
    assert table.state.phase == "between"
    await ada.send_command(Ready())
    await bob.send_command(Ready())
    assert table.state.phase == "playing", "the match goes on"
    set_position(table, "R1", "W W W")
    await ada.make_move("R1!")
    assert table.state.phase == "over"
    await ada.send_command(Ready())
    await bob.send_command(Ready())
    assert table.state.phase == "over"
    registry = new_registry(table._store)  # type: ignore[arg-type]
    await registry.moderation.refresh()
    with pytest.raises(CommandError, match="draining"):
        await registry.create(ada.player, Settings())
    await table._moderation.change_settings(draining=False)
    await ada.send_command(Ready())
    assert table.state.phase == "playing"


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("shared", "broken", "draining"), [(False, False, False), (True, False, True), (False, True, True)]
)
async def test_a_server_that_comes_up_is_open(shared: bool, broken: bool, draining: bool) -> None:
    """A single server was closed for this very start; with several workers, the others may still wait for theirs.

    A server whose disk is full comes up, too.
    """
    store = MemoryStore(shared=shared)
    store.admin_settings, store.broken = {"draining": True}, broken
    async with open_registry(store) as registry:
        assert registry.moderation.settings.draining is draining


@pytest.mark.real_time
async def test_server_settings_of_another_version_are_no_fault(store: MemoryStore) -> None:
    """Unknown fields are ignored, and unreadable settings count as none."""
    moderation = Moderation(store, Bus())  # type: ignore[arg-type]
    store.admin_settings = {"notice": "Hello", "music": "loud"}
    await moderation.refresh()
    assert moderation.settings.notice == "Hello"
    store.admin_settings = {"notice": 7}
    await moderation.refresh()
    assert moderation.settings.notice == ""
    with pytest.raises(CommandError):
        await moderation.change_settings(words=["x" * 99])


# --- bans -------------------------------------------------------------------------------------------------


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("network", "barred", "free"),
    [
        ("203.0.113.7", ["203.0.113.7", "::ffff:203.0.113.7"], ["203.0.113.8", "rubbish", ""]),
        ("203.0.113.0/24", ["203.0.113.7", "203.0.113.255"], ["203.0.114.1", "2001:db8::1"]),
        ("2001:db8:1:2::5", ["2001:db8:1:2::99"], ["2001:db8:1:3::5", "203.0.113.7"]),
        ("2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::1"]),
    ],
)
async def test_a_network_is_banned(network: str, barred: list[str], free: list[str]) -> None:
    """An address, a network, with IPv6 the network of one subscriber; until the ban is lifted."""
    moderation = new_moderation()
    await moderation.ban(name="Café", network=network)
    assert all(map(moderation.is_banned_address, barred)) and not any(map(moderation.is_banned_address, free))
    assert await moderation.lift_ban(moderation.bans[0].id)
    assert not any(map(moderation.is_banned_address, barred))


@pytest.mark.real_time
@pytest.mark.parametrize("network", ["nonsense", "300.1.1.1", "127.0.0.1", "0.0.0.0/0", "::1", "10.0.0.0/99"])
async def test_a_ban_of_everybody_or_nobody_is_refused(network: str) -> None:
    """A proxy on this machine stands for everybody."""
    warden = new_moderation()
    with pytest.raises(CommandError, match="network"):
        await warden.ban(name="", network=network)
    assert not warden.bans


async def test_a_ban_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_registry() as registry:
        await registry.moderation.ban(name="Bob", player="bob", days=1)
        assert registry.moderation.is_banned_player("bob")
        later = now_ms() + 24 * 3_600_000 + 1000
        monkeypatch.setattr("lastcard.server.table.moderation.now_ms", lambda: later)
        await asyncio.sleep(11)
        assert not registry.moderation.is_banned_player("bob") and not registry.moderation.bans


async def test_a_bot_replaces_a_banned_person(ada: Person, bob: Person, store: MemoryStore) -> None:
    """Seat, host and chat pass to others; on request, the network they came from is banned, too."""
    async with open_registry(store) as registry:
        table = await registry.create(ada.player, Settings(rules="classic", pace="untimed", seats=2))
        await ada.join(table)
        await bob.join(table)
        await bob.send_command(Ready())
        await ada.send_command(Start())
        await ada.send_command(Say("rubbish"))
        registry.moderation.add_connection(ada.id, "203.0.113.7")
        await registry.moderation.ban(name="Ada", player=ada.id, widely=True, days=3)
        await asyncio.sleep(0)
        while ada.closed is None:
            await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        assert ada.closed == "banned"
        assert table.state.host.id == bob.id
        place = table.state.seats[0]
        assert place is not None and place.away == "kicked"
        assert not table._chat.notes
        assert registry.moderation.is_banned_player(ada.id) and registry.moderation.is_banned_address("203.0.113.7")
        ban = next(row for row in store.bans if row.network)
        assert ban.until is not None and ban.player is None
        registry.moderation.remove_connection(ada.id, "203.0.113.7")
        assert not registry.moderation._networks_by_player


@pytest.mark.parametrize("match", [False, True])
async def test_a_person_who_is_banned_while_away_loses_seat_and_words_too(
    ada: Person, bob: Person, eve: Person, match: bool
) -> None:
    """They left before somebody read the report; their chat as spectators is deleted as well."""
    async with open_registry() as registry:
        table = await new_table(ada, bob, registry=registry, rules="classic", pace="untimed", seats=3)
        await eve.join(table)
        if match:
            await ada.send_command(Start())
        for person in (bob, eve):
            await person.send_command(Say("rubbish"))
            person.disconnect()
        await ada.send_command(Say("good riddance"))
        for person in (bob, eve):
            await registry.moderation.ban(name=person.player.name, player=person.id)
        await asyncio.sleep(1)
        place = table.state.seats[1]
        assert place is not None and place.away == "kicked" if match else place is None
        assert [note.text for note in table._chat.notes] == ["good riddance"]


@pytest.mark.real_time
async def test_bans_loaded_at_the_start_kick_nobody() -> None:
    """Bans were applied when they were made; a start does not check all tables for them."""
    moderation, gone = new_moderation(), list[str]()
    await moderation.ban(name="Bob", player="bob")
    again = Moderation(moderation._store, Bus())
    again.on_ban = gone.extend
    await again.refresh()
    assert again.is_banned_player("bob") and not gone
    await again.ban(name="Eve", player="eve")
    assert gone == ["eve"]


# --- reports ----------------------------------------------------------------------------------------------


async def test_a_report_holds_the_chat_that_led_there(ada: Person, bob: Person, store: MemoryStore) -> None:
    """A report has names and words in order; a person can send few, and report only known people."""
    table = await new_table(ada, bob, store=store)
    assert await ada.refusal(Report(bob.id, "words")) == "no-admin" and not table.describe().reports
    table._moderation.has_reader = True
    assert table.describe().reports
    await bob.send_command(Say("you clod"))
    await ada.send_command(Quick("angry"))
    await ada.send_command(Report(bob.id, "words", "he goes\non"))
    assert ada.last(Notice).what == "reported"
    (complaint,) = store.complaints
    assert (complaint.table, complaint.player, complaint.name) == (table.code, bob.id, "Bob")
    assert (complaint.by, complaint.by_name, complaint.why, complaint.text) == (ada.id, "Ada", "words", "he goes on")
    assert complaint.notes == (("Bob", "you clod"), ("Ada", "(angry)"))
    for nobody in (ada.id, "nobody"):
        assert await ada.refusal(Report(nobody, "other")) == "no-such-player"
    for _ in range(3):
        await ada.send_command(Report(bob.id, "other"))
    assert refusal_code(ada) == "too-fast" and len(store.complaints) == 3
    bob.disconnect()
    await asyncio.sleep(1)
    dan = Person("Dan")
    await dan.join(table)
    await dan.send_command(Report(bob.id, "play"))
    assert store.complaints[-1].name == "Bob", "who has gone can still be reported"


# --- retention of matches ---------------------------------------------------------------------------------


async def test_old_matches_are_swept_in_pieces(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a number of days, a share is deleted each hour; never running ones, never after a change of the clock."""
    day, now = 24 * 3600 * 1000, round(time.time() * 1000)
    for i in range(30):
        store.matches[f"old-{i}"] = make_match_row(f"old-{i}", finished=now - 91 * day)
    store.matches["new"] = make_match_row("new", finished=now - 89 * day)
    store.matches["open"] = replace(make_match_row("open"), started=1)
    registry = TableRegistry(store, Bus(), public_url="http://x", match_retention_s=90 * 24 * 3600.0)  # type: ignore[arg-type]
    keeper = TableRegistry(store, Bus(), public_url="http://x")  # type: ignore[arg-type]
    await keeper._sweep()
    assert len(store.matches) == 32
    store.last_saved_ms = now - 40 * day  # so long without visitors may be a wrong clock
    await registry._sweep()
    assert len(store.matches) == 32
    store.last_saved_ms = 0
    await registry._sweep()
    assert len(store.matches) == 12
    await registry._sweep()
    assert set(store.matches) == {"new", "open"}
