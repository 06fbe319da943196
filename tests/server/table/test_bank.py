"""Time banks last for a round, in spite of take-backs, restarts and other workers."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.session.commands import Ready, TakeBack
from lastcard.session.dealing import record_bank_use
from lastcard.session.table_state import replace
from lastcard.session.turn_clock import Clock
from support.fakes import (
    MemoryStore,
    Person,
    clock_of,
    make_first_move,
    new_registry,
    playing_table,
    quick_table,
    set_position,
    wait_for_first_seat,
)

TURN_MS, BANK_MS = 30_000, 60_000


async def test_taking_back_gives_no_time_back(ada: Person) -> None:
    """Neither the time of the move nor the time since comes back."""
    table = await quick_table(ada, rules="classic+first_dealer=host", seats=2, take_backs=True)
    await asyncio.sleep(50)
    await make_first_move(table, ada)
    await wait_for_first_seat(table)
    left = clock_of(table)
    assert left is not None and left.bank == pytest.approx(BANK_MS - 20_000, abs=200)
    await ada.send_command(TakeBack("back-1", table.play.id))
    after = clock_of(table)
    assert after == Clock(left=TURN_MS + left.bank, bank=left.bank)
    await asyncio.sleep(40)
    await make_first_move(table, ada)
    await wait_for_first_seat(table)
    await asyncio.sleep(35)
    await ada.send_command(TakeBack("back-2", table.play.id))
    after = clock_of(table)
    assert after is not None and after.bank == pytest.approx(left.bank - 10_000 - 5_000, abs=300)


@pytest.mark.parametrize("thinking", [False, True])
async def test_a_restart_gives_no_time_back(ada: Person, bob: Person, store: MemoryStore, thinking: bool) -> None:
    """A worker that loads the table from the store knows the used time, also of an unfinished turn, nearly."""
    table = await playing_table(ada, bob, store=store, rules="classic+first_dealer=host")
    seat = table.play.match.round.turn
    await asyncio.sleep(52)
    if not thinking:
        await make_first_move(table, ada, bob)
        while table.play.match.round.turn != seat:
            await make_first_move(table, ada, bob)
    again = await new_registry(store).find(table.code)
    for person in (ada, bob):
        person.disconnect()
        await person.join(again)
    seen = clock_of(again)
    if thinking:
        assert seen is not None and 22_000 <= BANK_MS - seen.bank + 5_000 <= 27_000
    else:
        assert seen == Clock(left=TURN_MS + BANK_MS - 22_000, bank=BANK_MS - 22_000)


async def test_each_round_has_a_bank_of_its_own(ada: Person, bob: Person, store: MemoryStore) -> None:
    """The bank is new even if the table is loaded in the next round."""
    table = await playing_table(ada, bob, store=store, rules="classic+winning_score=100+first_dealer=host")
    set_position(table, "R1 R2", "R5 R6")
    await asyncio.sleep(50)
    await ada.make_move("R1!")
    assert table.state.spent == (20_000, 0)
    await bob.make_move("R5!")
    await ada.make_move("R2")
    assert table.state.phase == "between"
    await ada.send_command(Ready())
    await bob.send_command(Ready())
    assert not table.state.spent and clock_of(table) == Clock(left=TURN_MS + BANK_MS, bank=BANK_MS)
    table.session.state = replace(table.state, round=0, spent=(20_000, 20_000))  # as saved before the deal
    await table.open()
    assert clock_of(table) == Clock(left=TURN_MS + BANK_MS, bank=BANK_MS)


async def test_used_time_is_never_refunded(ada: Person, bob: Person) -> None:
    """Two workers store their measurements: the longer time counts, in its own round alone."""
    table = await playing_table(ada, bob)
    noted = record_bank_use(table.state, 0, (5_000, 0))
    assert record_bank_use(noted, 0, (4_990, 3_000)).spent == (5_000, 3_000)
    assert record_bank_use(noted, 0, ()) == noted == record_bank_use(noted, 1, (9_000, 9_000))
