"""Time banks last for a round, whatever happens to the table meanwhile: take-backs, restarts, other workers."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.server.seats.dealing import note_time
from lastcard.server.seats.document import replace
from lastcard.server.table.table import LiveTable
from lastcard.server.wire.parts import Clock, Settings
from lastcard.server.wire.protocol import Ready, TakeBack
from support.fakes import MemoryStore, Person, instantly, lay, new_registry, play_a_move, playing_table

TURN, BANK = 30_000, 60_000


async def alone(store: MemoryStore) -> tuple[LiveTable, Person]:
    """Ada with a bot at a table where moves may be taken back, Ada on turn."""
    ada = Person("Ada")
    settings = Settings(rules="classic+first_dealer=host", seats=2, take_backs=True)
    table = await new_registry(store).create(ada.player, settings, quick=True)
    await ada.join(table)
    await ada.number()
    await own_turn(table)
    return table, ada


async def own_turn(table: LiveTable) -> None:
    """Wait until the bot has played."""
    assert table.live is not None
    while table.live.match.round.turn != 0:
        await asyncio.sleep(0.1)


def clock_of(table: LiveTable | None) -> Clock | None:
    """What is left to whoever is on turn."""
    assert table is not None and table.live is not None
    return table.live.clock()


def test_taking_back_gives_no_time_back() -> None:
    """Neither what the move has cost nor what was thought since."""

    async def play() -> None:
        table, ada = await alone(MemoryStore())
        assert table.live is not None
        await asyncio.sleep(50)
        await play_a_move(table, ada)
        await own_turn(table)
        left = clock_of(table)
        assert left is not None and left.bank == pytest.approx(BANK - 20_000, abs=200)
        await ada.say(TakeBack("back-1", table.live.id))
        after = clock_of(table)
        assert after == Clock(left=TURN + left.bank, bank=left.bank)
        await asyncio.sleep(40)
        await play_a_move(table, ada)
        await own_turn(table)
        await asyncio.sleep(35)
        await ada.say(TakeBack("back-2", table.live.id))
        after = clock_of(table)
        assert after is not None and after.bank == pytest.approx(left.bank - 10_000 - 5_000, abs=300)

    instantly(play())


@pytest.mark.parametrize("thinking", [False, True])
def test_a_restart_gives_no_time_back(thinking: bool) -> None:
    """A worker that loads the table from the store knows what was used, of a turn that is not over nearly so."""

    async def play() -> None:
        ada, bob, store = Person("Ada"), Person("Bob"), MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic+first_dealer=host")
        people = [ada, bob]
        assert table.live is not None
        seat = table.live.match.round.turn
        await asyncio.sleep(52)
        if not thinking:
            await play_a_move(table, *people)
            while table.live.match.round.turn != seat:
                await play_a_move(table, *people)
        again = await new_registry(store).find(table.code)
        for person in people:
            person.vanish()
            await person.join(again)
        seen = clock_of(again)
        if thinking:
            assert seen is not None and 22_000 <= BANK - seen.bank + 5_000 <= 27_000
        else:
            assert seen == Clock(left=TURN + BANK - 22_000, bank=BANK - 22_000)

    instantly(play())


def test_each_round_has_a_bank_of_its_own() -> None:
    """Also where the table is loaded in the next one."""

    async def play() -> None:
        ada, bob, store = Person("Ada"), Person("Bob"), MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic+winning_score=100+first_dealer=host")
        lay(table, "R1 R2", "R5 R6")
        await asyncio.sleep(50)
        await ada.act("R1!")
        assert table.document.spent == (20_000, 0)
        await bob.act("R5!")
        await ada.act("R2")
        assert table.document.phase == "between"
        await ada.say(Ready())
        await bob.say(Ready())
        assert not table.document.spent and clock_of(table) == Clock(left=TURN + BANK, bank=BANK)
        table.flow.saved.document = replace(table.document, round=0, spent=(20_000, 20_000))  # as saved before the deal
        await table.flow.open()
        assert clock_of(table) == Clock(left=TURN + BANK, bank=BANK)

    instantly(play())


def test_what_is_noted_is_never_given_back() -> None:
    """Two workers note what they have measured: the longer time counts, in its own round alone."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, bob)
        noted = note_time(table.document, 0, (5_000, 0))
        assert note_time(noted, 0, (4_990, 3_000)).spent == (5_000, 3_000)
        assert note_time(noted, 0, ()) == noted == note_time(noted, 1, (9_000, 9_000))

    instantly(play())
