"""A match folded from its log of moves, and the only way to add to that log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from lastcard.game.actions import Move, action_move, move_action
from lastcard.game.position import parse_position
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.seeds import commitment
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.server.store.rows import NEXT_ROUND, TAKE_BACK, Appended, MatchRow, MoveRow, now_ms
from lastcard.server.store.store import Store

_PLIES: Final = 1 << 20
"""More than a match has moves."""
_SEATS: Final = 256
"""More than there are; the seat of ``NEXT_ROUND`` is the last of them."""
REMEMBERED_ACTS: Final = 300
"""Acts of which it is remembered what they did, for whoever comes back: some 24 KB."""


def new_match(row: MatchRow) -> Match:
    """A match before its first move."""
    cards = None if row.rule_cards is None else [parse_rule_card(card) for card in row.rule_cards]
    position = None if row.position is None else parse_position(row.position)
    return Match(row.rules, row.names, seed=row.seed, host=row.host, rule_cards=cards, position=position)


def play_whole(row: MatchRow, moves: Iterable[MoveRow]) -> Match:
    """A match after all moves of its log."""
    match = new_match(row)
    for move in moves:
        play_row(match, move)
    return match


def play_row(match: Match, row: MoveRow) -> list[Event]:
    """Do in a match what the next row of its log says.

    Returns:
        What happened, unabridged.
    """
    if row.action == NEXT_ROUND:
        match.next_round()
        return match.round.events()
    if row.action == TAKE_BACK:
        match.take_back(row.seat)
        return []
    return match.do(row.seat, action_move(row.action))


def standing_rows(rows: Iterable[MoveRow]) -> list[MoveRow]:
    """A log without what was taken back in it: what a replay shows and a record holds."""
    kept: list[MoveRow] = []
    for row in rows:
        if row.action != TAKE_BACK:
            kept.append(row)
            continue
        while kept.pop().seat != row.seat:
            pass
    return kept


class MatchLog:
    """A match and its log, in step with each other.

    Args:
        store: where the log is.
        row: the match.
        log: its moves so far.
    """

    def __init__(self, store: Store, row: MatchRow, log: Sequence[MoveRow] = ()) -> None:
        self._store = store
        self.row = row
        self.promise = commitment(row.secret)
        self.ply = 0
        """How many rows have been folded."""
        self._commands: dict[str, int] = {}
        """Action, ply and seat of each command in the log, in one number: a long match has hundreds, a server many
        matches.
        """
        self.match = new_match(row)
        self._acts: deque[tuple[int, int, list[Event]]] = deque(maxlen=REMEMBERED_ACTS)
        """Round, seat and events of the last acts that stand, the deal among them."""
        self._acts.append((self.match.number, -1, self.match.round.events()))
        for move in log:
            self.fold(move)

    async def propose(self, command: str, seat: int, move: Move | None) -> tuple[MoveRow, list[Event]] | None:
        """Offer a move that has been verified (None: the next round) as the next row.

        Returns:
            The row and what it did, once it is committed and folded; None where another was first: then the tail
            must be read.

        Raises:
            StoreError: nothing was written, nothing has changed.
        """
        return await self._propose(command, seat, NEXT_ROUND if move is None else move_action(move))

    async def propose_take_back(self, command: str, seat: int) -> tuple[MoveRow, list[Event]] | None:
        """Offer a row with which a seat takes its last act back, as ``propose`` does; there must be one."""
        return await self._propose(command, seat, TAKE_BACK)

    async def _propose(self, command: str, seat: int, action: int) -> tuple[MoveRow, list[Event]] | None:
        row = MoveRow(self.row.id, self.ply, command, seat, action, now_ms())
        appended, _ = await self._store.append(row)
        if appended is not Appended.COMMITTED:
            return None
        return row, self.fold(row)

    def find(self, command: str) -> tuple[int, int, int] | None:
        """Ply, seat and action of a command; None where it is not in the log."""
        known = self._commands.get(command)
        if known is None:
            return None
        rest, seat = divmod(known, _SEATS)
        action, ply = divmod(rest, _PLIES)
        return ply, seat, action

    def events(self, *, whole: bool) -> list[Event]:
        """What the last acts that stand did, the oldest first, unabridged.

        Args:
            whole: of all rounds, unless somebody has taken over a seat: what others did there would bear a wrong name.
                Else of the last round.
        """
        whole = whole and not self.row.is_inherited
        acts = [events for number, _, events in self._acts if whole or number == self.match.number]
        return [event for events in acts for event in events]

    async def seat_heirs(self, players: Sequence[str | None]) -> None:
        """Whoever has taken over a seat has played the match too.

        Args:
            players: the ids of the persons who sit there now, by seat.
        """
        for seat, player in enumerate(players):
            if player is not None and player != self.row.players[seat] and (seat, player) not in self.row.heirs:
                await self._store.take_seat(self.row.id, seat, player)
                self.row = self.row.with_heir(seat, player)

    def forget(self, player: str) -> None:
        """A person has deleted all data: the name in the match goes, as it does in the store."""
        self.row = self.row.without(player)
        self.match.players = self.row.names

    async def tail(self) -> list[MoveRow]:
        """Rows of the log that have not been folded yet."""
        return await self._store.moves(self.row.id, self.ply)

    def fold(self, row: MoveRow) -> list[Event]:
        """Do what a committed row says.

        Returns:
            What happened, unabridged.
        """
        assert row.ply == self.ply, "the log has no gaps"
        events = play_row(self.match, row)
        self.ply += 1
        if row.action == TAKE_BACK:
            while self._acts and self._acts.pop()[1] != row.seat:
                pass
        else:
            self._acts.append((self.match.number, row.seat, events))
        self._commands[row.command] = (row.action * _PLIES + row.ply) * _SEATS + row.seat % _SEATS
        return events
