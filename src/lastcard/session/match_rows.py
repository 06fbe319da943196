"""The saved values of a match: the match without its moves, and the rows of its log of moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from lastcard.session.table_state import NOBODY

NEXT_ROUND: Final = -1
"""Seat and action of the row that deals the next round."""
TAKE_BACK: Final = -2
"""Action of the row that takes back a seat's last move in the round, and all moves after it."""


class MoveRow(NamedTuple):
    """A row of the log of moves; with ``NEXT_ROUND`` for seat and action it deals the next round.

    Args:
        ply: its index in the log of that match, from 0.
        command: the sender's command id; unique in a match.
        action: the move as an integer (``lastcard.game.moves``).
        at: milliseconds since 1970.
    """

    match: str
    ply: int
    command: str
    seat: int
    action: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match without its moves, and how it ended.

    Args:
        names: names of the players by seat, as in the record.
        players: ids of persons by seat; None for a bot or a person whose data was deleted.
        bots: levels of bots by seat, also after a person took over; None for a person from the start.
        secret: the server's part of the shuffle.
        numbers: the players' parts of the shuffle, by seat.
        seed: the seed from both parts.
        rule_cards: written rule cards as canonical text; None if nobody wrote any.
        started: start in milliseconds since 1970; ``finished`` likewise, None while the match runs.
        winners: seats that won; None while the match runs, or if it was abandoned.
        position: first position of a match with prepared cards; None if they were shuffled.
        takeovers: seat and id of every person who took over a seat that another person had left.
        daily: the day of the daily deal that it was, as in ``2026-11-30``; None for any other match.
        duplicate: the code of the duplicate match that it is part of, with its ``deal`` from 1; None for any other.
        is_open: whether that duplicate match is still being played.
    """

    id: str
    table: str
    rules: str
    names: tuple[str, ...]
    players: tuple[str | None, ...]
    bots: tuple[str | None, ...]
    host: int
    secret: bytes
    numbers: tuple[str, ...]
    seed: bytes
    rule_cards: tuple[str, ...] | None
    started: int
    finished: int | None
    winners: tuple[int, ...] | None
    position: str | None = None
    takeovers: tuple[tuple[int, str], ...] = ()
    daily: str | None = None
    duplicate: str | None = None
    deal: int = 0
    is_open: bool = False

    @property
    def persons(self) -> frozenset[str]:
        """Return the ids of all players who are still known."""
        return frozenset(filter(None, (*self.players, *(heir for _, heir in self.takeovers))))

    @property
    def is_inherited(self) -> bool:
        """Return whether somebody has taken over a seat, of a bot or of a person."""
        taken = (bot is not None and player is not None for bot, player in zip(self.bots, self.players, strict=True))
        return bool(self.takeovers) or any(taken)

    def seat_of(self, player: str) -> int:
        """Return the seat of a person who sat in the match."""
        return next(seat for seat, other in (*enumerate(self.players), *self.takeovers) if other == player)

    def with_takeover(self, seat: int, player: str) -> MatchRow:
        """Return the match after a person took over a seat; a takeover from a person is listed in ``takeovers``."""
        if self.bots[seat] is None or self.players[seat] is not None:
            return replace(self, takeovers=(*self.takeovers, (seat, player)))
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def without(self, player: str) -> MatchRow:
        """Return the match without data of a person, as after ``delete_player``; the bot of a taken-over seat stays."""
        own = [other == player for other in self.players]
        masked = [mine and bot is None for mine, bot in zip(own, self.bots, strict=True)]
        return replace(
            self,
            names=tuple(NOBODY if gone else name for gone, name in zip(masked, self.names, strict=True)),
            players=tuple(None if mine else other for mine, other in zip(own, self.players, strict=True)),
            takeovers=tuple((seat, heir) for seat, heir in self.takeovers if heir != player),
        )

    def with_merged(self, player: str, into: str) -> MatchRow:
        """Return the match with a person's id replaced by that of another profile of theirs."""
        return replace(
            self,
            players=tuple(into if other == player else other for other in self.players),
            takeovers=tuple((seat, into if heir == player else heir) for seat, heir in self.takeovers),
        )
