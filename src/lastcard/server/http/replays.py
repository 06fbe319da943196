"""Replays and records of stored matches: whole, or as spectators may see them.

``is_live`` decides who sees what. Finished matches are sent whole, and the browser chooses the view; a running match
is sent as a spectator sees it. The seed is left out while others may play the same deal (``is_sealed``).
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

from lastcard.bots.personas import find_persona_level
from lastcard.formats.values import card_names
from lastcard.game import daily_deal
from lastcard.game.moves import action_to_move
from lastcard.game.seeds import Shuffle
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.server.wire.messages import happening, happenings, public_of
from lastcard.server.wire.parts import Happening, Public
from lastcard.session.match_log import apply_row, drop_taken_back, new_match, replay_match
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MatchRow, MoveRow

CACHE_BYTES: Final = 32 << 20
"""Maximum bytes of cached replays."""


class ReplayStart(Struct, frozen=True):
    """The table after a deal."""

    events: tuple[Happening, ...]
    """What happened; in a match that is over with every card."""
    public: Public
    hands: tuple[tuple[str, ...], ...] | None
    """By seat; None in a match still going on."""


class ReplayStep(Struct, frozen=True):
    """A move, and the table after it, as a ``ReplayStart`` shows it."""

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
    first: ReplayStart
    steps: tuple[ReplayStep, ...]


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
    """None too while others may play the same deal; ``seed`` likewise."""
    seed: str | None
    rule_cards: tuple[str, ...] | None
    """The written ones."""
    winners: tuple[int, ...] | None
    rounds: tuple[ReplayRound, ...]
    taken_back: int = 0
    """How often moves were taken back, against bots; they are not among the steps."""


def is_live(row: MatchRow) -> bool:
    """Return whether a match is running, as far as the store knows; then hidden cards must stay hidden."""
    return row.finished is None


def is_sealed(row: MatchRow) -> bool:
    """Return whether others may still play the same deal, whose seed must stay secret."""
    return row.is_open or (row.daily is not None and row.daily >= daily_deal.today())


# --- folding ------------------------------------------------------------------------------------------


def replay_moves(row: MatchRow, moves: Sequence[MoveRow]) -> Iterator[tuple[Match, MoveRow | None, list[Event]]]:
    """Replay a match from its first move on.

    Yields:
        After every deal and move: the match, the move (None for a deal), and the events. The match is the same
        object every time.
    """
    match = new_match(row)
    yield match, None, match.round.events()
    for move in drop_taken_back(moves):
        yield match, None if move.action == NEXT_ROUND else move, apply_row(match, move)


def replay_text(row: MatchRow, moves: Sequence[MoveRow]) -> bytes:
    """Return the ``Replay`` of a match from its first move on as JSON."""
    live = is_live(row)
    sealed = live or is_sealed(row)
    rounds: list[tuple[int, ReplayStart, list[ReplayStep]]] = []
    for match, move, events in replay_moves(row, moves):
        shown = happenings(events, match, None) if live else tuple([happening(event, match) for event in events])
        public = public_of(match, match.round.public_state())
        hands = None if live else tuple(map(card_names, match.round.hands))
        if move is None:
            rounds.append((match.dealer, ReplayStart(shown, public, hands), []))
        else:
            text = str(action_to_move(move.action))
            rounds[-1][2].append(ReplayStep(move.seat, text, move.at, shown, public, hands))
    shuffle = Shuffle.of(row.secret, row.numbers)
    return msgspec.json.encode(
        Replay(
            id=row.id,
            rules=row.rules,
            names=row.names,
            bots=row.bots if row.table else tuple(map(find_persona_level, row.names)),
            host=row.host,
            live=live,
            promise=shuffle.promise,
            numbers=shuffle.numbers,
            commitment=match.commitment,
            secret=None if sealed else row.secret.hex(),
            seed=None if sealed else row.seed.hex(),
            rule_cards=None if live else row.rule_cards,
            winners=match.winners,
            rounds=tuple([ReplayRound(dealer, first, tuple(steps)) for dealer, first, steps in rounds]),
            taken_back=sum(move.action == TAKE_BACK for move in moves),
        )
    )


# --- records ------------------------------------------------------------------------------------------


def record_text(row: MatchRow, moves: Sequence[MoveRow], *, sealed: bool = False) -> str:
    """Return the record of a match (``docs/records.md``); for a running one, a spectator's view.

    A ``sealed`` one is without its seed and secret.
    """
    match = replay_match(row, moves)
    record = replace(match.record(), shuffle=Shuffle.of(row.secret, row.numbers))
    if is_live(row):
        record = record.public(match.round.view(None))
    elif sealed:
        record = record.public()
    return record.text()


def record_bytes(row: MatchRow, moves: Sequence[MoveRow]) -> bytes:
    """Return the record of a match as bytes of a file, without its seed while that is secret."""
    return record_text(row, moves, sealed=is_sealed(row)).encode()


def record_name(row: MatchRow, *, whole: bool = False) -> str:
    """Return a file name for a record: ``lastcard-2026-05-31-classic-x7Kq2a.toml``, optionally with the whole id."""
    day = datetime.fromtimestamp(row.started / 1000, UTC).date().isoformat()
    return f"lastcard-{day}-{row.rules.partition('+')[0]}-{row.id if whole else row.id[:6]}.toml"


# --- cache --------------------------------------------------------------------------------------------


class ByteCache:
    """A thread-safe LRU cache of replays and records, at most so many bytes."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._entries: OrderedDict[object, bytes] = OrderedDict()
        self._used_bytes = 0
        self._lock = Lock()

    def get(self, key: object) -> bytes | None:
        """Return the value of a key; None if it is missing."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: object, text: bytes) -> None:
        """Add a value under a new key, if it fits."""
        with self._lock:
            if len(text) > self._limit_bytes or key in self._entries:
                return
            self._entries[key] = text
            self._used_bytes += len(text)
            while self._used_bytes > self._limit_bytes:
                self._used_bytes -= len(self._entries.popitem(last=False)[1])
