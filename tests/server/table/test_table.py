"""A table and people's commands: permissions, and recipients of messages."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from lastcard.errors import StoreError
from lastcard.server.wire.protocol import (
    Dealt,
    Done,
    Hello,
    Moved,
    NotePosted,
    Refused,
    Say,
    TableChanged,
    Welcome,
    Why,
)
from lastcard.session.commands import Kick, LeaveSeat, MakeMove, Pause, Sit, Start
from lastcard.text.locale import LANGUAGES
from support.fakes import MemoryStore, Person, new_table, playing_table, refusal_code, set_position, win_round


async def test_joining_shows_everything_a_viewer_may_know(ada: Person, bob: Person) -> None:
    """One message has table, game and notes; everybody else is informed of the newcomer."""
    table = await playing_table(ada, seats=2, rules="classic")
    await ada.send_command(Say("hello"))
    await bob.join(table)
    welcome = bob.last(Welcome)
    assert welcome.you == bob.id and welcome.table.promise == table.state.promise
    assert welcome.game is not None and welcome.game.mine is None
    assert [note.text for note in welcome.notes] == ["hello"]
    assert [guest.name for guest in ada.last(TableChanged).table.guests] == ["Bob"]
    assert table.state.secret.encode() not in b"".join(bob.texts)


async def test_another_version_is_sent_to_reload(ada: Person, eve: Person) -> None:
    table = await new_table(ada)
    await table.join(eve, eve.player, Hello(99))
    assert eve.closed == "version" and not eve.texts


async def test_a_join_of_an_ended_session_is_refused(ada: Person, eve: Person) -> None:
    """The table is busy when somebody joins, and meanwhile the sessions of that person are ended."""
    table = await new_table(ada)
    good = True

    async def is_still() -> bool:
        return good

    async with table.jobs.lock:
        coming = asyncio.create_task(table.join(eve, eve.player, Hello(1), is_still))
        await asyncio.sleep(1)
        good = False
    await coming
    assert eve.closed == "restart" and not eve.texts and eve.id not in table.presence.people.here


async def test_a_second_tab_takes_the_seat(ada: Person, bob: Person) -> None:
    """Two tabs have one seat: the first is informed, and can do nothing more."""
    table = await playing_table(ada, bob, rules="classic")
    tab = Person("Ada")
    await tab.join(table)
    assert ada.closed == "elsewhere" and tab.last(Welcome).game is not None
    assert tab.last(Welcome).game.mine is not None
    assert await ada.refusal(Say("still here")) == "watching" and bob.count(NotePosted) == 0
    ada.disconnect()
    await asyncio.sleep(0)
    assert tab.id in table.presence.people.here


async def test_a_big_screen_sees_the_open_table_and_does_nothing(ada: Person) -> None:
    """The TV view has no hand, even in a player's browser."""
    table, screen = await playing_table(ada, seats=2, rules="classic"), Person("Ada")
    await screen.join(table, tv=True)
    welcome = screen.last(Welcome)
    assert ada.closed is None and welcome.you is None
    assert welcome.game is not None and welcome.game.mine is None
    assert await screen.refusal(Sit(1)) == "watching"
    screen.disconnect()
    assert len(table.presence.peers) == 1


async def test_spectators_may_be_unwanted(ada: Person, bob: Person, eve: Person) -> None:
    """People without a seat do not get the game; they get the table, so that they can queue."""
    table = await playing_table(ada, bob, rules="classic", spectators=False)
    await eve.join(table)
    assert eve.last(Welcome).game is None and eve.last(Welcome).table.match is None
    set_position(table, "R1 R2 R3", "R4 R5 R6")
    await ada.make_move("R1")
    assert bob.count(Moved) == 1 and eve.count(Moved) == eve.count(Dealt) == 0
    await bob.send_command(Pause(True))
    assert bob.last(TableChanged).table.match == table.play.id
    sent = b"".join(eve.texts).decode()
    assert table.play.id not in sent, "by its id the match could be looked at"


async def test_a_new_player_sees_the_game_where_nobody_may_watch(ada: Person, bob: Person, eve: Person) -> None:
    """The new player sees the finished round at once, before the next one is dealt."""
    table = await playing_table(ada, bob, rules="classic", spectators=False)
    await eve.join_and_sit(table)
    await ada.send_command(Kick(bob.id))
    assert eve.count(Dealt) == 0
    await win_round(table, ada, "R4 R5 R6")
    assert eve.last(Dealt).game.mine.seat == 1 and eve.last(TableChanged).table.match == table.play.id


