"""From match to match: rounds, heirs, written rule cards, the end, the rematch."""

from __future__ import annotations

import asyncio
from typing import Any

from lastcard.server.table.table import LiveTable
from lastcard.server.wire.parts import Settings, WantedSettings
from lastcard.server.wire.protocol import (
    Back,
    Configure,
    Dealt,
    Kick,
    Moved,
    Number,
    Pause,
    Ready,
    Refused,
    Sit,
    Stand,
    Start,
    TableChanged,
    Welcome,
    Write,
)
from support.fakes import MemoryStore, Person, instantly, lay, new_registry, new_table, playing_table

ROUNDS = "classic+winning_score=100"


def last_card(table: LiveTable, worth: str) -> None:
    """Seat 0 is to lay its last card; the others hold these."""
    lay(table, "R1", *[worth] * (len(table.document.seats) - 1))


async def between_rounds(*people: Person, **settings: Any) -> LiveTable:
    """A table at which the first round is over."""
    table = await playing_table(*people, **{"rules": ROUNDS, **settings})
    last_card(table, "R2 R3")
    await people[0].act("R1")
    assert table.document.phase == "between"
    return table


def test_the_next_round_comes_when_all_are_ready() -> None:
    """All present people; the deal rotates (CO-44) and the log goes on."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await between_rounds(ada, bob)
        assert ada.last(Moved).public.hands == ((), ("R2", "R3"))
        await ada.say(Ready())
        state = bob.last(TableChanged).table
        assert state.phase == "between" and [seat.ready for seat in state.seats] == [True, False]
        assert state.next_in == 15_000
        dealer = table.live.match.dealer
        await bob.say(Ready())
        assert (table.document.phase, table.document.round) == ("playing", 1)
        game = ada.last(Dealt).game
        assert (game.ply, game.public.round, game.public.dealer) == (2, 1, 1 - dealer)
        assert not any(seat.ready for seat in bob.last(TableChanged).table.seats)

    instantly(play())


def test_the_next_round_comes_by_itself() -> None:
    """After 15 s, but not in a pause; whoever is gone is not waited for."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await between_rounds(ada, bob)
        await asyncio.sleep(10)
        await ada.say(Pause(True))
        await bob.say(Pause(True))
        await asyncio.sleep(60)
        assert ada.last(TableChanged).table.next_in is None
        await ada.say(Pause(False))
        await asyncio.sleep(4)
        assert table.document.phase == "between"
        await asyncio.sleep(2)
        assert table.document.phase == "playing"

    instantly(play())


def test_nobody_is_hurried_who_is_waited_for_by_nobody() -> None:
    """A person against bots goes on when they want; with somebody else there they are given some time again."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, seats=2, rules=ROUNDS)
        await bob.join(table)
        last_card(table, "R2 R3")
        await ada.act("R1")
        assert table.document.phase == "between" and bob.last(TableChanged).table.next_in is None
        await asyncio.sleep(600)
        assert table.document.phase == "between"
        await bob.say(Sit())
        assert table.document.playing_seat(bob.id) == 1 and ada.last(TableChanged).table.next_in == 15_000
        bob.vanish()
        await asyncio.sleep(60)
        assert table.document.phase == "between" and ada.last(TableChanged).table.next_in is None
        await ada.say(Ready())
        assert table.document.phase == "playing"

    instantly(play())


def test_who_looks_on_while_bots_play_does_not_wait_without_end() -> None:
    """The player has left the seat: the next round comes by itself."""

    async def play() -> None:
        ada = Person("Ada")
        table = await between_rounds(ada, seats=2)
        await ada.say(Stand())
        assert ada.last(TableChanged).table.next_in == 15_000
        await asyncio.sleep(16)
        assert table.document.phase == "playing"

    instantly(play())


def test_nobody_alone_writes_against_the_clock() -> None:
    """Ninety seconds are for those who wait for each other."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await writing_table(ada, seats=2)
        assert table.document.phase == "writing" and ada.last(TableChanged).table.next_in is None
        await asyncio.sleep(600)
        assert table.document.phase == "writing"
        other = await writing_table(ada, bob)
        assert other.document.phase == "writing" and bob.last(TableChanged).table.next_in == 90_000

    instantly(play())


