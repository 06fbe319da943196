"""Compares the kernel as a module and as native code: the same moves on both, with every byte compared after each.

It uses no referee, and calls exports directly: two million moves take minutes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from lastcard.game import action_codes
from lastcard.game.cards import CARD_NAMES, CARD_SLOTS, WILD
from lastcard.match.round import Round
from lastcard.rules import exports, history, layout, phases, refusal_reasons
from lastcard.rules.round_state import ROUND_STATE
from lastcard.rules.turn import UNO_CALLED
from support.random_play import random_deal, random_short_position
from tools.differential.pair import Statistics

_CARDS: Final = list(CARD_NAMES)
_VERBS: Final = list(action_codes.VERBS.values())


class BackendRound:
    """A round in one ``jit.Backend`` of the kernel."""

    def __init__(self, backend: Any) -> None:
        self.states, self.scratch, self.information_states = (backend.zeros(1, ROUND_STATE) for _ in range(3))
        self.bytes, self.copied = self.states.view(np.uint8), self.scratch.view(np.uint8)
        self.record = backend.zeros(history.MOVE_RECORD_WORDS, np.int32)
        self.seats = backend.zeros(layout.MAX_DECK + layout.MAX_SEATS * (2 + layout.MAX_ACTIONS), np.int64)
        array_and_index, at = (self.states, 0), 0

        def bind(export: Any, first: Sequence[Any], others: Sequence[Any]) -> Any:
            return backend.bind(export, first, others, lambda: None)  # never rebound

        self.deal = bind(exports.deal_round, array_and_index, (at, at, at))
        self.apply_recorded = bind(exports.apply_action_recorded, array_and_index, (at, at, self.record))
        self.find = bind(exports.list_actions, array_and_index, (at, self.seats))
        self.show = bind(exports.write_seats, array_and_index, (self.seats,))
        self.count = bind(exports.count_points, array_and_index, (self.seats,))
        self.unroll = bind(exports.draw_whole_pile, (self.scratch, 0), (self.seats,))
        self.reveal = bind(exports.fill_information_state, (self.states, self.information_states), (at,))

    def legal_actions(self, seat: int) -> list[int]:
        """Returns the legal actions of a seat."""
        return list(self.seats[: self.find(seat, self.seats)].tolist())

    def apply(self, seat: int, action: int) -> tuple[int, bytes, bytes]:
        """Apply an action; returns the refusal reason, the recorded words, and the state after it."""
        why = int(self.apply_recorded(seat, action, self.record))
        return why, self.record.tobytes(), self.bytes.tobytes()

    def read_all(self, players: int) -> list[Any]:
        """Returns the results of all exports that only read."""
        seen: list[Any] = [self.seats[: self.show(self.seats)].tolist()]
        self.count(self.seats)
        seen.append(self.seats[:players].tolist())
        self.copied[:] = self.bytes
        seen += [self.seats[: self.unroll(self.seats)].tolist(), self.copied.tobytes()]
        for seat in range(-1, players):
            self.information_states.view(np.uint8)[:] = 0
            self.reveal(seat)
            seen.append(self.information_states.tobytes())
        return seen


@cache
def _backend_rounds() -> tuple[BackendRound, BackendRound]:
    """Returns the rounds that all calls of a process reuse."""
    from lastcard.kernel.native_backend import NativeBackend
    from lastcard.kernel.wasm_backend import WasmBackend

    return BackendRound(WasmBackend()), BackendRound(NativeBackend())


def set_up_round(seed: int, rng: random.Random) -> tuple[BackendRound, BackendRound]:
    """Returns a random round in module and native code: a deal by each, or every other time a short position."""
    module, native = sides = _backend_rounds()
    if seed % 2 == 0:
        position, secret = random_short_position(rng)
        written = Round.from_position(position, seed=secret).state_bytes()
    else:
        dealt = random_deal(rng)
        written = dealt.round().state_bytes()
    for side in sides:
        side.bytes[:] = np.frombuffer(written, np.uint8)
        if seed % 2:
            side.deal(dealt.dealer, dealt.number, 0)
    assert module.bytes.tobytes() == native.bytes.tobytes(), f"seed {seed}: dealt in two ways"
    return sides


def random_action(side: BackendRound, state: Any, actions: list[int], rng: random.Random) -> int:
    """Returns one of some actions, often with a call, or sometimes an illegal or invalid one."""
    kind = rng.random()
    if kind < 0.04 or not actions:
        held = np.flatnonzero(state["counts"][state["turn"]][:CARD_SLOTS]).tolist()
        return _arbitrary_action(rng.choice(held or _CARDS), int(state["players"]), rng)
    if kind < 0.07:
        return _arbitrary_action(rng.choice(_CARDS), int(state["players"]), rng)
    plays = [action for action in actions if action & 255 < CARD_SLOTS]
    if plays and rng.random() < 0.85:
        actions = plays
    elif rng.random() < 0.7:
        actions = [action for action in actions if action & 255 != action_codes.UNO] or actions
    action = rng.choice(actions)
    return action | UNO_CALLED if action & 255 < CARD_SLOTS and rng.random() < 0.3 else action


def _arbitrary_action(card: int, players: int, rng: random.Random) -> int:
    """Returns any action that the notation allows: a card or a verb, with a color, a seat or nothing."""
    arg = rng.choice((action_codes.NO_ARG, rng.randrange(WILD), rng.randrange(players)))
    code = card if rng.random() < 0.6 else rng.choice(_VERBS)
    return (
        code
        | arg << action_codes.ARG_SHIFT
        | (card << action_codes.CARD_SHIFT if code in (action_codes.THROW, action_codes.BURY) else 0)
    )


def play_both(seed: int, limit: int, every: int, tally: Statistics) -> None:
    """Play at most ``limit`` moves on both sides; a value that differs, ``every`` some moves, is an AssertionError."""
    rng = random.Random(seed)
    module, native = set_up_round(seed, rng)
    state = module.states[0]
    done: list[tuple[int, int]] = []
    while state["phase"] != phases.OVER and len(done) < limit:
        tally.seen[phases.NAMES[state["phase"]]] += 1
        seat = int(state["turn"]) if rng.random() < 0.85 else rng.randrange(int(state["players"]))
        actions = module.legal_actions(seat)
        assert actions == native.legal_actions(seat), f"seed {seed}: what seat {seat} may do after {done}"
        action = random_action(module, state, actions, rng)
        done.append((seat, action))
        one, other = module.apply(seat, action), native.apply(seat, action)
        assert one == other, f"seed {seed}: the last of {done}"
        tally.seen[refusal_reasons.ALL[one[0]][0] if one[0] else ""] += 1
        if rng.randrange(every) == 0:
            players = int(state["players"])
            assert module.read_all(players) == native.read_all(players), f"seed {seed}: what can be read after {done}"
    over = bool(state["phase"] == phases.OVER)
    tally.add_round(seed, len(done), over=over, void=over and bool(state["winner"] < 0))
