"""Search: rates choices by rollouts of sampled deals.

``begin_search`` reads the history, samples deals by how likely they make what others did, and asks the prior net.
``continue_search`` plays every choice on the same deals with the same chance, for a number of deals; its caller checks
the clock between calls. Threads call ``play_deal_range``, each with its own scratch arrays, and one of them
``add_results``.
"""

from typing import Final, NamedTuple

import numpy as np

from lastcard.ai import (
    arithmetic,
    belief,
    belief_update,
    determinize,
    habits,
    heuristic_policy,
    opponent_memory,
    policy_net,
    prior_net,
    sequential_halving,
    value_net,
)
from lastcard.ai.belief import BELIEF, Beliefs
from lastcard.ai.decision_input import DecisionInput, Scratch, Weights
from lastcard.ai.determinize import DEAL_BYTES, Chain, OpponentModel
from lastcard.ai.policy_net import Rater
from lastcard.ai.sequential_halving import SearchState, SearchStates
from lastcard.kernel.arrays import zeros
from lastcard.kernel.jit import export, export_nogil, export_specializable, kernel
from lastcard.kernel.records import Float64s, Float64s2, Int8s2, Int64s
from lastcard.rules import chance, layout, legal, phases, turn
from lastcard.rules.round_state import RoundStates

_VALUE_STEPS: Final = 65536.0
"""Values of the network are rounded to fractions of this, so that their sum is exact in any order of the threads."""
_FEWEST_PLIES: Final = 4
"""Minimum number of plies for a turn of every seat, so that two seats look as far ahead as four."""


class SearchSettings(NamedTuple):
    """Effort of a search; ``bots.search.SearchConfig`` describes the numbers."""

    rollouts: int
    halvings: int
    """Number of times that the worse half of the choices is dropped; 0 to continue until one is left."""
    horizon: float
    burn_in: int
    thinning: int
    scored_plays: int
    rationality: float
    deviation: float
    prior_weight: float
    habits: int


class SearchArrays(NamedTuple):
    """A decision, and the sampled deals of its seat."""

    searches: SearchStates
    """One SEARCH_STATE, with its choices and its seed."""
    beliefs: Beliefs
    """One BELIEF."""
    deals: Int8s2
    """int8[k, DEAL_BYTES], k different deals."""
    likelihoods: Float64s
    """float64[MAX_SEATS], scratch."""


def new_search_arrays(searches: SearchStates, deals: int) -> SearchArrays:
    """Returns arrays for a number of different deals."""
    return SearchArrays(
        searches, zeros(1, BELIEF), zeros((deals, DEAL_BYTES), np.int8), zeros(layout.MAX_SEATS, np.float64)
    )


@kernel
def sample_belief_deals(
    states: RoundStates, beliefs: Beliefs, seat: int, deck: Int64s, opponents: OpponentModel, chain: Chain
) -> None:
    """``determinize_deals``, from compiled code."""
    b = beliefs[0]
    belief.reset(b)
    states[1] = states[0]
    belief_update.fill_belief(b, states[0], states[1], opponents.words, seat, deck)
    determinize.sample_deals(b, states[0], states[1], opponents, chain)


@export_nogil
def determinize_deals(
    states: RoundStates, beliefs: Beliefs, seat: int, deck: Int64s, opponents: OpponentModel, chain: Chain
) -> None:
    """Sample deals that agree with what a seat has seen.

    Args:
        states: at least two states; 0 is the information state of the seat, 1 is changed.
        beliefs: one BELIEF, written.
        seat: seat that decides.
        deck: int64[CARD_SLOTS], the cards of the game.
        opponents: history and model of the others.
        chain: chain of deals, written.
    """
    sample_belief_deals(states, beliefs, seat, deck, opponents, chain)


@kernel
def has_network_rating(inputs: DecisionInput) -> bool:
    """Whether networks were trained for the decision of a seat: a frequent one, on its own turn, without partners."""
    t = inputs.states[0]
    return inputs.seat == t.turn and t.team_play == 0 and policy_net.is_trained_for(t)


@kernel
def rate_by_prior(
    inputs: DecisionInput, weights: Weights, settings: SearchSettings, v: SearchState, scratch: Scratch
) -> bool:
    """Write the prior net's rating of every choice; returns False, and writes nothing, if it is not used."""
    if settings.prior_weight == 0.0 or not has_network_rating(inputs):
        return False
    out = scratch.out[: v.choices]
    for a in range(v.choices):
        out[a] = v.actions[a]
    opponent_memory.reset(scratch.m)
    rater = Rater(weights.prior_net, inputs.deck, scratch.x, scratch.values)
    opponent_memory.fill_memory(inputs.states, scratch.m, inputs.words)
    prior_net.rate_all(inputs.states[0], scratch.m, inputs.seat, rater, out)
    for a in range(v.choices):
        v.prior[a] = settings.prior_weight * scratch.values[a]
    return True


