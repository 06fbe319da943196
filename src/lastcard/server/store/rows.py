"""The values that the store saves and returns."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from msgspec import Struct

from lastcard.session.table_state import NOBODY

NEXT_ROUND: Final = -1
"""Seat and action of the row that deals the next round."""
TAKE_BACK: Final = -2
"""Action of the row that takes back a seat's last move in the round, and all moves after it."""


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class MoveRow(NamedTuple):
    """A row of the log of moves; with ``NEXT_ROUND`` for seat and action it deals the next round.

    Args:
        match: the id of the match.
        ply: its index in the log of that match, from 0.
        command: the sender's command id; unique in a match.
        seat: seat of the player.
        action: the move as an integer (``lastcard.game.moves``).
        at: milliseconds since 1970.
    """

    match: str
    ply: int
    command: str
    seat: int
    action: int
    at: int


class CallsRow(NamedTuple):
    """Counts of UNO calls in a match, for a seat.

    Args:
        match: id of a finished match.
        seat: the seat.
        called: number of calls in time.
        caught: number of forgotten calls that were caught.
        catches: number of successful catches.
    """

    match: str
    seat: int
    called: int
    caught: int
    catches: int


class FindingRow(NamedTuple):
    """Results of a match's report, for a seat.

    Args:
        match: id of a finished match.
        seat: the seat.
        luck: luck in rounds won.
        decisions: number of decisions with more than one choice.
        mistakes: number of certain mistakes, as a JSON object by kind (``Decision.topic``).
    """

    match: str
    seat: int
    luck: float
    decisions: int
    mistakes: str


class Sitter(NamedTuple):
    """The occupant of a seat in a finished match; current name and wish are None for bots and deleted persons."""

    seat: int
    player: str | None
    name: str | None
    shown: bool | None


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A finished match for career statistics; counts are there for every seat or for none."""

    id: str
    rules: str
    finished: int
    winners: tuple[int, ...]
    sitters: tuple[Sitter, ...]
    calls: tuple[CallsRow, ...]
    findings: tuple[FindingRow, ...]

    def seat_of(self, player: str) -> int:
        """Return the seat of a person who sat in the match."""
        return next(sitter.seat for sitter in self.sitters if sitter.player == player)


class Appended(Enum):
    """The result of appending a row to the log."""

    COMMITTED = "committed"
    """The row is in the log, on disk."""
    DUPLICATE = "duplicate"
    """The log has this command already, at the returned ply."""
    TAKEN = "taken"
    """The ply has another command."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player."""

    id: str
    name: str
    language: str
    shown: bool = True
    """Whether leaderboards may name this person."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A saved table, without moves.

    Args:
        code: table code.
        rev: revision, which a save must name.
        doc: table state as JSON, with the secret of the next match.
        touched: time of the last save in milliseconds since 1970.
    """

    code: str
    rev: int
    doc: bytes
    touched: int


class BanRow(Struct, frozen=True):
    """Who may not come.

    Args:
        id: of the ban.
        player: the id of a person, or None.
        network: an address or a network, or None.
        name: what it was called when it was banned.
        widely: whether the networks the person was connected from are to be banned too.
        at: since when, in milliseconds since 1970.
        until: when it ends; None for never.
    """

    id: str
    player: str | None
    network: str | None
    name: str
    widely: bool
    at: int
    until: int | None


class Complaint(Struct, frozen=True):
    """Somebody whom another person has reported.

    Args:
        id: of the complaint.
        table: its code.
        player: the id of the one, by the name ``name``.
        name: at that table.
        by: the id of the other, by the name ``by_name``.
        by_name: at that table.
        why: ``words``, ``name``, ``play`` or ``other``.
        text: what the other adds.
        notes: what was said there before, as pairs of a name and words, oldest first.
        at: when, in milliseconds since 1970.
    """

    id: str
    table: str
    player: str
    name: str
    by: str
    by_name: str
    why: str
    text: str
    notes: tuple[tuple[str, str], ...]
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match without its moves, and how it ended.

    Args:
        id: id of the match.
        table: code of its table.
        rules: name of the ruleset.
        names: names of the players by seat, as in the record.
        players: ids of persons by seat; None for a bot or a person whose data was deleted.
        bots: levels of bots by seat, also after a person took over; None for a person from the start.
        host: seat of the host.
        secret: the server's part of the shuffle.
        numbers: the players' parts of the shuffle, by seat.
        seed: the seed from both parts.
        rule_cards: written rule cards as canonical text; None if nobody wrote any.
        started: start in milliseconds since 1970; ``finished`` likewise, None while the match runs.
        winners: seats that won; None while the match runs, or if it was abandoned.
        position: first position of a match with prepared cards; None if they were shuffled.
        takeovers: seat and id of every person who took over a seat that another person had left.
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