async def writing_table(*people: Person, **settings: Any) -> LiveTable:
    """A table with written rule cards, just started."""
    table = await new_table(*people, rules="wild-jackpot+wj_rules=written", **settings)
    await people[0].say(Start())
    return table


def test_the_ready_need_not_wait_for_one_who_leaves() -> None:
    """The last one who was not ready closes the page."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await between_rounds(ada, bob)
        await ada.say(Ready())
        bob.vanish()
        await asyncio.sleep(0.1)
        assert table.document.phase == "playing"

    instantly(play())


def test_another_match_comes_when_all_want_it() -> None:
    """After the match everybody says so, the host or not; who has, is seen."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, bob)
        last_card(table, "R2 R3")
        await ada.act("R1")
        first = table.document.match
        assert table.document.phase == "over"
        await bob.say(Ready())
        state = ada.last(TableChanged).table
        assert state.phase == "over" and [seat.ready for seat in state.seats] == [False, True]
        await ada.say(Ready())
        assert table.document.phase == "playing" and table.document.match != first
        assert not any(seat.ready for seat in ada.last(TableChanged).table.seats)

    instantly(play())


def test_another_match_waits_for_whoever_reads_the_report() -> None:
    """It is on a page without a line to the table (docs/table.md, "After the match"); after a minute nobody waits."""

    async def play() -> None:
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await playing_table(ada, bob, cleo)
        await asyncio.sleep(1)
        last_card(table, "R2 R3")
        await ada.act("R1")
        bob.vanish()
        await asyncio.sleep(20)
        cleo.vanish()
        await ada.say(Ready())
        seats = ada.last(TableChanged).table.seats
        assert table.document.phase == "over" and [seat.awaited for seat in seats] == [False, True, True]
        assert not any(seat.here for seat in seats[1:])
        await asyncio.sleep(41)
        assert [seat.awaited for seat in ada.last(TableChanged).table.seats] == [False, False, True]
        await cleo.join(table)
        assert not any(seat.awaited for seat in cleo.last(Welcome).table.seats)
        await asyncio.sleep(60)
        assert table.document.phase == "over"
        cleo.vanish()
        await asyncio.sleep(59)
        assert table.document.phase == "over"
        await asyncio.sleep(2)
        assert table.document.phase == "playing" and not ada.last(TableChanged).table.seats[2].awaited

    instantly(play())


def test_an_heir_takes_the_bots_place_after_the_round() -> None:
    """Take over a bot's seat between rounds (docs/table.md, "Sitting down"): until then the heir watches."""

    async def play() -> None:
        ada, cleo = Person("Ada"), Person("Cleo")
        table = await playing_table(ada, seats=2, rules=ROUNDS)
        await cleo.join(table)
        await cleo.say(Sit())
        assert ada.last(TableChanged).table.seats[1].heir == "Cleo" and ada.last(TableChanged).table.guests[0].queued
        await cleo.say(Stand())
        assert ada.last(TableChanged).table.seats[1].heir is None and not ada.last(TableChanged).table.guests[0].queued
        await cleo.say(Sit())
        last_card(table, "R2 R3")
        await ada.act("R1")
        assert cleo.last(Moved).mine is None
        assert ada.last(TableChanged).table.seats[1].player == cleo.id
        await cleo.say(Ready())
        await ada.say(Ready())
        assert cleo.last(Dealt).game.mine is not None and cleo.last(Dealt).game.mine.seat == 1

    instantly(play())