@kernel
def start(
    inputs: DecisionInput, weights: Weights, settings: SearchSettings, arrays: SearchArrays, scratch: Scratch
) -> None:
    """``begin_search``, from compiled code."""
    t = inputs.states[0]
    v = arrays.searches[0]
    sequential_halving.open_search(v, t, inputs.seat, settings.rollouts, settings.halvings)
    v.by_habit = 1 if settings.habits != 0 and weights.habits.size > 0 and habits.applies_to(t) else 0
    v.plies = 0 if t.team_play != 0 else int(settings.horizon * max(t.players, _FEWEST_PLIES))
    dice = scratch.out[-layout.DICE :]
    dice[0] = v.seed
    for i in range(1, layout.DICE):
        dice[i] = i
    opponents = OpponentModel(inputs.words, weights.w, settings.scored_plays, settings.rationality, settings.deviation)
    chain = Chain(arrays.deals, arrays.likelihoods, dice, settings.burn_in, settings.thinning)
    sample_belief_deals(inputs.states, arrays.beliefs, inputs.seat, inputs.deck, opponents, chain)
    rate_by_prior(inputs, weights, settings, v, scratch)


@export_nogil
def begin_search(
    inputs: DecisionInput, weights: Weights, settings: SearchSettings, arrays: SearchArrays, scratch: Scratch
) -> None:
    """Begin a search: sample deals, and run the prior net if it was trained for the decision."""
    start(inputs, weights, settings, arrays, scratch)


@kernel
def play_deals(
    inputs: DecisionInput, weights: Weights, arrays: SearchArrays, scratch: Scratch, first: int, last: int
) -> None:
    """``play_deal_range``, from compiled code."""
    v = arrays.searches[0]
    dice = scratch.out[-layout.DICE :]
    actions = scratch.out[: -layout.DICE]
    limit = v.plies if v.plies > 0 else heuristic_policy.MAX_PLIES
    for a in range(v.choices):
        for s in range(layout.MAX_SEATS):
            scratch.wins[a, s] = 0.0
    for r in range(first, last):
        chance.seed_dice(dice, v.seed, r)
        scratch.states[0] = inputs.states[0]
        determinize.apply_deal(arrays.beliefs[0], scratch.states[0], arrays.deals[r % arrays.deals.shape[0]], dice)
        for a in range(v.choices):
            if v.active[a] == 0:
                continue
            scratch.states[1] = scratch.states[0]
            t = scratch.states[1]
            if v.actions[a] != layout.NOTHING:
                turn.apply(t, v.seat, legal.canonical(t, v.seat, v.actions[a]))
            if v.by_habit != 0:
                habits.play_out_by_habit(t, weights.habits, weights.w, actions, limit)
            else:
                heuristic_policy.play_out_by_heuristic(t, weights.w, actions, limit)
            value = 0.0
            if t.phase == phases.OVER:
                if t.winner >= 0:
                    scratch.wins[a, t.winner] += 1.0
                    value = 1.0 if t.winner == v.seat or t.winner == v.partner else 0.0
            elif v.plies > 0:
                value = value_net.win_chance(t, v.seat, weights.value_net, scratch.x)
                value = arithmetic.nearest(value * _VALUE_STEPS) / _VALUE_STEPS
                scratch.wins[a, v.seat] += value
            scratch.values[a] = value
        if v.reference >= 0:
            sequential_halving.add_squares(v, scratch.values)


@export_specializable
def play_deal_range(
    inputs: DecisionInput, weights: Weights, arrays: SearchArrays, scratch: Scratch, first: int, last: int
) -> None:
    """Play every active choice on a part of the deals (used cyclically), and count the wins in ``scratch.wins``."""
    play_deals(inputs, weights, arrays, scratch, first, last)


@export
def add_results(searches: SearchStates, wins: Float64s2, last: int) -> bool:
    """Add what all calls of ``play_deal_range`` counted up to deal ``last``; returns whether the search is done."""
    sequential_halving.add_wins(searches[0], wins, last)
    return sequential_halving.is_done(searches[0])


@kernel
def advance(inputs: DecisionInput, weights: Weights, arrays: SearchArrays, scratch: Scratch, deals: int) -> bool:
    """``continue_search``, from compiled code."""
    v = arrays.searches[0]
    last = min(v.halving_end, v.deals + deals)
    play_deals(inputs, weights, arrays, scratch, v.deals, last)
    sequential_halving.add_wins(v, scratch.wins, last)
    return sequential_halving.is_done(v)


@export_specializable
def continue_search(
    inputs: DecisionInput, weights: Weights, arrays: SearchArrays, scratch: Scratch, deals: int
) -> bool:
    """Play at most ``deals`` more deals, up to the end of the halving; returns whether the search is done."""
    return advance(inputs, weights, arrays, scratch, deals)


@export
def end_halving_early(searches: SearchStates) -> bool:
    """End a halving after some, but not all of its deals; returns whether the search is done."""
    sequential_halving.end_halving(searches[0])
    return sequential_halving.is_done(searches[0])
