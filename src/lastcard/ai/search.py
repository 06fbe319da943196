"""Search: what choices are worth, by playing imagined deals to their end.

``begin_search`` reads the history, samples deals by how likely they make what others did, and asks the prior net.
``continue_search`` plays every move on the same deals with the same chance, for as many deals as the caller says, which
checks the clock in between. Threads call ``play_deal_range``, each with scratch buffers of its own, and one of them
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
from lastcard.ai.sequential_halving import SearchStates
from lastcard.kernel.arrays import zeros
from lastcard.kernel.jit import export, export_nogil, export_specializable, kernel
from lastcard.kernel.records import Float64s, Float64s2, Int8s2, Int64s
from lastcard.rules import chance, layout, legal, phases, turn
from lastcard.rules.round_state import RoundStates

_VALUE_STEPS: Final = 65536.0
"""Judgments are so many parts of a round: their sum is exact, the same in whatever order threads add them up."""
_FEWEST_PLIES: Final = 4
"""A turn of every seat counts for so many acts at least: two seats see as far as four."""


class SearchSettings(NamedTuple):
    """How hard a search thinks; ``bots.search.Effort`` says what each number does."""

    rollouts: int
    halvings: int
    """How often the worse half of the choices is given up; 0 for until one is left."""
    horizon: float
    burn_in: int
    thinning: int
    scored_plays: int
    rationality: float
    deviation: float
    prior_weight: float
    habits: int


class SearchArrays(NamedTuple):
    """A decision, and what its seat imagines."""

    searches: SearchStates
    """One WEIGHING, with its choices and its seed."""
    beliefs: Beliefs
    """One BELIEF."""
    deals: Int8s2
    """int8[k, DEAL], how many different deals there are."""
    likelihoods: Float64s
    """float64[MAX_SEATS], scratch."""


def new_search_arrays(searches: SearchStates, deals: int) -> SearchArrays:
    """Room for what a seat imagines: so many different deals."""
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
    """Imagine deals that fit what a seat has seen.

    Args:
        states: two tables or more; 0 is the table as the seat sees it, 1 is changed.
        beliefs: one BELIEF, written.
        seat: who thinks.
        deck: int64[CARD_SLOTS], the cards of the game.
        opponents: what the seat has seen of the others.
        chain: of deals, written.
    """
    sample_belief_deals(states, beliefs, seat, deck, opponents, chain)


@kernel
def has_network_rating(inputs: DecisionInput) -> bool:
    """Whether networks were taught the decision of a seat: of its own turn, a frequent one, and without partners."""
    t = inputs.states[0]
    return inputs.seat == t.turn and t.team_play == 0 and policy_net.is_trained_for(t)


@export_nogil
def begin_search(
    inputs: DecisionInput, weights: Weights, settings: SearchSettings, arrays: SearchArrays, scratch: Scratch
) -> None:
    """Open a weighing: imagine deals, and ask the adviser where it has a say."""
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
    if settings.prior_weight != 0.0 and has_network_rating(inputs):
        out = scratch.out[: v.choices]
        for a in range(v.choices):
            out[a] = v.actions[a]
        opponent_memory.reset(scratch.m)
        rater = Rater(weights.prior_net, inputs.deck, scratch.x, scratch.values)
        opponent_memory.fill_memory(inputs.states, scratch.m, inputs.words)
        prior_net.rate_all(t, scratch.m, inputs.seat, rater, out)
        for a in range(v.choices):
            v.prior[a] = settings.prior_weight * scratch.values[a]


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
            if t.phase == phases.OVER:
                if t.winner >= 0:
                    scratch.wins[a, t.winner] += 1.0
            elif v.plies > 0:
                value = value_net.win_chance(t, v.seat, weights.value_net, scratch.x)
                scratch.wins[a, v.seat] += arithmetic.nearest(value * _VALUE_STEPS) / _VALUE_STEPS


@export_specializable
def play_deal_range(
    inputs: DecisionInput, weights: Weights, arrays: SearchArrays, scratch: Scratch, first: int, last: int
) -> None:
    """Play every active choice on a part of the deals (taken round and round), and count who wins in ``room.wins``."""
    play_deals(inputs, weights, arrays, scratch, first, last)


@export
def add_results(searches: SearchStates, wins: Float64s2, last: int) -> bool:
    """Add what all calls of ``play_deal_range`` counted up to deal ``last``; returns whether the search is done."""
    sequential_halving.add_wins(searches[0], wins, last)
    return sequential_halving.is_done(searches[0])


@export_specializable
def continue_search(
    inputs: DecisionInput, weights: Weights, arrays: SearchArrays, scratch: Scratch, deals: int
) -> bool:
    """Play at most so many more deals, and no further than the heat goes; returns whether the weighing is done."""
    v = arrays.searches[0]
    last = min(v.halving_end, v.deals + deals)
    play_deals(inputs, weights, arrays, scratch, v.deals, last)
    sequential_halving.add_wins(v, scratch.wins, last)
    return sequential_halving.is_done(v)


@export
def end_halving_early(searches: SearchStates) -> bool:
    """End a heat, in which deals were played, before its share of them was; returns whether the weighing is done."""
    sequential_halving.end_halving(searches[0])
    return sequential_halving.is_done(searches[0])
