"""Events that a log remembers of its match, for people who come back to it."""

from __future__ import annotations

import pytest

from lastcard.game.moves import move_to_action
from lastcard.match.events import Event
from lastcard.session import match_log
from lastcard.session.match_log import MatchLog
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MoveRow
from support.store_samples import make_match_row

ROW = make_match_row(rules="all-wild+hand_size=5+match_mode=to_target")


class WrittenLog:
    """A log that is written by hand; nobody calls UNO, and every seat that can lays a card."""

    def __init__(self) -> None:
        self.log = MatchLog(ROW)
        self.rows: list[MoveRow] = []
        self.done: list[Event] = []
        """Events that were not taken back."""

    def add(self, seat: int, action: int) -> list[Event]:
        self.rows.append(MoveRow(self.log.row.id, self.log.ply, f"c{self.log.ply}", seat, action, 0))
        return self.log.fold(self.rows[-1])

    def move(self) -> None:
        """Make the first move of the seat on turn."""
        table = self.log.match.round
        move = next(move for move in table.legal() if not str(move).startswith(("uno", "catch")))
        self.done += self.add(table.turn, move_to_action(move))

    def finish(self) -> None:
        """Play until the round is over."""
        while not self.log.match.round.over:
            self.move()

    def deal(self) -> None:
        self.done += self.add(255, NEXT_ROUND)


def test_the_log_has_the_events_of_all_rounds() -> None:
    """Events are the same if the log is read anew; or for the last round alone."""
    table = WrittenLog()
    table.done += table.log.match.round.events()
    table.finish()
    table.deal()
    before = len(table.done) - len(table.log.match.round.events())
    table.move()
    assert table.log.events(whole=True) == table.done
    assert table.log.events(whole=False) == table.done[before:]
    assert MatchLog(ROW, table.rows).events(whole=True) == table.done


def test_events_taken_back_are_removed() -> None:
    """Events after it are forgotten, too."""
    table = WrittenLog()
    seat = table.log.match.round.turn
    before = table.log.events(whole=True)
    table.move()
    table.move()
    assert len(table.log.events(whole=True)) > len(before)
    table.add(seat, TAKE_BACK)
    assert table.log.events(whole=True) == before


def test_a_player_who_takes_over_a_seat_sees_only_the_last_round() -> None:
    """Names in the log are those of the current people (a bot's former seat: 1; a person's: 0)."""
    for seat in (0, 1):
        table = WrittenLog()
        table.finish()
        table.deal()
        table.log.row = ROW.with_takeover(seat, "cleo")
        assert table.log.row.is_inherited and not ROW.is_inherited
        assert table.log.events(whole=True) == table.log.events(whole=False) == table.log.match.round.events()


def test_the_log_of_a_long_match_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of tables are in memory."""
    monkeypatch.setattr(match_log, "REMEMBERED_MOVES", 5)
    table = WrittenLog()
    for _ in range(8):
        table.move()
    remembered = table.log.events(whole=True)
    assert 5 <= len(remembered) < len(table.done) and remembered == table.done[-len(remembered) :]
