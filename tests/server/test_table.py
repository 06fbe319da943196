"""A table and its persons' commands: who may do what, and who hears of it (issue 3, 2 and 6)."""

from __future__ import annotations

import asyncio

import pytest

from fakes import MemoryStore, Person, instantly, lay, new_house, new_table, playing_table
from lastcard.locale import LANGUAGES
from lastcard.server.picture import QUICK, Settings
from lastcard.server.protocol import (
    Act,
    Appoint,
    Configure,
    Dealt,
    Done,
    Heard,
    Hello,
    Kick,
    Moved,
    Mute,
    Notice,
    Number,
    Quick,
    Ready,
    Refused,
    Say,
    SetBot,
    Sit,
    Stand,
    Start,
    Welcome,
    Why,
)
from lastcard.server.protocol import Table as TableNews


def refusal(person: Person) -> str:
    """The code of the last refusal; its words are there in every language."""
    refused = person.last(Refused)
    assert refused.text and "{" not in refused.text
    return refused.code


def test_joining_shows_everything_a_viewer_may_know() -> None:
    """Table, game and notes in one message; everybody else hears of the newcomer."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, seats=2, rules="classic")
        await ada.say(Say("hello"))
        await bob.join(table)
        welcome = bob.last(Welcome)
        assert welcome.you == bob.id and welcome.table.promise == table.document.promise
        assert welcome.game is not None and welcome.game.mine is None
        assert [note.text for note in welcome.notes] == ["hello"]
        assert [guest.name for guest in ada.last(TableNews).table.guests] == ["Bob"]
        assert table.document.secret not in "".join(bob.texts)

    instantly(play())


def test_another_version_is_sent_to_reload() -> None:
    """The page is older than the server."""

    async def play() -> None:
        table, eve = await new_table(Person("Ada")), Person("Eve")
        await table.join(eve, eve.player, Hello(99))
        assert eve.closed == "version" and not eve.texts

    instantly(play())


def test_a_second_tab_takes_the_seat() -> None:
    """Two tabs on one seat (issue 3, 6): the first is told so, and can do nothing more."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, bob, rules="classic")
        tab = Person("Ada")
        await tab.join(table)
        assert ada.closed == "elsewhere" and tab.last(Welcome).game is not None
        assert tab.last(Welcome).game.mine is not None
        await ada.say(Say("still here"))
        assert refusal(ada) == "watching" and bob.count(Heard) == 0
        ada.vanish()
        await asyncio.sleep(0)
        assert tab.id in table.audience.here

    instantly(play())


def test_a_big_screen_sees_the_open_table_and_does_nothing() -> None:
    """TV mode has no hand, also in the browser of somebody who sits."""

    async def play() -> None:
        ada, screen = Person("Ada"), Person("Ada")
        table = await playing_table(ada, seats=2, rules="classic")
        await screen.join(table, tv=True)
        welcome = screen.last(Welcome)
        assert ada.closed is None and welcome.you is None
        assert welcome.game is not None and welcome.game.mine is None
        await screen.say(Sit(1))
        assert refusal(screen) == "watching"
        screen.vanish()
        assert len(table.audience) == 1

    instantly(play())


def test_spectators_may_be_unwanted() -> None:
    """The game is not sent to those without a seat; the table is, so that they can queue."""

    async def play() -> None:
        ada, bob, eve = Person("Ada"), Person("Bob"), Person("Eve")
        table = await playing_table(ada, bob, rules="classic", spectators=False)
        await eve.join(table)
        assert eve.last(Welcome).game is None
        lay(table, "R1 R2 R3", "R4 R5 R6")
        await ada.act("R1")
        assert bob.count(Moved) == 1 and eve.count(Moved) == eve.count(Dealt) == 0

    instantly(play())


# --- acts ---------------------------------------------------------------------------------------------------


def test_a_move_reaches_everybody_before_its_answer() -> None:
    """``Done`` comes after ``Moved``, to the sender alone; the private part is each viewer's own."""

    async def play() -> None:
        ada, bob, eve = Person("Ada"), Person("Bob"), Person("Eve")
        table = await playing_table(ada, bob, rules="classic")
        await eve.join(table)
        lay(table, "R1 R2 R3", "R4 R5 R6")
        command = await ada.act("R1")
        moved, done = ada.heard[-2:]
        assert isinstance(moved, Moved) and done == Done(command, 1) and moved.ply == 1
        assert moved.mine is not None and moved.mine.hand == ("R2", "R3")
        assert bob.last(Moved).mine.hand == ("R4", "R5", "R6") and eve.last(Moved).mine is None
        assert bob.count(Done) == eve.count(Done) == 0

    instantly(play())


