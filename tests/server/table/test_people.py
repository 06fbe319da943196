"""Seats, settings, the host and chat at a table, by commands (docs/table.md)."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.server.wire.parts import QUICK
from lastcard.server.wire.protocol import Dealt, Moved, NotePosted, Notice, Quick, Refused, Say, TableChanged, decode
from lastcard.session.commands import (
    Appoint,
    Configure,
    Kick,
    LeaveSeat,
    Mute,
    Number,
    Ready,
    SetAvatar,
    SetBot,
    Sit,
    Start,
)
from lastcard.session.table_settings import WantedSettings
from lastcard.text.locale import catalog
from support.fakes import MemoryStore, Person, new_table, playing_table, refusal_code, set_position

# --- seats --------------------------------------------------------------------------------------------------


async def test_leaving_a_seat_hides_the_hand_and_sitting_down_shows_it(ada: Person, bob: Person) -> None:
    """A person who watches gets a spectator's view; each change of the viewer sends a full snapshot."""
    await playing_table(ada, bob, rules="classic")
    await bob.send_command(LeaveSeat())
    assert bob.last(Dealt).game.mine is None
    assert ada.last(TableChanged).table.seats[1].standin and ada.last(TableChanged).table.seats[1].player == bob.id
    assert bob.count(Notice) == 0
    await bob.send_command(Sit(1))
    assert bob.last(Dealt).game.mine is not None and not ada.last(TableChanged).table.seats[1].standin


async def test_confusable_names_at_a_table_are_distinguished() -> None:
    """A Cyrillic letter in a player's name: in a seat, among the guests, and in the chat."""
    ada, bob, eve = Person("Ada"), Person("\u0410da"), Person("Ad\u0430")
    await new_table(ada, bob)
    await eve.join(ada.table)
    state = ada.last(TableChanged).table
    assert [seat.name for seat in state.seats] == ["Ada", "\u0410da 2"]
    assert state.guests[0].name == "Ad\u0430 3"
    await eve.send_command(Say("it is me"))
    assert ada.last(NotePosted).note.name == "Ad\u0430 3"


async def test_the_host_kicks_a_player(ada: Person, bob: Person) -> None:
    """A bot continues with the hand (docs/table.md); the player is informed, and may come back after the round."""
    table = await playing_table(ada, bob, rules="classic")
    set_position(table, "Y1 Y2 Y3", "R4 R5 R6", turn=1)
    await ada.send_command(Kick(bob.id))
    assert bob.last(Notice).what == "kicked" and bob.closed is None
    assert await bob.refusal(Sit(1)) == "after-round"
    await asyncio.sleep(4)
    assert table.play.log.ply >= 1


async def test_a_vote_kicks_the_host(ada: Person, bob: Person, cleo: Person) -> None:
    """A majority of the others does; a host who is away is no longer host."""
    table = await playing_table(ada, bob, cleo, rules="classic")
    await bob.send_command(Kick(ada.id))
    vote = ada.last(TableChanged).table.vote
    assert vote is not None and (vote.what, vote.target, vote.yes, vote.needed) == ("kick", ada.id, (1,), 2)
    await cleo.send_command(Kick(ada.id))
    assert ada.last(Notice).what == "kicked" and table.state.vote is None


async def test_a_vote_kicks_from_the_queue(ada: Person, bob: Person, cleo: Person, eve: Person) -> None:
    """A majority of the people in seats removes a late joiner from the queue; the vote is open until then."""
    table = await playing_table(ada, bob, cleo, rules="classic")
    await eve.join_and_sit(table)
    await bob.send_command(Kick(eve.id))
    vote = eve.last(TableChanged).table.vote
    assert vote is not None and (vote.target, vote.yes, vote.needed) == (eve.id, (1,), 2)
    await cleo.send_command(Kick(eve.id))
    assert table.state.vote is None and not table.state.queue


async def test_a_vote_lapses(ada: Person, bob: Person, cleo: Person) -> None:
    """A vote that fails within half a minute is closed."""
    table = await playing_table(ada, bob, cleo, rules="classic", pace="untimed")
    await bob.send_command(Kick(cleo.id))
    await asyncio.sleep(29)
    assert table.state.vote is not None
    await asyncio.sleep(2)
    assert table.state.vote is None and cleo.last(TableChanged).table.vote is None


# --- the host -----------------------------------------------------------------------------------------------


