"""The checker of histories finds every kind of wrong: a true history, and what may be wrong with it one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from lastcard.game.actions import Move, move_action
from lastcard.match.match import Match
from lastcard.server.game.match_log import new_match
from lastcard.server.store.rows import MatchRow, MoveRow
from tools.chaos.checker import Log, check, page_of
from tools.chaos.history import Created, Done, Event, Greeted, Refused, Saw, Sent, Tab

ANN, BO, BO_TOO = Tab("CODE", "Ann"), Tab("CODE", "Bo"), Tab("CODE", "Bo", 1)
ROW = MatchRow(
    id="m",
    table="CODE",
    rules="classic",
    names=("Ann", "Bo"),
    players=("a", "b"),
    bots=(None, None),
    host=0,
    secret=b"",
    numbers=(),
    seed=bytes(32),
    rule_cards=None,
    started=0,
    finished=None,
    winners=None,
)


class Story:
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
        """Somebody comes and is shown the table."""
        self.events += [Greeted(tab, line, worker), self.sight(tab, line, "welcome")]

    def move(self) -> None:
        """Whoever is on turn does what is first."""
        seat = self.match.round.turn
        move = next(move for move in self.match.round.legal(seat) if move.verb not in ("uno", "catch"))
        tab, command, ply = (ANN, BO)[seat], f"command-{len(self.log)}", len(self.log)
        self.events.append(Sent(tab, "m", command, seat, str(move)))
        row = MoveRow("m", ply, command, seat, move_action(move), 0)
        self.match.do(seat, move)
        self.log.append(row)
        for other, line in self.lines.items():
            self.events.append(self.sight(other, line, "moved", row))
        self.events.append(Done(tab, command, ply + 1))

    def sight(self, tab: Tab, line: int, kind: str, row: MoveRow | None = None) -> Saw:
        """What a tab is shown now."""
        seat = 0 if tab == ANN else 1
        page = page_of("m", self.match, row)
        return Saw(tab, line, kind, "m", len(self.log), page.picture, seat, page.hands[seat], page.mover, page.move)

    def check(self) -> list[str]:
        """What is wrong with it."""
        return check(self.events, {"m": Log(ROW, self.log)}, {"CODE"}, settled=True)

    def place(self, wanted: Callable[[Event], bool]) -> int:
        """Where the last event of a kind stands."""
        return max(place for place, event in enumerate(self.events) if wanted(event))


def last(kind: type) -> Callable[[Event], bool]:
    """Events of a kind."""
    return lambda event: isinstance(event, kind)


def test_a_true_history() -> None:
    """Sent again, seen again, refused and come back through another worker: all that may be."""
    story = Story()
    sent = story.events[story.place(last(Sent))]
    assert isinstance(sent, Sent)
    story.events += [
        sent,
        Done(sent.tab, sent.command, 6),
        Sent(ANN, "m", "unlucky", 0, "R5"),
        Refused(ANN, "unlucky", "not-held"),
        Sent(BO, "m", "unsure", 1, "draw"),
        Refused(BO, "unsure", "storage"),
    ]
    story.greet(BO, 4, "b")
    assert story.check() == []


def lose(story: Story) -> None:
    """The last move, acknowledged, is not in the log."""
    del story.log[-1]


def double(story: Story) -> None:
    """A command is in the log twice."""
    story.log.append(story.log[-1]._replace(ply=6))


def leave_a_gap(story: Story) -> None:
    """A ply is missing in the log."""
    story.log[-1] = story.log[-1]._replace(ply=7)


def move_it(story: Story) -> None:
    """A move is acknowledged at another place."""
    at = story.place(last(Done))
    done = story.events[at]
    assert isinstance(done, Done)
    story.events[at] = replace(done, ply=5)


def acknowledge_two(story: Story) -> None:
    """Two workers acknowledge two moves for one ply."""
    story.events += [Sent(BO_TOO, "m", "rival", 1, "draw"), Done(BO_TOO, "rival", 6)]


def swap(story: Story) -> None:
    """The log has another move than the one that was sent."""
    at = story.place(last(Sent))
    sent = story.events[at]
    assert isinstance(sent, Sent)
    story.events[at] = replace(sent, move="uno")


def mistake(story: Story) -> None:
    """A command sent again is taken for another one."""
    sent = story.events[story.place(last(Sent))]
    assert isinstance(sent, Sent)
    story.events += [sent, Refused(sent.tab, sent.command, "replayed")]


def play_the_refused(story: Story) -> None:
    """A move is refused, and played all the same."""
    at = story.place(last(Done))
    done = story.events[at]
    assert isinstance(done, Done)
    story.events[at] = Refused(done.tab, done.command, "not-held")


def come_before(story: Story) -> None:
    """A command stands before what was known when it was sent."""
    at = story.place(last(Sent))
    sent = story.events.pop(at)
    story.events.insert(story.place(last(Done)), sent)


def show_the_past(story: Story) -> None:
    """A worker shows less than was seen through another one before."""
    old = next(event for event in story.events if isinstance(event, Saw) and event.tab == BO and event.ply == 5)
    story.events += [Greeted(BO, 4, "b"), replace(old, line=4, kind="welcome", mover=None, move=None)]


def show_nothing(story: Story) -> None:
    """A worker knows no match."""
    story.events += [Greeted(BO, 4, "b"), Saw(BO, 4, "welcome", None, 0)]


def leave_out(story: Story) -> None:
    """On one line a move is never shown."""
    story.events.remove(next(event for event in story.events if isinstance(event, Saw) and event.ply == 3))


def show_twice(story: Story) -> None:
    """On one line a move is shown twice."""
    story.events.append(story.events[story.place(last(Saw))])


def show_what_is_not(story: Story) -> None:
    """Something is shown that never comes into the log."""
    saw = story.events[story.place(last(Saw))]
    assert isinstance(saw, Saw)
    story.events.append(replace(saw, ply=7))


def show_another_move(story: Story) -> None:
    """A move is shown that is not the one in the log."""
    at = story.place(last(Saw))
    saw = story.events[at]
    assert isinstance(saw, Saw)
    story.events[at] = replace(saw, move="pass")


def show_another_table(story: Story) -> None:
    """The table looks different from what the log comes to."""
    at = story.place(last(Saw))
    saw = story.events[at]
    assert isinstance(saw, Saw)
    story.events[at] = replace(saw, picture="other")


def show_another_hand(story: Story) -> None:
    """Somebody is shown another hand than the own one."""
    at = story.place(last(Saw))
    saw = story.events[at]
    assert isinstance(saw, Saw) and saw.seat is not None
    story.events[at] = replace(saw, hand=page_of("m", story.match).hands[1 - saw.seat])


def show_a_match_from_nowhere(story: Story) -> None:
    """A move of a match that was never shown on this line."""
    story.events += [Greeted(BO, 4, "b"), replace(story.sight(BO, 4, "moved"), ply=6)]


def stop_short(story: Story) -> None:
    """In the end one tab has not seen the last move."""
    del story.events[story.place(lambda event: isinstance(event, Saw) and event.tab == BO_TOO)]


def forget_a_table(story: Story) -> None:
    """A table was acknowledged, and is not there."""
    story.events.append(Created("OTHER"))


WRONGS: dict[Callable[[Story], None], str] = {
    lose: "in the log of m at None",
    double: "is in its log 2 times",
    leave_a_gap: "have a gap",
    move_it: "acknowledged at 5, in the log of m at 6",
    acknowledge_two: "were both acknowledged at 6",
    swap: "uno was sent, the log has",
    mistake: "taken for another command",
    play_the_refused: "refused, and in the log",
    come_before: "were known when it was sent",
    show_the_past: "was known up to 6",
    show_nothing: "was shown no game at b",
    leave_out: "was shown ply 4 (moved) after 2",
    show_twice: "was shown ply 6 (moved) after 6",
    show_what_is_not: "which is not in the log",
    show_another_move: ":pass at 6, the log has",
    show_another_table: "was shown another table at ply 6",
    show_another_hand: "was shown another hand at ply 6",
    show_a_match_from_nowhere: "and never that match",
    stop_short: "has seen 5 moves of match 0 in the end",
    forget_a_table: "acknowledged, and not there",
}


@pytest.mark.parametrize(("spoil", "words"), WRONGS.items(), ids=[spoil.__name__ for spoil in WRONGS])
def test_a_history_that_is_wrong(spoil: Callable[[Story], None], words: str) -> None:
    """One thing is wrong with it, and it is named."""
    story = Story()
    spoil(story)
    assert any(words in wrong for wrong in story.check())


def test_cards_that_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that loses a card on the way."""
    story = Story()
    do = Match.do

    def do_badly(match: Match, seat: int, move: Move) -> object:
        events = do(match, seat, move)
        match.round._tables[0]["pile_n"] -= 1
        return events

    monkeypatch.setattr(Match, "do", do_badly)
    assert any("cards are lost at 0" in wrong for wrong in story.check())
