"""A match and the log of its moves, from which it can be restored."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from lastcard.game.moves import Move, action_to_move, move_to_action
from lastcard.game.position import parse_position
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.seeds import commitment
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MatchRow, MoveRow

_MAX_PLIES: Final = 1 << 20
"""Upper bound on the moves of a match."""
_MAX_SEATS: Final = 256
"""Upper bound on seats; the last one stands for ``NEXT_ROUND``."""
REMEMBERED_MOVES: Final = 300
"""Number of moves whose events are stored for reconnecting clients: some 24 KB."""


_CALL_ACTIONS: Final = frozenset(
    move_to_action(move) for move in (Move("uno"), *(Move("catch", target=seat) for seat in range(10)))
)


def new_match(row: MatchRow) -> Match:
    """Return a match before its first move."""
    cards = None if row.rule_cards is None else [parse_rule_card(card) for card in row.rule_cards]
    position = None if row.position is None else parse_position(row.position)
    return Match(row.rules, row.names, seed=row.seed, host=row.host, rule_cards=cards, position=position)


def replay_match(row: MatchRow, moves: Iterable[MoveRow]) -> Match:
    """Return a match after all moves of its log."""
    match = new_match(row)
    for move in moves:
        apply_row(match, move)
    return match


def apply_row(match: Match, row: MoveRow) -> list[Event]:
    """Apply the next row of the log to a match; return the events, unabridged."""
    if row.action == NEXT_ROUND:
        match.next_round()
        return match.round.events()
    if row.action == TAKE_BACK:
        match.take_back(row.seat)
        return []
    return match.do(row.seat, action_to_move(row.action))


def drop_taken_back(rows: Iterable[MoveRow]) -> list[MoveRow]:
    """Return a log without moves that were taken back, as replays and records show it."""
    effective: list[MoveRow] = []
    for row in rows:
        if row.action != TAKE_BACK:
            effective.append(row)
            continue
        while effective.pop().seat != row.seat:
            pass
    return effective


class MatchLog:
    """A match and its log so far, in step."""

    def __init__(self, row: MatchRow, log: Iterable[MoveRow] = ()) -> None:
        self.row = row
        self.promise = commitment(row.secret)
        self.ply = 0
        """The number of rows folded."""
        self._commands: dict[str, int] = {}
        """Action, ply and seat by command id, packed in one number to save memory."""
        self.match = new_match(row)
        self._recent: deque[tuple[int, int, list[Event]]] = deque(maxlen=REMEMBERED_MOVES)
        """Round, seat and events of the last valid moves and deals."""
        self.moved = row.started
        """When the last deal or move but a call was made, in milliseconds since 1970."""
        self.turn_began = row.started
        """When the turn of the seat on turn began, likewise."""
        self._recent.append((self.match.number, -1, self.match.round.events()))
        for move in log:
            self.fold(move)

    def find(self, command: str) -> tuple[int, int, int] | None:
        """Return ply, seat and action of a command; None if the log does not have it."""
        known = self._commands.get(command)
        if known is None:
            return None
        rest, seat = divmod(known, _MAX_SEATS)
        action, ply = divmod(rest, _MAX_PLIES)
        return ply, seat, action

    def events(self, *, whole: bool) -> list[Event]:
        """Return the events of the last valid moves, oldest first, unabridged.

        Args:
            whole: whether to include all rounds. After a takeover only the last round is included: earlier events would
                have a wrong name.
        """
        whole = whole and not self.row.is_inherited
        recent = [events for number, _, events in self._recent if whole or number == self.match.number]
        return [event for events in recent for event in events]

    def new_takeovers(self, players: Iterable[str | None]) -> list[tuple[int, str]]:
        """Return seat and id of persons now in seats who have taken them over and are not players of the match yet."""
        return [
            (seat, player)
            for seat, player in enumerate(players)
            if player is not None and player != self.row.players[seat] and (seat, player) not in self.row.takeovers
        ]

    def add_takeover(self, seat: int, player: str) -> None:
        """Make a person who has taken over a seat a player of the match."""
        self.row = self.row.with_takeover(seat, player)

    def forget_player(self, player: str) -> bool:
        """Remove a person's name from the match, as the store does; return whether anything changed."""
        before, self.row = self.row, self.row.without(player)
        self.match.players = self.row.names
        return self.row != before

    def merge_player(self, player: str, into: str) -> None:
        """Replace a person's id by that of another profile of theirs, as the store does."""
        self.row = self.row.with_merged(player, into)

    def fold(self, row: MoveRow) -> list[Event]:
        """Apply a committed row; return the events, unabridged."""
        assert row.ply == self.ply, "the log has no gaps"
        before = self.match.round.turn
        events = apply_row(self.match, row)
        self.ply += 1
        if row.action not in _CALL_ACTIONS:
            self.moved = row.at
            if row.action == NEXT_ROUND or self.match.round.turn != before:
                self.turn_began = row.at
        if row.action == TAKE_BACK:
            while self._recent and self._recent.pop()[1] != row.seat:
                pass
        else:
            self._recent.append((self.match.number, row.seat, events))
        self._commands[row.command] = (row.action * _MAX_PLIES + row.ply) * _MAX_SEATS + row.seat % _MAX_SEATS
        return events