async def test_settings_and_bots_before_the_match(ada: Person, bob: Person) -> None:
    """Everybody sees them; contradictions are refused in words."""
    table = await new_table(ada, bob)
    await ada.send_command(Configure(WantedSettings(rules="classic+stacking=same", seats=4, pace="fast")))
    await ada.send_command(SetBot(2, "sharp"))
    state = bob.last(TableChanged).table
    assert (state.settings.rules, state.settings.pace) == ("classic+stacking=same", "fast")
    assert [seat and seat.bot for seat in state.seats] == [None, None, "sharp", None]
    assert await ada.refusal(SetBot(1, "sharp")) == "seat-person"
    assert await ada.refusal(SetBot(3, "godlike")) == "no-such-level"
    assert await ada.refusal(Configure(WantedSettings(rules="chess"))) == "bad-settings"
    assert "chess" in ada.last(Refused).text
    ada.language = "pl"
    await ada.send_command(Configure(WantedSettings(rules="classic+tally_tie=shared")))
    assert catalog("pl").text("option.tally_tie") in ada.last(Refused).text
    assert await ada.refusal(SetBot(3, "casual", "rude")) == "no-such-style"
    await ada.send_command(SetBot(3, "casual", "hoarder"))
    assert [seat and seat.style for seat in bob.last(TableChanged).table.seats] == ["", "", "", "hoarder"]
    await ada.send_command(SetBot(3, None))
    await ada.send_command(SetBot(2, None))
    await ada.send_command(Start("learner"))
    assert [place.bot for place in table.state.seats] == [None, None, "learner", "learner"]
    assert await ada.refusal(Start()) == "in-match"


@pytest.mark.parametrize(("style", "move"), [("", "W=G"), ("hoarder", "draw")])
async def test_a_bot_plays_in_its_style(ada: Person, style: str, move: str) -> None:
    """A hoarder draws where another bot lays its wild."""
    table = await new_table(ada, rules="classic")
    await ada.send_command(SetBot(1, "sharp", style))
    await ada.send_command(Start())
    set_position(table, "Y1 Y2 Y3 Y4", "G1 G3 B5 W", turn=1)
    await asyncio.sleep(10)
    first = next(message for message in ada.received if isinstance(message, Moved))
    assert (first.seat, first.move) == (1, move)


async def test_the_host_names_a_new_host(ada: Person, bob: Person, cleo: Person) -> None:
    """The host names a successor, or it is automatic a minute after the host has gone."""
    table = await new_table(ada, bob, cleo)
    await ada.send_command(Appoint(cleo.id))
    assert bob.last(TableChanged).table.host == cleo.id
    assert await ada.refusal(Start()) == "not-host"
    cleo.disconnect()
    await asyncio.sleep(59)
    assert table.state.host.id == cleo.id
    await asyncio.sleep(2)
    assert bob.last(TableChanged).table.host == ada.id


async def test_a_host_who_returns_in_time_stays_host(ada: Person, bob: Person) -> None:
    """A reload does not count as leaving."""
    table = await new_table(ada, bob)
    ada.disconnect()
    await asyncio.sleep(40)
    await ada.join(table)
    await asyncio.sleep(60)
    assert table.state.host.id == ada.id


# --- chat ---------------------------------------------------------------------------------------------------


async def test_chat_reaches_everybody_and_is_cleaned(ada: Person) -> None:
    """Chat is also sent to the big screen; control and bidirectional characters are removed."""
    table, screen = await new_table(ada), Person("TV")
    await screen.join(table, tv=True)
    await ada.send_command(Say("hi\u202e there\n\u0007"))
    await ada.send_command(Quick(QUICK[0]))
    first, second = (message.note for message in screen.received if isinstance(message, NotePosted))
    assert (first.text, first.quick, first.player) == ("hi there", None, ada.id)
    assert (second.text, second.quick) == (None, QUICK[0])


async def test_a_reaction_is_sent_to_a_player(ada: Person, bob: Person) -> None:
    """Everybody gets the seat; old clients send and receive the old messages."""
    await new_table(ada, bob, seats=3)
    await ada.send_command(Quick("heart", at=1))
    await ada.send_command(decode(b'{"type": "quick", "quick": "heart"}'))
    assert [message.note.at for message in bob.received if isinstance(message, NotePosted)] == [1, None]
    for seat in (2, 9):
        assert await ada.refusal(Quick("heart", at=seat)) == "no-such-player"
    assert bob.count(NotePosted) == 2


