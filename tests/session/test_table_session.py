"""Whole tables without I/O: a session in virtual time over a store in memory."""

from __future__ import annotations

from random import Random

import pytest

from lastcard.game.moves import action_to_move
from lastcard.session import commands
from lastcard.session.match_log import replay_match
from lastcard.session.table_effects import BotSubstituted, DealFollowed, MoveFollowed
from lastcard.session.table_session import NEXT_ROUND_S
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError, Person
from support.simulated_table import ADA, BOB, SimulatedStore, SimulatedTable

SETTINGS = Settings(rules="classic", seats=3)


def running_table(settings: Settings = SETTINGS) -> SimulatedTable:
    """A table at which Ada and Bob play with a bot."""
    table = SimulatedTable(SimulatedStore(settings), ADA, BOB)
    table.send(BOB, commands.Sit(1))
    table.send(ADA, commands.Start())
    return table


def assert_equal(one: SimulatedTable, other: SimulatedTable) -> None:
    """Check that two sessions have the same table and match."""
    assert one.session.state == other.session.state
    assert one.session.play is not None and other.session.play is not None
    assert one.session.play.match.round.state_bytes() == other.session.play.match.round.state_bytes()
    assert one.session.play.match.scores == other.session.play.match.scores
    assert one.session.play.spent == other.session.play.spent


@pytest.mark.parametrize("seed", range(3))
def test_a_match_is_played_to_its_end(seed: int) -> None:
    """Rounds follow each other by their alarms, the log has the whole match, and the winner's win counts."""
    table = running_table()
    table.play(Random(seed))
    play, state = table.session.play, table.session.state
    assert play is not None and play.match.winners and state.match == play.id
    log = table.store.logs[play.id]
    assert replay_match(table.store.matches[play.id], log).scores == play.match.scores
    deals, moves = ([e for e in table.effects if isinstance(e, kind)] for kind in (DealFollowed, MoveFollowed))
    assert len(deals) == play.match.number + 1 and len(deals) - 1 + len(moves) == len(log)
    winners = [state.players[seat] for seat in play.match.winners]
    assert state.wins == {player: 1 for player in winners if player is not None}


def test_a_session_depends_on_its_inputs_only() -> None:
    """The same commands at the same times give the same log, alarms and effects."""
    one, other = running_table(), running_table()
    for table in (one, other):
        table.play(Random(7))
    assert one.store.logs == other.store.logs and one.alarms == other.alarms
    assert [repr(effect) for effect in one.effects] == [repr(effect) for effect in other.effects]


@pytest.mark.parametrize("seed", range(3))
def test_a_session_is_restored_from_what_is_saved(seed: int) -> None:
    """State and log are the whole session; a command that is sent again is answered, not carried out again."""
    table, rng = running_table(), Random(seed)
    for _ in range(40):
        table.move_randomly(rng)
        table.wait(0.5)
        restored = SimulatedTable(table.store, ADA, BOB)
        if table.session.state.phase == "playing":
            assert_equal(restored, table)
    play = restored.session.play
    assert play is not None
    row = next(row for row in table.store.logs[play.id] if row.command.startswith("ada"))
    ply = play.log.ply
    answer = restored.make_move(ADA, str(action_to_move(row.action)), row.command)
    assert answer == row.ply + 1 and play.log.ply == ply


def test_two_sessions_share_one_store() -> None:
    """Whatever both want at once happens once; then both have the same table."""
    one = running_table()
    other = SimulatedTable(one.store, ADA, BOB)
    rng = Random(1)
    while one.session.state.phase == "playing":
        play = one.session.play
        assert play is not None
        seat, ply = play.match.round.turn, play.log.ply
        if seat < 2:
            command, person = f"same-command-{ply}", (ADA, BOB)[seat]
            move = str(rng.choice([move for move in play.match.round.legal(seat) if move.verb not in ("uno", "catch")]))
            assert one.make_move(person, move, command) is None
            assert other.make_move(person, move, command) is None and len(one.store.logs[play.id]) == ply + 1
        one.wait(3.0)
        other.wait(3.0)
        one.catch_up()
        other.catch_up()
        if one.session.state.phase == "playing":
            assert_equal(one, other)
    assert other.session.state.phase == one.session.state.phase == "between"


def test_a_round_is_dealt_when_the_time_is_up() -> None:
    """The alarm of the next round is set once, also while people do other things."""
    table, rng = running_table(), Random(3)
    while table.session.state.phase == "playing":
        table.move_randomly(rng)
        table.wait(0.2)
    deal_at = table.alarms["next"]
    assert table.now - 0.2 <= deal_at - NEXT_ROUND_S <= table.now
    table.send(ADA, commands.SetAvatar("a1b2c"))
    assert table.alarms["next"] == deal_at
    table.wait(deal_at - table.now - 0.01)
    assert table.session.state.phase == "between"
    table.wait(0.02)
    assert table.session.state.phase == "playing" and table.session.state.round == 1


def test_a_bot_plays_for_a_person_until_they_act() -> None:
    table = running_table(Settings(rules="classic", seats=2))
    while table.session.play is not None and table.session.play.awaited_seat is not None:
        table.wait(10.0)
        if BotSubstituted(("ada", "bob")[table.session.play.match.round.turn]) in table.effects:
            break
    away = next(effect.player for effect in table.effects if isinstance(effect, BotSubstituted))
    assert table.session.people.standins == {away}
    assert table.session.welcome_back(away, table.now) and not table.session.welcome_back(away, table.now)


def test_nobody_begins_a_match_while_the_server_stops() -> None:
    table = SimulatedTable(SimulatedStore(SETTINGS), ADA)
    table.session.draining = True
    with pytest.raises(CommandError, match="draining"):
        table.send(ADA, commands.Start())
    assert table.session.state.phase == "lobby"


def test_a_stranger_has_no_seat() -> None:
    table = running_table()
    assert table.session.play is not None
    with pytest.raises(CommandError, match="not-seated"):
        table.make_move(Person("eve", "Eve"), "draw")
