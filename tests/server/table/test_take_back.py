"""Practice: a person alone with bots takes moves back; the log has all moves, the page those that remain."""

from __future__ import annotations

from lastcard.match.match import Match
from lastcard.server.http.replays import record_text, replay_text
from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.protocol import Dealt, Done
from lastcard.session.commands import LeaveSeat, MakeMove, Start, TakeBack
from lastcard.session.match_log import drop_taken_back, replay_match
from lastcard.session.match_rows import TAKE_BACK
from support.fakes import (
    MemoryStore,
    Person,
    make_first_move,
    new_table,
    quick_table,
    wait_for_first_seat,
)


async def practice(ann: Person, store: MemoryStore, *, take_backs: bool = True) -> LiveTable:
    """A match of one person with bots, when the person is on turn for the second time."""
    table = await quick_table(ann, store, rules="classic", seats=3, pace="untimed", take_backs=take_backs)
    await make_first_move(table, ann)
    await wait_for_first_seat(table)
    return table


async def take_back(ann: Person, table: LiveTable, command: str = "take-back-1") -> None:
    await ann.send_command(TakeBack(command, table.play.id))


async def test_the_last_move_is_taken_back_with_all_that_came_after_it(ann: Person, store: MemoryStore) -> None:
    """The table is as before it, byte by byte; the log has one more row, and another worker folds it to the same."""
    table = await practice(ann, store)
    play = table.play
    assert play is not None and table.describe().take_backs
    rows = list(store.log[play.id])
    first = next(i for i, row in enumerate(rows) if row.seat == 0)
    last = max(i for i, row in enumerate(rows) if row.seat == 0)
    before = replay_match(play.log.row, rows[:last])
    await take_back(ann, table)
    assert ann.last(Done).ply == len(rows) + 1 == play.log.ply
    assert ann.last(Dealt).events == () and ann.last(Dealt).game.ply == play.log.ply
    assert play.match.round.state_bytes() == before.round.state_bytes()
    assert play.match.moves == before.moves
    assert store.log[play.id][-1].action == TAKE_BACK
    assert replay_match(play.log.row, store.log[play.id]).round.state_bytes() == before.round.state_bytes()
    assert drop_taken_back(store.log[play.id]) == rows[:last]
    ply = play.log.ply
    await take_back(ann, table)  # a repeated command has no further effect
    assert play.log.ply == ply and ann.last(Done).ply == ply
    while play.match.can_take_back(0):
        await take_back(ann, table, f"take-back-{play.log.ply}")
    assert drop_taken_back(store.log[play.id]) == rows[:first]
    assert await ann.refusal(TakeBack("take-back-more", play.id)) == "nothing-to-take-back"
    await make_first_move(table, ann)
    await wait_for_first_seat(table)


async def test_a_match_goes_on_after_an_undo_and_its_record_holds_what_remains(ann: Person, store: MemoryStore) -> None:
    """Bots play on, the record replays, and the replay has the number of take-backs."""
    table = await practice(ann, store)
    play = table.play
    await take_back(ann, table)
    for _ in range(3):
        await make_first_move(table, ann)
        await wait_for_first_seat(table)
        if play.round_over:
            break
    rows = store.log[play.id]
    match = play.match
    assert f'commitment = "{match.commitment}"' in record_text(play.log.row, rows)
    assert b'"taken_back":1' in replay_text(play.log.row, rows)
    again = Match(match.rules, match.players, seed=match.seed)
    for text in match.moves:
        seat, _, move = text.partition(":")
        again.do(int(seat), move)
    assert again.round.state_bytes() == match.round.state_bytes()


async def test_nothing_is_taken_back_without_permission(ann: Person, bob: Person, store: MemoryStore) -> None:
    """A take-back is refused without the setting, in a pause, for another match, and without a seat."""
    table = await practice(ann, store, take_backs=False)
    assert not table.describe().take_backs
    assert await ann.refusal(TakeBack("take-back-1", table.play.id)) == "no-take-backs"
    await bob.join(table)
    assert await bob.refusal(TakeBack("take-back-1", table.play.id)) == "not-seated"
    assert all(row.action != TAKE_BACK for row in store.log[table.play.id])


async def test_nothing_is_taken_back_from_another_person(ann: Person, bob: Person, store: MemoryStore) -> None:
    """A successor for a bot's seat does not play yet; from the next round on nobody takes anything back."""
    table = await new_table(ann, bob, store=store, rules="classic", take_backs=True)
    await ann.give_number()
    await ann.send_command(Start())
    assert table.play is not None and not table.describe().take_backs
    await make_first_move(table, ann, bob)
    assert await ann.refusal(TakeBack("take-back-1", table.play.id)) == "no-take-backs"
    await bob.send_command(LeaveSeat())  # a bot continues with the hand, which is still Bob's
    assert not table.describe().take_backs


async def test_an_undo_does_not_reach_another_match(ann: Person, store: MemoryStore) -> None:
    table = await practice(ann, store)
    assert await ann.refusal(TakeBack("take-back-1", "another")) == "stale"
    assert await ann.refusal(MakeMove("take-back-1", table.play.id, "nonsense")) == "bad-move"
