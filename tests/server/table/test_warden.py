"""Order at the tables: words, chat, bans, complaints, no new matches, and matches that are kept for a while only."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from lastcard.server.guard.security import clean_text
from lastcard.server.seats.document import Denied
from lastcard.server.store.rows import now_ms
from lastcard.server.table.registry import TableRegistry
from lastcard.server.table.warden import Warden
from lastcard.server.wire.parts import Settings
from lastcard.server.wire.protocol import Heard, Notice, Quick, Ready, Report, Say, Sit, Start, TableChanged
from lastcard.server.wire.workers import Bus
from support.fakes import MemoryStore, Person, instantly, lay, new_registry, new_table, playing_table, refusal
from support.store_samples import a_match


def new_warden(chat: str = "on") -> Warden:
    """One over a store in memory."""
    return Warden(MemoryStore(), Bus(), chat=chat)  # type: ignore[arg-type]


# --- words ------------------------------------------------------------------------------------------------


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
        ("cl\ufe0fo\U000e0100d", True),  # which picture of a letter is meant
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
def test_words_are_refused_whole_or_by_a_star(text: str, refused: bool) -> None:
    """Neither capitals nor other scripts help, nor what is not seen; a word inside of another one is another word."""

    async def scene() -> None:
        warden = new_warden()
        await warden.order(words=("Clod", "numbsk*", "**", "péché", "कुत्ता", "می\u200cخواهم"))
        if refused:
            with pytest.raises(Denied, match="words"):
                warden.check_words(clean_text(text), "words")
        else:
            warden.check_words(clean_text(text), "words")

    asyncio.run(scene())


def test_chat_at_a_table_keeps_to_the_words_and_to_never() -> None:
    """Phrases may always be said; old browsers see a table without chat."""

    async def scene() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await new_table(ada, bob)
        await table._warden.order(words=("clod",))
        await ada.say(Say("you clod"))
        assert refusal(ada) == "words" and not bob.count(Heard)
        await table._warden.order(chat="never")
        assert not bob.last(TableChanged).table.settings.chat
        await ada.say(Say("hello"))
        assert refusal(ada) == "chat-off"
        await ada.say(Quick("hello"))
        assert bob.count(Heard) == 1

    instantly(scene())


@pytest.mark.parametrize(("ordered", "begins"), [("", False), ("on", True), ("off", False), ("never", False)])
def test_new_tables_of_a_public_site_begin_without_chat(ordered: str, begins: bool) -> None:
    """Unless whoever runs it says otherwise; the host of a table may turn it on."""

    async def scene() -> None:
        registry = TableRegistry(MemoryStore(), Bus(), public_url="https://x.example", warden=new_warden("off"))  # type: ignore[arg-type]
        await registry.warden.order(chat=ordered)
        table = await registry.create(Person("Ada").player, Settings())
        assert table.document.settings.chat is begins

    asyncio.run(scene())


# --- an update --------------------------------------------------------------------------------------------


def test_no_new_match_before_an_update() -> None:
    """Tables say so; a round goes on to the next, a match that is over does not begin again, nothing is made anew."""

    async def scene() -> None:
        ada, bob, cid, dan = Person("Ada"), Person("Bob"), Person("Cid"), Person("Dan")
        table = await playing_table(ada, bob, rules="classic+winning_score=100", pace="untimed")
        other = await new_table(cid, dan)
        for each in (table, other):
            await each._warden.order(draining=True, notice="Back at eight")
        assert bob.last(TableChanged).table.draining and bob.last(TableChanged).table.notice == "Back at eight"
        await cid.say(Start())
        assert refusal(cid) == "draining" and other.document.phase == "lobby"
        lay(table, "R1", "B8")
        await ada.act("R1!")
        assert table.document.phase == "between"
        await ada.say(Ready())
        await bob.say(Ready())
        assert table.document.phase == "playing", "the match goes on"
        lay(table, "R1", "W W W")
        await ada.act("R1!")
        assert table.document.phase == "over"
        await ada.say(Ready())
        await bob.say(Ready())
        assert table.document.phase == "over"
        registry = new_registry(table._store)  # type: ignore[arg-type]
        await registry.warden.refresh()
        with pytest.raises(Denied, match="draining"):
            await registry.create(ada.player, Settings())
        await table._warden.order(draining=False)
        await ada.say(Ready())
        assert table.document.phase == "playing"

    instantly(scene())


def test_a_server_that_comes_up_is_open() -> None:
    """One that is alone was closed for this very start; among several, the others may still wait for theirs."""

    async def scene(shared: bool, broken: bool = False) -> bool:
        store = MemoryStore(shared=shared)
        store.orders, store.broken = {"draining": True}, broken
        registry = new_registry(store)
        await registry.open()
        draining = registry.warden.orders.draining
        await registry.close()
        return draining

    assert not asyncio.run(scene(shared=False))
    assert asyncio.run(scene(shared=True))
    assert asyncio.run(scene(shared=False, broken=True)), "it comes up also where the disk is full"


def test_orders_of_another_version_are_no_fault() -> None:
    """What this one does not know is left out, what it cannot read is as if nothing was ordered."""

    async def scene() -> None:
        store = MemoryStore()
        warden = Warden(store, Bus())  # type: ignore[arg-type]
        store.orders = {"notice": "Hello", "music": "loud"}
        await warden.refresh()
        assert warden.orders.notice == "Hello"
        store.orders = {"notice": 7}
        await warden.refresh()
        assert warden.orders.notice == ""
        with pytest.raises(Denied):
            await warden.order(words=["x" * 99])

    asyncio.run(scene())


# --- bans -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("network", "barred", "free"),
    [
        ("203.0.113.7", ["203.0.113.7", "::ffff:203.0.113.7"], ["203.0.113.8", "rubbish", ""]),
        ("203.0.113.0/24", ["203.0.113.7", "203.0.113.255"], ["203.0.114.1", "2001:db8::1"]),
        ("2001:db8:1:2::5", ["2001:db8:1:2::99"], ["2001:db8:1:3::5", "203.0.113.7"]),
        ("2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::1"]),
    ],
)
def test_a_network_is_banned(network: str, barred: list[str], free: list[str]) -> None:
    """An address, a network, of IPv6 what a household has; until it is lifted."""

    async def scene() -> None:
        warden = new_warden()
        await warden.ban(name="Café", network=network)
        assert all(map(warden.bars, barred)) and not any(map(warden.bars, free))
        assert await warden.lift(warden.bans[0].id)
        assert not any(map(warden.bars, barred))

    asyncio.run(scene())


@pytest.mark.parametrize("network", ["nonsense", "300.1.1.1", "127.0.0.1", "0.0.0.0/0", "::1", "10.0.0.0/99"])
def test_what_bans_everybody_or_nobody_is_no_ban(network: str) -> None:
    """A proxy on this machine is everybody."""

    async def scene() -> None:
        warden = new_warden()
        with pytest.raises(Denied, match="network"):
            await warden.ban(name="", network=network)
        assert not warden.bans

    asyncio.run(scene())


def test_a_ban_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """After its days it holds no more, without anybody's doing."""

    async def scene() -> None:
        registry = new_registry()
        await registry.open()
        await registry.warden.ban(name="Bob", player="bob", days=1)
        assert registry.warden.bars_player("bob")
        later = now_ms() + 24 * 3_600_000 + 1000
        monkeypatch.setattr("lastcard.server.table.warden.now_ms", lambda: later)
        await asyncio.sleep(11)
        assert not registry.warden.bars_player("bob") and not registry.warden.bans
        await registry.close()

    instantly(scene())


