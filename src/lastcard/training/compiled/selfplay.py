"""Self-play: rounds in which a network samples moves from its ratings, and their outcomes."""

from typing import Final, NamedTuple

from lastcard.ai import (
    arithmetic,
    behavior,
    decision,
    heuristic_policy,
    opponent_memory,
    policy_features,
    policy_net,
    value_net,
)
from lastcard.ai.policy_net import Rater
from lastcard.game import action_codes, cards
from lastcard.kernel.jit import export, export_nogil, inlined, kernel
from lastcard.kernel.records import Float32s, Float32s2, Float64s, Int64s, Int64s2
from lastcard.rules import chance, flow, legal, opening, phases, turn
from lastcard.rules.cards import card_color
from lastcard.rules.round_state import RoundState, RoundStates
from lastcard.training.compiled.rollout_targets import max_plies

# The learner's opponents in a round: one of ten kinds, drawn for each.
SELF: Final = 0
SNAPSHOT: Final = 1
HEURISTIC: Final = 2
OPPONENTS: Final = 3
_OPPONENT_DRAWS: Final = 10
"""Each other kind of opponent plays one of this many rounds; the learner plays itself in the rest."""

_PILE_FROM: Final = 2 * cards.CARD_SLOTS
_STATE_FROM: Final = _PILE_FROM + cards.WILD + 1
HIDDEN_INPUTS: Final = _STATE_FROM + value_net.FEATURES
"""Further inputs of a critic: the cards of the deciding and the next seat, colors of the draw pile, all hands."""


class SelfPlay(NamedTuple):
    """Data for self-play."""

    states: RoundStates
    """One dealt round state."""
    opponent_memory: Int64s2
    """int64[MAX_SEATS, MEMORY_COLUMNS], scratch."""
    draw_history: Int64s2
    """int64[MAX_SEATS, 2], scratch: each seat's number of turns, and 1 if it drew on the last."""
    learner: Rater
    """The learner; its ratings of moves are logarithms of probabilities."""
    snapshot: Rater
    """An earlier snapshot of the learner."""
    w: Float64s
    """The weights of the rules of thumb."""
    choices: Int64s
    """Scratch: MAX_ACTIONS int64."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64."""
    may_repeat_draws: int
    """1 to allow voluntary draws on turns in succession, if they help (``decision.may_draw_repeatedly``)."""


class Trajectories(NamedTuple):
    """Decisions of the learner in order of time, and their outcomes; all written."""

    xs: Float32s2
    """float32[n, STATE]."""
    hidden: Float32s2
    """float32[n, HIDDEN_INPUTS]."""
    action_inputs: Float32s2
    """float32[rows, ACTION]: the moves of all decisions, one after another."""
    ends: Int64s
    """int64[n], the row behind the last move of each decision."""
    chosen: Int64s
    """int64[n], the index of the sampled move among those of its decision."""
    probabilities: Float32s
    """float32[n], its probability."""
    round_numbers: Int64s
    """int64[n], the number of its round."""
    seats: Int64s
    """int64[n], the seat that decided."""
    won: Float32s
    """float32[n], 1 if that seat won the round."""
    tally: Int64s2
    """int64[OPPONENTS, 2], added to: rounds that the learner played alone against others, and its wins."""


@kernel
def _draw(rater: Rater, n: int, dice: Int64s) -> int:
    """Sample one of n moves from the network's ratings; ``values`` has the probabilities of all afterwards."""
    worth = rater.values
    most = worth[0]
    for i in range(1, n):
        most = max(most, worth[i])
    total = 0.0
    for i in range(n):
        worth[i] = arithmetic.exp(worth[i] - most)
        total += worth[i]
    for i in range(n):
        worth[i] /= total
    left = chance.roll_below(dice, 1 << 30) / (1 << 30)
    for i in range(n - 1):
        left -= worth[i]
        if left < 0.0:
            return i
    return n - 1


@kernel
def _read_hidden(t: RoundState, seat: int, x: Float32s) -> None:
    """Write the critic's further inputs."""
    next_seat = flow.neighbor(t, seat)
    for card in range(cards.CARD_SLOTS):
        x[card] = t.counts[seat, card]
        x[cards.CARD_SLOTS + card] = t.counts[next_seat, card]
    for i in range(_PILE_FROM, _STATE_FROM):
        x[i] = 0.0
    for i in range(t.pile_n):
        x[_PILE_FROM + card_color(int(t.pile[i]))] += 0.1
    value_net.read_features(t, seat, x[_STATE_FROM:])


@kernel
def list_taught_choices(p: SelfPlay, seat: int) -> int:
    """List the choices of a decision on which networks are trained; returns 0 for other decisions."""
    t = p.states[0]
    if not policy_net.is_trained_for(t):
        return 0
    again = p.may_repeat_draws != 0 and decision.may_draw_repeatedly(t)
    waited = decision.must_lay(int(p.draw_history[seat, 0]), p.draw_history[seat, 1] != 0, again)
    # Moves that lose the round at once must be laid here too, as in the training of the networks that ship.
    return behavior.filter_voluntary_draws(
        t, waited, behavior.ENDLESS_TURNS + 1, p.choices, legal.list_choices(t, seat, p.choices)
    )


@inlined
def _count_rows(trajectories: Trajectories, n: int) -> int:
    """Number of moves of the first n decisions."""
    return int(trajectories.ends[n - 1]) if n > 0 else 0


