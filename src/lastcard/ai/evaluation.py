"""Evaluation of moves by the information of their seat: a search names the best, and fresh deals measure it.

If one set of rollouts both chose and measured the best move, it would find mistakes that are none: the best of many
is also the luckiest. Deals of one chain are correlated, different chains are not: their scatter gives the interval.

The caller has the clock: it calls ``continue_evaluation`` until that returns True.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from lastcard.ai import estimates, search, sequential_halving
from lastcard.ai.decision_input import DecisionInput, Scratch, Weights
from lastcard.ai.search import SearchArrays, SearchSettings
from lastcard.ai.sequential_halving import SearchState
from lastcard.kernel.jit import export_specializable, inlined, kernel
from lastcard.kernel.records import Float64s, Float64s3, Int64s, Records, array_of, record_type, shape
from lastcard.rules import layout

CHAINS: Final = 16
"""Number of chains."""
MIN_CHAINS: Final = 6
"""Number of chains that are played even if time is up: fewer do not show their scatter."""
MAX_MEASURED: Final = 3
"""Number of moves that are measured: the best of a seat, or made, best and usual."""
_SEED_XOR: Final = 0x5DEECE66
_CHECK_DEALS: Final = 128
"""Number of deals of a search between two checks for choices that are far behind."""
NO_MOVE_MADE: Final = -2
"""In place of the move made: the best moves are measured."""
ONLY_SEARCH: Final = 2
"""In ``only_mistakes``: nothing is measured, and ``lead`` is the largest of a move that the prior net prefers."""
NOT_BEGUN: Final = -2
"""In place of a number of chains."""


class Evaluation:
    """The choices of a decision, best first, and the measured ones among them."""

    made: int  # the move made, or NO_MOVE_MADE
    usual: int  # choice of the heuristics
    seed: int  # of all random numbers, 0 to 2**32 - 1
    chains: int  # number of chains measured; -1 during the search, NOT_BEGUN before it
    began_ms: int  # time at which the measurement began
    choices: int  # number of choices
    actions: Int64s = shape(layout.MAX_ACTIONS)
    chances: Float64s = shape(layout.MAX_ACTIONS, 2)  # to win the round; measured for the best if no move was made
    rollouts: Int64s = shape(layout.MAX_ACTIONS)  # number of deals
    priors: Float64s = shape(layout.MAX_ACTIONS)
    best: int  # the best move found
    prior_agrees: int  # 1 if the prior net too rates it higher than the move made, or is not used
    chance: Float64s = shape(2)  # to win the round with the move made
    lead: Float64s = shape(2)  # how much more the best move wins than the move made, or than the second best
    changes: Float64s = shape(layout.MAX_SEATS, 2)  # how much more each seat wins by the move made than by the usual


EVALUATION: Final = record_type(Evaluation)
Evaluations = Annotated[Records, array_of(EVALUATION)]


class EvaluationSettings(NamedTuple):
    """Effort of an evaluation."""

    search: SearchSettings
    """Effort of the search for the best move."""
    search_deals: int
    """Number of different deals of the search."""
    search_ms: float
    """Time limit of the search, 0 for none."""
    measure: SearchSettings
    """Settings of the chains, which are played to the end by heuristics."""
    measure_deals: int
    """Number of deals of each chain."""
    measure_ms: float
    """Time limit after which fewer chains are enough, 0 for none."""
    only_mistakes: int
    """1 if only the lead over the move made is needed, and only if the prior net agrees; ONLY_SEARCH if the estimate
    of it by the search is enough; else 0."""


class EvaluationTask(NamedTuple):
    """An evaluation and its effort."""

    settings: EvaluationSettings
    evaluations: Evaluations
    """One EVALUATION."""
    shares: Float64s3
    """float64[CHAINS, MAX_MEASURED, MAX_SEATS], written: the share of deals that each seat won, by chain and move."""


class Progress(NamedTuple):
    """Work of one call."""

    deals: int
    """Number of deals, at most."""
    elapsed_ms: float
    """Time since the beginning of the evaluation."""


def max_deals(settings: EvaluationSettings) -> int:
    """Returns the number of different deals in the arrays of an evaluation."""
    return max(settings.search_deals, CHAINS * settings.measure_deals)


@inlined
def chain_seed(seed: int, chain: int) -> int:
    """Returns the seed of a chain, whose deals differ from those of the search with ``seed``."""
    return (seed ^ _SEED_XOR) + chain & 0xFFFFFFFF


@inlined
def _arrays_of(chain: int, settings: EvaluationSettings, arrays: SearchArrays) -> SearchArrays:
    """Returns the arrays with the deals of a chain; those of the search for -1."""
    first = max(chain, 0) * settings.measure_deals
    deals = settings.search_deals if chain < 0 else settings.measure_deals
    return SearchArrays(arrays.searches, arrays.beliefs, arrays.deals[first : first + deals], arrays.likelihoods)


@kernel
def _rank(e: Evaluation, v: SearchState) -> None:
    """Write the choices as the search rates them."""
    e.choices = v.choices
    for k in range(v.choices):
        a = v.order[k]
        e.actions[k] = v.actions[a]
        e.chances[k, 0] = v.win_rate[a]
        e.chances[k, 1] = estimates.share_margin(v.win_rate[a], v.visits[a])
        e.rollouts[k] = v.visits[a]
        e.priors[k] = v.prior[a]
    e.best = e.actions[0]
    e.prior_agrees = 1
    for part in range(2):
        e.chance[part] = e.chances[0, part]
        e.lead[part] = 0.0
        for seat in range(layout.MAX_SEATS):
            e.changes[seat, part] = 0.0


@kernel
def _screen(e: Evaluation, v: SearchState) -> None:
    """Write the lead of the best among the moves that the prior net rates higher than the move made, or does not rate.

    It is too high on average, since it is the largest of several.
    """
    made = v.reference
    e.lead[0] = -1.0
    for a in range(v.choices):
        is_preferred = v.prior[a] > v.prior[made] or v.prior[made] == 0.0
        if a != made and is_preferred and v.win_rate[a] - v.win_rate[made] > e.lead[0]:
            e.lead[0] = v.win_rate[a] - v.win_rate[made]
            e.lead[1] = estimates.NORMAL_95 * sequential_halving.lead_error(v, a)


@kernel
def _choose_measured(e: Evaluation, v: SearchState) -> None:
    """Make the different moves that are to be measured the choices of the search state."""
    if e.made == NO_MOVE_MADE:
        v.choices = min(e.choices, MAX_MEASURED)
        for a in range(v.choices):
            v.actions[a] = e.actions[a]
        return
    v.choices = 1
    v.actions[0] = e.made
    if e.best != e.made:
        v.choices = 2
        v.actions[1] = e.best
    if e.usual != e.made and e.usual != e.best:
        v.actions[v.choices] = e.usual
        v.choices += 1


@inlined
def _index_of(actions: Int64s, action: int) -> int:
    i = 0
    while actions[i] != action:
        i += 1
    return i


@inlined
def _chain_settings(task: EvaluationTask, choices: int) -> SearchSettings:
    m = task.settings.measure
    return SearchSettings(
        task.settings.measure_deals * choices,
        1,
        0.0,
        m.burn_in,
        m.thinning,
        m.scored_plays,
        m.rationality,
        m.deviation,
        0.0,
        0,
    )


@kernel
def _is_mistake_by_prior(
    inputs: DecisionInput, weights: Weights, settings: SearchSettings, v: SearchState, scratch: Scratch, made: int
) -> bool:
    """Whether the prior net rates a choice higher than the move made, or is not used."""
    if not search.rate_by_prior(inputs, weights, settings, v, scratch):
        return True
    rating = v.prior[_index_of(v.actions, made)]
    for a in range(v.choices):
        if v.prior[a] > rating:
            return True
    return False


@inlined
def _is_search_done(v: SearchState, halving: int, settings: EvaluationSettings, elapsed_ms: float) -> bool:
    """Whether the search is done; a step that takes too long is ended.

    If only the best move counts, choices that are far behind are dropped.
    """
    if v.reference >= 0 and v.deals % _CHECK_DEALS == 0 and not sequential_halving.is_done(v):
        sequential_halving.drop_losers(v)
    if not sequential_halving.is_done(v) and settings.search_ms > 0.0 and v.halving == halving:
        if elapsed_ms > settings.search_ms * halving / v.halvings:
            sequential_halving.end_halving(v)
    return sequential_halving.is_done(v)


@inlined
def _end_chain(task: EvaluationTask, v: SearchState, players: int, elapsed_ms: float) -> bool:
    """Add a chain; returns whether it was the last."""
    e = task.evaluations[0]
    _add_chain(v, task.shares, e.chains, players, task.settings.measure_deals)
    e.chains += 1
    is_late = task.settings.measure_ms > 0.0 and elapsed_ms - e.began_ms > task.settings.measure_ms
    return e.chains >= CHAINS or (is_late and e.chains >= MIN_CHAINS)


@kernel
def _add_chain(v: SearchState, shares: Float64s3, chain: int, players: int, deals: int) -> None:
    """Write the shares of deals won in a chain; partners win together (6.8)."""
    for a in range(v.choices):
        for seat in range(players):
            shares[chain, a, seat] = v.wins[a, seat] / deals
        if v.partner >= 0:
            for seat in range(2):
                together = shares[chain, a, seat] + shares[chain, a, seat + 2]
                shares[chain, a, seat] = together
                shares[chain, a, seat + 2] = together


@kernel
def _compare(task: EvaluationTask, a: int, b: int, seat: int, out: Float64s) -> None:
    """Write the share of rounds that a seat wins more with one measured move than with another, or -1 for nothing."""
    chains = task.evaluations[0].chains
    shares = task.shares
    out[0] = 0.0
    out[1] = 0.0
    if a == b:
        return
    mean = 0.0
    for k in range(chains):
        mean += shares[k, a, seat] - (shares[k, b, seat] if b >= 0 else 0.0)
    mean /= chains
    squares = 0.0
    for k in range(chains):
        change = shares[k, a, seat] - (shares[k, b, seat] if b >= 0 else 0.0) - mean
        squares += change * change
    out[0] = mean
    out[1] = estimates.mean_margin(squares, chains, 1 / task.settings.measure_deals)


@kernel
def _judge(task: EvaluationTask, v: SearchState, seat: int, players: int) -> None:
    """Write the results about the move made, from all chains."""
    e = task.evaluations[0]
    best = _index_of(v.actions, e.best)
    usual = _index_of(v.actions, e.usual)
    _compare(task, 0, -1, seat, e.chance)
    _compare(task, best, 0, seat, e.lead)
    for other in range(players):
        _compare(task, 0, usual, other, e.changes[other])
    is_used = False
    for k in range(e.choices):
        is_used = is_used or e.priors[k] != 0.0
    if is_used and e.priors[0] <= e.priors[_index_of(e.actions, e.made)]:
        e.prior_agrees = 0


@kernel
def _rank_measured(task: EvaluationTask, v: SearchState, seat: int) -> None:
    """Sort the measured moves by their measured chances, and write the lead of the first."""
    e = task.evaluations[0]
    actions, chances, order = e.actions, e.chances, v.order
    for a in range(v.choices):
        order[a] = a
        _compare(task, a, -1, seat, chances[a])
        e.rollouts[a] = e.chains * task.settings.measure_deals
        for k in range(a, 0, -1):
            if chances[k, 0] > chances[k - 1, 0]:
                actions[k], actions[k - 1] = actions[k - 1], actions[k]
                order[k], order[k - 1] = order[k - 1], order[k]
                for part in range(2):
                    chances[k, part], chances[k - 1, part] = chances[k - 1, part], chances[k, part]
    _compare(task, order[0], order[1], seat, e.lead)


@export_specializable
def continue_evaluation(
    inputs: DecisionInput,
    weights: Weights,
    task: EvaluationTask,
    arrays: SearchArrays,
    scratch: Scratch,
    progress: Progress,
) -> bool:
    """Begin the search, or play more deals of the search or a chain; returns whether the evaluation is done.

    At first the search state has the choices and the seed, and the evaluation ``made``, ``usual`` and ``chains``.

    Args:
        arrays: ``max_deals`` deals, written: those of the chains at last.
    """
    e = task.evaluations[0]
    v = arrays.searches[0]
    settings = task.settings
    if e.chains == NOT_BEGUN:
        e.seed = v.seed
        e.chains = -1
        if settings.only_mistakes != 0:
            e.best = e.usual = e.made
            e.lead[0] = e.lead[1] = 0.0
            if not _is_mistake_by_prior(inputs, weights, settings.search, v, scratch, e.made):
                return True
    else:
        halving = v.halving
        deals = progress.deals if e.chains >= 0 else min(progress.deals, _CHECK_DEALS - v.deals % _CHECK_DEALS)
        done = search.advance(inputs, weights, _arrays_of(e.chains, settings, arrays), scratch, deals)
        if e.chains < 0:
            if not _is_search_done(v, halving, settings, progress.elapsed_ms):
                return False
            _rank(e, v)
            if settings.only_mistakes == ONLY_SEARCH:
                _screen(e, v)
                return True
            _choose_measured(e, v)
            e.chains = 0
            e.began_ms = int(progress.elapsed_ms)
            if v.choices == 1:
                return True
        elif not done:
            return False
        elif _end_chain(task, v, inputs.states[0].players, progress.elapsed_ms):
            if e.made == NO_MOVE_MADE:
                _rank_measured(task, v, inputs.seat)
            else:
                _judge(task, v, inputs.seat, inputs.states[0].players)
            return True
        v.seed = chain_seed(e.seed, e.chains)
    effort = settings.search if e.chains < 0 else _chain_settings(task, v.choices)
    search.start(inputs, weights, effort, _arrays_of(e.chains, settings, arrays), scratch)
    if e.chains < 0 and e.made != NO_MOVE_MADE:
        v.reference = _index_of(v.actions, e.made)
    return False