def test_a_banned_person_goes_and_a_bot_plays_on() -> None:
    """Seat, host and chat go to others; the network they came from is banned too, where that is wanted."""

    async def scene() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        registry = new_registry(store)
        await registry.open()
        table = await registry.create(ada.player, Settings(rules="classic", pace="untimed", seats=2))
        await ada.join(table)
        await bob.join(table)
        await bob.say(Ready())
        await ada.say(Start())
        await ada.say(Say("rubbish"))
        registry.warden.arrives(ada.id, "203.0.113.7")
        await registry.warden.ban(name="Ada", player=ada.id, widely=True, days=3)
        await asyncio.sleep(0)
        while ada.closed is None:
            await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        assert ada.closed == "banned"
        assert table.document.host.id == bob.id
        place = table.document.seats[0]
        assert place is not None and place.away == "kicked"
        assert not table._chat.notes
        assert registry.warden.bars_player(ada.id) and registry.warden.bars("203.0.113.7")
        ban = next(row for row in store.bans if row.network)
        assert ban.until is not None and ban.player is None
        registry.warden.leaves(ada.id, "203.0.113.7")
        assert not registry.warden._places
        await registry.close()

    instantly(scene())


@pytest.mark.parametrize("match", [False, True])
def test_a_person_who_is_banned_while_away_loses_seat_and_words_too(match: bool) -> None:
    """They were reported, and left before somebody read it; what they said as they only watched goes as well."""

    async def scene() -> None:
        ada, bob, eve = Person("Ada"), Person("Bob"), Person("Eve")
        registry = new_registry()
        await registry.open()
        table = await registry.create(ada.player, Settings(rules="classic", pace="untimed", seats=3))
        for person in (ada, bob, eve):
            await person.join(table)
        await bob.say(Sit(1))
        if match:
            await ada.say(Start())
        for person in (bob, eve):
            await person.say(Say("rubbish"))
            person.vanish()
        await ada.say(Say("good riddance"))
        for person in (bob, eve):
            await registry.warden.ban(name=person.player.name, player=person.id)
        await asyncio.sleep(1)
        place = table.document.seats[1]
        assert place is not None and place.away == "kicked" if match else place is None
        assert [note.text for note in table._chat.notes] == ["good riddance"]
        await registry.close()

    instantly(scene())


