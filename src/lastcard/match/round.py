"""Round: the checked, friendly face of one deal."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

import numpy as np
from msgspec.structs import astuple

from lastcard.errors import Refused, UsageError
from lastcard.game import act
from lastcard.game.actions import Move, action_move, move_action, parse_move
from lastcard.game.cards import CARD_SLOTS, Cards
from lastcard.game.numbers import as_int, is_seat, is_whole
from lastcard.game.position import Position
from lastcard.game.rulecards import RuleCard
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Seed, parse_seed
from lastcard.kernel import arrays
from lastcard.match.events import Event, read_tape
from lastcard.match.refusals import refusal
from lastcard.match.setup import (
    build_deck,
    check_players,
    check_position,
    check_rule_cards,
    default_rule_cards,
    has_foreign,
    open_table,
    order_deck,
    pack_deck,
    pack_position,
)
from lastcard.match.view import Face, View, read_face, read_known, seat_or_none, seats_of
from lastcard.rules import doors, layout, phase, reason
from lastcard.rules.table import TABLE

T = TypeVar("T")

LAST_ROUND: Final = 2**32 - 1
"""Its number is one word of the stream that shuffles it (docs/fairness.md)."""


class _Part(Generic[T]):
    """What one number in the kernel's table says, to be read as an attribute of a round.

    Args:
        name: of the field.
        read: what the number means.
        about: the same in words.
    """

    def __init__(self, name: str, read: Callable[[int], T], about: str) -> None:
        self._name, self._read, self.__doc__ = name, read, about

    def __get__(self, table: Round, owner: type) -> T:
        return self._read(table._get(self._name))


class Round:
    """One deal, from the first card to its end. Make one with ``deal`` or ``from_position``.

    Every act goes through ``do``, which refuses what the rules do not allow and then changes nothing.
    """

    __slots__ = ("_past", "_tables", "players", "rule_cards", "rules")

    def __init__(self, rules: Ruleset, players: int, seed: bytes, rule_cards: Sequence[RuleCard]) -> None:
        check_players(rules, players)
        self.rules = rules
        self.players = int(players)
        self.rule_cards = tuple(rule_cards)
        self._tables: Any = open_table(rules, players, seed, self.rule_cards)
        self._past = array("i")

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
        deck: Sequence[int] | None = None,
    ) -> Round:
        """Deal a round.

        Args:
            rules: a ruleset or its name.
            players: 2 to 10.
            seed: of the match, as ``seeds.parse_seed`` reads it; None for a fresh one.
            dealer: the seat that deals.
            number: of the round in its match, from 0: each has its own shuffle.
            rule_cards: the dispenser's rule cards, 1 to 16 (LC-50); None for the built-in ones.
            deck: a deck in order, next card first, instead of a shuffled one; hands are dealt one
                card at a time from the dealer's left, a returned first card goes to the bottom.

        Raises:
            RulesError, UsageError: for rules or numbers that make no sense.
        """
        chosen = as_ruleset(rules)
        secret = parse_seed(seed)
        if rule_cards is not None:
            check_rule_cards(rule_cards)
        table = cls(chosen, players, secret, default_rule_cards(chosen) if rule_cards is None else rule_cards)
        if not is_seat(dealer, players):
            raise UsageError(f"the dealer is one of the seats 0 to {players - 1}, not {dealer!r}")
        if not is_whole(number):
            raise UsageError(f"the number of a round is a whole number, not {number!r}")
        if not 0 <= number <= LAST_ROUND:
            raise UsageError(f"rounds are numbered from 0 to {LAST_ROUND}, not {number}")
        cards = build_deck(chosen, secret) if deck is None else order_deck(chosen, players, deck)
        pack_deck(table._tables[0], cards)
        table._tables["foreign"] = has_foreign(chosen, set(cards))
        doors.deal_table(table._tables, 0, int(dealer), int(number), len(cards) if deck is not None else 0)
        table._note_hands()
        return table

    @classmethod
    def from_position(cls, position: Position, *, seed: Seed = 0) -> Round:
        """A round that stands at a position, with a seat to play.

        Args:
            position: as ``notation.parse_position`` reads it.
            seed: of what chance is still to come.

        Raises:
            UsageError: for what is no position, or no seed.
        """
        check_position(position)
        cards = default_rule_cards(position.rules)
        if position.rule_cards is not None:
            cards = tuple(dict.fromkeys(position.rule_cards))
        table = cls(position.rules, len(position.hands), parse_seed(seed), cards)
        pack_position(table._tables[0], position, cards)
        doors.set_matching(table._tables, 0)
        table._note_hands()
        return table

    def __repr__(self) -> str:
        return f"<Round {self.number + 1} of {self.rules}: {self.face()}>"

    def copy(self) -> Round:
        """A round of its own that stands exactly where this one does."""
        twin = object.__new__(Round)
        twin.rules, twin.players, twin.rule_cards = self.rules, self.players, self.rule_cards
        twin._tables, twin._past = arrays.copy(self._tables), self._past[:]
        return twin

    def __reduce__(self) -> Any:
        # Made anew, so that no two share a table, and the kernel works on each in place.
        state = arrays.pack(self._tables), self._past.tobytes()
        return _restore, (self.rules, self.players, self.rule_cards, *state)

    def _note_hands(self) -> None:
        doors.note_hands(self._tables, 0, doors.SCRATCH.notes)
        self._remember()

    def _remember(self) -> None:
        """Add what a door has noted to the past."""
        notes = doors.SCRATCH.notes
        self._past.frombytes(notes[1 : 1 + notes[0]].tobytes())

    # --- acts -----------------------------------------------------------------------------------

    def legal(self, seat: int | None = None) -> list[Move]:
        """The moves a seat may make now (default: the seat on turn), calls and catches included.

        Plays with a call (``R5!``) are left out: they are possible wherever the play is.

        Raises:
            UsageError: where there is no such seat.
        """
        return [action_move(action) for action in self.legal_actions(self.turn if seat is None else seat)]

    def legal_actions(self, seat: int) -> list[int]:
        """``legal`` as integers (``actions.py``)."""
        self._check_seat(seat)
        found = doors.SCRATCH.actions
        actions: list[int] = found[: doors.find_actions(self._tables, 0, seat, found)].tolist()
        return actions

    def verify(self, seat: int, move: Move | str) -> None:
        """Raise what ``do`` would raise; change nothing.

        Raises:
            Refused: with a stable code, the clause and the reason in words.
            NotationError: for text that is no move.
            UsageError: for a seat that is no number.
        """
        parsed = move if isinstance(move, Move) else parse_move(move)
        action = move_action(parsed)
        if type(seat) is bool:
            self._check_seat(seat)  # the kernel would take True for seat 1
        try:
            why = doors.check_action(self._tables, 0, seat, action)
        except (TypeError, OverflowError):  # to look at all of the seat before would take time from every act
            self._check_seat(seat)
            raise
        if why != reason.OK:
            raise self._refusal(seat, parsed, why)

    def can(self, seat: int, move: Move | str) -> bool:
        """Whether a seat may make a move now."""
        try:
            self.verify(seat, move)
        except Refused:
            return False
        return True

    def do(self, seat: int, move: Move | str) -> list[Event]:
        """Make a move; a refused one changes nothing (CO-5).

        Args:
            seat: who acts.
            move: a Move or its notation, such as ``R5!`` or ``catch>2``.

        Returns:
            What happened, in order; show it to others through ``Event.seen_by``.

        Raises:
            Refused: with a stable code, the clause and the reason in words.
            NotationError: for text that is no move.
            UsageError: for a seat that is no number.
        """
        parsed = move if isinstance(move, Move) else parse_move(move)
        action = move_action(parsed)
        shown = self.hand(self._get("accused")) if action & 255 == act.CHALLENGE else None
        if type(seat) is bool:
            self._check_seat(seat)  # as in verify
        try:
            why = doors.do_noted(self._tables, 0, seat, action, doors.SCRATCH.notes)
        except (TypeError, OverflowError):  # as in verify
            self._check_seat(seat)
            raise
        if why != reason.OK:
            raise self._refusal(seat, parsed, why)
        self._remember()
        return read_tape(self._tape(), shown)

    def _refusal(self, seat: int, move: Move, why: int) -> Refused:
        hand = self.hand(seat) if 0 <= seat < self.players else ()
        return refusal(self.rules, self.face(), seat, hand, move, why, opening=self._get("opening") != 0)

    def events(self) -> list[Event]:
        """What the last act did (after ``deal``: what the first card did)."""
        return read_tape(self._tape())

    # --- what can be seen ---------------------------------------------------------------------------

    def view(self, seat: int | None = None) -> View:
        """What a seat, or a spectator (None), may know. Built from a whitelist."""
        if seat is not None:
            self._check_seat(seat)
            seat = int(seat)
        face = self.face()
        return View(
            *astuple(face),
            rules=str(self.rules),
            seat=seat,
            hand=None if seat is None else self.hand(seat),
            hands=self.hands if face.over else None,
            discard=self.discard,
            drawn=self.drawn if seat is not None and seat == face.turn else None,
            legal=() if seat is None else tuple(self.legal(seat)),
            points=self.held if face.over else None,
            table=self.known_table(seat),
            past=self.past(seat),
        )

    def _check_seat(self, seat: int) -> None:
        if not is_seat(seat, self.players):
            raise UsageError(f"there is no seat {seat!r}; seats are 0 to {self.players - 1}")

    def face(self) -> Face:
        """What lies open for everybody to see, read at once."""
        return read_face(self._tables, self.players, self.rule_cards)

    def _tape(self) -> list[int]:
        tape: list[int] = self._tables["tape"][0, : self._get("tape_n")].tolist()
        return tape

    def _get(self, name: str) -> int:
        return int(self._tables[name][0])  # a third of the time of the same the other way round

    def hand(self, seat: int) -> Cards:
        """The cards of a seat, sorted. The truth: show others ``view``.

        Raises:
            UsageError: where there is no such seat.
        """
        self._check_seat(seat)
        return Cards(np.repeat(np.arange(CARD_SLOTS), self._tables["counts"][0, seat]).tolist())

    @property
    def hands(self) -> tuple[Cards, ...]:
        """All hands, sorted. The truth: show others ``view``."""
        return tuple([Cards(hand) for hand, _ in self.sides()])

    def sides(self) -> list[tuple[list[int], list[int]]]:
        """For each seat its hand, sorted, and its legal actions, read at once. The truth: show each its own."""
        out = doors.SCRATCH.seats
        found: list[int] = out[: doors.show_seats(self._tables, 0, out)].tolist()
        sides, start = [], 0
        for _ in range(self.players):
            middle = start + 1 + found[start]
            end = middle + 1 + found[middle]
            sides.append((found[start + 1 : middle], found[middle + 1 : end]))
            start = end
        return sides

    decision = _Part("phase", phase.NAMES.__getitem__, "What the table waits for, as in docs/notation.md.")
    turn = _Part("turn", int, "The seat the table waits for (LC-1).")
    direction = _Part("direction", int, "1 clockwise, -1 counter-clockwise.")
    dealer = _Part("dealer", int, "The seat that dealt.")
    number = _Part("number", int, "The number of the round in its match, from 0.")
    top = _Part("top", int, "The card to be matched.")
    color = _Part("color", int, "The color in force, -1 where none is.")
    discard_count = _Part("discard_n", int, "How many cards the discard pile has.")
    draw_count = _Part("pile_n", int, "How many cards the draw pile has.")
    pending = _Part("pending", int, "Cards waiting to be drawn by the seat on turn.")
    exposed = _Part("exposed", seats_of, "Seats that can be caught.")
    called = _Part("called", seats_of, "Seats on one card that have called.")
    early = _Part("early", seats_of, "Seats whose early call is waiting (CO-11 a).")
    candidates = _Part("candidates", seats_of, "Seats that may be named in decisions choose and take.")
    performer = _Part("performer", seat_or_none, "Who performs a rule card.")
    winner = _Part("winner", seat_or_none, "The seat that won the round.")

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self._tables[0]["held"][: self.players].tolist())

    @property
    def discard(self) -> Cards:
        """The discard pile, oldest first."""
        table = self._tables[0]
        return Cards(table["discard"][: table["discard_n"]].tolist())

    def last_discards(self, count: int) -> list[int]:
        """At most so many cards from the end of the discard pile, oldest first.

        Raises:
            UsageError: for a count that is no whole number from 0.
        """
        count = as_int("the count of cards", count, 0)
        end = self._get("discard_n")
        cards: list[int] = self._tables["discard"][0, max(0, end - count) : end].tolist()
        return cards

    @property
    def drawn(self) -> int | None:
        """The card just drawn, while the seat on turn decides on it."""
        return self._get("drawn") if self.decision == "drawn" else None

    @property
    def disorderly(self) -> bool:
        """Whether anybody could act out of turn: somebody can be caught, or cards may be laid out of turn (LC-41)."""
        return not self.over and (self._get("exposed") != 0 or self.rules.options.jump_in)

    @property
    def rule(self) -> str | None:
        """The rule card being performed, as text."""
        return None if self.performer is None else self.rule_cards[self._get("rule")].text

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self._get("phase") == phase.OVER

    @property
    def void(self) -> bool:
        """Whether the round ended without a winner (CO-35)."""
        return self.over and self.winner is None

    @property
    def held(self) -> tuple[int, ...]:
        """Points in each hand."""
        points = arrays.zeros(layout.MAX_SEATS, np.int64)
        doors.count_points(self._tables, 0, points)
        return tuple(points[: self.players].tolist())

    def draw_pile(self) -> Cards:
        """The draw pile in the order it will be drawn, next card first. The truth: nobody may know it."""
        twin = arrays.copy(self._tables)
        out = arrays.zeros(layout.MAX_DECK, np.int64)
        n = doors.unroll_pile(twin, 0, out)
        return Cards(out[:n].tolist())

    def past(self, seat: int | None) -> bytes:
        """What a seat, or a spectator, has seen happen in this round, as words of ``engine.past``."""
        if seat is not None:
            self._check_seat(seat)
        count = len(self._past)
        words = doors.SCRATCH.words(count)
        words[:count] = self._past
        doors.veil_past(words, count, -1 if seat is None else seat)
        return words[:count].tobytes()

    def known_table(self, seat: int | None) -> bytes:
        """The kernel's table as a seat, or a spectator, knows it: what is hidden from it is blank."""
        if seat is not None:
            self._check_seat(seat)
        return read_known(self._tables, seat)

    def states(self, count: int = 1, *, taping: bool = False) -> Any:
        """Copies of the round state for compiled functions, with everything that is hidden.

        Args:
            count: number of copies.
            taping: whether what happens is written on the tape of each.

        Returns:
            an array of ``count`` records of the type ``TABLE``.
        """
        states = arrays.zeros(count, TABLE)
        states[:] = self._tables
        states["taping"] = taping
        return states

    def table_bytes(self) -> bytes:
        """Every byte of the state, the tape aside: to see that nothing has changed."""
        twin = arrays.copy(self._tables)
        twin["tape"] = twin["tape_n"] = 0
        return bytes(twin.tobytes())


def _restore(rules: Ruleset, players: int, rule_cards: tuple[RuleCard, ...], table: bytes, past: bytes) -> Round:
    """A round as it was when it was copied or pickled."""
    twin = object.__new__(Round)
    twin.rules, twin.players, twin.rule_cards = rules, players, rule_cards
    twin._tables, twin._past = arrays.unpack(TABLE, table), array("i")
    twin._past.frombytes(past)
    return twin