@kernel
def _record_decision(p: SelfPlay, seat: int, k: int, dice: Int64s, trajectories: Trajectories, n: int) -> int:
    """Let the learner decide, and record its inputs; returns the index of its choice."""
    t = p.states[0]
    row = _count_rows(trajectories, n)
    policy_net.rate_all(t, p.opponent_memory, seat, p.learner, p.choices[:k])
    drawn = _draw(p.learner, k, dice)
    x = p.learner.x  # as ``rate_all`` has left it: the state, and at the end the unseen cards
    unseen = x[policy_net.SCRATCH - policy_features.UNSEEN : policy_net.SCRATCH]
    for i in range(policy_features.STATE):
        trajectories.xs[n, i] = x[i]
    for a in range(k):
        policy_features.read_action(
            t, p.opponent_memory, seat, int(p.choices[a]), unseen, trajectories.action_inputs[row + a]
        )
    _read_hidden(t, seat, trajectories.hidden[n])
    trajectories.ends[n] = row + k
    trajectories.chosen[n] = drawn
    trajectories.probabilities[n] = p.learner.values[drawn]
    trajectories.seats[n] = seat
    return drawn


@kernel
def _choose_opponent(p: SelfPlay, opponent: int, seat: int, k: int, dice: Int64s) -> int:
    """The move of another opponent."""
    t = p.states[0]
    if opponent == HEURISTIC:
        return heuristic_policy.choose_by_heuristic(t, p.w, p.out)
    policy_net.rate_all(t, p.opponent_memory, seat, p.snapshot, p.choices[:k])
    return int(p.choices[_draw(p.snapshot, k, dice)])


@kernel
def start_round(p: SelfPlay, number: int) -> None:
    """Deal a round."""
    opening.deal(p.states[0], number % p.states[0].players, number, 0)
    opponent_memory.reset(p.opponent_memory)
    for seat in range(p.draw_history.shape[0]):
        p.draw_history[seat, 0] = 0
        p.draw_history[seat, 1] = 0


@kernel
def apply_action(t: RoundState, seat_memory: Int64s2, draw_history: Int64s2, seat: int, action: int) -> None:
    """Make a move, and update the memory."""
    if t.phase == phases.PLAY:
        draw_history[seat, 0] += 1
        draw_history[seat, 1] = 1 if action & 255 == action_codes.DRAW else 0
    opponent_memory.record_action(t, seat_memory, seat, action)
    turn.apply(t, seat, action)


@export_nogil
def play_rounds(p: SelfPlay, dice: Int64s, trajectories: Trajectories) -> int:
    """Play rounds until there is no room for the decisions of another.

    Returns the number of decisions written, all from whole rounds.

    Nobody draws voluntarily late in a round, nor on two turns in succession unless ``may_repeat_draws`` allows it.
    """
    t = p.states[0]
    n = number = 0
    while True:
        start_round(p, number)
        opponent = chance.roll_below(dice, _OPPONENT_DRAWS)
        opponent = opponent if opponent < OPPONENTS else SELF
        learner_seat = chance.roll_below(dice, t.players)
        round_start = n
        plies = 0
        while t.phase != phases.OVER and plies < max_plies(t):
            plies += 1
            opponent_memory.update_hand_sizes(t, p.opponent_memory)
            seat = t.turn & 15
            k = list_taught_choices(p, seat)
            if k == 0:
                action = heuristic_policy.choose_rare(t, p.w, seat, p.out)
            elif k == 1:
                action = int(p.choices[0])
            elif opponent == SELF or seat == learner_seat:
                if (
                    n == trajectories.ends.size
                    or _count_rows(trajectories, n) + k > trajectories.action_inputs.shape[0]
                ):
                    return round_start
                action = int(p.choices[_record_decision(p, seat, k, dice, trajectories, n)])
                trajectories.round_numbers[n] = number
                n += 1
            else:
                action = _choose_opponent(p, opponent, seat, k, dice)
            apply_action(t, p.opponent_memory, p.draw_history, seat, action)
        for i in range(round_start, n):
            trajectories.won[i] = 1.0 if t.phase == phases.OVER and t.winner == trajectories.seats[i] else 0.0
        trajectories.tally[opponent, 0] += 1
        trajectories.tally[opponent, 1] += 1 if t.phase == phases.OVER and t.winner == learner_seat else 0
        number += 1


@export
def compute_advantages(
    players: int,
    trajectories: Trajectories,
    values: Float32s,
    gae_lambda: float,
    next_decisions: Int64s,
    advantages: Float32s,
) -> None:
    """By how much each decision won more often than was expected: generalized advantages, undiscounted.

    With two seats one wins what the other loses, so each decision counts for both; with more seats, only decisions of
    the same seat count.

    Source: J. Schulman et al., "High-Dimensional Continuous Control Using Generalized Advantage Estimation" (2016).

    Args:
        trajectories: decisions of whole rounds.
        values: float32[n], the critic's estimate of each seat's chance to win.
        gae_lambda: part of a later decision's gain that counts for the one before it, 0 to 1.
        next_decisions: int64[MAX_SEATS], scratch.
        advantages: float32[n], written.
    """
    for i in range(advantages.size - 1, -1, -1):
        if i == advantages.size - 1 or trajectories.round_numbers[i] != trajectories.round_numbers[i + 1]:
            for seat in range(next_decisions.size):
                next_decisions[seat] = -1
        seat = int(trajectories.seats[i])
        track = 0 if players == 2 else seat
        next_one = int(next_decisions[track])
        if next_one < 0:
            advantages[i] = trajectories.won[i] - values[i]
        elif trajectories.seats[next_one] == seat:
            advantages[i] = values[next_one] - values[i] + gae_lambda * advantages[next_one]
        else:
            advantages[i] = 1.0 - values[next_one] - values[i] - gae_lambda * advantages[next_one]
        next_decisions[track] = i
