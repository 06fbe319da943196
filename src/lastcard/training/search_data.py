"""Decisions of searching players for training: the moves of such players reveal their cards."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.opponent_memory import MEMORY_COLUMNS
from lastcard.ai.policy_features import ACTION, STATE
from lastcard.bots.search import SearchBot, SearchConfig
from lastcard.bots.weights import heuristic_weights
from lastcard.match.round import Round
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS
from lastcard.training.compiled.rollout_targets import RolloutSetup, fill_decision
from lastcard.training.position_data import DataSource, new_rater

_SEARCH_CONFIG: Final = SearchConfig(rollouts=400, deals=128)
"""Default effort of the players: the best possible in two milliseconds."""
_EXPLORE_SHARE: Final = 1 / 16
"""Rate of random moves, to explore."""
_SAMPLED_SHARE: Final = 1 / 2
"""Share of decisions that are taken."""
_MAX_ACTIONS: Final = 40
"""Largest number of moves; decisions with more are left out."""
_MAX_PLIES: Final = 300


class EvaluatedDecision(NamedTuple):
    """A decision with the outcomes of its moves."""

    x: Any
    """float32[STATE]: the network's inputs for it."""
    action_inputs: Any
    """float32[n, ACTION]: the inputs for each move."""
    actions: tuple[int, ...]
    """The moves, as integers."""
    won: Any
    """float32[n]: the share of rounds that the seat on turn wins after each."""


class DecisionEvaluator:
    """Plays out every move of decisions by a policy net (if empty, by rules of thumb), from the true hands."""

    def __init__(self, rules: str, players: int, net: Any) -> None:
        self._weights = heuristic_weights(rules, players)
        self._rater = new_rater(net, rules)
        self._choices = np.zeros(MAX_ACTIONS, np.int64)
        self._out = np.zeros(MAX_ACTIONS + DICE, np.int64)

    def evaluate(self, game_round: Round, rollouts: int, seed: int) -> EvaluatedDecision | None:
        """Evaluate the decision of the seat on turn by rollouts of each move; ``seed`` is from 0 to 2**30 - 1.

        Returns None if the network is not trained on such a decision.
        """
        history = np.frombuffer(bytearray(game_round.view(game_round.turn).history), np.int32)
        memories = np.zeros((2, MAX_SEATS, MEMORY_COLUMNS), np.int64)
        x, won = np.zeros(STATE, np.float32), np.zeros(_MAX_ACTIONS, np.float32)
        action_inputs = np.zeros((_MAX_ACTIONS, ACTION), np.float32)
        playouts = RolloutSetup(
            game_round.states(2), memories, self._rater, self._weights, self._choices, self._out, rollouts
        )
        count = fill_decision(playouts, history, seed, x, action_inputs, won)
        if not count:
            return None
        return EvaluatedDecision(x, action_inputs[:count], tuple(map(int, self._choices[:count])), won[:count])


def make_search_decisions(
    decisions: int,
    rollouts: int,
    net: Any,
    value_net: Any,
    source: DataSource,
    search_config: SearchConfig = _SEARCH_CONFIG,
) -> tuple[Any, Any, Any, Any]:
    """Decisions of players who search with ``value_net``; a policy net plays out each move ``rollouts`` times.

    Returns the arrays of ``DecisionData``.
    """
    rules, players, seed = source
    rng, evaluator, number = np.random.default_rng(seed), DecisionEvaluator(rules, players, net), 0
    evaluated: list[EvaluatedDecision] = []
    while len(evaluated) < decisions:
        number += 1
        game_round = Round.deal(rules, players, seed=seed * 1_000_000 + number)
        secrets = [bytes([seat + 1]) * 16 + number.to_bytes(16, "big") for seat in range(players)]
        bots = [SearchBot(secret, config=search_config, value_net=lambda _: value_net) for secret in secrets]
        for _ in range(_MAX_PLIES):
            if game_round.over:
                break
            if rng.random() < _SAMPLED_SHARE:
                found = evaluator.evaluate(game_round, rollouts, int(rng.integers(1 << 30)))
                evaluated += [found] if found else []
            seat = game_round.turn
            if rng.random() < _EXPLORE_SHARE:
                moves = [move for move in game_round.legal() if move.verb not in ("uno", "catch")]
                game_round.do(seat, moves[int(rng.integers(len(moves)))])
            else:
                game_round.do(seat, bots[seat].choose(game_round.view(seat)))
    selected = evaluated[:decisions]
    xs = np.array([one.x.astype(np.float16) for one in selected])
    action_inputs = np.concatenate([one.action_inputs.astype(np.float16) for one in selected])
    return (
        xs,
        action_inputs,
        np.cumsum([len(one.won) for one in selected]),
        np.concatenate([one.won for one in selected]),
    )