async def test_chat_that_is_refused(ada: Person, bob: Person) -> None:
    """Muted, off, empty, unknown, too much; phrases work even if chat is off."""
    table = await new_table(ada, bob)
    assert await bob.refusal(Say("\u0007")) == "nothing-said"
    assert await bob.refusal(Quick("rude")) == "no-such-phrase"
    await ada.send_command(Mute(bob.id, True))
    assert await bob.refusal(Say("hello")) == "muted" and ada.count(NotePosted) == 0
    await ada.send_command(Mute(bob.id, False))
    await ada.send_command(Configure(WantedSettings(seats=2, chat=False)))
    assert await bob.refusal(Say("hello")) == "chat-off"
    for _ in range(20):
        await bob.send_command(Quick(QUICK[0]))
    assert refusal_code(bob) == "flood" and 0 < ada.count(NotePosted) < 20
    assert len(table._chat.notes) == ada.count(NotePosted)


async def test_only_people_at_the_table_can_be_muted(ada: Person, bob: Person, cleo: Person, eve: Person) -> None:
    """Guests, players, people in the queue and in the chat; an unknown id would stay in the table forever."""
    table = await new_table(ada, bob)
    for guest in (cleo, eve):
        await guest.join(table)
    await cleo.send_command(Sit())
    await eve.send_command(Say("hello"))
    for person in (bob, cleo, eve):
        person.disconnect()
    await asyncio.sleep(1)
    assert await ada.refusal(Mute("id-Nobody", True)) == "no-such-player" and set(table.state.muted) == set()
    for person in (bob, cleo, eve):
        await ada.send_command(Mute(person.id, True))
    assert set(table.state.muted) == {bob.id, cleo.id, eve.id}
    table._chat.forget(eve.id)
    await ada.send_command(Mute(eve.id, False))
    assert set(table.state.muted) == {bob.id, cleo.id} and ada.count(Refused) == 1


# --- the shuffle --------------------------------------------------------------------------------------------


async def test_a_number_counts_only_for_its_promise(ada: Person, bob: Person, store: MemoryStore) -> None:
    """Each player has one number; one for an older commitment is ignored and is no error (contract: fair shuffle)."""
    table = await new_table(ada, bob, store=store)
    promise = table.state.promise
    await ada.send_command(Number(promise, "11" * 16))
    await ada.send_command(Number(promise, "22" * 16))
    await bob.send_command(Number("00" * 32, "33" * 16))
    await ada.send_command(Start())
    row = store.matches[table.play.id]
    assert row.numbers == ("22" * 16, "") and bob.count(Refused) == 0
    game = bob.last(Dealt).game
    assert game.promise == promise != bob.last(TableChanged).table.promise


async def test_a_built_avatar_is_seen_by_all(ada: Person, bob: Person, eve: Person) -> None:
    """Avatars belong to people in seats; an empty one resets it to the name, and forgetting a person deletes it."""
    table = await new_table(ada, bob)
    await eve.join(table)
    await bob.send_command(SetAvatar("21310"))
    assert [seat and seat.look for seat in ada.last(TableChanged).table.seats[:2]] == ["", "21310"]
    assert await eve.refusal(SetAvatar("00000")) == "not-seated"
    await ada.send_command(SetAvatar("11111"))
    await ada.send_command(SetAvatar(""))
    assert table.state.avatars == {bob.id: "21310"}
    await table.forget(bob.id)
    assert table.state.avatars == {}


async def test_ready_is_for_between_rounds(ada: Person, eve: Person) -> None:
    table = await new_table(ada)
    await eve.join(table)
    assert await ada.refusal(Ready()) == "not-now"
    assert await eve.refusal(Ready()) == "not-seated"


async def test_a_number_belongs_to_the_seat_it_was_given_in(ada: Person, bob: Person, eve: Person) -> None:
    """A person with secret and numbers could choose among as many seeds as there are orders of seats."""
    table = await new_table(ada, bob, seats=4)
    await eve.join(table)
    promise = table.state.promise
    for person in (ada, bob, eve):
        await person.send_command(Number(promise, "11" * 16))
    assert table.state.numbers.keys() == {ada.id, bob.id}, "who has no seat adds nothing"
    await eve.send_command(Sit(2))
    assert table.state.promise == promise and len(table.state.numbers) == 2, "a newcomer moves nobody"
    await bob.send_command(LeaveSeat())
    assert table.state.promise != promise and not table.state.numbers
