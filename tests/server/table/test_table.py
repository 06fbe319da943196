"""A table and its persons' commands: who may do what, and who hears of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from lastcard.errors import StoreError
from lastcard.server.wire.protocol import (
    Dealt,
    Done,
    Hello,
    Kick,
    LeaveSeat,
    MakeMove,
    Moved,
    NotePosted,
    Pause,
    Refused,
    Say,
    Sit,
    Start,
    TableChanged,
    Welcome,
    Why,
)
from lastcard.text.locale import LANGUAGES
from support.fakes import MemoryStore, Person, new_table, playing_table, refusal_code, run_instantly, set_position


def test_joining_shows_everything_a_viewer_may_know() -> None:
    """Table, game and notes in one message; everybody else hears of the newcomer."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, seats=2, rules="classic")
        await ada.send_command(Say("hello"))
        await bob.join(table)
        welcome = bob.last(Welcome)
        assert welcome.you == bob.id and welcome.table.promise == table.state.promise
        assert welcome.game is not None and welcome.game.mine is None
        assert [note.text for note in welcome.notes] == ["hello"]
        assert [guest.name for guest in ada.last(TableChanged).table.guests] == ["Bob"]
        assert table.state.secret.encode() not in b"".join(bob.texts)

    run_instantly(play())


def test_another_version_is_sent_to_reload() -> None:
    """The page is older than the server."""

    async def play() -> None:
        table, eve = await new_table(Person("Ada")), Person("Eve")
        await table.join(eve, eve.player, Hello(99))
        assert eve.closed == "version" and not eve.texts

    run_instantly(play())


def test_who_waits_to_come_in_may_be_somebody_no_more() -> None:
    """The table is busy when somebody comes, and meanwhile the sessions of that person are ended."""

    async def play() -> None:
        table, eve = await new_table(Person("Ada")), Person("Eve")
        good = True

        async def is_still() -> bool:
            return good

        async with table.jobs.lock:
            coming = asyncio.create_task(table.join(eve, eve.player, Hello(1), is_still))
            await asyncio.sleep(1)
            good = False
        await coming
        assert eve.closed == "restart" and not eve.texts and eve.id not in table.presence.here

    run_instantly(play())


def test_a_second_tab_takes_the_seat() -> None:
    """Two tabs on one seat: the first is told so, and can do nothing more."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, bob, rules="classic")
        tab = Person("Ada")
        await tab.join(table)
        assert ada.closed == "elsewhere" and tab.last(Welcome).game is not None
        assert tab.last(Welcome).game.mine is not None
        await ada.send_command(Say("still here"))
        assert refusal_code(ada) == "watching" and bob.count(NotePosted) == 0
        ada.disconnect()
        await asyncio.sleep(0)
        assert tab.id in table.presence.here

    run_instantly(play())


def test_a_big_screen_sees_the_open_table_and_does_nothing() -> None:
    """TV mode has no hand, also in the browser of somebody who sits."""

    async def play() -> None:
        ada, screen = Person("Ada"), Person("Ada")
        table = await playing_table(ada, seats=2, rules="classic")
        await screen.join(table, tv=True)
        welcome = screen.last(Welcome)
        assert ada.closed is None and welcome.you is None
        assert welcome.game is not None and welcome.game.mine is None
        await screen.send_command(Sit(1))
        assert refusal_code(screen) == "watching"
        screen.disconnect()
        assert len(table.presence.peers) == 1

    run_instantly(play())


def test_spectators_may_be_unwanted() -> None:
    """The game is not sent to those without a seat; the table is, so that they can queue."""

    async def play() -> None:
        ada, bob, eve = Person("Ada"), Person("Bob"), Person("Eve")
        table = await playing_table(ada, bob, rules="classic", spectators=False)
        await eve.join(table)
        assert eve.last(Welcome).game is None and eve.last(Welcome).table.match is None
        set_position(table, "R1 R2 R3", "R4 R5 R6")
        await ada.make_move("R1")
        assert bob.count(Moved) == 1 and eve.count(Moved) == eve.count(Dealt) == 0
        await bob.send_command(Pause(True))
        assert bob.last(TableChanged).table.match == table.live.id
        sent = b"".join(eve.texts).decode()
        assert table.live.id not in sent, "by its id the match could be looked at"

    run_instantly(play())


def test_whoever_gets_a_seat_where_nobody_may_watch_sees_the_game() -> None:
    """At once, with the seat: the round that is over, before the next is dealt."""

    async def play() -> None:
        ada, bob, eve = Person("Ada"), Person("Bob"), Person("Eve")
        table = await playing_table(ada, bob, rules="classic", spectators=False)
        await eve.join(table)
        await eve.send_command(Sit())
        await ada.send_command(Kick(bob.id))
        assert eve.count(Dealt) == 0
        set_position(table, "R1", "R4 R5 R6")
        await ada.make_move("R1")
        assert eve.last(Dealt).game.mine.seat == 1 and eve.last(TableChanged).table.match == table.live.id

    run_instantly(play())


# --- acts ---------------------------------------------------------------------------------------------------


def test_a_move_reaches_everybody_before_its_answer() -> None:
    """``Done`` comes after ``Moved``, to the sender alone; the private part is each viewer's own."""

    async def play() -> None:
        ada, bob, eve = Person("Ada"), Person("Bob"), Person("Eve")
        table = await playing_table(ada, bob, rules="classic")
        await eve.join(table)
        set_position(table, "R1 R2 R3", "R4 R5 R6")
        command = await ada.make_move("R1")
        moved, done = ada.received[-2:]
        assert isinstance(moved, Moved) and done == Done(command, 1) and moved.ply == 1
        assert moved.mine is not None and moved.mine.hand == ("R2", "R3")
        assert bob.last(Moved).mine.hand == ("R4", "R5", "R6") and eve.last(Moved).mine is None
        assert bob.count(Done) == eve.count(Done) == 0

    run_instantly(play())