# --- moves --------------------------------------------------------------------------------------------------


async def test_a_move_reaches_everybody_before_its_answer(ada: Person, bob: Person, eve: Person) -> None:
    """``Done`` comes after ``Moved``, to the sender alone; each viewer gets their own private part."""
    table = await playing_table(ada, bob, rules="classic")
    await eve.join(table)
    set_position(table, "R1 R2 R3", "R4 R5 R6")
    command = await ada.make_move("R1")
    moved, done = ada.received[-2:]
    assert isinstance(moved, Moved) and done == Done(command, 1) and moved.ply == 1
    assert moved.mine is not None and moved.mine.hand == ("R2", "R3")
    assert bob.last(Moved).mine.hand == ("R4", "R5", "R6") and eve.last(Moved).mine is None
    assert bob.count(Done) == eve.count(Done) == 0


async def test_a_command_sent_again_is_played_once(ada: Person, bob: Person, store: MemoryStore) -> None:
    """The same id gets the same answer; from another seat, or for another move, it is refused."""
    table = await playing_table(ada, bob, store=store, rules="classic")
    set_position(table, "R1 R2 R3", "R4 R5 R6")
    command = await ada.make_move("R1")
    await bob.make_move("R4")
    await ada.make_move("R1", command)
    assert ada.last(Done) == Done(command, 1) and len(store.log[table.play.id]) == 2
    await bob.make_move("R5", command)
    assert refusal_code(bob) == "replayed" and len(store.log[table.play.id]) == 2
    await ada.make_move("R2", command)
    assert refusal_code(ada) == "replayed" and ada.count(Done) == 2, "another move is not done"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_refusals_of_the_rules_are_in_words(language: str) -> None:
    """Out of turn: code, clause and the person's own language, without the clause in it; others get nothing."""
    ada, bob = Person("Ada"), Person("Bob", language)
    table = await playing_table(ada, bob, rules="classic")
    set_position(table, "R1 R2 R3", "R4 R5 R6")
    command = await bob.make_move("R4")
    refused = bob.last(Refused)
    assert (refused.id, refused.code, refused.clause) == (command, "not-your-turn", "CO-3")
    assert "Ada" in refused.text and "CO-3" not in refused.text and ada.count(Refused) == 0
    assert table.play.log.ply == 0


async def test_why_changes_nothing(ada: Person) -> None:
    """A tap on a card gets the clause in words, or that it can be played."""
    table = await playing_table(ada, Person("Bob"), rules="classic")
    set_position(table, "R1 G2 R3", "R4 R5 R6")
    assert await ada.refusal(Why("question1", "G2")) == "no-match" and ada.last(Refused).id == "question1"
    await ada.send_command(Why("question2", "R1"))
    assert ada.last(Done) == Done("question2", 0) and table.play.log.ply == 0


async def test_moves_at_the_wrong_time(ada: Person, eve: Person) -> None:
    table = await new_table(ada)
    assert await ada.refusal(MakeMove("command-1", "no-match", "R1")) == "stale"
    await ada.send_command(Start())
    await eve.join(table)
    for person, match, move, code in (
        (ada, table.play.id, "??!", "bad-move"),
        (ada, "older", "draw", "stale"),
        (eve, table.play.id, "draw", "not-seated"),
    ):
        assert await person.refusal(MakeMove("command-2", match, move)) == code
        assert person.last(Refused).id == "command-2"


async def test_a_command_that_is_not_stored_changes_nothing(ada: Person, bob: Person, store: MemoryStore) -> None:
    """On a full disk it is refused, nothing changes, nobody else is informed; later it works."""
    table = await playing_table(ada, bob, store=store, rules="classic")
    set_position(table, "R1 R2 R3", "R4 R5 R6")
    before, seats = table.play.match.round.state_bytes(), table.state.seats
    store.broken = True
    command = await ada.make_move("R1")
    assert refusal_code(ada) == "storage" and table.play.match.round.state_bytes() == before
    assert await bob.refusal(LeaveSeat()) == "storage" and table.state.seats == seats
    assert bob.count(Moved) == 0
    store.broken = False
    await ada.make_move("R1", command)
    assert ada.last(Done) == Done(command, 1)


async def test_a_move_that_is_done_is_not_refused_for_what_follows(
    ada: Person, bob: Person, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move is stored, but the end of the match is not: that is tried again, without anybody's help."""
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