def test_a_command_sent_again_is_played_once() -> None:
    """The same id gets the same answer (SERVER.md, one truth, 4); from another seat it is refused."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic")
        lay(table, "R1 R2 R3", "R4 R5 R6")
        command = await ada.act("R1")
        await bob.act("R4")
        await ada.act("R1", command)
        assert ada.last(Done) == Done(command, 1) and len(store.log[table.play.id]) == 2
        await bob.act("R5", command)
        assert refusal(bob) == "replayed" and len(store.log[table.play.id]) == 2

    instantly(play())


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_of_the_rules_are_in_words(language: str) -> None:
    """Out of turn (issue 3, 6): code, clause and the person's own language; nothing is told to others."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob", language)
        table = await playing_table(ada, bob, rules="classic")
        lay(table, "R1 R2 R3", "R4 R5 R6")
        command = await bob.act("R4")
        refused = bob.last(Refused)
        assert (refused.id, refused.code, refused.clause) == (command, "not-your-turn", "CO-3")
        assert "Ada" in refused.text and "CO-3" in refused.text and ada.count(Refused) == 0
        assert table.play.ledger.ply == 0

    instantly(play())


def test_why_changes_nothing() -> None:
    """A card is tapped: the clause in words, or that it can be played."""

    async def play() -> None:
        ada = Person("Ada")
        table = await playing_table(ada, Person("Bob"), rules="classic")
        lay(table, "R1 G2 R3", "R4 R5 R6")
        await ada.say(Why("question1", "G2"))
        assert refusal(ada) == "no-match" and ada.last(Refused).id == "question1"
        await ada.say(Why("question2", "R1"))
        assert ada.last(Done) == Done("question2", 0) and table.play.ledger.ply == 0

    instantly(play())


def test_acts_out_of_place() -> None:
    """Rubbish, an older match, no seat, no match."""

    async def play() -> None:
        ada, eve = Person("Ada"), Person("Eve")
        table = await new_table(ada)
        await ada.say(Act("command-1", "no-match", "R1"))
        assert refusal(ada) == "stale"
        await ada.say(Start())
        await eve.join(table)
        for person, match, move, code in (
            (ada, table.play.id, "??!", "bad-move"),
            (ada, "older", "draw", "stale"),
            (eve, table.play.id, "draw", "not-seated"),
        ):
            await person.say(Act("command-2", match, move))
            assert refusal(person) == code and person.last(Refused).id == "command-2"

    instantly(play())


def test_what_the_store_cannot_write_has_not_happened() -> None:
    """Disk full (SERVER.md, faults): refused, nothing changed, nobody else told; later it goes on."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic")
        lay(table, "R1 R2 R3", "R4 R5 R6")
        before, seats = table.play.match.round.table_bytes(), table.document.seats
        store.broken = True
        command = await ada.act("R1")
        assert refusal(ada) == "storage" and table.play.match.round.table_bytes() == before
        await bob.say(Stand())
        assert refusal(bob) == "storage" and table.document.seats == seats
        assert bob.count(Moved) == 0
        store.broken = False
        await ada.act("R1", command)
        assert ada.last(Done) == Done(command, 1)

    instantly(play())


# --- seats --------------------------------------------------------------------------------------------------


def test_standing_up_hides_the_hand_and_sitting_down_shows_it() -> None:
    """Whoever watches sees what spectators see; a whole picture comes with every change of eyes."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        await playing_table(ada, bob, rules="classic")
        await bob.say(Stand())
        assert bob.last(Dealt).game.mine is None
        assert ada.last(TableNews).table.seats[1].standin and ada.last(TableNews).table.seats[1].player == bob.id
        assert bob.count(Notice) == 0
        await bob.say(Sit(1))
        assert bob.last(Dealt).game.mine is not None and not ada.last(TableNews).table.seats[1].standin

    instantly(play())


def test_the_host_sends_somebody_away() -> None:
    """The hand goes on under a bot (issue 3, 2); the player is told, and may come back after the round."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, bob, rules="classic")
        lay(table, "Y1 Y2 Y3", "R4 R5 R6", turn=1)
        await ada.say(Kick(bob.id))
        assert bob.last(Notice).what == "kicked" and bob.closed is None
        await bob.say(Sit(1))
        assert refusal(bob) == "after-round"
        await asyncio.sleep(4)
        assert table.play.ledger.ply >= 1

    instantly(play())


def test_the_table_sends_its_host_away() -> None:
    """A majority of the others; the host is host no longer than he is here."""

    async def play() -> None:
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await playing_table(ada, bob, cleo, rules="classic")
        await bob.say(Kick(ada.id))
        vote = ada.last(TableNews).table.vote
        assert vote is not None and (vote.what, vote.target, vote.yes, vote.needed) == ("kick", ada.id, (1,), 2)
        await cleo.say(Kick(ada.id))
        assert ada.last(Notice).what == "kicked" and table.document.vote is None

    instantly(play())


def test_a_vote_lapses() -> None:
    """After half a minute a question nobody answered is gone."""

    async def play() -> None:
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await playing_table(ada, bob, cleo, rules="classic", pace="untimed")
        await bob.say(Kick(cleo.id))
        await asyncio.sleep(29)
        assert table.document.vote is not None
        await asyncio.sleep(2)
        assert table.document.vote is None and cleo.last(TableNews).table.vote is None

    instantly(play())


# --- the host -----------------------------------------------------------------------------------------------


def test_settings_and_bots_before_the_match() -> None:
    """Everybody sees them; what makes no sense is refused in words."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await new_table(ada, bob)
        await ada.say(Configure(Settings(rules="classic+harsh", seats=4, pace="fast")))
        await ada.say(SetBot(2, "sharp"))
        state = bob.last(TableNews).table
        assert (state.settings.rules, state.settings.pace) == ("classic+harsh", "fast")
        assert [seat and seat.bot for seat in state.seats] == [None, None, "sharp", None]
        await ada.say(SetBot(1, "sharp"))
        assert refusal(ada) == "seat-person"
        await ada.say(SetBot(3, "godlike"))
        assert refusal(ada) == "no-such-level"
        await ada.say(Configure(Settings(rules="chess")))
        assert refusal(ada) == "bad-settings" and "chess" in ada.last(Refused).text
        await ada.say(SetBot(2, None))
        await ada.say(Start("learner"))
        assert [place.bot for place in table.document.seats] == [None, None, "learner", "learner"]
        await ada.say(Start())
        assert refusal(ada) == "in-match"

    instantly(play())