def test_bans_that_a_server_finds_as_it_starts_send_nobody_away() -> None:
    """They were carried out when they were given; tables are not looked through for all of them at each start."""

    async def scene() -> None:
        warden, gone = new_warden(), list[str]()
        await warden.ban(name="Bob", player="bob")
        again = Warden(warden._store, Bus())
        again.banned = gone.extend
        await again.refresh()
        assert again.bars_player("bob") and not gone
        await again.ban(name="Eve", player="eve")
        assert gone == ["eve"]

    asyncio.run(scene())


# --- complaints -------------------------------------------------------------------------------------------


def test_a_report_holds_the_chat_that_led_there() -> None:
    """With names and words, in order; few of one person, none of nobody."""

    async def scene() -> None:
        ada, bob, store = Person("Ada"), Person("Bob"), MemoryStore()
        table = await new_table(ada, bob, store=store)
        await ada.say(Report(bob.id, "words"))
        assert refusal(ada) == "no-admin" and not table.state().reports
        table._warden.reads = True
        assert table.state().reports
        await bob.say(Say("you clod"))
        await ada.say(Quick("angry"))
        await ada.say(Report(bob.id, "words", "he goes\non"))
        assert ada.last(Notice).what == "reported"
        (complaint,) = store.complaints
        assert (complaint.table, complaint.player, complaint.name) == (table.code, bob.id, "Bob")
        assert (complaint.by, complaint.by_name, complaint.why, complaint.text) == (
            ada.id,
            "Ada",
            "words",
            "he goes on",
        )
        assert complaint.notes == (("Bob", "you clod"), ("Ada", "(angry)"))
        for nobody in (ada.id, "nobody"):
            await ada.say(Report(nobody, "other"))
            assert refusal(ada) == "no-such-player"
        for _ in range(3):
            await ada.say(Report(bob.id, "other"))
        assert refusal(ada) == "too-fast" and len(store.complaints) == 3
        bob.vanish()
        await asyncio.sleep(1)
        dan = Person("Dan")
        await dan.join(table)
        await dan.say(Report(bob.id, "play"))
        assert store.complaints[-1].name == "Bob", "who has gone can still be reported"

    instantly(scene())


# --- how long matches are kept ----------------------------------------------------------------------------


def test_old_matches_are_swept_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many days, a share of them each hour; never what goes on, never where the clock has gone on."""

    async def scene() -> None:
        day, now = 24 * 3600 * 1000, round(time.time() * 1000)
        store = MemoryStore()
        for i in range(30):
            store.matches[f"old-{i}"] = a_match(f"old-{i}", finished=now - 91 * day)
        store.matches["new"] = a_match("new", finished=now - 89 * day)
        store.matches["open"] = replace(a_match("open"), started=1)
        registry = TableRegistry(store, Bus(), public_url="http://x", keep_matches=90 * 24 * 3600.0)  # type: ignore[arg-type]
        keeper = TableRegistry(store, Bus(), public_url="http://x")  # type: ignore[arg-type]
        await keeper._sweep()
        assert len(store.matches) == 32
        touched, store.touched = store.touched, now - 40 * day  # nobody has been here for so long: is it the clock?
        await registry._sweep()
        assert len(store.matches) == 32
        store.touched = touched
        await registry._sweep()
        assert len(store.matches) == 12
        await registry._sweep()
        assert set(store.matches) == {"new", "open"}

    instantly(scene())