def test_the_queue_is_served_between_rounds() -> None:
    """Late joiners watch and queue for a seat (docs/table.md, "Sitting down")."""

    async def play() -> None:
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await playing_table(ada, bob, rules=ROUNDS)
        await cleo.join(table)
        await cleo.say(Sit())
        guest = ada.last(TableChanged).table.guests[0]
        assert (guest.name, guest.queued) == ("Cleo", True)
        await ada.say(Kick(bob.id))
        last_card(table, "R2 R3")
        await ada.act("R1")
        assert table.document.playing_seat(cleo.id) == 1 and table.document.seat_of(bob.id) is None

    instantly(play())


def test_a_seat_that_was_left_is_kept_while_the_match_lasts() -> None:
    """Nobody gets it, by the queue or by asking for it; its owner comes back to the same hand and the same points."""

    async def play() -> None:
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await playing_table(ada, bob, rules=ROUNDS)
        await cleo.join(table)
        await cleo.say(Sit())
        await bob.say(Stand())
        bob.vanish()
        last_card(table, "R2 R3")
        await ada.act("R1")
        assert table.document.phase == "between" and table.document.seat_of(bob.id) == 1
        await cleo.say(Sit(1))
        assert cleo.last(Refused).code == "seat-person" and table.document.seat_of(cleo.id) is None
        await ada.say(Ready())
        scores = table.live.match.scores
        await bob.join(table)
        await bob.say(Back())
        assert bob.last(Dealt).game.mine.seat == 1 and bob.last(Dealt).game.public.scores == scores
        await bob.say(Stand())
        lay(table, "R1", "W W W W")
        table.live.match.scores = (90, 0)
        await ada.act("R1")
        assert table.document.phase == "over" and table.document.playing_seat(cleo.id) == 1

    instantly(play())


def test_the_end_of_a_match_and_the_rematch() -> None:
    """Wins are counted, the match is kept; start again deals a new one with a new secret."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await playing_table(ada, bob, store=store, rules=ROUNDS)
        first = table.live.id
        last_card(table, "W W")
        await ada.act("R1")
        state = bob.last(TableChanged).table
        assert (state.phase, state.match, state.played, state.wins) == ("over", first, 1, {ada.id: 1})
        assert store.matches[first].winners == (0,) and store.matches[first].finished
        await bob.say(Start())
        assert bob.last(Refused).code == "not-host"
        await ada.say(Start())
        assert table.document.phase == "playing" and table.live.id != first
        assert store.matches[table.live.id].secret != store.matches[first].secret
        assert bob.last(Dealt).game.match == table.live.id and bob.last(Dealt).game.ply == 0

    instantly(play())


def test_settings_change_between_matches() -> None:
    """The table is a lobby then; the finished match is put away."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, bob, rules=ROUNDS)
        last_card(table, "W W")
        await ada.act("R1")
        await ada.say(Configure(WantedSettings(rules="all-wild", seats=5)))
        assert table.document.phase == "lobby" and table.live is None
        await ada.say(Start())
        assert table.live is not None and len(table.live.match.players) == 5

    instantly(play())


# --- written rule cards ---------------------------------------------------------------------------------------

WRITTEN = "wild-jackpot+wj_rules=written"


