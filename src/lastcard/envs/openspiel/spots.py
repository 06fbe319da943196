"""A round as a tree: spots where a seat acts or chance does, one event after another. A spot never changes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lastcard.ai import search
from lastcard.ai.belief import BELIEF
from lastcard.ai.imagine import DEAL, Chain, Others
from lastcard.bots.search import MOST_SEED
from lastcard.envs.compiled import forks
from lastcard.envs.compiled.forks import CHANCE, DEALER, ENDED, FORK, ILLEGAL, PAST_WAIT
from lastcard.envs.openspiel.setting import Order, Setting, find_setting, new_minds, read_words
from lastcard.errors import UsageError
from lastcard.game.numbers import as_int
from lastcard.game.seeds import Seed, parse_seed
from lastcard.kernel.arrays import pack, read_records, unpack, zeros
from lastcard.match.round import Round
from lastcard.match.view import Face, read_face, read_known
from lastcard.rules import phase
from lastcard.rules.layout import MAX_SEATS
from lastcard.rules.table import TABLE
from lastcard.rules.told import SOURCES


class Past:
    """What has happened, latest first.

    Args:
        before: the past before; None where there is none.
        words: what the last act added, as words of ``engine.past``.
    """

    __slots__ = ("before", "minds", "words")

    def __init__(self, before: Past | None, words: bytes) -> None:
        self.before, self.words = before, words
        self.minds: forks.Minds | None = None
        """What the seats made of it, once one of them was shown a row: see ``envs.compiled.forks.observe``."""


_NOTHING_YET: Final = Past(None, b"")
_BURN: Final = 200
"""Changes that make an imagined deal as likely as any other."""


class Spot:
    """A place in the tree of a round: who is to act, and what may be done or come.

    Args:
        own: the setting.
        tables: the table; while an act waits for chance, as it was before that act.
        fork: ``envs.compiled.forks.FORK``.
        past: what has happened.
        seat: who is to act: a seat, CHANCE or ENDED.
    """

    __slots__ = ("_fork", "_past", "_tables", "own", "seat")

    def __init__(self, own: Setting, tables: Any, fork: Any, past: Past, seat: int) -> None:
        self.own, self.seat = own, seat
        self._tables, self._fork, self._past = tables, fork, past

    def __deepcopy__(self, memo: Any) -> Spot:
        return self  # which never changes

    def __reduce__(self) -> Any:
        parts = pack(self._tables), pack(self._fork), self.words().tobytes()
        return _revive, (type(self), self.own.order, *parts, self.seat)

    def step(self, chosen: int) -> Spot:
        """The spot an act or an event leads to.

        Args:
            chosen: the number of a legal act, or the id of what comes.

        Raises:
            UsageError: for any other.
        """
        own = self.own
        if type(chosen) is not int:  # as OpenSpiel's own always are
            chosen = as_int("an act or event", chosen)
        room = own.room
        fork = room.forks.take()
        seat = room.step.call(self._tables, self._fork, room.spare, fork, chosen)
        if seat == ILLEGAL:
            raise UsageError(self._illegal(chosen))
        added = room.notes[0]
        if added == 0:
            return Spot(own, self._tables, fork, self._past, seat)
        twins, room.spare = room.spare, room.tables.take()
        return Spot(own, twins, fork, Past(self._past, room.notes[1 : 1 + added].tobytes()), seat)

    def _illegal(self, chosen: int) -> str:
        """What is wrong with an act, and what would be right."""
        if self.seat == ENDED:
            return f"the round is over; {chosen} cannot be done"
        names = self.own.outcomes if self.seat == CHANCE else self.own.actions.names
        legal = ", ".join(f"{k} ({names[k]})" for k in self.legal())
        return f"{chosen} is not among {legal}"

    def legal(self) -> list[int]:
        """The numbers of what may be done, or the ids of what may come, in order."""
        legal: list[int] = self._fork["legal"][0, : self._fork["legal_n"][0]].tolist()
        return legal

    def outcomes(self) -> list[tuple[int, float]]:
        """The ids of what may come, in order, and how likely each is."""
        count = self._fork["legal_n"][0]
        shares: list[float] = self._fork["shares"][0, :count].tolist()
        return list(zip(self.legal(), shares, strict=True))

    @property
    def reacts(self) -> bool:
        """Whether the seat that is to act is asked out of turn."""
        return self.seat >= 0 and bool(self._fork["reacts"][0])

    @property
    def dealt(self) -> bool:
        """Whether the deal is over."""
        return self._past is not _NOTHING_YET

    @property
    def source(self) -> str:
        """What chance draws from: ``pile``, ``hand``, ``rules`` or ``lever``; empty where it chooses the deck."""
        return SOURCES[self._fork["source"][0]] if self.seat == CHANCE else ""

    @property
    def told(self) -> int:
        """How many events of the act in hand have come."""
        return int(self._fork["told_n"][0])

    def pay(self) -> list[float]:
        """What the round gives each seat; nothing while it goes on, or where it was cut off."""
        rewards = np.zeros(self.own.players)
        if self.seat == ENDED:
            forks.pay(self._tables, self.own.pays, self.own.room.points, rewards)
        paid: list[float] = rewards.tolist()
        return paid

    def words(self) -> Any:
        """int32: all that has happened, as words of ``engine.past``. The truth."""
        return self._words(taken_in=False)[0]

    def _words(self, taken_in: bool) -> tuple[Any, Past | None]:
        """All words, or those since somebody was shown a row; and the past when that was."""
        parts: list[bytes] = []
        past: Past | None = self._past
        while past is not None and not (taken_in and past.minds):
            parts.append(past.words)
            past = past.before
        return read_words(parts[0] if len(parts) == 1 else b"".join(reversed(parts))), past

    def seen(self, seat: int | None) -> Any:
        """int32: what a seat, or a spectator, has seen happen."""
        words, viewer = self.words(), -1 if seat is None else self._find_seat(seat)
        out = np.empty_like(words)
        return out[: forks.see(words, viewer, out)]

    def hand(self, seat: int) -> list[int]:
        """The cards of a seat, sorted. The truth: each may know its own."""
        counts = self._tables["counts"][0, self._find_seat(seat)]
        return [card for card in counts.nonzero()[0].tolist() for _ in range(counts[card])]

    def face(self) -> Face:
        """What lies open for everybody to see."""
        self._check_dealt()
        return read_face(self._tables, self.own.players, self.own.rule_cards)

    def discards(self) -> list[int]:
        """The discard pile, oldest first."""
        discards: list[int] = self._tables["discard"][0, : self._tables["discard_n"][0]].tolist()
        return discards

    def drawn(self, seat: int) -> int | None:
        """The card a seat has just drawn, while it decides on it."""
        tables, seat = self._tables, self._find_seat(seat)
        return int(tables["drawn"][0]) if tables["phase"][0] == phase.DRAWN and tables["turn"][0] == seat else None

    def round(self, seed: Seed = 0) -> Round:
        """A round of its own that stands here; while an act waits for chance, where it was before that act.

        Args:
            seed: of what chance is still to come there.

        Raises:
            UsageError: while the cards are dealt.
        """
        self._check_dealt()
        own = self.own
        twin = Round(own.rules, own.players, parse_seed(seed), own.rule_cards)
        key = twin._tables["key"].copy()
        forks.copy_table(self._tables, twin._tables)
        twin._tables["key"] = key
        twin._tables["singles_to"] = 0  # they were of another key
        words = self.words()
        twin._past.frombytes(words[words & 255 != PAST_WAIT].tobytes())
        return twin

    def _find_seat(self, seat: int) -> int:
        """The number of a seat, refused where there is no such seat."""
        return as_int("a seat", seat, 0, self.own.players - 1)

    def _check_dealt(self) -> None:
        if not self.dealt:
            raise UsageError("the cards are still being dealt")

    def observe(self, seat: int) -> Any:
        """What a seat may know, as a row of ``lastcard.envs.features``; zeros and options while the cards are dealt.

        Args:
            seat: who looks.

        Returns:
            float32 (size,), the same array every time.

        Raises:
            UsageError: for a seat that is not at the table.
        """
        own, seat = self.own, self._find_seat(seat)
        room, past = own.room, self._past
        if past is _NOTHING_YET:
            room.row[: own.features.changing] = 0
            return room.row
        words, since = self._words(taken_in=True)
        minds = (since and since.minds) or new_minds(own.features)
        if since is not past:
            minds = forks.Minds(minds.memory.copy(), minds.known.copy())
        if len(words) > len(room.canvas.seen):
            room.canvas = room.canvas._replace(seen=np.zeros(2 * len(words), np.int32))
        room.observe.call(room.canvas, self._tables, self._fork, seat, words, minds)
        past.minds = minds  # which nobody writes any more
        return room.row

    def recall(self, seat: int, out: Any) -> None:
        """Write the last acts a seat knows of; see ``envs.compiled.forks.show_recent``."""
        seat = self._find_seat(seat)
        out[:] = 0
        actions = self.own.actions
        forks.show_recent(self.seen(seat), seat, self.own.players, actions.wait, actions.ids, out)

    def imagine(self, seed: int) -> Spot:
        """The same spot for the seat that is to act, with hidden cards that may as well be there.

        What the others have seen is what this seat saw of it, and the hands they now hold.

        Args:
            seed: of the cards, 0 to 2**32 - 1.

        Raises:
            UsageError: where no seat is to act.
        """
        if self.seat < 0:
            raise UsageError("hidden cards are imagined for the seat that is to act; there is none")
        seed = as_int("a seed", seed, 0, MOST_SEED)
        own, seen = self.own, self.seen(self.seat)
        tables = read_records(TABLE, 2 * read_known(self._tables, self.seat))
        beliefs = zeros(1, BELIEF)
        deals, dice = np.zeros((1, DEAL), np.int8), np.array([seed, 1, 2, 3], np.int64)
        others = Others(seen, own.weights, 0, 0.0, 0.0)
        chain = Chain(deals, np.zeros(MAX_SEATS), dice, _BURN, 1)
        search.think(tables, beliefs, self.seat, own.counts, others, chain)
        forks.imagine_table(tables, beliefs, deals, dice)
        return Spot(own, tables[:1], self._fork, Past(None, seen.tobytes()), self.seat)


class Choice(Spot):
    """The first spot where the deck itself is chance (LC-24)."""

    __slots__ = ()

    def step(self, chosen: int) -> Spot:
        """See ``Spot.step``."""
        chosen = as_int("an event", chosen)
        if chosen not in self.legal():
            raise UsageError(self._illegal(chosen))
        return _deal(self.own, chosen - self.own.first_secret)


def _revive(kind: type[Spot], order: Order, table: bytes, fork: bytes, past: bytes, seat: int) -> Spot:
    """A spot that was written away."""
    tables, records = unpack(TABLE, table), unpack(FORK, fork)
    return kind(find_setting(order), tables, records, Past(None, past) if past else _NOTHING_YET, seat)


def begin(own: Setting) -> Spot:
    """The first spot of a round."""
    if not own.secrets:
        return _deal(own, 0)
    fork = zeros(1, FORK)
    count = len(own.secrets)
    fork["legal_n"] = count
    fork["legal"][0, :count] = range(own.first_secret, own.first_secret + count)
    fork["shares"][0, :count] = 1 / count
    return Choice(own, own.make_table(), fork, _NOTHING_YET, CHANCE)


def _deal(own: Setting, secret: int) -> Spot:
    """The spot where the deal begins, from one of the decks that chance may choose."""
    fork = zeros(1, FORK)
    fork["seat"] = DEALER
    return Spot(own, own.make_table(secret), fork, _NOTHING_YET, DEALER).step(0)
