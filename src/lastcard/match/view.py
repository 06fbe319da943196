"""Views: the information that one seat, or a spectator, may have. No other code discloses hidden information.

``PublicState`` is the only list of public information; views, the page and programs get its fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lastcard.game.card_pictures import draw_rows
from lastcard.game.cards import CARDS, COLORS_OR_NONE, NO_COLOR, Card, Cards, Color, hand_text
from lastcard.game.moves import Move
from lastcard.game.options import OPTIONS
from lastcard.game.rulecards import RuleCard
from lastcard.rules import exports, phases
from lastcard.rules.layout import MAX_SEATS
from lastcard.rules.round_state import ROUND_STATE, WORD_INDEX, state_words


class PublicState(Struct, frozen=True):
    """The public state of a round. ``View`` describes its fields."""

    number: int
    dealer: int
    turn: int
    direction: int
    top: Card
    color: Color
    discard_count: int
    draw_count: int
    pending: int
    exposed: frozenset[int]
    called: frozenset[int]
    early: frozenset[int]
    candidates: frozenset[int]
    decision: str
    rule: str | None
    performer: int | None
    winner: int | None
    counts: tuple[int, ...]

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.counts)

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.decision == "over"

    @property
    def void(self) -> bool:
        """Whether the round ended without a winner (CO-35)."""
        return self.over and self.winner is None

    def draw(self, names: Sequence[str], hands: Sequence[Sequence[int | None]], game: str) -> str:
        """Returns an SVG picture of the top card and of hands, with the names of the seats; None is a hidden card."""
        labels = [f"{'▸ ' * (seat == self.turn and not self.over)}{name}" for seat, name in enumerate(names)]
        return draw_rows([(f"draw pile {self.draw_count}", [self.top]), *zip(labels, hands, strict=True)], game)

    def __str__(self) -> str:
        if self.over:
            return "void" if self.winner is None else f"won by seat {self.winner}"
        color = "" if self.color == NO_COLOR else f" in {self.color}"
        hands = " ".join(map(str, self.counts))
        return f"{self.decision} by seat {self.turn} on {self.top}{color}, hands of {hands}"


class View(PublicState, frozen=True, kw_only=True):
    """The information of a seat; of a spectator if ``seat`` is None. ``Round.view`` makes it.

    >>> Round.deal("classic", 2, seed=1).view(0).hand
    Cards('R9 Y5 G9 B1 B4 B7 Bs')

    Attributes:
        number: number of the round in its match, from 0.
        dealer: seat that dealt, from 0.
        turn: seat that decides next.
        direction: 1 clockwise (seat 0, 1, 2, …), -1 counterclockwise.
        top: card to be matched.
        color: current color; ``none`` (-1), which is false, if there is none, as in All Wild.
        discard_count: number of cards in the discard pile.
        draw_count: number of cards in the draw pile.
        pending: number of cards to be drawn, in the decisions ``challenge`` and ``stack``; else 0.
        exposed: seats that can be caught.
        called: seats with one card that have called UNO.
        early: seats that have called UNO early.
        candidates: seats that may be named now.
        decision: kind of the next decision: ``play``, ``drawn``, ``challenge``, ``stack``, ``color``, ``choose``,
            ``pull``, ``throw``, ``bury``, ``streak``, ``take``, ``perform`` or ``over``.
        rule: text of the rule card that is performed; None for none.
        performer: seat that performs it; None for none.
        winner: seat that won the round; None for none.
        counts: number of cards of each seat.
        rules: name of the ruleset, as ``ruleset`` takes it.
        seat: the viewer's seat; None for a spectator.
        hand: the viewer's own cards, sorted; None for a spectator.
        hands: hands of all seats after the end of the round; None before.
        discard: discard pile, oldest card first: all players have seen its cards.
        drawn: card just drawn, known to the seat that must decide on it; None for all others.
        legal: the viewer's legal moves, without calls (``!``). ``uno`` and catches come last, because they end no turn.
        points: points left in the hand of each seat after the end of the round; None before.
        information_state: the same information as a round state with hidden fields blank, for search.
        history: history of this round as the viewer has seen it, as words of ``rules.history``.
    """

    rules: str
    seat: int | None
    hand: Cards | None
    hands: tuple[Cards, ...] | None
    discard: Cards
    drawn: Card | None
    legal: tuple[Move, ...]
    points: tuple[int, ...] | None
    information_state: bytes
    history: bytes

    def _repr_svg_(self) -> str:
        hands: list[Sequence[int | None]] = [[None] * count for count in self.counts]
        if self.hands is not None:
            hands = list(self.hands)
        elif self.seat is not None and self.hand is not None:
            hands[self.seat] = self.hand
        return self.draw([f"seat {seat}" for seat in range(self.players)], hands, self.rules.partition("+")[0])

    def __repr__(self) -> str:
        who = "a spectator" if self.hand is None else f"seat {self.seat} with {hand_text(self.hand) or 'no card'}"
        return f"<View of {self.rules}, {who}: {self}>"


STATE_FIELD_OF: Final = {"discard_count": "discard_n", "draw_count": "pile_n", "decision": "phase", "counts": "held"}
_PUBLIC_FIELDS: Final = tuple(STATE_FIELD_OF.get(name, name) for name in PublicState.__struct_fields__)
"""The public fields of a round state: a whitelist, in the order of ``PublicState``."""
_pick_public: Final = itemgetter(*(WORD_INDEX[name] for name in _PUBLIC_FIELDS[:-1]))
_HELD: Final = WORD_INDEX["held"]
assert _PUBLIC_FIELDS[-1] == "held"

INFORMATION_STATE_FIELDS: Final = (
    *_PUBLIC_FIELDS,
    "game", "players", "origin", "topless", "matching", "pending_face", "challenged_seat", "color_before",
    "played_seats", "suspended_windows", "catch_exempt", "unverified_calls", "one_card_mask", "changed_hands",
    "turn_passed", "successive_passes", "stalled_turns", "supply_exhausted", "skip_mask", "discarded_colors",
    "named_color", "extra_pulls", "puller", "opening", "performers_left", "perform_direction", "effect_index",
    "cards_to_bury", "reshuffles", "lever_pulls", "dispensed", "blind_draws", "rule_n", "dispenser_n", "used_n",
    "has_foreign_cards", "lever_weights", "effects", "discard", "used",
    *OPTIONS,
)  # fmt: skip
"""The fields that ``read_information_state`` copies: a whitelist."""


def _field_mask(names: Sequence[str]) -> NDArray[np.int64]:
    mask = np.zeros(ROUND_STATE.itemsize, np.uint8)
    fields: Any = ROUND_STATE.fields
    for name in names:
        kind, at = fields[name][:2]
        mask[at : at + kind.itemsize] = 0xFF
    return mask.view(np.int64)


_INFORMATION_STATE_MASK: Final = _field_mask(INFORMATION_STATE_FIELDS)


def read_information_state(states: Any, seat: int | None) -> bytes:
    """Returns the information state of a seat, or a spectator (None): one round state with hidden fields blank."""
    known = exports.SCRATCH.information_state
    np.bitwise_and(states.view(np.int64), _INFORMATION_STATE_MASK, out=exports.SCRATCH.information_words)
    exports.fill_information_state(states, known, -1 if seat is None else seat)
    known_bytes: bytes = known.tobytes()
    return known_bytes


@cache
def seats_of(mask: int) -> frozenset[int]:
    """Returns the seats of a bit mask."""
    return frozenset(seat for seat in range(MAX_SEATS) if mask >> seat & 1)


def seat_or_none(number: int) -> int | None:
    """Returns a seat, or None for the kernel's -1."""
    return number if number >= 0 else None


def read_public_state(states: Any, players: int, rule_cards: Sequence[RuleCard]) -> PublicState:
    """Returns the public state of a round from an array of one round state."""
    return PublicState(*read_public_values(state_words(states), players, rule_cards))


def read_public_values(words: memoryview, players: int, rule_cards: Sequence[RuleCard]) -> tuple[Any, ...]:
    """Returns the fields of ``PublicState`` from the words of a round state."""
    number, dealer, turn, direction, top, color, *rest = _pick_public(words)
    *plain, exposed, called, early, candidates, asked, rule, performer, winner = rest
    return (
        number,
        dealer,
        turn,
        direction,
        CARDS[top],
        COLORS_OR_NONE[color],
        *plain,
        seats_of(exposed),
        seats_of(called),
        seats_of(early),
        seats_of(candidates),
        phases.NAMES[asked],
        rule_cards[rule].text if performer >= 0 else None,
        seat_or_none(performer),
        seat_or_none(winner),
        tuple(words[_HELD : _HELD + players]),
    )
