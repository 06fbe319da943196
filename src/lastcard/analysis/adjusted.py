"""Results adjusted for luck: the chance before the deal, and the changes by everybody's choices.

Chances are those of mixed play (``ai.opponent_mix``), which resembles all kinds of players more than rules of thumb do.
With V for a seat's chance in a state, and Q for that with a move chosen and its chance outcome not drawn yet,

    result = V(before the deal) + Σ Q(move) − V(state) + luck

A choice is measured by the seat's information, which excludes luck in the places of hidden cards. So no state needs to
be played with its real hands, except around calls, which are no decisions.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache
from math import ceil
from typing import Any

import numpy as np

from lastcard.ai import opponent_mix, policy_net
from lastcard.ai.opponent_memory import MEMORY_COLUMNS
from lastcard.ai.opponent_mix import OpponentMix
from lastcard.ai.policy_net import Rater
from lastcard.ai.rollout import DEAL_AGAIN
from lastcard.analysis.chances import new_rollout_scratch
from lastcard.analysis.replayed_round import ReplayedRound
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.bots.statistics import Estimate, rollout_mean, rollout_share, total
from lastcard.bots.weights import habits, heuristic_weights, load_policy_net, load_reference_net
from lastcard.bots.workspace import count_deck
from lastcard.game.moves import CALLS, Move, action_to_move, move_to_action
from lastcard.kernel.arrays import zeros
from lastcard.rules import exports
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS, NOTHING


def new_mixture(rules: str, players: int) -> OpponentMix:
    """Returns the opponent model of the mixed policies, for one thread.

    Args:
        rules: name of a ruleset.
        players: number of players.
    """
    reference, policy = (
        Rater(net(rules), count_deck(rules), zeros(policy_net.SCRATCH, np.float32), zeros(MAX_ACTIONS, np.float64))
        for net in (load_reference_net, load_policy_net)
    )
    memory, die = zeros((MAX_SEATS, MEMORY_COLUMNS), np.int64), zeros(DICE, np.int64)
    upcoming = zeros(MAX_SEATS, np.int64)
    only = zeros(MAX_SEATS, np.int64)
    only[:] = opponent_mix.ANY_POLICY
    return OpponentMix(heuristic_weights(rules, players), reference, policy, habits(rules), memory, only, die, upcoming)


def find_heuristic_seats(replayed_rounds: Sequence[ReplayedRound]) -> list[frozenset[int]]:
    """For each round, the seats that moved only as rules of thumb do in all other rounds.

    The measure of a seat's luck in a round must not depend on its moves in that round: else it would be biased.
    """
    decisions = [
        [played for played in replayed.moves if played.view is not None and played.heuristic_move is not None]
        for replayed in replayed_rounds
    ]
    found = []
    for number in range(len(replayed_rounds)):
        others = [ply for i, moves in enumerate(decisions) if i != number for ply in moves]
        deviating = {ply.seat for ply in others if ply.without_call != ply.heuristic_move}
        found.append(frozenset(ply.seat for ply in others) - deviating)
    return found


class MixedPlayEvaluator:
    """Measures moves by mixed play; for one thread.

    Args:
        evaluator: plays the deals. Of its deals for a chain, at most two thirds are played here, and fewer if
            some policies agree with the move made, because it then changes less.
    """

    def __init__(self, evaluator: MoveEvaluator) -> None:
        self._evaluator = evaluator
        self._max_deals = max(1, evaluator.measure_config.deals * 2 // 3)
        self._scratch = new_rollout_scratch()
        self._cached_mixture = cache(new_mixture)

    def evaluate_deal(
        self, replayed: ReplayedRound, heuristic_seats: Set[int], rollouts: int, seed: int
    ) -> tuple[Estimate, ...]:
        """The chance of every seat before the deal, and its changes by calls and catches, with open hands.

        Args:
            replayed: a replayed round.
            heuristic_seats: seats assumed to follow rules of thumb; dice decide how the others go on.
            rollouts: number of rollouts from each state.
            seed: 0 to 2**32 - 1.
        """
        calls = [
            (i, played)
            for i, played in enumerate(replayed.moves)
            if played.move.verb in CALLS and not played.changes_nothing
        ]
        jobs = [(0, 0, DEAL_AGAIN)]
        for i, ply in calls:
            jobs += [(i, 0, NOTHING), (i, ply.seat, move_to_action(ply.without_call))]
        winners: Any = np.full((len(jobs), rollouts), -1, np.int8)
        mixture = self._mixture_of(replayed, heuristic_seats)
        opponent_mix.run_rollouts_mixed(
            replayed.states, np.array(jobs, np.int64), winners, mixture, self._scratch, seed
        )
        return tuple(
            total(
                (
                    rollout_share(won[0]),
                    *(rollout_mean(after - before) for before, after in zip(won[1::2], won[2::2], strict=True)),
                )
            )
            for won in (wins_of(replayed, winners, seat) for seat in range(replayed.players))
        )

    def evaluate_move(
        self, replayed: ReplayedRound, heuristic_seats: Set[int], i: int, seed: int
    ) -> tuple[Any, float] | None:
        """How much more each seat wins by a move than by mixed play; None if every policy makes it.

        Args:
            replayed: a replayed round.
            heuristic_seats: as for ``evaluate_deal``.
            i: ply of the move, from 0.
            seed: of all chance, 0 to 2**32 - 1.

        Returns:
            float64[CHAINS, seat], and the change of a value by one rollout.
        """
        played = replayed.moves[i]
        assert played.view is not None
        mixture = self._mixture_of(replayed, heuristic_seats)
        made: Move = played.without_call
        mixed_moves: list[Move | None] = [None]
        if played.heuristic_move is not None:
            out = exports.SCRATCH.actions
            players = [opponent_mix.HEURISTIC] if played.seat in heuristic_seats else range(opponent_mix.POLICY_COUNT)
            mixed_moves = [
                action_to_move(opponent_mix.choose_action_with(replayed.states, i, mixture, who, out))
                for who in players
            ]
        moves = list(dict.fromkeys((made, *mixed_moves)))
        if len(moves) == 1:
            return None
        disagreeing = sum(move != made for move in mixed_moves) / len(mixed_moves)
        deals = ceil(disagreeing * self._max_deals)
        won = self._evaluator.play_mixed(played.view, moves, seed, mixture, deals)
        mixed = sum(won[:, moves.index(move)] for move in mixed_moves) / len(mixed_moves)
        return won[:, 0] - mixed, 1 / deals

    def _mixture_of(self, replayed: ReplayedRound, heuristic_seats: Set[int]) -> OpponentMix:
        """The players of mixed play for a round."""
        mixture = self._cached_mixture(replayed.rules, replayed.players)
        for seat in range(replayed.players):
            mixture.policy_by_seat[seat] = (
                opponent_mix.HEURISTIC if seat in heuristic_seats else opponent_mix.ANY_POLICY
            )
        return mixture


def wins_of(replayed: ReplayedRound, winners: Any, seat: int) -> Any:
    """1 for every winner that is a seat or its partner (6.8), else 0."""
    won = winners == seat
    if replayed.is_team_play:
        won |= winners == (seat + 2) % replayed.players
    return won.astype(np.float64)
