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
    """The public state of a round."""

    number: int
    """The number of the round in its match, from 0."""
    dealer: int
    turn: int
    """The seat that decides next."""
    direction: int
    """1 clockwise, -1 counter-clockwise."""
    top: Card
    """The card to be matched."""
    color: Color
    """The current color, -1 for none."""
    discard_count: int
    draw_count: int
    pending: int
    """Number of cards to be drawn, in decisions challenge and stack."""
    exposed: frozenset[int]
    """Seats that can be caught."""
    called: frozenset[int]
    """Seats with one card that have called."""
    early: frozenset[int]
    """Seats with an early call."""
    candidates: frozenset[int]
    """Seats that may be named now."""
    decision: str
    """The kind of the next decision, as in docs/notation.md."""
    rule: str | None
    """The rule card being performed."""
    performer: int | None
    """The seat that performs it."""
    winner: int | None
    """The seat that won the round."""
    counts: tuple[int, ...]
    """Number of cards of each seat."""

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
    """

    rules: str
    """Name of the ruleset."""
    seat: int | None
    """The viewer."""
    hand: Cards | None
    """The viewer's own cards, sorted; None for a spectator."""
    hands: tuple[Cards, ...] | None
    """All hands after the end of the round."""
    discard: Cards
    """The discard pile, oldest first: all players have seen its cards."""
    drawn: Card | None
    """The card just drawn, known to the seat that must decide on it."""
    legal: tuple[Move, ...]
    """The viewer's legal moves, without calls (``!``). ``uno`` and catches come last, because they end no turn."""
    points: tuple[int, ...] | None
    """Points left in each hand after the end of the round."""
    information_state: bytes
    """The same information as a round state with hidden fields blank, for search."""
    history: bytes
    """The history of this round as the viewer has seen it, as words of ``rules.history``."""

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
