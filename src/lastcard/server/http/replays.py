"""A match from the store, move by move for the browser or as a record: all of it, or what spectators may see.

Who may see what is decided by one question, ``is_live``. The matches that are over are given whole, and the browser
decides whose eyes to show them through; of one still going on nothing leaves here that a spectator does not see.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from threading import Lock
from typing import Final

import msgspec
from msgspec import Struct

from lastcard.bots.regulars import level_named
from lastcard.formats.values import card_names
from lastcard.game.actions import action_move
from lastcard.game.seeds import Shuffle
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.server.game.match_log import new_match, play_row, play_whole, standing_rows
from lastcard.server.store.rows import NEXT_ROUND, TAKE_BACK, MatchRow, MoveRow
from lastcard.server.wire.messages import happening, happenings, public_of
from lastcard.server.wire.parts import Happening, Public

ROOM: Final = 32 << 20
"""Bytes of replays that are kept."""


class Moment(Struct, frozen=True):
    """The table after a deal."""

    events: tuple[Happening, ...]
    """What happened; in a match that is over with every card."""
    public: Public
    hands: tuple[tuple[str, ...], ...] | None
    """By seat; None in a match still going on."""


class Step(Struct, frozen=True):
    """A move, and the table after it, as a ``Moment`` shows it."""

    seat: int
    move: str
    at: int
    """When, in milliseconds since 1970."""
    events: tuple[Happening, ...]
    public: Public
    hands: tuple[tuple[str, ...], ...] | None


class ReplayRound(Struct, frozen=True):
    """A round."""

    dealer: int
    first: Moment
    steps: tuple[Step, ...]


class Replay(Struct, frozen=True, omit_defaults=True):
    """A match from its first card: the body of ``GET /api/matches/ID/replay``."""

    id: str
    rules: str
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    """The levels of bots by seat, None for persons; where nobody knows, those of the regulars who are called so."""
    host: int
    live: bool
    """Whether it is still going on; the secrets below are then None, and spectators' eyes see the rest."""
    promise: str
    numbers: tuple[str, ...]
    commitment: str
    secret: str | None
    seed: str | None
    rule_cards: tuple[str, ...] | None
    """The written ones."""
    winners: tuple[int, ...] | None
    rounds: tuple[ReplayRound, ...]
    taken_back: int = 0
    """How often moves were taken back, against bots; they are not among the steps."""


def is_live(row: MatchRow) -> bool:
    """Whether a match is still going on, as far as the store knows: what it hides must not be shown."""
    return row.finished is None


# --- folding ------------------------------------------------------------------------------------------


def fold(row: MatchRow, moves: Sequence[MoveRow]) -> Iterator[tuple[Match, MoveRow | None, list[Event]]]:
    """Play a match again.

    Args:
        row: the match.
        moves: its log, from the first move on.

    Yields:
        After every deal and every move the match, the move (None for a deal) and what happened. The match is one
        object that goes on.
    """
    match = new_match(row)
    yield match, None, match.round.events()
    for move in standing_rows(moves):
        yield match, None if move.action == NEXT_ROUND else move, play_row(match, move)


def replay_text(row: MatchRow, moves: Sequence[MoveRow]) -> bytes:
    """A ``Replay`` as JSON.

    Args:
        row: the match.
        moves: its log, from the first move on.
    """
    live = is_live(row)
    rounds: list[tuple[int, Moment, list[Step]]] = []
    for match, move, events in fold(row, moves):
        told = happenings(events, match, None) if live else tuple([happening(event, match) for event in events])
        public = public_of(match, match.round.face())
        hands = None if live else tuple(map(card_names, match.round.hands))
        if move is None:
            rounds.append((match.dealer, Moment(told, public, hands), []))
        else:
            text = str(action_move(move.action))
            rounds[-1][2].append(Step(move.seat, text, move.at, told, public, hands))
    shuffle = Shuffle.of(row.secret, row.numbers)
    return msgspec.json.encode(
        Replay(
            id=row.id,
            rules=row.rules,
            names=row.names,
            bots=row.bots if row.table else tuple(map(level_named, row.names)),
            host=row.host,
            live=live,
            promise=shuffle.promise,
            numbers=shuffle.numbers,
            commitment=match.commitment,
            secret=None if live else row.secret.hex(),
            seed=None if live else row.seed.hex(),
            rule_cards=None if live else row.rule_cards,
            winners=match.winners,
            rounds=tuple([ReplayRound(dealer, first, tuple(steps)) for dealer, first, steps in rounds]),
            taken_back=sum(move.action == TAKE_BACK for move in moves),
        )
    )


# --- records ------------------------------------------------------------------------------------------


def record_text(row: MatchRow, moves: Sequence[MoveRow]) -> str:
    """The record of a match (``docs/records.md``); while it goes on, with the view of a spectator.

    Args:
        row: the match.
        moves: its log, from the first move on.
    """
    match = play_whole(row, moves)
    record = replace(match.record(), shuffle=Shuffle.of(row.secret, row.numbers))
    return (record.public(match.round.view(None)) if is_live(row) else record).text()


def record_bytes(row: MatchRow, moves: Sequence[MoveRow]) -> bytes:
    """The record of a match as a file has it."""
    return record_text(row, moves).encode()


def record_name(row: MatchRow, *, whole: bool = False) -> str:
    """A name for the file of a record: ``lastcard-2026-05-31-classic-x7Kq2a.toml``; on wish with the whole id."""
    day = datetime.fromtimestamp(row.started / 1000, UTC).date().isoformat()
    return f"lastcard-{day}-{row.rules.partition('+')[0]}-{row.id if whole else row.id[:6]}.toml"


# --- keeping ------------------------------------------------------------------------------------------


class ReplayCache:
    """The replays and records asked for last, as bytes; the one not asked for longest goes first. For any thread.

    Args:
        room: how many bytes are kept.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._kept: OrderedDict[object, bytes] = OrderedDict()
        self._used = 0
        self._lock = Lock()

    def get(self, key: object) -> bytes | None:
        """What is kept under a key."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: object, text: bytes) -> None:
        """Keep something under a new key, where it fits."""
        with self._lock:
            if len(text) > self._room or key in self._kept:
                return
            self._kept[key] = text
            self._used += len(text)
            while self._used > self._room:
                self._used -= len(self._kept.popitem(last=False)[1])