def test_the_host_is_handed_on() -> None:
    """By name, or by itself a minute after the host has gone."""

    async def play() -> None:
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await new_table(ada, bob, cleo)
        await ada.say(Appoint(cleo.id))
        assert bob.last(TableNews).table.host == cleo.id
        await ada.say(Start())
        assert refusal(ada) == "not-host"
        cleo.vanish()
        await asyncio.sleep(59)
        assert table.document.host.id == cleo.id
        await asyncio.sleep(2)
        assert bob.last(TableNews).table.host == ada.id

    instantly(play())


def test_a_host_who_returns_in_time_stays_host() -> None:
    """A reloaded page is no farewell."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await new_table(ada, bob)
        ada.vanish()
        await asyncio.sleep(40)
        await ada.join(table)
        await asyncio.sleep(60)
        assert table.document.host.id == ada.id

    instantly(play())


# --- chat ---------------------------------------------------------------------------------------------------


def test_what_is_said_is_heard_by_all_and_cleaned() -> None:
    """Also on the big screen; control and bidirectional characters are gone (SERVER.md)."""

    async def play() -> None:
        ada, screen = Person("Ada"), Person("TV")
        table = await new_table(ada)
        await screen.join(table, tv=True)
        await ada.say(Say("hi\u202e there\n\u0007"))
        await ada.say(Quick(QUICK[0]))
        first, second = (message.note for message in screen.heard if isinstance(message, Heard))
        assert (first.text, first.quick, first.player) == ("hi there", None, ada.id)
        assert (second.text, second.quick) == (None, QUICK[0])

    instantly(play())


def test_chat_that_is_refused() -> None:
    """Muted, off, empty, unknown, too much; phrases go on where chat is off."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await new_table(ada, bob)
        await bob.say(Say("\u0007"))
        assert refusal(bob) == "nothing-said"
        await bob.say(Quick("rude"))
        assert refusal(bob) == "no-such-phrase"
        await ada.say(Mute(bob.id, True))
        await bob.say(Say("hello"))
        assert refusal(bob) == "muted" and ada.count(Heard) == 0
        await ada.say(Mute(bob.id, False))
        await ada.say(Configure(Settings(seats=2, chat=False)))
        await bob.say(Say("hello"))
        assert refusal(bob) == "chat-off"
        for _ in range(20):
            await bob.say(Quick(QUICK[0]))
        assert refusal(bob) == "flood" and 0 < ada.count(Heard) < 20
        assert len(table._chat.notes) == ada.count(Heard)

    instantly(play())


# --- the shuffle --------------------------------------------------------------------------------------------


def test_numbers_count_for_the_promise_they_were_given_for() -> None:
    """One for each player; one for an older promise matters to nobody and is no fault (contract: fair shuffle)."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await new_table(ada, bob, store=store)
        promise = table.document.promise
        await ada.say(Number(promise, "11" * 16))
        await ada.say(Number(promise, "22" * 16))
        await bob.say(Number("00" * 32, "33" * 16))
        await ada.say(Start())
        row = store.matches[table.play.id]
        assert row.numbers == ("22" * 16, "") and bob.count(Refused) == 0
        game = bob.last(Dealt).game
        assert game.promise == promise != bob.last(TableNews).table.promise

    instantly(play())


def test_ready_is_for_between_rounds() -> None:
    """Nothing waits for it at other times."""

    async def play() -> None:
        ada, eve = Person("Ada"), Person("Eve")
        table = await new_table(ada)
        await eve.join(table)
        await ada.say(Ready())
        assert refusal(ada) == "not-now"
        await eve.say(Ready())
        assert refusal(eve) == "not-seated"

    instantly(play())


def test_a_house_has_a_table_of_its_own_for_everybody() -> None:
    """Codes are short in the house and longer in public (SERVER.md)."""

    async def play() -> None:
        ada = Person("Ada")
        table = await new_house().create(ada.player, Settings())
        assert len(table.code) == 6 and table.state().join_url == f"http://192.168.1.5:8000/t/{table.code}"

    instantly(play())