def test_rule_cards_are_written_before_the_match() -> None:
    """Everybody writes; the match starts when all who are here have (docs/table.md, "Rule cards")."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await new_table(ada, bob, seats=3, rules=WRITTEN)
        await ada.say(Start())
        state = bob.last(TableChanged).table
        assert (state.phase, state.cards_each, state.next_in, table.live) == ("writing", 2, 90_000, None)
        await ada.say(Write(("dare: sing", "draw 1")))
        state = bob.last(TableChanged).table
        assert [seat.ready for seat in state.seats] == [True, False, False]
        assert b"sing" not in b"".join(bob.texts)
        await bob.say(Write(("jump",)))
        assert bob.last(Refused).code == "bad-card"
        await bob.say(Write(("skip",)))
        assert table.document.phase == "playing"
        texts = [card.text for card in table.live.match.rule_cards]
        assert texts[:3] == ["dare: sing", "draw 1", "skip"] and len(set(texts)) == 6

    instantly(play())


def test_writing_has_an_end() -> None:
    """After 90 s missing cards come from the box; whoever stood up meanwhile is a bot."""

    async def play() -> None:
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await new_table(ada, bob, cleo, rules=WRITTEN)
        await ada.say(Start())
        await bob.say(Stand())
        await asyncio.sleep(89)
        assert table.document.phase == "writing"
        await asyncio.sleep(2)
        assert table.document.phase == "playing" and len(table.live.match.rule_cards) == 6
        assert table.document.seats[1].bot == "casual"

    instantly(play())


def test_writing_goes_on_while_the_writers_are_gone() -> None:
    """Somebody who watches stays behind: nothing is dealt before the writers are back, or the time is up."""

    async def play() -> None:
        ada, bob, eva = Person("Ada"), Person("Bob"), Person("Eva")
        table = await new_table(ada, bob, rules=WRITTEN)
        await eva.join(table)
        await ada.say(Start())
        ada.vanish()
        bob.vanish()
        await asyncio.sleep(60)
        assert table.document.phase == "writing"
        await bob.join(table)
        assert bob.last(Welcome).table.next_in is None
        await ada.join(table)
        assert bob.last(TableChanged).table.next_in == 90_000
        ada.vanish()
        await bob.say(Write(("skip",)))
        assert table.document.phase == "playing"

    instantly(play())


def test_writing_without_a_timer() -> None:
    """An untimed table waits."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await new_table(ada, bob, rules=WRITTEN, pace="untimed")
        await ada.say(Start())
        await asyncio.sleep(3600)
        assert table.document.phase == "writing" and ada.last(TableChanged).table.next_in is None

    instantly(play())


# --- play now -------------------------------------------------------------------------------------------------


def test_play_now_starts_with_the_hosts_number() -> None:
    """One click into a game against three bots; the number for the shuffle is in."""

    async def play() -> None:
        ada, store = Person("Ada"), MemoryStore()
        table = await new_registry(store).create(ada.player, Settings(), quick=True)
        await ada.join(table)
        assert ada.last(Welcome).table.phase == "lobby"
        await ada.say(Number(table.document.promise, "ab" * 16))
        assert table.document.phase == "playing" and ada.last(Dealt).game.mine is not None
        assert store.matches[table.live.id].numbers == ("ab" * 16, "", "", "")
        assert [place.bot for place in table.document.seats] == [None, "casual", "casual", "casual"]

    instantly(play())


def test_play_now_does_not_wait_for_a_number_for_ever() -> None:
    """An old browser may send none; and nothing starts before the host is there."""

    async def play() -> None:
        ada = Person("Ada")
        table = await new_registry().create(ada.player, Settings(), quick=True)
        await asyncio.sleep(60)
        assert table.document.phase == "lobby"
        await ada.join(table)
        await asyncio.sleep(1.4)
        assert table.document.phase == "lobby"
        await asyncio.sleep(0.2)
        assert table.document.phase == "playing"

    instantly(play())


def test_bots_play_whole_matches() -> None:
    """A person who does nothing is carried to the end of a match of several rounds."""

    async def play() -> None:
        ada = Person("Ada")
        store = MemoryStore()
        table = await playing_table(ada, seats=4, store=store, rules="classic+harsh+winning_score=100", pace="fast")
        for _ in range(2000):
            if table.document.phase == "over":
                break
            await asyncio.sleep(5)
        match = table.live.match
        assert match.over and table.document.played == 1
        log = store.log[table.live.id]
        assert [row.ply for row in log] == list(range(len(log)))
        assert sum(row.action == -1 for row in log) == match.number

    instantly(play())
