"""Matches and tables as their committed rows and states have them."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from lastcard.errors import LastcardError
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.moves import action_to_move
from lastcard.match.match import Match
from lastcard.server.wire.messages import MatchSnapshot, mine_of, public_of
from lastcard.server.wire.parts import Mine, Public
from lastcard.session.match_log import apply_row, new_match
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MatchRow, MoveRow
from lastcard.session.table_state import TableState


class Shown(NamedTuple):
    """What a table shows after a number of moves: to all, to each seat, and the last move."""

    public: Public
    mines: tuple[Mine, ...]
    mover: int | None
    move: str | None
    state: int
    """A checksum of the whole round."""


class Truth:
    """A match as its committed log has it."""

    def __init__(self, row: MatchRow, number: int) -> None:
        self.row = row
        self.number = number
        """Its number at its table."""
        self.match: Match = new_match(row)
        self.rows: dict[str, MoveRow] = {}
        """The rows by command."""
        self.secrets = (row.secret.hex().encode(), row.seed.hex().encode())
        self.deck = _count_cards(self.match)
        self.shown = [self._picture(None)]

    def fold(self, row: MoveRow) -> str | None:
        """Apply the next row; return what is wrong with it."""
        if row.ply != len(self.rows):
            return f"row {row.ply} follows {len(self.rows)} rows"
        if row.command in self.rows:
            return f"{row.command} is doubled"
        self.rows[row.command] = row
        try:
            apply_row(self.match, row)
        except LastcardError as error:
            return f"row {row.ply} cannot be played: {error}"
        if row.action == NEXT_ROUND:
            self.deck = _count_cards(self.match)
        elif not np.array_equal(self.deck, _count_cards(self.match)):
            return f"cards are lost at {row.ply}"
        self.shown.append(self._picture(row))
        public = self.shown[-1].public
        if public.decision != "over" and not self.shown[-1].mines[public.turn].legal:
            return f"nobody can move after row {row.ply}"
        return None

    def _picture(self, row: MoveRow | None) -> Shown:
        public = self.match.round.public_state()
        snapshot = MatchSnapshot(self.row.id, self.match, public, 0, "")
        mines = tuple(mine_of(snapshot, seat, side) for seat, side in enumerate(self.match.round.hands_and_actions()))
        is_move = row is not None and row.action not in (NEXT_ROUND, TAKE_BACK)
        mover, move = (row.seat, str(action_to_move(row.action))) if row is not None and is_move else (None, None)
        return Shown(public_of(self.match, public), mines, mover, move, checksum(self.match))


class TableTruth:
    """A table as its committed state has it."""

    def __init__(self) -> None:
        self.state: TableState | None = None
        self.matches: list[Truth] = []
        self.seats: dict[tuple[str, int], float] = {}
        """Until when a person played a seat."""
        self.watched_until = inf
        """Until when people without a seat may see the game."""
        self.known = (-1, 0)
        """The latest match and ply that anybody was shown."""

    def head(self) -> tuple[int, int]:
        """Return the number of the last match, and its number of rows."""
        return (len(self.matches) - 1, len(self.matches[-1].rows)) if self.matches else (-1, 0)

    def count_moves(self) -> int:
        """Return the number of moves in all matches, without deals and take-backs."""
        return sum(row.action >= 0 for truth in self.matches for row in truth.rows.values())

    def save(self, state: TableState, now: float) -> None:
        """Follow a committed state."""
        self.state = state
        for key, until in self.seats.items():
            self.seats[key] = min(until, now)
        for seat, occupant in enumerate(state.seats):
            if occupant is not None and occupant.player is not None and occupant.away is None:
                self.seats[occupant.player, seat] = inf
        self.watched_until = inf if state.settings.spectators else min(self.watched_until, now)


def checksum(match: Match) -> int:
    """Return a checksum of a round, with the events of its last move, and its scores."""
    return crc32(repr(match.scores).encode(), crc32(match.round._states.data))


def _count_cards(match: Match) -> Any:
    """Return the number of cards of each kind, wherever they are."""
    state = match.round._states[0]
    piles = np.concatenate((state["pile"][: state["pile_n"]], state["discard"][: state["discard_n"]]))
    return np.bincount(piles, minlength=CARD_SLOTS) + state["counts"][: match.round.players].sum(axis=0)
