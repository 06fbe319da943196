"""Mixed play: before every act a die decides which of four players chooses it, but for seats whose player is known.

They are rules of thumb, the learned player before practice and after it, and habits; where none are known, the learned
player after practice goes for them too. Nobody keeps anything in mind, so what comes of a table depends on the table
alone. Players of all kinds go on more like this than like one of the four, above all where both sides wait: what one of
them never does, another may do.
"""

from typing import Final, NamedTuple

from lastcard.ai import determinize, habits, heuristic_policy, policy_net, rollout, sequential_halving
from lastcard.ai.decision_input import DecisionInput, Scratch
from lastcard.ai.policy_net import Rater
from lastcard.ai.search import SearchArrays
from lastcard.kernel.jit import export, export_nogil, kernel
from lastcard.kernel.records import Float64s, Int8s, Int8s2, Int64s, Int64s2
from lastcard.rules import chance, layout, legal, opening, phases, turn
from lastcard.rules.round_state import RoundState, RoundStates

ANY_POLICY: Final = -1
"""In place of one of ``POLICY_COUNT``: the die decides."""
POLICY_COUNT: Final = 4
"""How many take turns, by this number: rules of thumb, the yardstick, the player after practice, habits."""
HEURISTIC: Final = 0
_REFERENCE: Final = 1
_HABITS: Final = 3
_DIE_SEED_XOR: Final = 0x2545F491
"""What makes of the seed of a rollout that of its die."""
_LATE_PLIES: Final = 40
"""Acts of a rollout after which nobody draws for choice by habit."""


class OpponentMix(NamedTuple):
    """Those who play, for one game and one thread."""

    w: Float64s
    """The weights of the rules of thumb."""
    reference: Rater
    """The learned player before practice; its worth is float64[MAX_ACTIONS]."""
    trained: Rater
    """The same after practice."""
    habits: Int8s
    """int8[HABITS], or nothing where none are known (``habits``)."""
    m: Int64s2
    """A memory of nothing (``memory``)."""
    policy_by_seat: Int64s
    """int64[MAX_SEATS]: who of ``POLICY_COUNT`` chooses for each seat, or ANY."""
    die: Int64s
    """Scratch: a Dice."""


@kernel
def choose_with(t: RoundState, p: OpponentMix, policy_index: int, out: Int64s, may_hold: bool) -> int:
    """The act of the seat the table waits for, calls aside.

    Args:
        policy_index: of ``POLICY_COUNT``.
        may_hold: whether it may draw for choice by habit.
    """
    if policy_index == HEURISTIC:
        return heuristic_policy.choose_by_heuristic(t, p.w, out)
    if policy_index == _REFERENCE:
        return policy_net.choose_by_policy_net(t, p.m, p.reference, p.w, out)
    if policy_index == _HABITS and p.habits.size > 0 and habits.applies_to(t):
        return habits.choose_by_habit(t, p.habits, p.w, out, may_hold)
    return policy_net.choose_by_policy_net(t, p.m, p.trained, p.w, out)


@kernel
def play_out_mixed(t: RoundState, p: OpponentMix, out: Int64s) -> None:
    """Play a round to its end by mixed play; its die has been shaken."""
    plies = 0
    while t.phase != phases.OVER and plies < heuristic_policy.MAX_PLIES:
        policy_index = p.policy_by_seat[t.turn & 15]
        if policy_index == ANY_POLICY:
            policy_index = chance.roll_below(p.die, POLICY_COUNT)
        action = choose_with(t, p, policy_index, out, plies < _LATE_PLIES)
        turn.apply(t, t.turn & 15, action)
        plies += 1


@export
def choose_action_with(states: RoundStates, i: int, p: OpponentMix, policy_index: int, out: Int64s) -> int:
    """What the seat on turn at table ``i`` does by one of the ``POLICY_COUNT``, if it keeps nothing in mind."""
    t = states[i]
    return legal.canonical(t, t.turn & 15, choose_with(t, p, policy_index, out, True))


@export_nogil
def run_rollouts_mixed(
    states: RoundStates, jobs: Int64s2, winners: Int8s2, p: OpponentMix, scratch: rollout.RolloutScratch, seed: int
) -> None:
    """Play jobs as ``chances.play_on`` does, by mixed play.

    Args:
        states: the moments, with every card.
        jobs: int64[n, 3]: a moment, a seat and what it does there, or NOTHING or ``chances.DEAL_AGAIN``.
        winners: int8[n, rollouts], written: who won, -1 for nobody.
        p: by whom all play on.
        scratch: of the thread.
        seed: of the chance that all jobs have in common.
    """
    dice = scratch.out[-layout.DICE :]
    actions = scratch.out[: -layout.DICE]
    t = scratch.states[0]
    for job in range(jobs.shape[0]):
        for number in range(winners.shape[1]):
            scratch.states[0] = states[jobs[job, 0]]
            chance.seed_dice(p.die, seed ^ _DIE_SEED_XOR, number)
            chance.seed_dice(dice, seed, number)
            chance.reseed_chance(t, dice)
            action = jobs[job, 2]
            if action == rollout.DEAL_AGAIN:
                opening.deal(t, t.dealer, t.number, 0)
            elif action != layout.NOTHING:
                turn.apply(t, jobs[job, 1], action)
            play_out_mixed(t, p, actions)
            winners[job, number] = t.winner if t.phase == phases.OVER else -1


@export_nogil
def play_deals_mixed(inputs: DecisionInput, memory: SearchArrays, scratch: Scratch, p: OpponentMix, deals: int) -> None:
    """Play every choice on so many imagined deals to the end, as ``search.go_on`` does, by mixed play."""
    v = memory.searches[0]
    dice = scratch.out[-layout.DICE :]
    actions = scratch.out[: -layout.DICE]
    for a in range(v.choices):
        for s in range(layout.MAX_SEATS):
            scratch.wins[a, s] = 0.0
    for r in range(deals):
        chance.seed_dice(dice, v.seed, r)
        scratch.states[0] = inputs.states[0]
        determinize.apply_deal(memory.beliefs[0], scratch.states[0], memory.deals[r], dice)
        for a in range(v.choices):
            scratch.states[1] = scratch.states[0]
            t = scratch.states[1]
            chance.seed_dice(p.die, v.seed ^ _DIE_SEED_XOR, r)
            if v.actions[a] != layout.NOTHING:
                turn.apply(t, v.seat, legal.canonical(t, v.seat, v.actions[a]))
            play_out_mixed(t, p, actions)
            if t.phase == phases.OVER and t.winner >= 0:
                scratch.wins[a, t.winner] += 1.0
    sequential_halving.add_wins(v, scratch.wins, deals)
