"""From match to match: rounds, successors, written rule cards, the end, the rematch."""

from __future__ import annotations

import asyncio
from typing import Any

from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.protocol import Dealt, Moved, TableChanged, Welcome
from lastcard.session.commands import Back, Configure, Kick, LeaveSeat, Number, Pause, Ready, Sit, Start, Write
from lastcard.session.table_settings import Settings, WantedSettings
from support.fakes import MemoryStore, Person, new_registry, new_table, playing_table, set_position, win_round

ROUNDS = "classic+winning_score=100"


async def between_rounds(*people: Person, **settings: Any) -> LiveTable:
    """A table at which the first round is over."""
    table = await playing_table(*people, **{"rules": ROUNDS, **settings})
    await win_round(table, people[0], *["R2 R3"] * (len(table.state.seats) - 1))
    assert table.state.phase == "between"
    return table


async def test_the_next_round_comes_when_all_are_ready(ada: Person, bob: Person) -> None:
    """All people present must be; the deal rotates (CO-44) and the log goes on."""
    table = await between_rounds(ada, bob)
    assert ada.last(Moved).public.hands == ((), ("R2", "R3"))
    await ada.send_command(Ready())
    state = bob.last(TableChanged).table
    assert state.phase == "between" and [seat.ready for seat in state.seats] == [True, False]
    assert state.next_in == 15_000
    dealer = table.play.match.dealer
    await bob.send_command(Ready())
    assert (table.state.phase, table.state.round) == ("playing", 1)
    game = ada.last(Dealt).game
    assert (game.ply, game.public.round, game.public.dealer) == (2, 1, 1 - dealer)
    assert not any(seat.ready for seat in bob.last(TableChanged).table.seats)


async def test_the_next_round_comes_by_itself(ada: Person, bob: Person) -> None:
    """The round comes after 15 s, but not in a pause; absent people are not waited for."""
    table = await between_rounds(ada, bob)
    await asyncio.sleep(10)
    await ada.send_command(Pause(True))
    await bob.send_command(Pause(True))
    await asyncio.sleep(60)
    assert ada.last(TableChanged).table.next_in is None
    await ada.send_command(Pause(False))
    await asyncio.sleep(4)
    assert table.state.phase == "between"
    await asyncio.sleep(2)
    assert table.state.phase == "playing"


async def test_a_single_person_has_no_deadline(ada: Person, bob: Person) -> None:
    """A person against bots has no deadline; when somebody else joins, a deadline starts."""
    table = await playing_table(ada, seats=2, rules=ROUNDS)
    await bob.join(table)
    await win_round(table, ada, "R2 R3")
    assert table.state.phase == "between" and bob.last(TableChanged).table.next_in is None
    await asyncio.sleep(600)
    assert table.state.phase == "between"
    await bob.send_command(Sit())
    assert table.state.playing_seat(bob.id) == 1 and ada.last(TableChanged).table.next_in == 15_000
    bob.disconnect()
    await asyncio.sleep(60)
    assert table.state.phase == "between" and ada.last(TableChanged).table.next_in is None
    await ada.send_command(Ready())
    assert table.state.phase == "playing"


async def test_a_spectator_of_bots_gets_the_next_round(ada: Person) -> None:
    """The player has left the seat: the next round comes by itself."""
    table = await between_rounds(ada, seats=2)
    await ada.send_command(LeaveSeat())
    assert ada.last(TableChanged).table.next_in == 15_000
    await asyncio.sleep(16)
    assert table.state.phase == "playing"


async def test_a_single_writer_has_no_deadline(ada: Person, bob: Person) -> None:
    """Ninety seconds are for people who wait for each other."""
    table = await writing_table(ada, seats=2)
    assert table.state.phase == "writing" and ada.last(TableChanged).table.next_in is None
    await asyncio.sleep(600)
    assert table.state.phase == "writing"
    other = await writing_table(ada, bob)
    assert other.state.phase == "writing" and bob.last(TableChanged).table.next_in == 90_000


async def writing_table(*people: Person, **settings: Any) -> LiveTable:
    """A table with written rule cards, just started."""
    table = await new_table(*people, rules="wild-jackpot+wj_rules=written", **settings)
    await people[0].send_command(Start())
    return table


async def test_a_person_who_leaves_does_not_delay_the_round(ada: Person, bob: Person) -> None:
    """The last person who was not ready closes the page."""
    table = await between_rounds(ada, bob)
    await ada.send_command(Ready())
    bob.disconnect()
    await asyncio.sleep(0.1)
    assert table.state.phase == "playing"


async def test_another_match_comes_when_all_want_it(ada: Person, bob: Person) -> None:
    """After the match everybody must agree, the host included; the agreements are visible."""
    table = await playing_table(ada, bob)
    await win_round(table, ada, "R2 R3")
    first = table.state.match
    assert table.state.phase == "over"
    await bob.send_command(Ready())
    state = ada.last(TableChanged).table
    assert state.phase == "over" and [seat.ready for seat in state.seats] == [False, True]
    await ada.send_command(Ready())
    assert table.state.phase == "playing" and table.state.match != first
    assert not any(seat.ready for seat in ada.last(TableChanged).table.seats)


