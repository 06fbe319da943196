"""Players of a finished round, even if somebody else has their seat by now."""

from __future__ import annotations

from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.parts import PastSitter
from lastcard.server.wire.protocol import Dealt, TableChanged, Welcome
from lastcard.session.commands import LeaveSeat, Ready, SetBot, Sit
from lastcard.session.match_play import Attempt
from lastcard.session.table_state import read_table_state, write_table_state
from support.fakes import MemoryStore, Person, carry_out, playing_table, set_position, win_round

ROUNDS = "classic+winning_score=100"


async def bot_wins(store: MemoryStore, rules: str = ROUNDS) -> tuple[LiveTable, Person, Person, str]:
    """Ada has played against a bot, which has won; Cleo has its seat now. Returns the bot's name, too."""
    ada, cleo = Person("Ada"), Person("Cleo")
    table = await playing_table(ada, seats=2, store=store, rules=rules, pace="untimed")
    await cleo.join_and_sit(table)
    bot = ada.last(TableChanged).table.seats[1].name
    set_position(table, "R2 R3", "R1", turn=1)
    await carry_out(table, Attempt("bot:last", 1, table.play.match.round.legal(1)[0], asked=False))
    await table._advance()
    return table, ada, cleo, bot


async def test_a_round_belongs_to_the_people_who_played_it() -> None:
    """Everybody at the table and newcomers see it, until the next round is dealt."""
    table, ada, cleo, bot = await bot_wins(MemoryStore())
    past = (None, PastSitter(name=bot, player=None, bot="casual"))
    for person in (ada, cleo):
        state = person.last(TableChanged).table
        assert state.phase == "between" and state.seats[1].player == cleo.id and state.played_by == past
    assert read_table_state(write_table_state(table.state)) == table.state
    screen = Person("TV")
    await screen.join(table, tv=True)
    assert screen.last(Welcome).table.played_by == past
    await ada.send_command(Ready())
    await cleo.send_command(Ready())
    assert ada.last(TableChanged).table.phase == "playing" and ada.last(TableChanged).table.played_by == ()


async def test_a_match_belongs_to_the_people_who_played_it() -> None:
    """After it bots may come and go, and people change seats."""
    table, ada, cleo, bot = await bot_wins(MemoryStore(), "all-wild")
    assert ada.last(TableChanged).table.phase == "over"
    assert ada.last(TableChanged).table.played_by == (None, PastSitter(name=bot, player=None, bot="casual"))
    await cleo.send_command(LeaveSeat())
    await ada.send_command(Sit(1))
    await ada.send_command(SetBot(0, "sharp"))
    past = (PastSitter(name="Ada", player=ada.id, bot=None), PastSitter(name=bot, player=None, bot="casual"))
    assert ada.last(TableChanged).table.played_by == past
    await table.forget(ada.id)
    assert table.describe().played_by[0] is None, "nothing of a person who has deleted all data"


async def test_no_notice_if_seats_are_unchanged(ada: Person, bob: Person, store: MemoryStore) -> None:
    """No table is saved for it either."""
    table = await playing_table(ada, bob, store=store, rules=ROUNDS)
    revision = store.tables[table.code].rev
    await win_round(table, ada, "R2 R3")
    assert bob.last(TableChanged).table.phase == "between" and bob.last(TableChanged).table.played_by == ()
    assert store.tables[table.code].rev == revision


async def test_a_viewer_from_another_seat_learns_first_who_has_played_there() -> None:
    """Otherwise the log of the round would name them."""
    _, _, cleo, _ = await bot_wins(MemoryStore())
    shown = next(i for i, message in enumerate(cleo.received) if isinstance(message, Dealt) and message.game.mine)
    notified_at = next(
        i for i, message in enumerate(cleo.received) if isinstance(message, TableChanged) and message.table.played_by
    )
    assert notified_at < shown
