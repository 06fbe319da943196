"""The values that the store saves and returns."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from msgspec import Struct


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class CallsRow(NamedTuple):
    """Counts for a seat in a finished match: calls in time, forgotten calls that were caught, successful catches."""

    match: str
    seat: int
    called: int
    caught: int
    catches: int


class FindingRow(NamedTuple):
    """Results of the report of a finished match, for a seat.

    Args:
        luck: luck in rounds won.
        decisions: number of decisions with more than one choice.
        mistakes: number of certain mistakes, as a JSON object by kind (``Decision.topic``).
    """

    match: str
    seat: int
    luck: float
    decisions: int
    mistakes: str


class DailyTryRow(NamedTuple):
    """A person's try at a daily deal; ``winners`` is None until the round is won."""

    day: str
    game: str
    table: str
    winners: list[int] | None


class DailyResultRow(NamedTuple):
    """What a person had left at the end of a daily deal, and how often they moved."""

    match: str
    cards: int
    points: int
    moves: int


class DailyStanding(NamedTuple):
    """A finished try at a daily deal.

    Args:
        player: id of the person, or None if their data was deleted; ``name`` and ``shown`` likewise.
        finished: when the round ended, in milliseconds since 1970.
        points: what the cards left in hand count.
        luck: luck in rounds won, once the report of the match was requested.
        players: number of finished tries.
    """

    match: str
    player: str | None
    name: str | None
    shown: bool | None
    finished: int
    winners: list[int]
    points: int
    moves: int
    luck: float | None
    place: int
    players: int


class DuplicateRow(NamedTuple):
    """A duplicate match.

    Args:
        host: id of the person who opened it; empty once their data was deleted.
        rules: name of the ruleset.
        secret: the secret from which those of the deals follow (``seeds.deal_secret``).
        created: when it was opened, in milliseconds since 1970; ``started`` and ``finished`` likewise, None before.
        tables: codes of its tables in order.
    """

    code: str
    host: str
    rules: str
    seats: int
    deals: int
    secret: bytes
    created: int
    started: int | None
    finished: int | None
    tables: tuple[str, ...]


class DuplicateResultRow(NamedTuple):
    """The result of a deal at a table of a duplicate match.

    Args:
        table: code of the table.
        points: what each seat has won or lost (``duplicates.count_result``).
        winners: seats that won.
        luck: luck of each seat in rounds won.
    """

    duplicate: str
    deal: int
    table: str
    match: str
    points: list[int]
    winners: list[int]
    luck: list[float]


class DayTurn(NamedTuple):
    """Whose turn it is in a match at a table by the day; times are in milliseconds since 1970.

    Args:
        player: the person on turn; None for a bot, or between rounds.
        due: until when their move is due; 0 if the server is to move, None while the game rests.
        began: when their turn began.
        moved: when the last move was made.
        unseen: since when they are not connected to the table; None while they are.
    """

    match: str
    player: str | None
    due: int | None
    began: int
    moved: int
    unseen: int | None


class DayMatch(NamedTuple):
    """A match by the day in which a person is on turn: until when a move is due (None: the game rests), and when it is
    closed (0 if people move).
    """

    code: str
    rules: str
    due: int | None
    closes: int


class NotificationAddress(NamedTuple):
    """Where a person is notified of their turns.

    Args:
        kind: ``push`` for a browser, or a kind of webhook.
        address: the URL of the push service or the webhook, which is a secret of the person.
        keys: the keys of the browser; None for a webhook.
        failures: how many notifications in succession have not arrived.
        at: when it was added, in milliseconds since 1970.
    """

    id: str
    player: str
    kind: str
    address: str
    keys: dict[str, str] | None
    enabled: bool
    failures: int
    at: int


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


class PasskeyRow(NamedTuple):
    """A passkey of a person.

    Args:
        id: credential id in base64url.
        data: public key with its id, in the format of WebAuthn.
        uses: number of uses, as the device counts.
        created: when it was added, in milliseconds since 1970; ``used`` likewise, None before its first use.
    """

    id: str
    player: str
    name: str
    data: bytes
    uses: int
    created: int
    used: int | None


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
