"""What is played through OpenSpiel's door, checked, and all that the spots of one game have in common."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final

import numpy as np

from lastcard.ai.memory import MEMORY
from lastcard.bots.learned import thumb_weights
from lastcard.envs.compiled import forks
from lastcard.envs.compiled.forks import FORK, FRAME
from lastcard.envs.features import Features
from lastcard.envs.tables import LONGEST, REWARDS, Terms
from lastcard.errors import UsageError
from lastcard.game.cards import (
    CARD_SLOTS,
    card_name,
    card_points,
    cards_text,
    number_copies,
    parse_cards,
    wild_jackpot_deck,
)
from lastcard.game.numbers import as_int
from lastcard.game.options import ALL_WILD_GAME, LEVER_OUTCOMES
from lastcard.game.rulesets import SECRET_NUMBERS, known_deck, ruleset
from lastcard.game.seeds import SEED_BYTES
from lastcard.kernel.arrays import zeros
from lastcard.kernel.jit import bind
from lastcard.match.setup import build_deck, default_rule_cards, pack_deck, pack_rules
from lastcard.rules.layout import MAX_ACTIONS, MAX_DECK, MAX_SEATS
from lastcard.rules.past import NOTES
from lastcard.rules.table import TABLE, new_tables

RETURNS: Final = {"wins": "win", "points": "points"}
"""What a round may pay, and how ``tables.REWARDS`` calls that."""

_SECOND_NUMBERS: Final = tuple(combinations(range(1, 10), 5))
"""Which numbers may exist twice where they are drawn in secret (LC-24), each choice as likely."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is played, in plain values.

    Args:
        game: ``all-wild``, ``classic`` or ``wild-jackpot``.
        players: 2 to 10.
        rules: presets and options joined by ``+`` as in the name of a ruleset, without the game; a colon may stand for
            ``=``, which means something else in the names of OpenSpiel's games.
        returns: ``wins``: 1 shared by who wins, -1 by who does not, 0 for all where nobody does; ``points``: as scored
            (AW-51, CL-51, WJ-61), negative where they count against a seat (CL-52).
        deck: cards in our notation, such as ``R1 R2 B1 W*2``; empty for the deck of the game.
        hand_size: cards dealt to each seat; 0 for as many as the rules say.
        dealer: the seat that deals.
        longest: acts of seats after which a round is cut off, for nothing.
    """

    game: str
    players: int = 2
    rules: str = ""
    returns: str = "wins"
    deck: str = ""
    hand_size: int = 0
    dealer: int = 0
    longest: int = LONGEST

    def __post_init__(self) -> None:
        # A setting is cached by its order: it would be found for 2.0 as well, and for True.
        for name in ("players", "hand_size", "dealer", "longest"):
            object.__setattr__(self, name, as_int(name, getattr(self, name), 0))


class Records:
    """Records by the block: to make one alone would take NumPy longer than a whole step takes.

    Args:
        kind: what they are records of.
    """

    _BLOCK: Final = 16  # more of them would not come from memory just given back

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._at = self._BLOCK

    def take(self) -> Any:
        """An array of one record that nobody has; what is in it is anything."""
        if self._at == self._BLOCK:
            self._block, self._at = zeros(self._BLOCK, self._kind), 0
        self._at += 1
        return self._block[self._at - 1 : self._at]


class Room:
    """Room for what compiled code writes, for a moment, and that code, ready to be called.

    Args:
        features: of the game.
        frames: what all forks of the game have in common.
    """

    def __init__(self, features: Features, frames: Any) -> None:
        actions = features.actions
        self.points: Any = zeros(MAX_SEATS, np.int64)
        notes: Any = zeros(NOTES, np.int32)
        self.notes = memoryview(notes)
        """What an act added to the past: how many words, and those."""
        self.row: Any = zeros(features.size, np.uint8)
        self.row[features.changing :] = features.options
        self.tables, self.forks = Records(TABLE), Records(FORK)
        self.spare = self.tables.take()
        """A table for the next act."""
        table, fork = self.spare, self.forks.take()
        mask, out = zeros(len(actions), np.uint8), zeros(MAX_ACTIONS, np.int64)
        self.step = bind(
            forks.step,
            (forks.Ground(frames, actions.actions, features.kinds, actions.ids, mask, out, notes),),
            (table, fork, table, fork, 0),
        )
        """``forks.step`` between tables and forks."""
        laid, scores = zeros(features.places, np.uint8), zeros(MAX_SEATS, np.int64)
        self.canvas = forks.Canvas(new_tables(1), laid, zeros(0, np.int32), scores, features.room(self.row))
        self.observe = bind(forks.observe, (), (self.canvas, table, fork, 0, read_words(b""), new_minds(features)))
        """``forks.observe``."""


def new_minds(features: Features) -> forks.Minds:
    """What seats remember and know before the first act."""
    players = features.players
    return forks.Minds(zeros((MAX_SEATS, MEMORY), np.int64), zeros((players, players, features.places), np.uint8))


def read_words(words: bytes) -> Any:
    """int32: words of the past, as doors take them without a copy: in memory that could be written."""
    return np.frombuffer(bytearray(words), np.int32)


class _Rooms(threading.local):
    """A room for each thread."""

    def __init__(self, features: Features, frames: Any) -> None:
        self.room = Room(features, frames)


class Setting:
    """All that the spots of one game have in common. Make one with ``find_setting``."""

    def __init__(self, order: Order) -> None:
        self.order = order
        name = "+".join(part for part in (order.game, order.rules.replace(":", "=")) if part)
        self.terms = Terms(ruleset(name), order.players, longest=order.longest)
        self.rules, self.players = self.terms.ruleset, order.players
        self.features, self.actions = self.terms.features, self.terms.features.actions
        self.rule_cards = default_rule_cards(self.rules)
        self.hand_size = order.hand_size or self.rules.options.hand_size
        self.deck = parse_cards(order.deck) if order.deck else build_deck(self.rules, bytes(SEED_BYTES))
        drawn = not order.deck and self.rules.options.wj_number_distribution == SECRET_NUMBERS
        self.secrets = _SECOND_NUMBERS if drawn else ()
        """Between which decks chance chooses first (LC-24)."""
        self._check()
        self.outcomes = self._name_outcomes()
        """What chance can bring, as text, by id."""
        self.frames: Any = self._make_frame()
        self.counts: Any = np.bincount(self.deck if order.deck else known_deck(self.rules), minlength=CARD_SLOTS)
        """int64 by card: how many there are, for all that players know."""
        self.weights: Any = thumb_weights(str(self.rules), self.players)
        """What hidden cards are imagined by."""
        self._rooms = _Rooms(self.features, self.frames)

    def _check(self) -> None:
        order, players = self.order, self.players
        known = set(known_deck(self.rules))
        strange = sorted(set(self.deck) - known)
        if strange:
            raise UsageError(f"{order.game} has no {cards_text(strange)}; it has {cards_text(sorted(known))}")
        if players * self.hand_size >= MAX_DECK:
            most = (MAX_DECK - 1) // players
            raise UsageError(
                f"{players} hands of {self.hand_size} need more than the {MAX_DECK} cards a deck may have; "
                f"hand_size is {most} at most"
            )
        if not players * self.hand_size < len(self.deck) <= MAX_DECK:
            needed = f"{players * self.hand_size + 1} to {MAX_DECK}"
            raise UsageError(f"{players} hands of {self.hand_size} need a deck of {needed} cards, not {len(self.deck)}")
        if not 0 <= order.dealer < players:
            raise UsageError(f"the dealer is one of the seats 0 to {players - 1}, not {order.dealer}")
        if order.returns not in RETURNS:
            raise UsageError(f"returns is one of {', '.join(RETURNS)}, not {order.returns!r}")

    def _name_outcomes(self) -> tuple[str, ...]:
        cards = [card_name(card) for card in self.features.cards]
        levers = [f"lever {outcome}" for outcome in LEVER_OUTCOMES]
        rules = [f"rule {i + 1}: {card.text}" for i, card in enumerate(self.rule_cards)]
        numbers = [f"numbers {''.join(map(str, second))}" for second in self.secrets]
        return (*cards, *levers, *rules, *numbers)

    def _make_frame(self) -> Any:
        frames = zeros(1, FRAME)
        frame = frames[0]
        frame["dealer"], frame["wait"], frame["longest"] = self.order.dealer, self.actions.wait, self.order.longest
        frame["hands"] = self.players * self.hand_size
        frame["lever"] = len(self.features.cards)
        frame["rules"] = frame["lever"] + len(LEVER_OUTCOMES)
        frame["outcomes"] = frame["rules"] + len(self.rule_cards)
        return frames

    @property
    def room(self) -> Room:
        """Room for this thread."""
        return self._rooms.room

    @property
    def first_secret(self) -> int:
        """The id of the first choice between decks."""
        return len(self.outcomes) - len(self.secrets)

    @property
    def pays(self) -> int:
        """What a round pays, as the kernel calls it."""
        return REWARDS[RETURNS[self.order.returns]]

    @property
    def most(self) -> int:
        """The most points a round can give."""
        return sum(card_points(card, self.order.game == ALL_WILD_GAME) for card in self.deck)

    def make_table(self, secret: int = 0) -> Any:
        """A table with its rules and its deck, and nothing dealt.

        Args:
            secret: which of the decks that chance may choose.
        """
        tables = new_tables(1)
        table = tables[0]
        pack_rules(table, self.rules, self.players, bytes(SEED_BYTES), self.rule_cards)
        pack_deck(table, wild_jackpot_deck(number_copies(self.secrets[secret])) if self.secrets else self.deck)
        table["hand_size"] = self.hand_size
        return tables


@cache
def find_setting(order: Order) -> Setting:
    """The setting of an order.

    Raises:
        RulesError, NotationError, UsageError: for what does not exist; says what does.
    """
    return Setting(order)