async def test_another_match_waits_for_a_reader_of_the_report(ada: Person, bob: Person, cleo: Person) -> None:
    """The report has no connection to the table (docs/table.md, "After the match"); the limit is a minute."""
    table = await playing_table(ada, bob, cleo)
    await asyncio.sleep(1)
    await win_round(table, ada, "R2 R3", "R2 R3")
    bob.disconnect()
    await asyncio.sleep(20)
    cleo.disconnect()
    await ada.send_command(Ready())
    seats = ada.last(TableChanged).table.seats
    assert table.state.phase == "over" and [seat.awaited for seat in seats] == [False, True, True]
    assert not any(seat.here for seat in seats[1:])
    await asyncio.sleep(41)
    assert [seat.awaited for seat in ada.last(TableChanged).table.seats] == [False, False, True]
    await cleo.join(table)
    assert not any(seat.awaited for seat in cleo.last(Welcome).table.seats)
    await asyncio.sleep(60)
    assert table.state.phase == "over"
    cleo.disconnect()
    await asyncio.sleep(59)
    assert table.state.phase == "over"
    await asyncio.sleep(2)
    assert table.state.phase == "playing" and not ada.last(TableChanged).table.seats[2].awaited


async def test_the_next_player_takes_the_bots_place_after_the_round(ada: Person, cleo: Person) -> None:
    """A bot's seat changes hands between rounds (docs/table.md, "Sitting down"): until then the successor watches."""
    table = await playing_table(ada, seats=2, rules=ROUNDS)
    await cleo.join_and_sit(table)
    assert ada.last(TableChanged).table.seats[1].heir == "Cleo" and ada.last(TableChanged).table.guests[0].queued
    await cleo.send_command(LeaveSeat())
    assert ada.last(TableChanged).table.seats[1].heir is None and not ada.last(TableChanged).table.guests[0].queued
    await cleo.send_command(Sit())
    await win_round(table, ada, "R2 R3")
    assert cleo.last(Moved).mine is None
    assert ada.last(TableChanged).table.seats[1].player == cleo.id
    await cleo.send_command(Ready())
    await ada.send_command(Ready())
    assert cleo.last(Dealt).game.mine is not None and cleo.last(Dealt).game.mine.seat == 1


async def test_the_queue_is_served_between_rounds(ada: Person, bob: Person, cleo: Person) -> None:
    """Late joiners watch and queue for a seat (docs/table.md, "Sitting down")."""
    table = await playing_table(ada, bob, rules=ROUNDS)
    await cleo.join_and_sit(table)
    guest = ada.last(TableChanged).table.guests[0]
    assert (guest.name, guest.queued) == ("Cleo", True)
    await ada.send_command(Kick(bob.id))
    await win_round(table, ada, "R2 R3")
    assert table.state.playing_seat(cleo.id) == 1 and table.state.seat_of(bob.id) is None


async def test_a_seat_that_was_left_is_reserved_while_the_match_lasts(ada: Person, bob: Person, cleo: Person) -> None:
    """Nobody else gets it, by the queue or by request; its owner comes back to the same hand and points."""
    table = await playing_table(ada, bob, rules=ROUNDS)
    await cleo.join_and_sit(table)
    await bob.send_command(LeaveSeat())
    bob.disconnect()
    await win_round(table, ada, "R2 R3")
    assert table.state.phase == "between" and table.state.seat_of(bob.id) == 1
    assert await cleo.refusal(Sit(1)) == "seat-person" and table.state.seat_of(cleo.id) is None
    await ada.send_command(Ready())
    scores = table.play.match.scores
    await bob.join(table)
    await bob.send_command(Back())
    assert bob.last(Dealt).game.mine.seat == 1 and bob.last(Dealt).game.public.scores == scores
    await bob.send_command(LeaveSeat())
    set_position(table, "R1", "W W W W")
    table.play.match.scores = (90, 0)
    await ada.make_move("R1")
    assert table.state.phase == "over" and table.state.playing_seat(cleo.id) == 1


async def test_the_end_of_a_match_and_the_rematch(ada: Person, bob: Person, store: MemoryStore) -> None:
    """Wins are counted, the match is stored; a new start deals another one with a new secret."""
    table = await playing_table(ada, bob, store=store, rules=ROUNDS)
    first = table.play.id
    await win_round(table, ada, "W W")
    state = bob.last(TableChanged).table
    assert (state.phase, state.match, state.played, state.wins) == ("over", first, 1, {ada.id: 1})
    assert store.matches[first].winners == (0,) and store.matches[first].finished
    assert await bob.refusal(Start()) == "not-host"
    await ada.send_command(Start())
    assert table.state.phase == "playing" and table.play.id != first
    assert store.matches[table.play.id].secret != store.matches[first].secret
    assert bob.last(Dealt).game.match == table.play.id and bob.last(Dealt).game.ply == 0


