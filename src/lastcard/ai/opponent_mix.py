"""Mixed play: before every move a random policy of four is chosen, except for seats whose policy is given.

The policies are heuristics, the policy net before reinforcement learning and after it, and habits; if there are no
habits, the trained net replaces them. No policy has a memory, so the result depends only on the state. Most players
resemble this mix more than any single policy, above all if both sides wait, since no move is impossible in it.
"""

from typing import Final, NamedTuple

from lastcard.ai import determinize, habits, heuristic_policy, policy_net, rollout, sequential_halving
from lastcard.ai.decision_input import DecisionInput, Scratch
from lastcard.ai.policy_net import Rater
from lastcard.ai.search import SearchArrays
from lastcard.kernel.jit import export, export_nogil, inlined, kernel
from lastcard.kernel.records import Float64s, Int8s, Int8s2, Int64s, Int64s2
from lastcard.rules import chance, layout, legal, opening, phases, turn
from lastcard.rules.round_state import RoundState, RoundStates

ANY_POLICY: Final = -1
"""In place of a policy index: choose one at random."""
POLICY_COUNT: Final = 4
"""Number of policies, in this order: heuristics, the reference net, the trained net, habits."""
HEURISTIC: Final = 0
_REFERENCE: Final = 1
_HABITS: Final = 3
_DIE_SEED_XOR: Final = 0x2545F491
"""XORed with the seed of a rollout to get the seed of its die."""
_POLICY_BITS: Final = 2
_POLICIES_ROLLED: Final = 16
"""Number of policies in a roll of a Dice."""
_LATE_PLIES: Final = 40
"""Number of plies of a rollout after which habits do not draw voluntarily."""


class OpponentMix(NamedTuple):
    """The policies for one game and one thread."""

    w: Float64s
    """Weights of the heuristics."""
    reference: Rater
    """The policy net before reinforcement learning; its values are float64[MAX_ACTIONS]."""
    trained: Rater
    """The policy net after reinforcement learning."""
    habits: Int8s
    """int8[HABIT_COUNT], or empty if there are none (``habits``)."""
    m: Int64s2
    """An empty memory (``opponent_memory``)."""
    policy_by_seat: Int64s
    """int64[MAX_SEATS]: index of the policy of each seat, or ANY_POLICY."""
    die: Int64s
    """Scratch: a Dice."""
    upcoming: Int64s
    """Scratch: int64[MAX_SEATS], the next random policies of each seat."""


@kernel
def choose_with(t: RoundState, p: OpponentMix, policy_index: int, out: Int64s, may_hold: bool) -> int:
    """Returns the action of the seat on turn, calls aside.

    Args:
        policy_index: index of the policy.
        may_hold: whether habits may draw voluntarily.
    """
    if policy_index == HEURISTIC:
        return heuristic_policy.choose_by_heuristic(t, p.w, out)
    if policy_index == _REFERENCE:
        return policy_net.choose_by_policy_net(t, p.m, p.reference, p.w, out)
    if policy_index == _HABITS and p.habits.size > 0 and habits.applies_to(t):
        return habits.choose_by_habit(t, p.habits, p.w, out, may_hold)
    return policy_net.choose_by_policy_net(t, p.m, p.trained, p.w, out)


@inlined
def _roll_policies(p: OpponentMix) -> int:
    """Returns sixteen random policies of two bits each, below a one that marks their end."""
    return chance.roll(p.die) | 1 << _POLICY_BITS * _POLICIES_ROLLED


@inlined
def _next_policy(p: OpponentMix, seat: int) -> int:
    """Returns a random policy for the next move of a seat.

    Each seat has its own sequence, so that two rollouts of a deal that differ in one move have more moves in common.
    """
    if p.upcoming[seat] == 1:
        p.upcoming[seat] = _roll_policies(p)
    policy_index = p.upcoming[seat] & POLICY_COUNT - 1
    p.upcoming[seat] >>= _POLICY_BITS
    return int(policy_index)


@kernel
def play_out_mixed(t: RoundState, p: OpponentMix, out: Int64s) -> None:
    """Play a round to its end by mixed play; ``p.die`` has been seeded."""
    for seat in range(t.players):
        p.upcoming[seat] = _roll_policies(p)
    plies = 0
    while t.phase != phases.OVER and plies < heuristic_policy.MAX_PLIES:
        policy_index = p.policy_by_seat[t.turn & 15]
        if policy_index == ANY_POLICY:
            policy_index = _next_policy(p, t.turn & 15)
        action = choose_with(t, p, policy_index, out, plies < _LATE_PLIES)
        turn.apply(t, t.turn & 15, action)
        plies += 1


@export
def choose_action_with(states: RoundStates, i: int, p: OpponentMix, policy_index: int, out: Int64s) -> int:
    """Returns the action of the seat on turn in state ``i`` by one policy without memory."""
    t = states[i]
    return legal.canonical(t, t.turn & 15, choose_with(t, p, policy_index, out, True))


@export_nogil
def run_rollouts_mixed(
    states: RoundStates, jobs: Int64s2, winners: Int8s2, p: OpponentMix, scratch: rollout.RolloutScratch, seed: int
) -> None:
    """Play jobs as ``rollout.run_rollouts`` does, by mixed play.

    Args:
        states: states with every card.
        jobs: int64[n, 3]: index of a state, seat, and its action, or NOTHING or ``rollout.DEAL_AGAIN``.
        winners: int8[n, rollouts], written: the winner, -1 for none.
        p: policies of all players.
        scratch: scratch of the thread.
        seed: seed of the random numbers that all jobs share.
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
    """Play every choice of the search state on the first sampled deals to the end by mixed play, and count the wins."""
    v = memory.searches[0]
    sequential_halving.open_search(v, inputs.states[0], inputs.seat, deals * v.choices, 1)
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
