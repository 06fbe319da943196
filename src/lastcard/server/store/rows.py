"""The values that go into the store and come out of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from msgspec import Struct

NOBODY: Final = "–"
"""Stands in matches for the name of a person whose data was deleted; the same in every language."""
NEXT_ROUND: Final = -1
"""Seat and action of the row that deals the next round."""
TAKE_BACK: Final = -2
"""Action of the row with which a seat takes back its last act in the round, and all that came after it."""


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class MoveRow(NamedTuple):
    """A line of the log of moves; with ``NEXT_ROUND`` for seat and action it deals the next round.

    Args:
        match: the id of the match.
        ply: its place in the log of that match, from 0.
        command: the id the sender gave the command; once in a match.
        seat: who moves.
        action: the move as an integer (``lastcard.game.actions``).
        at: milliseconds since 1970.
    """

    match: str
    ply: int
    command: str
    seat: int
    action: int
    at: int


class CallsRow(NamedTuple):
    """UNO in a match, for a seat.

    Args:
        match: that is over.
        seat: in it.
        called: how often it called in time.
        caught: how often it forgot and was caught.
        catches: how often it caught others.
    """

    match: str
    seat: int
    called: int
    caught: int
    catches: int


class FindingRow(NamedTuple):
    """What the report of a match came to, for a seat.

    Args:
        match: that is over.
        seat: in it.
        luck: in rounds won.
        decisions: how many it had with more than one choice.
        mistakes: how many of them were certainly mistakes, as a JSON object by kind (``Decision.topic``).
    """

    match: str
    seat: int
    luck: float
    decisions: int
    mistakes: str


class Sitter(NamedTuple):
    """Who sat in a seat of a match that is over; name and wish of today are None for a bot or who is forgotten."""

    seat: int
    player: str | None
    name: str | None
    shown: bool | None


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that is over, as careers are made of it; what is counted of it is that of every seat, if it is."""

    id: str
    rules: str
    finished: int
    winners: tuple[int, ...]
    sitters: tuple[Sitter, ...]
    calls: tuple[CallsRow, ...]
    findings: tuple[FindingRow, ...]

    def seat_of(self, player: str) -> int:
        """Where a person sat who did."""
        return next(sitter.seat for sitter in self.sitters if sitter.player == player)


class Appended(Enum):
    """What became of a row that was offered to the log."""

    COMMITTED = "committed"
    """It is in the log, on disk."""
    DUPLICATE = "duplicate"
    """The log has this command already, at the ply that is given back."""
    TAKEN = "taken"
    """The ply has another command."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person who plays here."""

    id: str
    name: str
    language: str
    shown: bool = True
    """Whether tables of honor may name this person."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it stands, all but the moves.

    Args:
        code: its table code.
        rev: counts the changes; whoever saves must have seen the last one.
        doc: what ``server/table/table.py`` keeps, secret of the next match included.
        touched: when it was last saved, in milliseconds since 1970.
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
    """What the moves of a match are folded onto, and how it ended.

    Args:
        id: of the match.
        table: the code of the table it is played at.
        rules: the ruleset by name.
        names: of the players by seat, as they stand in the record.
        players: the ids of the persons by seat; None for a bot or a person whose data was deleted.
        bots: the levels of the bots by seat, also where a person took over later; None for a person from the start.
        host: the seat of the host.
        secret: the server's part of the shuffle.
        numbers: the players' parts by seat.
        seed: what both make.
        rule_cards: written rule cards as canonical text; None where nobody wrote any.
        started: in milliseconds since 1970; ``finished`` too, None while it is played.
        winners: the seats that won; None while it is played, and where it was abandoned.
        position: where its one round began, if its cards were prepared; None where they were shuffled.
        heirs: seat and id of every person who took over a seat that another person had left.
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
    heirs: tuple[tuple[int, str], ...] = ()

    @property
    def persons(self) -> frozenset[str]:
        """The ids of all persons who have played in it and are still known."""
        return frozenset(filter(None, (*self.players, *(heir for _, heir in self.heirs))))

    @property
    def is_inherited(self) -> bool:
        """Whether somebody has taken over a seat, of a bot or of a person."""
        taken = (bot is not None and player is not None for bot, player in zip(self.bots, self.players, strict=True))
        return bool(self.heirs) or any(taken)

    def seat_of(self, player: str) -> int:
        """Where a person sat who did."""
        return next(seat for seat, other in (*enumerate(self.players), *self.heirs) if other == player)

    def with_heir(self, seat: int, player: str) -> MatchRow:
        """A bot's seat is a person's from now on; of a person's seat the person is an heir."""
        if self.bots[seat] is None or self.players[seat] is not None:
            return replace(self, heirs=(*self.heirs, (seat, player)))
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def without(self, player: str) -> MatchRow:
        """Nothing of a person is in it, as after ``delete_player``; a bot's name stays where the person took over."""
        own = [other == player for other in self.players]
        masked = [mine and bot is None for mine, bot in zip(own, self.bots, strict=True)]
        return replace(
            self,
            names=tuple(NOBODY if gone else name for gone, name in zip(masked, self.names, strict=True)),
            players=tuple(None if mine else other for mine, other in zip(own, self.players, strict=True)),
            heirs=tuple((seat, heir) for seat, heir in self.heirs if heir != player),
        )
