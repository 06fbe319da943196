"""Checks whether a history is consistent with one log of moves that all workers share.

- An acknowledged move is in the log once, at the acknowledged place, as it was sent.
- The log has no gap and no duplicate command, can be played, and loses no card.
- Moves that were known before a command was sent come before it.
- A refused move is not in the log.
- A client that says hello gets everything that anybody at the table knew by then, through any worker; one connection
  omits and repeats nothing.
- Every state shown is that of the log at its ply, with the hand of the own seat.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from lastcard.errors import LastcardError
from lastcard.game.moves import action_to_move, move_to_action, parse_move
from lastcard.server.wire.messages import MatchSnapshot, mine_of, public_of
from lastcard.session.match_log import apply_row, new_match
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MatchRow, MoveRow
from support.random_play import all_cards
from tools.chaos.history import Acknowledged, Event, Greeted, Refused, Sent, Shown, Tab, digest

UNCERTAIN_REFUSALS: Final = ("storage", "fault")
"""Refusals after which a command may be in the log nevertheless."""


class Log(NamedTuple):
    """A match in the database at the end."""

    row: MatchRow
    moves: Sequence[MoveRow]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """State after a number of moves, as shown to all and to each seat, and the last move."""

    picture: str
    hands: tuple[str, ...]
    mover: int | None = None
    move: str | None = None


def check(
    events: Iterable[Event], logs: Mapping[str, Log], tables: Iterable[str] = (), *, is_quiescent: bool = False
) -> list[str]:
    """Returns all errors of a history in words, given its matches by id and the codes of all tables in the database.

    ``is_quiescent``: people waited at the end until no more moves came, so that all have seen everything.
    """
    checker = Checker(logs, set(tables))
    for event in events:
        checker.follow(event)
    return checker.finish(is_quiescent=is_quiescent)


class Checker:
    """Checker that reads a history once, from the first event to the last."""

    def __init__(self, logs: Mapping[str, Log], tables: set[str]) -> None:
        self.errors: list[str] = []
        self._logs = logs
        self._tables = tables
        self._snapshots = {match: self._read(match, log) for match, log in logs.items()}
        self._rows = {match: {row.command: row for row in reversed(log.moves)} for match, log in logs.items()}
        self._known: dict[str, tuple[int, int]] = {}
        """By table, the most that anybody there knows: index of the match, from 0, and its number of moves."""
        self._order: dict[str, list[str]] = {}
        """By table, the matches in the order of their appearance."""
        self._sent: dict[str, Sent] = {}
        self._known_when_sent: dict[str, int] = {}
        """By command, the number of moves known when it was first sent."""
        self._open: Counter[str] = Counter()
        """By command, how often it was sent and not finally refused."""
        self._done: dict[tuple[str, int], str] = {}
        self._greeted: dict[int, tuple[int, int]] = {}
        self._shown_on_connection: dict[int, tuple[str, int]] = {}
        self._last: dict[Tab, tuple[int, int]] = {}
        self._worker: dict[int, str] = {}

    def follow(self, event: Event) -> None:
        """Process the next event."""
        if isinstance(event, Sent):
            self._send(event)
        elif isinstance(event, Acknowledged):
            self._acknowledge(event)
        elif isinstance(event, Refused):
            self._open[event.command] -= event.code not in UNCERTAIN_REFUSALS
            if event.code == "replayed":
                self._report(f"{event.command} of {event.tab}: taken for another command")
        elif isinstance(event, Greeted):
            self._greeted[event.connection] = self._known.get(event.tab.table, (-1, 0))
            self._worker[event.connection] = event.worker
        elif isinstance(event, Shown):
            self._check_shown(event)
        elif event.table not in self._tables:
            self._report(f"table {event.table}: acknowledged, and not there")

    def finish(self, *, is_quiescent: bool) -> list[str]:
        """Returns all errors; ``is_quiescent`` as in ``check``."""
        for command, sent in self._sent.items():
            row = self._rows.get(sent.match, {}).get(command)
            if row is None:
                continue
            ply = row.ply + 1
            if self._open[command] <= 0:
                self._report(f"{command} of {sent.tab}: refused, and in the log of {sent.match} at {ply}")
            if ply <= self._known_when_sent[command]:
                self._report(
                    f"{command} of {sent.tab}: at {ply}, and {self._known_when_sent[command]} were known when it was "
                    "sent"
                )
            action = TAKE_BACK if sent.move is None else move_to_action(parse_move(sent.move))
            if (row.seat, row.action) != (sent.seat, action):
                where = f"action {row.action} of seat {row.seat}"
                self._report(f"{command} of {sent.tab}: {sent.move} was sent, the log has {where}")
        for tab, (number, ply) in self._last.items() if is_quiescent else ():
            matches = self._order[tab.table]
            moves = len(self._logs[matches[-1]].moves) if matches[-1] in self._logs else ply
            if (number, ply) != (len(matches) - 1, moves):
                self._report(
                    f"{tab}: has seen {ply} moves of match {number} in the end, there are {moves} of {matches[-1]}"
                )
        return self.errors

    def _report(self, what: str) -> None:
        self.errors.append(what)

    # --- the log ----------------------------------------------------------------------------------------

    def _read(self, match: str, log: Log) -> list[Snapshot]:
        """Returns the states after each move."""
        if [row.ply for row in log.moves] != list(range(len(log.moves))):
            self._report(f"match {match}: the plies of its log have a gap")
        for command, times in Counter(row.command for row in log.moves).items():
            if times > 1:
                self._report(f"match {match}: {command} is in its log {times} times")
        folded = new_match(log.row)
        deck = all_cards(folded.round)
        pages = [snapshot_of(match, folded)]
        try:
            for row in log.moves:
                apply_row(folded, row)
                pages.append(snapshot_of(match, folded, row))
                if row.action == NEXT_ROUND:
                    deck = all_cards(folded.round)
                elif all_cards(folded.round) != deck:
                    self._report(f"match {match}: cards are lost at {row.ply}")
        except LastcardError as error:
            self._report(f"match {match}: its log cannot be played at {len(pages) - 1}: {error}")
        return pages

    # --- commands ---------------------------------------------------------------------------------------

    def _send(self, sent: Sent) -> None:
        self._open[sent.command] += 1
        if sent.command not in self._sent:
            self._sent[sent.command] = sent
            known = self._known.get(sent.tab.table, (-1, 0))
            self._known_when_sent[sent.command] = (
                known[1] if known[0] == self._number(sent.tab.table, sent.match) else 0
            )

    def _acknowledge(self, done: Acknowledged) -> None:
        sent = self._sent[done.command]
        row = self._rows.get(sent.match, {}).get(done.command)
        ply = None if row is None else row.ply + 1
        if ply != done.ply:
            self._report(
                f"{done.command} of {done.tab}: acknowledged at {done.ply}, in the log of {sent.match} at {ply}"
            )
        if done.ply <= self._known_when_sent[done.command]:
            floor = self._known_when_sent[done.command]
            self._report(
                f"{done.command} of {done.tab}: acknowledged at {done.ply}, and {floor} were known when it was sent"
            )
        other = self._done.setdefault((sent.match, done.ply), done.command)
        if other != done.command:
            self._report(f"match {sent.match}: {other} and {done.command} were both acknowledged at {done.ply}")
        self._update_known(done.tab.table, self._number(done.tab.table, sent.match), done.ply)

    # --- shown states -----------------------------------------------------------------------------------

    def _number(self, table: str, match: str) -> int:
        """Returns the index of a match at a table."""
        order = self._order.setdefault(table, [])
        if match not in order:
            order.append(match)
        return order.index(match)

    def _update_known(self, table: str, number: int, ply: int) -> None:
        self._known[table] = max(self._known.get(table, (-1, 0)), (number, ply))

    def _check_shown(self, saw: Shown) -> None:
        if saw.match is None:
            if self._greeted[saw.connection][0] >= 0:
                self._report(f"{saw.tab}: was shown no game at {self._worker[saw.connection]}, and there is one")
            return
        seen = self._number(saw.tab.table, saw.match), saw.ply
        if saw.kind == "welcome" and seen < self._greeted[saw.connection]:
            known = self._greeted[saw.connection]
            self._report(
                f"{saw.tab}: was shown match {seen[0]} at ply {seen[1]} by {self._worker[saw.connection]}, and "
                f"match {known[0]} was known up to {known[1]}"
            )
        self._check_sequence(saw)
        self._check_against_log(saw)
        self._shown_on_connection[saw.connection] = saw.match, saw.ply
        self._last[saw.tab] = seen
        self._update_known(saw.tab.table, *seen)

    def _check_sequence(self, saw: Shown) -> None:
        """Check that one connection omits nothing."""
        match, ply = self._shown_on_connection.get(saw.connection, (None, 0))
        steps = {"welcome": (0,), "dealt": (0, 1), "moved": (1,)}[saw.kind]
        if saw.kind == "moved" and match != saw.match:
            self._report(f"{saw.tab}: was shown a move of {saw.match}, and never that match")
        elif saw.kind != "welcome" and match == saw.match and saw.ply - ply not in steps:
            self._report(f"{saw.tab}: was shown ply {saw.ply} ({saw.kind}) after {ply}")

    def _check_against_log(self, saw: Shown) -> None:
        pages = self._snapshots.get(str(saw.match))
        if pages is None or saw.ply >= len(pages):
            self._report(f"{saw.tab}: was shown ply {saw.ply} of {saw.match}, which is not in the log")
            return
        page = pages[saw.ply]
        if saw.kind == "moved" and (saw.mover, saw.move) != (page.mover, page.move):
            self._report(
                f"{saw.tab}: was shown {saw.mover}:{saw.move} at {saw.ply}, the log has {page.mover}:{page.move}"
            )
        if saw.picture != page.picture:
            self._report(f"{saw.tab}: was shown another table at ply {saw.ply} ({saw.kind}) of {saw.match}")
        if saw.seat is not None and saw.hand != page.hands[saw.seat]:
            self._report(f"{saw.tab}: was shown another hand at ply {saw.ply} ({saw.kind}) of {saw.match}")


def snapshot_of(id_: str, match: Any, row: MoveRow | None = None) -> Snapshot:
    """Returns the state that a table shows after the last row of its log."""
    public = match.round.public_state()
    view_source = MatchSnapshot(id_, match, public, 0, "")
    hands = [mine_of(view_source, seat, side) for seat, side in enumerate(match.round.hands_and_actions())]
    played = row is not None and row.action not in (NEXT_ROUND, TAKE_BACK)
    return Snapshot(
        digest(_values(public_of(match, public))),
        tuple(digest(_values(hand)) for hand in hands),
        row.seat if row is not None and played else None,
        str(action_to_move(row.action)) if row is not None and played else None,
    )


def _values(part: msgspec.Struct) -> Any:
    """Returns a part as the browser decodes it."""
    return json.loads(msgspec.json.encode(part))
