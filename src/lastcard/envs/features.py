"""A view as numbers: the observation of a seat in one row, for a network.

Version 1 of the layout. The numbers are small and the same in uint8 and float32; ``Features.scale`` brings them to
about 0 … 1. Seats are counted clockwise from the observer. ``Features.fields`` has the place of every field. The
action ids are those of ``lastcard.envs.action_space``.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.ai.opponent_memory import MEMORY_COLUMNS
from lastcard.envs.action_space import ActionSpace
from lastcard.envs.action_space import action_space as action_space
from lastcard.envs.compiled.action_ids import LegalActions
from lastcard.envs.compiled.features import (
    EFFECT_NUMBERS,
    JACKPOT_NUMBERS,
    PILE_NUMBERS,
    SEAT_NUMBERS,
    ObservationBuffer,
    ObserverState,
    ViewArrays,
    observe_view,
    write_legal_actions,
)
from lastcard.envs.compiled.knowledge import padded_width
from lastcard.errors import UsageError
from lastcard.game.cards import CARD_NAMES, CARD_SLOTS, COLORS, FACES_PER_COLOR
from lastcard.game.numbers import require_int
from lastcard.game.options import LEVER_OUTCOMES, OPTIONS, WILD_JACKPOT_GAME
from lastcard.game.rulesets import Ruleset, as_ruleset, possible_deck
from lastcard.kernel.arrays import copy, zeros
from lastcard.kernel.jit import bind
from lastcard.match.setup import check_players
from lastcard.rules import phases
from lastcard.rules.cards import is_wild
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.rules.option_codes import option_code
from lastcard.rules.round_state import ROUND_STATE, new_round_states

if TYPE_CHECKING:
    from lastcard.match.view import View

VERSION: Final = 1
"""The version of the layout; it changes when a row does."""

_OPTIONS: Final = (
    "two_player_reverse", "two_player_skip_two", "forced_swap_last_card", "forced_swap_target", "first_card_action",
    "first_card_wild", "first_card_wd4", "first_card_reverse", "voluntary_draw", "draw_then_play", "draw_mode",
    "wd4_mode", "challenge_by", "challenge_win_turn", "challenge_fail_draw", "challenge_evidence", "uno_penalty",
    "uno_window", "uno_early_call", "false_uno_penalty", "false_catch_penalty", "last_card_draw_counts",
    "last_card_targeted_draw", "finish_restriction", "stacking", "reshuffle", "short_draw", "deadlock",
    "first_dealer", "dealer_tie", "next_dealer", "match_mode", "scoring", "winning_score", "tally_tie", "hand_size",
    "wj_number_distribution", "wj_lever_weights", "wj_last_jackpot", "wj_discard_jackpot", "wj_discard_multi",
    "wj_discard_color", "wj_jackpot_on_wild", "wj_rules", "wj_first_jackpot", "jump_in", "seven_zero",
    "seven_zero_last", "force_play", "deflect", "team_play",
)  # fmt: skip
"""The options in a row of version 1; later options are not in it."""

_DTYPES: Final = (np.dtype(np.uint8), np.dtype(np.float32))


class Features:
    """The layout of rows for a ruleset and a number of players. Make one with ``features``."""

    def __init__(self, rules: Ruleset, players: int) -> None:
        self.rules, self.players = rules, players
        self.cards = tuple(sorted({kind for card in possible_deck(rules) for kind in _up_to(card)}))
        """The kinds of cards, in the order of their counts; also numbers that a deck lacks (LC-24)."""
        self.padded_kinds = padded_width(len(self.cards))
        """Number of places for counts of cards in compiled code."""
        self.kinds: Any = np.zeros(CARD_SLOTS, np.int8)
        """int8 by card: its index in ``cards``."""
        self.kinds[list(self.cards)] = range(len(self.cards))
        self.fields: dict[str, slice] = {}
        """The place of every field in a row, by name."""
        scale: list[float] = []
        for name, length, most in self._layout():
            self.fields[name] = slice(len(scale), len(scale) + length)
            scale += [most] * length
        self.size = len(scale)
        """Length of a row."""
        self.changing_size = self.fields["options"].start
        """Length of the part of a row that changes during play; the options follow."""
        self.scale: Any = np.array(scale, np.float32)
        """float32 by place: the divisor that makes a number about 0 … 1."""
        self.options: Any = np.array(self._option_numbers(), np.uint8)
        """uint8: the options at the end of every row."""
        self.action_space: ActionSpace = action_space(rules)
        """The moves with their action ids."""

    def _layout(self) -> list[tuple[str, int, float]]:
        """Each field with its name, its length and its divisor."""
        n = len(self.cards)
        parts = [("hand", n, 2.0), ("drawn", n, 1.0), ("top", n, 1.0), ("discards", n, 4.0)]
        parts += [("color", len(COLORS), 1.0), ("decision", len(phases.NAMES) - 1, 1.0)]
        parts += zip(_PILES, (1,) * PILE_NUMBERS, (1.0, 112.0, 112.0, 4.0, 1.0, 10.0), strict=True)
        if self.rules.game == WILD_JACKPOT_GAME:
            parts += [
                ("pulls", 1, 1.0),
                ("to_bury", 1, 4.0),
                ("thrown", len(COLORS), 1.0),
                ("effect", EFFECT_NUMBERS, 1.0),
            ]
            assert sum(length for _, length, _ in parts[-4:]) == JACKPOT_NUMBERS
        for seat in range(self.players):
            for name, length, most in _SEAT:
                parts.append((f"{name}+{seat}", length, most))
            if seat:
                parts.append((f"known+{seat}", n, 2.0))
        return [*parts, ("options", len(_OPTIONS), 1.0), ("lever", len(LEVER_OUTCOMES), 1.0)]

    def _option_numbers(self) -> list[int]:
        options = self.rules.options
        weights = options.wj_lever_weights
        numbers = []
        for name in _OPTIONS:
            value, choices = getattr(options, name), OPTIONS[name].choices
            numbers.append(choices.index(value) if value in choices else option_code(name, value))
        return numbers + list((1,) * len(LEVER_OUTCOMES) if isinstance(weights, str) else weights)

    def observation_buffer(self, x: Any) -> ObservationBuffer:
        """An array (uint8, size numbers) in the form in which compiled code writes an observation."""
        return ObservationBuffer(copy(self.kinds), len(self.cards), self.changing_size, copy(self.options), x)

    def observe(
        self, view: View, out: Any = None, *, scores: Sequence[int] = (), is_reaction: bool | None = None
    ) -> Any:
        """Write the observation of a view into ``out``, and return it.

        Args:
            out: row to write into, uint8 or float32 of shape (size,); None for a new one of float32.
            scores: scores of the match, by seat; none for a single round.
            is_reaction: whether the seat is asked out of turn; None: true if it is not on turn.

        Raises:
            UsageError: for a view of another table or of a spectator, or a row of another shape or type.
        """
        seat, is_reaction_now = self._check_view(view, is_reaction)
        out = np.zeros(self.size, np.float32) if out is None else out
        check_array("out", out, _DTYPES, (self.size,))
        out[...] = _scratch.of(self).observe(view, scores, seat, is_reaction_now)
        return out

    def action_mask(self, view: View, out: Any = None, *, is_reaction: bool | None = None) -> Any:
        """Which actions are legal for the seat of a view.

        Args:
            view: as for ``observe``.
            out: uint8 of shape (actions,) to write into; None for a new one.
            is_reaction: as for ``observe``.

        Returns:
            ``out``: 1 at the id of every legal action.

        Raises:
            UsageError: for an array of another shape or type.
        """
        mask = np.zeros(len(self.action_space), np.uint8) if out is None else out
        check_array("out", mask, (np.dtype(np.uint8),), (len(self.action_space),))
        seat, asked = self._check_view(view, is_reaction)
        mask[:] = _scratch.of(self).write_mask(view, seat, asked)
        if asked and self.action_space.wait >= 0:
            mask[self.action_space.wait] = 1
        return mask

    def _check_view(self, view: View, is_reaction: bool | None) -> tuple[int, bool]:
        """The seat of a view, and whether it is asked out of turn; refuses a view of another table."""
        if (view.rules, view.players) != (str(self.rules), self.players) or view.seat is None:
            whose = "a spectator" if view.seat is None else f"{view.players} players of {view.rules}"
            raise UsageError(f"these features are for a seat among {self.players} players of {self.rules}, not {whose}")
        return view.seat, view.seat != view.turn if is_reaction is None else is_reaction

    def describe(self) -> str:
        """The layout in words: one line for each field."""
        lines = [f"{self.rules!s} for {self.players}, version {VERSION}: {self.size} numbers"]
        lines += [f"{at.start:5}  {at.stop - at.start:3}  {name}" for name, at in self.fields.items()]
        return "\n".join([*lines, "cards: " + " ".join(CARD_NAMES[card] for card in self.cards)])


_PILES: Final = ("clockwise", "draw_pile", "discard_pile", "pending", "asked_out_of_turn", "passes")
_SEAT: Final = (
    ("cards", 1, 7.0),
    ("exposed", 1, 1.0),
    ("called", 1, 1.0),
    ("early_call", 1, 1.0),
    ("loses_turn", 1, 1.0),
    ("on_turn", 1, 1.0),
    ("accused", 1, 1.0),
    ("performs", 1, 1.0),
    ("score", 1, 100.0),
    ("lacks", len(COLORS), 4.0),
    ("named", len(COLORS), 1.0),
)
"""The facts of each seat: how many numbers, and their divisor; see docs/features.md."""
assert sum(length for _, length, _ in _SEAT) == SEAT_NUMBERS


def _up_to(card: int) -> range:
    """A card and all of its color before it: compiled code copies the counts of a color in one piece."""
    return range(card if is_wild(card) else card & -FACES_PER_COLOR, card + 1)


def check_array(name: str, array: Any, dtypes: Sequence[Any], shape: tuple[int, ...]) -> None:
    """Refuse an array of another type or shape with a UsageError that says what was expected."""
    if not isinstance(array, np.ndarray) or array.dtype not in dtypes or array.shape != shape:
        got = f"{array.dtype}{array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise UsageError(f"{name} is an array of {' or '.join(map(str, dtypes))} of shape {shape}, not {got}")


class _ViewScratch:
    """Arrays of one thread for reading views, and compiled code bound to them."""

    def __init__(self, layout: Features) -> None:
        self._states: Any = new_round_states(2)
        self._state_bytes: Any = self._states.view(np.uint8)[: ROUND_STATE.itemsize]
        self._words: Any = zeros(_FIRST_WORDS, np.int32)
        self._winning_score = layout.rules.options.winning_score
        self._observer = ObserverState(
            zeros((MAX_SEATS, MEMORY_COLUMNS), np.int64),
            zeros((layout.players, layout.padded_kinds), np.uint8),
            zeros(layout.padded_kinds, np.uint8),
            zeros(MAX_SEATS, np.int64),
        )
        self._buffer = layout.observation_buffer(zeros(layout.size, np.uint8))
        self._buffer.x[layout.changing_size :] = layout.options
        self._bind_observe()
        actions = layout.action_space
        self._mask: Any = zeros(len(actions), np.uint8)
        to = LegalActions(copy(actions.ids), self._mask, zeros(MAX_ACTIONS, np.int16), zeros(MAX_ACTIONS, np.int64))
        self._write_legal = bind(write_legal_actions, (self._states, to), (0, False))

    def _bind_observe(self) -> None:
        first = (ViewArrays(self._states, self._words), self._observer, self._buffer)
        self._observe = bind(observe_view, first, (0, 0, False))

    def observe(self, view: View, scores: Sequence[int], seat: int, is_reaction: bool) -> Any:
        """The observation, uint8; the next call overwrites it."""
        self._state_bytes[:] = np.frombuffer(view.information_state, np.uint8)
        words = np.frombuffer(view.history, np.int32)
        if words.size > self._words.size:
            self._words = zeros(2 * words.size, np.int32)
            self._bind_observe()
        self._words[: words.size] = words
        self._observer.scores[:] = 0
        if len(scores):
            self._observer.scores[: len(scores)] = np.array(scores, np.int64) * 100 // self._winning_score
        self._observe.call(words.size, seat, is_reaction)
        return self._buffer.x

    def write_mask(self, view: View, seat: int, is_reaction: bool) -> Any:
        """The mask of legal actions without *wait*, uint8; the next call overwrites it."""
        self._state_bytes[:] = np.frombuffer(view.information_state, np.uint8)
        self._mask[:] = 0
        self._write_legal.call(seat, is_reaction)
        return self._mask


class _ThreadScratch(threading.local):
    """Scratch of each thread, by layout."""

    def __init__(self) -> None:
        self.of = cache(_ViewScratch)


_scratch: Final = _ThreadScratch()
_FIRST_WORDS: Final = 1024
"""Number of words of an event log for which memory is allocated at first."""


@cache
def _features(rules: Ruleset, players: int) -> Features:
    return Features(rules, players)


def features(rules: Ruleset | str, players: int) -> Features:
    """The layout of rows for a ruleset and a number of players.

    Raises:
        RulesError, UsageError: for an unknown ruleset, or a number of players that it does not allow.
    """
    chosen = as_ruleset(rules)
    players = require_int(
        "the number of players", players
    )  # first: a cache would return the features of 2 for 2.0 as well
    check_players(chosen, players)
    return _features(chosen, players)