def test_a_command_sent_again_is_played_once() -> None:
    """The same id gets the same answer; from another seat, or for another move, it is refused."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic")
        set_position(table, "R1 R2 R3", "R4 R5 R6")
        command = await ada.make_move("R1")
        await bob.make_move("R4")
        await ada.make_move("R1", command)
        assert ada.last(Done) == Done(command, 1) and len(store.log[table.live.id]) == 2
        await bob.make_move("R5", command)
        assert refusal_code(bob) == "replayed" and len(store.log[table.live.id]) == 2
        await ada.make_move("R2", command)
        assert refusal_code(ada) == "replayed" and ada.count(Done) == 2, "another move is not done"

    run_instantly(play())


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_of_the_rules_are_in_words(language: str) -> None:
    """Out of turn: code, clause and the person's own language, without the clause in it; nothing is told to others."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob", language)
        table = await playing_table(ada, bob, rules="classic")
        set_position(table, "R1 R2 R3", "R4 R5 R6")
        command = await bob.make_move("R4")
        refused = bob.last(Refused)
        assert (refused.id, refused.code, refused.clause) == (command, "not-your-turn", "CO-3")
        assert "Ada" in refused.text and "CO-3" not in refused.text and ada.count(Refused) == 0
        assert table.live.log.ply == 0

    run_instantly(play())


def test_why_changes_nothing() -> None:
    """A card is tapped: the clause in words, or that it can be played."""

    async def play() -> None:
        ada = Person("Ada")
        table = await playing_table(ada, Person("Bob"), rules="classic")
        set_position(table, "R1 G2 R3", "R4 R5 R6")
        await ada.send_command(Why("question1", "G2"))
        assert refusal_code(ada) == "no-match" and ada.last(Refused).id == "question1"
        await ada.send_command(Why("question2", "R1"))
        assert ada.last(Done) == Done("question2", 0) and table.live.log.ply == 0

    run_instantly(play())


def test_moves_at_the_wrong_time() -> None:
    """Rubbish, an older match, no seat, no match."""

    async def play() -> None:
        ada, eve = Person("Ada"), Person("Eve")
        table = await new_table(ada)
        await ada.send_command(MakeMove("command-1", "no-match", "R1"))
        assert refusal_code(ada) == "stale"
        await ada.send_command(Start())
        await eve.join(table)
        for person, match, move, code in (
            (ada, table.live.id, "??!", "bad-move"),
            (ada, "older", "draw", "stale"),
            (eve, table.live.id, "draw", "not-seated"),
        ):
            await person.send_command(MakeMove("command-2", match, move))
            assert refusal_code(person) == code and person.last(Refused).id == "command-2"

    run_instantly(play())


def test_what_the_store_cannot_write_has_not_happened() -> None:
    """Disk full: refused, nothing changed, nobody else told; later it goes on."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic")
        set_position(table, "R1 R2 R3", "R4 R5 R6")
        before, seats = table.live.match.round.state_bytes(), table.state.seats
        store.broken = True
        command = await ada.make_move("R1")
        assert refusal_code(ada) == "storage" and table.live.match.round.state_bytes() == before
        await bob.send_command(LeaveSeat())
        assert refusal_code(bob) == "storage" and table.state.seats == seats
        assert bob.count(Moved) == 0
        store.broken = False
        await ada.make_move("R1", command)
        assert ada.last(Done) == Done(command, 1)

    run_instantly(play())


def test_a_move_that_is_done_is_not_refused_for_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the match cannot be saved, the move could: that is tried again, and nobody has to do anything."""

    async def play() -> None:
        ada, bob, store = Person("Ada"), Person("Bob"), MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic+winning_score=100", pace="untimed")
        set_position(table, "R1", "W W W")
        finish, failures = store.finish_match, [StoreError("disk full")] * 2

        async def fail(*args: Any) -> None:
            if failures:
                raise failures.pop()
            await finish(*args)

        monkeypatch.setattr(store, "finish_match", fail)
        command = await ada.make_move("R1")
        assert ada.last(Done).id == command and ada.count(Refused) == 0
        assert table.state.phase == "playing"
        await asyncio.sleep(5)
        assert table.state.phase == "over" and ada.count(Refused) == 0 and not failures

    run_instantly(play())
