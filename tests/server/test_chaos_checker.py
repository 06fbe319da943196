"""The checker of histories finds every kind of error: a true history, with one error at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from lastcard.game.moves import Move, move_to_action
from lastcard.match.match import Match
from lastcard.session.match_log import new_match
from lastcard.session.match_rows import MoveRow
from support.store_samples import make_match_row
from tools.chaos.checker import Log, check, snapshot_of
from tools.chaos.history import Acknowledged, Created, Event, Greeted, Refused, Sent, Shown, Tab

T = TypeVar("T")

ANN, BO, BO_TOO = Tab("CODE", "Ann"), Tab("CODE", "Bo"), Tab("CODE", "Bo", 1)
PEOPLE = {"names": ("Ann", "Bo"), "players": ("a", "b"), "bots": (None, None)}
ROW = make_match_row("m", table="CODE", rules="classic", host=0, seed=bytes(32), **PEOPLE)


class TrueHistory:
    """A true history of six moves: each is sent, seen by all three tabs, and acknowledged."""

    def __init__(self) -> None:
        self.match = new_match(ROW)
        self.log: list[MoveRow] = []
        self.lines = {ANN: 1, BO: 2, BO_TOO: 3}
        self.events: list[Event] = [Created("CODE")]
        for tab in self.lines:
            self.greet(tab, self.lines[tab])
        while len(self.log) < 6:
            self.move()

    def greet(self, tab: Tab, line: int, worker: str = "a") -> None:
        """Somebody connects and gets the table."""
        self.events += [Greeted(tab, line, worker), self.record_view(tab, line, "welcome")]

    def move(self) -> None:
        """The seat on turn makes its first move."""
        seat = self.match.round.turn
        move = next(move for move in self.match.round.legal(seat) if move.verb not in ("uno", "catch"))
        tab, command, ply = (ANN, BO)[seat], f"command-{len(self.log)}", len(self.log)
        self.events.append(Sent(tab, "m", command, seat, str(move)))
        row = MoveRow("m", ply, command, seat, move_to_action(move), 0)
        self.match.do(seat, move)
        self.log.append(row)
        for other, line in self.lines.items():
            self.events.append(self.record_view(other, line, "moved", row))
        self.events.append(Acknowledged(tab, command, ply + 1))

    def record_view(self, tab: Tab, line: int, kind: str, row: MoveRow | None = None) -> Shown:
        """Record what a tab is shown now."""
        seat = 0 if tab == ANN else 1
        page = snapshot_of("m", self.match, row)
        return Shown(tab, line, kind, "m", len(self.log), page.picture, seat, page.hands[seat], page.mover, page.move)

    def check(self) -> list[str]:
        """The errors of the history."""
        return check(self.events, {"m": Log(ROW, self.log)}, {"CODE"}, is_quiescent=True)

    def last(self, kind: type[T]) -> T:
        """The last event of a kind."""
        return next(event for event in reversed(self.events) if isinstance(event, kind))

    def replace_last(self, kind: type[Acknowledged | Sent | Shown], **changes: object) -> None:
        """Change the last event of a kind."""
        event = self.last(kind)
        self.events[self.events.index(event)] = replace(event, **changes)  # type: ignore[arg-type]


def test_a_true_history() -> None:
    """A true history may contain repeated sends and views, refusals, and a return through another worker."""
    history = TrueHistory()
    sent = history.last(Sent)
    history.events += [
        sent,
        Acknowledged(sent.tab, sent.command, 6),
        Sent(ANN, "m", "unlucky", 0, "R5"),
        Refused(ANN, "unlucky", "not-held"),
        Sent(BO, "m", "unsure", 1, "draw"),
        Refused(BO, "unsure", "storage"),
    ]
    history.greet(BO, 4, "b")
    assert history.check() == []


def leave_a_gap(history: TrueHistory) -> None:
    """A ply is missing in the log."""
    history.log[-1] = history.log[-1]._replace(ply=7)


def mistake(history: TrueHistory) -> None:
    """A repeated command is mistaken for another one."""
    sent = history.last(Sent)
    history.events += [sent, Refused(sent.tab, sent.command, "replayed")]


def play_the_refused(history: TrueHistory) -> None:
    """A move is refused, and played all the same."""
    done = history.last(Acknowledged)
    history.events[history.events.index(done)] = Refused(done.tab, done.command, "not-held")


def come_before(history: TrueHistory) -> None:
    """A command is in the log before something that was known when it was sent."""
    sent = history.last(Sent)
    history.events.remove(sent)
    history.events.insert(history.events.index(history.last(Acknowledged)), sent)


def show_the_past(history: TrueHistory) -> None:
    """A worker shows less than another one had shown before."""
    old = next(event for event in history.events if isinstance(event, Shown) and event.tab == BO and event.ply == 5)
    history.events += [Greeted(BO, 4, "b"), replace(old, connection=4, kind="welcome", mover=None, move=None)]


def leave_out(history: TrueHistory) -> None:
    """On one connection a move is never shown."""
    history.events.remove(next(event for event in history.events if isinstance(event, Shown) and event.ply == 3))


def show_another_hand(history: TrueHistory) -> None:
    """Somebody is shown another hand than their own."""
    seat = history.last(Shown).seat
    assert seat is not None
    history.replace_last(Shown, hand=snapshot_of("m", history.match).hands[1 - seat])


def stop_short(history: TrueHistory) -> None:
    """At the end one tab has not seen the last move."""
    shown = [event for event in history.events if isinstance(event, Shown) and event.tab == BO_TOO]
    history.events.remove(shown[-1])


SENT_TOO = Sent(BO_TOO, "m", "rival", 1, "draw")
BACK = Greeted(BO, 4, "b")
EXPECTED_FAULTS: dict[str, tuple[Callable[[TrueHistory], object], str]] = {
    "acknowledged and not in the log": (lambda history: history.log.pop(), "in the log of m at None"),
    "twice in the log": (
        lambda history: history.log.append(history.log[-1]._replace(ply=6)),
        "is in its log 2 times",
    ),
    "a gap": (leave_a_gap, "have a gap"),
    "another ply": (
        lambda history: history.replace_last(Acknowledged, ply=5),
        "acknowledged at 5, in the log of m at 6",
    ),
    "two moves for one ply": (
        lambda history: history.events.extend([SENT_TOO, Acknowledged(BO_TOO, "rival", 6)]),
        "were both acknowledged at 6",
    ),
    "another move in the log": (lambda history: history.replace_last(Sent, move="uno"), "uno was sent, the log has"),
    "a repeated command is another one": (mistake, "taken for another command"),
    "refused and played": (play_the_refused, "refused, and in the log"),
    "before known moves": (come_before, "were known when it was sent"),
    "the past": (show_the_past, "was known up to 6"),
    "no match": (
        lambda history: history.events.extend([BACK, Shown(BO, 4, "welcome", None, 0)]),
        "was shown no game at b",
    ),
    "a move left out": (leave_out, "was shown ply 4 (moved) after 2"),
    "a move shown twice": (
        lambda history: history.events.append(history.last(Shown)),
        "was shown ply 6 (moved) after 6",
    ),
    "a move not in the log": (
        lambda history: history.events.append(replace(history.last(Shown), ply=7)),
        "which is not in the log",
    ),
    "another move shown": (lambda history: history.replace_last(Shown, move="pass"), ":pass at 6, the log has"),
    "another table shown": (
        lambda history: history.replace_last(Shown, picture="other"),
        "was shown another table at ply 6",
    ),
    "another hand shown": (show_another_hand, "was shown another hand at ply 6"),
    "a match that was never shown": (
        lambda history: history.events.extend([BACK, replace(history.record_view(BO, 4, "moved"), ply=6)]),
        "and never that match",
    ),
    "the last move not seen": (stop_short, "has seen 5 moves of match 0 in the end"),
    "a table that does not exist": (
        lambda history: history.events.append(Created("OTHER")),
        "acknowledged, and not there",
    ),
}


@pytest.mark.parametrize(("spoil", "words"), EXPECTED_FAULTS.values(), ids=EXPECTED_FAULTS)
def test_an_error_of_a_history_is_named(spoil: Callable[[TrueHistory], object], words: str) -> None:
    history = TrueHistory()
    spoil(history)
    assert any(words in wrong for wrong in history.check())


def test_cards_that_a_log_loses_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    history = TrueHistory()
    do = Match.do

    def do_badly(match: Match, seat: int, move: Move) -> object:
        events = do(match, seat, move)
        match.round._states[0]["pile_n"] -= 1
        return events

    monkeypatch.setattr(Match, "do", do_badly)
    assert any("cards are lost at 0" in wrong for wrong in history.check())
