"""Round: the Python interface of one deal."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, Literal, TypeVar

import numpy as np
from msgspec.structs import replace

from lastcard.errors import IllegalMove, UsageError
from lastcard.game import action_codes
from lastcard.game.cards import CARD_SLOTS, CARDS, COLORS_OR_NONE, Card, Cards
from lastcard.game.moves import Move, action_to_move, move_to_action, parse_move
from lastcard.game.numbers import is_integer, is_seat, require_int
from lastcard.game.position import Position
from lastcard.game.rulecards import RuleCard
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Seed, parse_seed
from lastcard.kernel import arrays
from lastcard.match.events import Event, read_events
from lastcard.match.refusals import make_refusal
from lastcard.match.setup import (
    build_deck,
    check_players,
    check_position,
    check_rule_cards,
    default_rule_cards,
    has_colored_card,
    new_states,
    order_deck,
    pack_deck,
    pack_position,
)
from lastcard.match.view import (
    PublicState,
    View,
    read_information_state,
    read_public_state,
    read_public_values,
    seat_or_none,
    seats_of,
)
from lastcard.rules import exports, layout, phases, refusal_reasons
from lastcard.rules.round_state import OFFSETS_BYTES, ROUND_STATE, WORD_INDEX, state_words

T = TypeVar("T")

_ALL_CARDS: Final = np.arange(CARD_SLOTS)
_HELD: Final = WORD_INDEX["held"]
LAST_ROUND: Final = 2**32 - 1
"""The round number is one word of the nonce of its shuffle (docs/fairness.md)."""


class _StateField(Generic[T]):
    """One field of the round state as an attribute of a round, converted by ``read``."""

    def __init__(self, name: str, read: Callable[[int], T], about: str) -> None:
        self._index, self._read, self.__doc__ = WORD_INDEX[name], read, about

    def __get__(self, round_: Round, owner: type) -> T:
        return self._read(round_._words[self._index])


class Round:
    """One deal, from the first card to its end. Make one with ``deal`` or ``from_position``.

    Every move goes through ``do``, which refuses illegal moves without a change.

    >>> round_ = Round.deal("classic", 2, seed=1)
    >>> round_.turn, round_.legal()[-1]
    (1, <Move draw>)
    >>> round_.do(1, "draw")
    [Drew(seat=1, count=1, cards=(Gs,), reason='turn')]

    Raises:
        RulesError, UsageError: for invalid rules or numbers.
    """

    __slots__ = ("_histories", "_history", "_legal", "_name", "_states", "_words", "players", "rule_cards", "rules")

    def __init__(self, rules: Ruleset, players: int, seed: bytes, rule_cards: Sequence[RuleCard]) -> None:
        check_players(rules, players)
        cards = tuple(rule_cards)
        self._assign(rules, int(players), cards, new_states(rules, players, seed, cards), array("i"), {})

    def _assign(
        self,
        rules: Ruleset,
        players: int,
        rule_cards: tuple[RuleCard, ...],
        states: Any,
        history: array[int],
        histories: dict[int | None, bytes],
    ) -> None:
        self.rules, self.players, self.rule_cards = rules, players, rule_cards
        self._states: Any = states
        self._words = state_words(states)
        self._history = history
        self._histories = histories
        """The history as seats have seen it, up to the last view of each."""
        self._name = ""
        """The name of the rules, once a view needs it."""
        self._legal: list[int] | None = None
        """The legal actions of the seat on turn, if the last move has listed them."""

    @classmethod
    def deal(
        cls,
        rules: Ruleset | str,
        players: int,
        *,
        seed: Seed = None,
        dealer: int = 0,
        number: int = 0,
        rule_cards: Sequence[RuleCard] | None = None,
        deck: Sequence[int] | str | None = None,
    ) -> Round:
        """Deal a round.

        Args:
            players: number of players, 2 to 10.
            seed: seed of the match, any argument of ``seeds.parse_seed``; None for a fresh one.
            number: number of the round in its match, from 0: each has its own shuffle.
            rule_cards: rule cards of the dispenser, 1 to 16 (LC-50); None for the built-in ones.
            deck: cards or their text in order, next card first, instead of a shuffled deck; hands are dealt one
                card at a time from the dealer's left, a returned first card goes to the bottom.

        Raises:
            RulesError, UsageError: for invalid rules or numbers.
        """
        chosen = as_ruleset(rules)
        secret = parse_seed(seed)
        if rule_cards is not None:
            check_rule_cards(rule_cards)
        round_ = cls(chosen, players, secret, default_rule_cards(chosen) if rule_cards is None else rule_cards)
        if not is_seat(dealer, players):
            raise UsageError(f"the dealer is one of the seats 0 to {players - 1}, not {dealer!r}")
        if not is_integer(number):
            raise UsageError(f"the number of a round is a whole number, not {number!r}")
        if not 0 <= number <= LAST_ROUND:
            raise UsageError(f"rounds are numbered from 0 to {LAST_ROUND}, not {number}")
        cards = build_deck(chosen, secret) if deck is None else order_deck(chosen, players, deck)
        pack_deck(round_._states[0], cards)
        round_._states["has_foreign_cards"] = has_colored_card(chosen, set(cards))
        exports.deal_round(round_._states, 0, int(dealer), int(number), len(cards) if deck is not None else 0)
        round_._record_hands()
        return round_

    @classmethod
    def from_position(cls, position: Position, *, seed: Seed = 0) -> Round:
        """Returns a round that starts at a position, with a seat to play; all further chance is from the seed.

        Raises:
            UsageError: for something that is no position, or no seed.
        """
        check_position(position)
        cards = default_rule_cards(position.rules)
        if position.rule_cards is not None:
            cards = tuple(dict.fromkeys(position.rule_cards))
        round_ = cls(position.rules, len(position.hands), parse_seed(seed), cards)
        pack_position(round_._states[0], position, cards)
        exports.set_matching(round_._states, 0)
        round_._record_hands()
        return round_

    def _repr_svg_(self) -> str:
        return self.draw([f"seat {seat}" for seat in range(self.players)])

    def draw(self, names: Sequence[str]) -> str:
        """Returns an SVG picture of the top card and all hands, with the names of the seats. Hidden information."""
        return self.public_state().draw(names, self.hands, self.rules.game)

    def __repr__(self) -> str:
        return f"<Round {self.number + 1} of {self.rules}: {self.public_state()}>"

    def __eq__(self, other: object) -> bool:
        """Whether two rounds are the same, with all hidden cards and all chance to come."""
        if not isinstance(other, Round):
            return NotImplemented
        return (
            (self.rules, self.players, self.rule_cards) == (other.rules, other.players, other.rule_cards)
            and self.state_bytes() == other.state_bytes()
            and self._history == other._history
        )

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Round:
        """Returns an independent copy of the round."""
        clone = object.__new__(Round)
        states = arrays.copy(self._states)
        clone._assign(self.rules, self.players, self.rule_cards, states, self._history[:], self._histories.copy())
        return clone

    def __reduce__(self) -> Any:
        # A new array, so that no two rounds share a state, and the kernel works on each in place.
        state = arrays.pack(self._states), self._history.tobytes()
        return _restore_round, (self.rules, self.players, self.rule_cards, *state)

    def _record_hands(self) -> None:
        notes = exports.SCRATCH.move_record
        exports.record_deal(self._states, 0, notes)
        self._history.frombytes(notes[1 : 1 + notes[0]].tobytes())

    # --- moves ----------------------------------------------------------------------------------

    def legal(self, seat: int | None = None) -> list[Move]:
        """Returns the legal moves of a seat (default: the seat on turn).

        Calls and catches come last, because they end no turn. Plays with a call (``R5!``) are left out: they are legal
        whenever the play is.

        Raises:
            UsageError: if there is no such seat.
        """
        if seat is None:
            seat = self.turn
        else:
            self._check_seat(seat)
        return list(map(action_to_move, self._list_actions(seat)))

    def legal_actions(self, seat: int) -> list[int]:
        """Returns ``legal`` as integers (``action_codes.py``)."""
        self._check_seat(seat)
        return self._list_actions(seat)[:]

    def _list_actions(self, seat: int) -> list[int]:
        if self._legal is not None and seat == self.turn:
            return self._legal
        found = exports.SCRATCH.actions
        actions: list[int] = found[: exports.list_actions(self._states, 0, seat, found)].tolist()
        return actions

    def verify(self, seat: int, move: Move | str) -> None:
        """Raise what ``do`` would raise, without making the move.

        Raises:
            IllegalMove: with a stable code, the clause and the reason in words.
            NotationError: for text that is no move.
            UsageError: for a seat that is no number.
        """
        parsed = move if isinstance(move, Move) else parse_move(move)
        self._call_with_action(exports.check_action, (self._states, 0), seat, parsed, move_to_action(parsed))

    def can(self, seat: int, move: Move | str) -> bool:
        """Whether a seat may make a move now."""
        try:
            self.verify(seat, move)
        except IllegalMove:
            return False
        return True

    def do(self, seat: int, move: Move | str) -> list[Event]:
        """Make a move; a refused one changes nothing (CO-5).

        Args:
            move: a Move or its notation, such as ``R5!`` or ``catch>2``.

        Returns:
            The events, in order; use ``Event.seen_by`` before you show them to others.

        Raises:
            IllegalMove: with a stable code, the clause and the reason in words.
            NotationError: for text that is no move.
            UsageError: for a seat that is no number.
        """
        parsed = move if isinstance(move, Move) else parse_move(move)
        action = move_to_action(parsed)
        shown = self.hand(self._get("challenged_seat")) if action & 255 == action_codes.CHALLENGE else None
        scratch = exports.SCRATCH
        self._call_with_action(scratch.apply_and_list.call, (self._states,), seat, parsed, action)
        legal, recorded = scratch.legal, scratch.recorded
        self._history.frombytes(recorded[1 : 1 + recorded[0]].tobytes())
        self._legal = legal[1 : 1 + legal[0]].tolist()
        return read_events(self._event_words(), shown)

    def _call_with_action(
        self, export: Callable[..., int], state: tuple[Any, ...], seat: int, move: Move, action: int
    ) -> None:
        """Call an export with an action; raise the error if it refuses it."""
        if type(seat) is not int:  # compiled code would accept True as seat 1, and perhaps 1.5
            if not is_integer(seat):
                self._check_seat(seat)
            seat = int(seat)
        try:
            reason_code = export(*state, seat, action)
        except OverflowError:  # a check in advance would slow down every move
            self._check_seat(seat)
            raise
        if reason_code != refusal_reasons.OK:
            hand, opening = self.hand(seat) if 0 <= seat < self.players else (), self._get("opening") != 0
            raise make_refusal(self.rules, self.public_state(), seat, hand, move, reason_code, opening=opening)

    def events(self) -> list[Event]:
        """Returns the events of the last move (after ``deal``: of the first card)."""
        return read_events(self._event_words())

    # --- views --------------------------------------------------------------------------------------

    def view(self, seat: int | None = None) -> View:
        """Returns what a seat, or a spectator (None), may know. Built from a whitelist."""
        if seat is not None:
            self._check_seat(seat)
            seat = int(seat)
        over = self.over
        self._name = self._name or str(self.rules)
        return View(
            *read_public_values(self._words, self.players, self.rule_cards),
            rules=self._name,
            seat=seat,
            hand=None if seat is None else self._read_hand(seat),
            hands=self.hands if over else None,
            discard=self.discard,
            drawn=self.drawn if seat is not None and seat == self.turn else None,
            legal=() if seat is None else tuple(map(action_to_move, self._list_actions(seat))),
            points=self.held if over else None,
            information_state=read_information_state(self._states, seat),
            history=self._read_history(seat),
        )

    def _check_seat(self, seat: int) -> None:
        if not is_seat(seat, self.players):
            raise UsageError(f"there is no seat {seat!r}; seats are 0 to {self.players - 1}")

    def public_state(self) -> PublicState:
        """Returns the public state, read in one step."""
        return read_public_state(self._states, self.players, self.rule_cards)

    def _event_words(self) -> list[int]:
        return self._read_list("event_log", "i", self._get("event_log_n"))

    def _get(self, name: str) -> int:
        value: int = self._words[WORD_INDEX[name]]
        return value

    def _read_list(self, name: str, code: Literal["b", "i"], count: int, first: int = 0) -> list[int]:
        """Returns elements of an array in the round state, of this ``struct`` code."""
        elements = self._words.cast("B")[OFFSETS_BYTES[name] :].cast(code)
        found: list[int] = elements[first : first + count].tolist()
        return found

    def hand(self, seat: int) -> Cards:
        """Returns the cards of a seat, sorted. Hidden information: show others ``view``.

        Raises:
            UsageError: if there is no such seat.
        """
        self._check_seat(seat)
        return self._read_hand(seat)

    def _read_hand(self, seat: int) -> Cards:
        return Cards(_ALL_CARDS.repeat(self._states["counts"][0, seat]).tolist())

    @property
    def hands(self) -> tuple[Cards, ...]:
        """All hands, sorted. Hidden information: show others ``view``."""
        return tuple([Cards(hand) for hand, _ in self.hands_and_actions()])

    def hands_and_actions(self) -> list[tuple[list[int], list[int]]]:
        """Returns for each seat its sorted hand and its legal actions. Hidden information: show each seat its own."""
        out = exports.SCRATCH.seats
        found: list[int] = out[: exports.write_seats(self._states, 0, out)].tolist()
        pairs, start = [], 0
        for _ in range(self.players):
            middle = start + 1 + found[start]
            end = middle + 1 + found[middle]
            pairs.append((found[start + 1 : middle], found[middle + 1 : end]))
            start = end
        return pairs

    decision = _StateField("phase", phases.NAMES.__getitem__, "What the table waits for, as in docs/notation.md.")
    turn = _StateField("turn", int, "The seat the table waits for (LC-1).")
    direction = _StateField("direction", int, "1 clockwise, -1 counter-clockwise.")
    dealer = _StateField("dealer", int, "The seat that dealt.")
    number = _StateField("number", int, "The number of the round in its match, from 0.")
    top = _StateField("top", CARDS.__getitem__, "The card to be matched.")
    color = _StateField("color", COLORS_OR_NONE.__getitem__, "The current color, -1 where none is.")
    discard_count = _StateField("discard_n", int, "How many cards the discard pile has.")
    draw_count = _StateField("pile_n", int, "How many cards the draw pile has.")
    pending = _StateField("pending", int, "Cards waiting to be drawn by the seat on turn.")
    exposed = _StateField("exposed", seats_of, "Seats that can be caught.")
    called = _StateField("called", seats_of, "Seats on one card that have called.")
    early = _StateField("early", seats_of, "Seats whose early call is waiting (CO-11 a).")
    candidates = _StateField("candidates", seats_of, "Seats that may be named in decisions choose and take.")
    performer = _StateField("performer", seat_or_none, "Who performs a rule card.")
    winner = _StateField("winner", seat_or_none, "The seat that won the round.")

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of cards of each seat."""
        return tuple(self._words[_HELD : _HELD + self.players])

    @property
    def discard(self) -> Cards:
        """The discard pile, oldest first."""
        return Cards(self._read_list("discard", "b", self._get("discard_n")))

    def last_discards(self, count: int) -> list[int]:
        """Returns at most ``count`` cards from the end of the discard pile, oldest first.

        Raises:
            UsageError: for a count that is no integer from 0.
        """
        count = require_int("the count of cards", count, 0)
        end = self._get("discard_n")
        first = max(0, end - count)
        return self._read_list("discard", "b", end - first, first)

    @property
    def drawn(self) -> Card | None:
        """The card just drawn, while the seat on turn decides on it."""
        return CARDS[self._get("drawn")] if self.decision == "drawn" else None

    @property
    def allows_moves_out_of_turn(self) -> bool:
        """Whether moves out of turn are possible: a seat can be caught, or cards may be laid out of turn (LC-41)."""
        return not self.over and (self._get("exposed") != 0 or self.rules.options.jump_in)

    @property
    def rule(self) -> str | None:
        """The rule card being performed, as text."""
        return None if self.performer is None else self.rule_cards[self._get("rule")].text

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self._get("phase") == phases.OVER

    @property
    def void(self) -> bool:
        """Whether the round ended without a winner (CO-35)."""
        return self.over and self.winner is None

    @property
    def held(self) -> tuple[int, ...]:
        """Points in each hand."""
        points = arrays.zeros(layout.MAX_SEATS, np.int64)
        exports.count_points(self._states, 0, points)
        return tuple(points[: self.players].tolist())

    def draw_pile(self) -> Cards:
        """The draw pile in order, next card first. Hidden information, from all players."""
        scratch = arrays.copy(self._states)
        out = arrays.zeros(layout.MAX_DECK, np.int64)
        n = exports.draw_whole_pile(scratch, 0, out)
        return Cards(out[:n].tolist())

    def position(self) -> str:
        """Returns the round at this turn as text that ``parse_position`` reads, with all hidden cards.

        Scores of the match and chance to come (reshuffles, lever, order of rule cards) are not part of it.

        Raises:
            UsageError: for a moment that a position cannot express, such as a drawn card or a seat that can be caught.
        """
        indexes = self._states["dispenser"][0, : self._get("dispenser_n")].tolist()
        # An empty dispenser is filled with the used cards before the next is dealt (WJ-46).
        dispenser = tuple(self.rule_cards[i] for i in reversed(indexes)) or self.rule_cards
        is_usual = not self._get("dispenser_ordered_n") and set(dispenser) == set(default_rule_cards(self.rules))
        position = Position(
            rules=self.rules,
            hands=self.hands,
            discard=self.discard,
            draw=self.draw_pile(),
            color=self.color,
            turn=self.turn,
            direction=self.direction,
            dealer=self.dealer,
            called=tuple(sorted(self.called)),
            scores=(0,) * self.players,
            rule_cards=None if is_usual else dispenser,
        )
        if self.decision == "play" and not position.faults():
            again = Round.from_position(position)
            if (again.public_state(), again.hands_and_actions()) == (
                replace(self.public_state(), number=0),
                self.hands_and_actions(),
            ):
                return str(position)
        raise UsageError(
            "a position cannot express this moment; write an earlier one and the moves since then (docs/notation.md)"
        )

    def history(self, seat: int | None) -> bytes:
        """Returns the history of this round as a seat, or a spectator, has seen it, as words of ``rules.history``."""
        if seat is not None:
            self._check_seat(seat)
        return self._read_history(seat)

    def _read_history(self, seat: int | None) -> bytes:
        seen = self._histories.get(seat, b"")
        new_words = self._history[len(seen) // self._history.itemsize :]
        if new_words:
            count = len(new_words)
            words = exports.SCRATCH.words(count)
            words[:count] = new_words
            exports.redact_history(words, count, -1 if seat is None else seat)
            self._histories[seat] = seen = seen + words[:count].tobytes()
        return seen

    def information_state(self, seat: int | None) -> bytes:
        """Returns the information state of a seat, or a spectator: a round state with hidden fields blank."""
        if seat is not None:
            self._check_seat(seat)
        return read_information_state(self._states, seat)

    def states(self, count: int = 1, *, record_events: bool = False) -> Any:
        """Returns ``count`` copies of the round state for compiled functions, with all hidden information.

        ``record_events`` says whether each has an event log.
        """
        states = arrays.zeros(count, ROUND_STATE)
        states[:] = self._states
        states["record_events"] = record_events
        return states

    def state_bytes(self) -> bytes:
        """Returns all bytes of the state except the event log, to compare states."""
        scratch = arrays.copy(self._states)
        scratch["event_log"] = scratch["event_log_n"] = 0
        return bytes(scratch.tobytes())


def _restore_round(
    rules: Ruleset, players: int, rule_cards: tuple[RuleCard, ...], packed_states: bytes, history: bytes
) -> Round:
    """Returns the round that was copied or pickled."""
    restored, words = object.__new__(Round), array("i")
    words.frombytes(history)
    restored._assign(rules, players, rule_cards, arrays.unpack(ROUND_STATE, packed_states), words, {})
    return restored
