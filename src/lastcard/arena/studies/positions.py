"""Positions from rounds of sharp bots, and what each of several moves in them leads to.

A position is played on from the real hands by everybody's rules of thumb. The mean over many positions of a kind is
what a move is worth to a player who knows only that kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from lastcard.ai import rollout
from lastcard.arena.studies.design import Sample
from lastcard.bots.weights import heuristic_weights
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.rulesets import Ruleset
from lastcard.kernel import arrays
from lastcard.match.round import Round
from lastcard.rules import exports, phases
from lastcard.rules.layout import DICE, MAX_ACTIONS, NOTHING
from lastcard.rules.round_state import ROUND_STATE, new_round_states

_MAX_PLIES: Final = 1000
"""Number of moves of a round in which positions are sought."""


class Positions:
    """Positions of a ruleset with a number of seats.

    Args:
        rollouts: number of rollouts of each move; all moves of a position share their chance.
    """

    def __init__(self, rules: Ruleset, players: int, rollouts: int) -> None:
        self.players, self._rules, self._rollouts = players, rules, rollouts
        self._weights = heuristic_weights(str(rules), players)
        self._scratch = rollout.RolloutScratch(new_round_states(1), arrays.zeros(MAX_ACTIONS + DICE, np.int64))
        self._out = exports.SCRATCH.actions

    def find(self, seed: bytes, number: int, is_wanted: Callable[[Any], bool]) -> Any:
        """Returns a state of a round in an array of one, each that is wanted equally likely; None if there is none.

        One of each round, because those of one round depend on each other.
        """
        states = Round.deal(self._rules, self.players, seed=seed, dealer=number % self.players, number=number).states()
        state, dice, found, count = states[0], Random(seed + number.to_bytes(8, "big")), None, 0
        for _ in range(_MAX_PLIES):
            if state["phase"] == phases.OVER:
                break
            if is_wanted(state):
                count += 1
                if dice.randrange(count) == 0:
                    found = arrays.copy(states)
            rollout.play_plies(states, 0, 1, self._weights, self._out)
        return found

    def find_each(self, sample: Sample, is_wanted: Callable[[Any], bool]) -> Iterator[tuple[int, Any]]:
        """Yields the numbers of a sample's rounds that have such a state, each with the state of ``find``."""
        for number in range(sample.first, sample.first + sample.count):
            states = self.find(sample.seed, number, is_wanted)
            if states is not None:
                yield number, states

    def choose_card(self, states: Any, colored: bool, wilds: int) -> int | None:
        """The play that rules of thumb choose among some cards of the seat on turn; None if they would draw.

        Rollouts would choose by hidden cards, so they only measure what was chosen before.

        Args:
            states: an array of one state.
            colored: whether colored cards that match may be laid.
            wilds: mask of the wilds that may be.
        """
        seat, fields = int(states["turn"][0]), arrays.copy(states)
        fields["wilds"][0, seat] = int(fields["wilds"][0, seat]) & wilds
        if not colored:
            fields["matching"] = 0
        action = rollout.heuristic_action(fields, 0, self._weights, self._out)
        return action if action & 0xFF < CARD_SLOTS else None

    def legal_actions(self, states: Any) -> list[int]:
        """The legal actions of the seat on turn in the first state."""
        actions: list[int] = self._out[: exports.list_actions(states, 0, int(states["turn"][0]), self._out)].tolist()
        return actions

    def heuristic_action(self, states: Any) -> int:
        """The action that rules of thumb choose in the first state."""
        return rollout.heuristic_action(states, 0, self._weights, self._out)

    def apply(self, states: Any, seat: int, action: int) -> Any:
        """Returns a copy of an array of one state after a move."""
        after = arrays.copy(states)
        exports.apply_action(after, 0, seat, action)
        return after

    def play_moves(self, states: Any, seat: int, actions: Sequence[int], number: int) -> Any:
        """Returns int8[actions, rollouts]: the winner after each action of a seat in the first state."""
        return self._play(states, [(0, seat, action) for action in actions], number)

    def play_states(self, alternatives: Sequence[Any], number: int) -> Any:
        """Returns int8[states, rollouts]: the winner from each of several arrays of one state."""
        states = arrays.zeros(len(alternatives), ROUND_STATE)
        for i, each in enumerate(alternatives):
            states[i] = each[0]
        return self._play(states, [(i, 0, NOTHING) for i in range(len(alternatives))], number)

    def _play(self, states: Any, jobs: Sequence[tuple[int, int, int]], number: int) -> Any:
        winners = arrays.zeros((len(jobs), self._rollouts), np.int8)
        seed = int.from_bytes(hashlib.sha256(b"rollouts %d" % number).digest()[:4], "big")
        rollout.run_rollouts(
            states,
            arrays.copy(np.array(jobs, np.int64)),
            winners,
            self._weights,
            self._scratch,
            rollout.JobRange(0, len(jobs), seed),
        )
        return winners


def group_cards(count: int, ends: Sequence[int]) -> str:
    """Returns the group of a number of cards: ``1``, ``2-3``, ``4+``; each of ``ends`` is the last of a group."""
    low = 1
    for end in ends:
        if count <= end:
            return str(end) if low == end else f"{low}-{end}"
        low = end + 1
    return f"{low}+"