async def test_settings_change_between_matches(ada: Person, bob: Person) -> None:
    """The table is a lobby then; the finished match is removed from it."""
    table = await playing_table(ada, bob, rules=ROUNDS)
    await win_round(table, ada, "W W")
    await ada.send_command(Configure(WantedSettings(rules="all-wild", seats=5)))
    assert table.state.phase == "lobby" and table.play is None
    await ada.send_command(Start())
    assert table.play is not None and len(table.play.match.players) == 5


# --- written rule cards ---------------------------------------------------------------------------------------


async def test_rule_cards_are_written_before_the_match(ada: Person, bob: Person) -> None:
    """The match starts when all connected people have written (docs/table.md, "Rule cards")."""
    table = await writing_table(ada, bob, seats=3)
    state = bob.last(TableChanged).table
    assert (state.phase, state.cards_each, state.next_in, table.play) == ("writing", 2, 90_000, None)
    await ada.send_command(Write(("dare: sing", "draw 1")))
    state = bob.last(TableChanged).table
    assert [seat.ready for seat in state.seats] == [True, False, False]
    assert b"sing" not in b"".join(bob.texts)
    assert await bob.refusal(Write(("jump",))) == "bad-card"
    await bob.send_command(Write(("skip",)))
    assert table.state.phase == "playing"
    texts = [card.text for card in table.play.match.rule_cards]
    assert texts[:3] == ["dare: sing", "draw 1", "skip"] and len(set(texts)) == 6


async def test_writing_has_an_end(ada: Person, bob: Person, cleo: Person) -> None:
    """After 90 s missing cards come from the box; a bot replaces each person who left their seat."""
    table = await writing_table(ada, bob, cleo)
    await bob.send_command(LeaveSeat())
    await asyncio.sleep(89)
    assert table.state.phase == "writing"
    await asyncio.sleep(2)
    assert table.state.phase == "playing" and len(table.play.match.rule_cards) == 6
    assert table.state.seats[1].bot == "casual"


async def test_writing_goes_on_while_the_writers_are_gone(ada: Person, bob: Person, eve: Person) -> None:
    """A spectator stays: nothing is dealt before the writers are back, or the time is up."""
    table = await new_table(ada, bob, rules="wild-jackpot+wj_rules=written")
    await eve.join(table)
    await ada.send_command(Start())
    ada.disconnect()
    bob.disconnect()
    await asyncio.sleep(60)
    assert table.state.phase == "writing"
    await bob.join(table)
    assert bob.last(Welcome).table.next_in is None
    await ada.join(table)
    assert bob.last(TableChanged).table.next_in == 90_000
    ada.disconnect()
    await bob.send_command(Write(("skip",)))
    assert table.state.phase == "playing"


async def test_writing_without_a_timer(ada: Person, bob: Person) -> None:
    table = await writing_table(ada, bob, pace="untimed")
    await asyncio.sleep(3600)
    assert table.state.phase == "writing" and ada.last(TableChanged).table.next_in is None


# --- play now -------------------------------------------------------------------------------------------------


async def test_play_now_starts_with_the_hosts_number(ada: Person, store: MemoryStore) -> None:
    """One click starts a game against three bots, with the number for the shuffle."""
    table = await new_registry(store).create(ada.player, Settings(), quick=True)
    await ada.join(table)
    assert ada.last(Welcome).table.phase == "lobby"
    await ada.send_command(Number(table.state.promise, "ab" * 16))
    assert table.state.phase == "playing" and ada.last(Dealt).game.mine is not None
    assert store.matches[table.play.id].numbers == ("ab" * 16, "", "", "")
    assert [place.bot for place in table.state.seats] == [None, "casual", "casual", "casual"]


async def test_play_now_does_not_wait_for_a_number_for_ever(ada: Person) -> None:
    """An old browser may send none; nothing starts before the host is there."""
    table = await new_registry().create(ada.player, Settings(), quick=True)
    await asyncio.sleep(60)
    assert table.state.phase == "lobby"
    await ada.join(table)
    await asyncio.sleep(1.4)
    assert table.state.phase == "lobby"
    await asyncio.sleep(0.2)
    assert table.state.phase == "playing"


async def test_bots_play_whole_matches(ada: Person, store: MemoryStore) -> None:
    """A person who does nothing gets to the end of a match of several rounds."""
    table = await playing_table(ada, seats=4, store=store, rules="classic+harsh+winning_score=100", pace="fast")
    for _ in range(2000):
        if table.state.phase == "over":
            break
        await asyncio.sleep(5)
    match = table.play.match
    assert match.over and table.state.played == 1
    log = store.log[table.play.id]
    assert [row.ply for row in log] == list(range(len(log)))
    assert sum(row.action == -1 for row in log) == match.number
