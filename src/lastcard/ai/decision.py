"""Complete decisions of a bot, on its turn and out of turn, from what its seat has seen.

For a bot that searches or chooses outside the kernel, the result is ``OPEN``: the search state contains the choices,
and ``resolve_open`` returns the best of them later. All other decisions are immediate.
"""

from typing import Final

from lastcard.ai import behavior, heuristic_eval, heuristic_policy, opponent_memory, policy_net, search
from lastcard.ai.behavior import BotProfile
from lastcard.ai.decision_input import DecisionInput, Scratch, Weights
from lastcard.ai.policy_net import Rater
from lastcard.ai.sequential_halving import SearchState, SearchStates
from lastcard.game import action_codes
from lastcard.kernel.jit import export, inlined, kernel
from lastcard.kernel.records import Float64s, Int64s
from lastcard.rules import chance, layout, legal, option_codes
from lastcard.rules.round_state import RoundState

# Kinds of choice.
BY_CHANCE: Final = 0
BY_HEURISTIC: Final = 1
BY_POLICY_NET: Final = 2
BY_SEARCH: Final = 3
CUSTOM: Final = 4
"""By code outside the kernel."""

OPEN: Final = -2
"""In place of an action: it is still to be chosen from the search state."""

LATE_TURNS: Final = 20
"""Number of turns after which a policy net does not draw voluntarily."""
_LATE_TURNS_IN_SEARCH: Final = 30
"""The same for a search in All Wild; in other games players do not always have a matching card."""
_MIN_JUMP_VALUE: Final = -15.0
"""Minimum value of a card laid out of turn."""


@inlined
def may_draw_repeatedly(t: RoundState) -> bool:
    """Whether a policy net may draw voluntarily on successive turns, which pays with two players."""
    return t.players == 2


@inlined
def must_lay(turns: int, drew: bool, again: bool) -> bool:
    """Whether a policy net has to lay a card: it is late, or it drew on its last turn and may not ``again``."""
    return turns > LATE_TURNS or (drew and not again)


@kernel
def _choose_by_heuristic(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, v: SearchState, dice: Int64s
) -> int:
    """Returns the best action by the heuristic policy; a random choice if it is not listed."""
    action = heuristic_policy.choose_by_heuristic(inputs.states[0], weights.w, scratch.out)
    for a in range(v.choices):
        if v.actions[a] == action:
            return action
    return int(v.actions[chance.roll_below(dice, v.choices)])


@kernel
def _choose_by_policy_net(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, v: SearchState, dice: Int64s
) -> int:
    """Returns the choice that the network rates highest; the heuristic one if it is not trained for the decision."""
    t = inputs.states[0]
    turns = behavior.count_turns(inputs.words, inputs.seat)
    waited = must_lay(turns >> 1, turns & 1 != 0, may_draw_repeatedly(t))
    n = behavior.filter_voluntary_draws(t, waited, turns >> 1, scratch.out, v.choices)
    _write_choices(v, scratch.out, n)
    if not search.has_network_rating(inputs):
        return _choose_by_heuristic(inputs, weights, scratch, v, dice)
    opponent_memory.reset(scratch.m)
    opponent_memory.fill_memory(inputs.states, scratch.m, inputs.words)
    rater = Rater(weights.policy_net, inputs.deck, scratch.x, scratch.values)
    return policy_net.choose_rated(t, scratch.m, inputs.seat, rater, scratch.out[:n])


@kernel
def _write_choices(v: SearchState, out: Int64s, n: int) -> None:
    """Write listed actions to the search state as its choices."""
    v.choices = n
    for a in range(n):
        v.actions[a] = out[a]


@export
def choose(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, searches: SearchStates, profile: BotProfile, dice: Int64s
) -> int:
    """Returns the action of a bot on its turn, with a call if it is due; or OPEN.

    Args:
        inputs: input with the bot's seat on turn.
        weights: weights of the heuristics, and for BY_POLICY_NET those of the network.
        scratch: scratch of the thread.
        searches: one SEARCH_STATE, written: the choices, and the seed of a search.
        profile: profile of the bot.
        dice: Dice for all its random numbers.
    """
    t = inputs.states[0]
    v = searches[0]
    seat = inputs.seat
    n = behavior.list_considered(t, seat, profile, dice, scratch.out)
    _write_choices(v, scratch.out, n)
    if n == 1:
        action = int(v.actions[0])
    elif behavior.happens(dice, profile.blunder_rate) or profile.kind == BY_CHANCE:
        action = behavior.pick_random(t, scratch.out, n, dice)
    elif profile.kind == BY_HEURISTIC:
        action = _choose_by_heuristic(inputs, weights, scratch, v, dice)
    elif profile.kind == BY_POLICY_NET:
        action = _choose_by_policy_net(inputs, weights, scratch, v, dice)
    else:
        if profile.kind == BY_SEARCH:
            turns = behavior.count_turns(inputs.words, seat) >> 1
            waited = t.game == option_codes.ALL_WILD and turns > _LATE_TURNS_IN_SEARCH
            _write_choices(v, scratch.out, behavior.filter_voluntary_draws(t, waited, turns, scratch.out, n))
            v.seed = chance.roll(dice)
        return OPEN
    return behavior.add_call(t, seat, action, profile, dice)


@kernel
def _choose_call(t: RoundState, seat: int, profile: BotProfile, dice: Int64s, out: Int64s, n: int) -> int:
    """Returns the call that a player owes, or a catch among its listed actions; NOTHING if it makes none."""
    if t.exposed >> seat & 1 != 0 and behavior.happens(dice, profile.calls):
        return action_codes.UNO | action_codes.NO_ARG_BITS
    for i in range(n):
        action = int(out[i])
        if action & 255 == action_codes.CATCH and t.exposed >> (action >> 8 & 15) & 1 != 0:
            if behavior.happens(dice, profile.catches):
                return action
    return layout.NOTHING


@kernel
def _list_jumps(t: RoundState, seat: int, profile: BotProfile, dice: Int64s, out: Int64s, n: int) -> int:
    """Reduce listed actions to the cards that a player considers laying out of turn (LC-41); returns how many."""
    n = behavior.filter_plays(out, n)
    if seat == t.turn or n == 0 or not behavior.happens(dice, profile.jumps) or profile.kind == BY_CHANCE:
        return 0
    return n


@kernel
def react_at_once(t: RoundState, seat: int, profile: BotProfile, w: Float64s, dice: Int64s, out: Int64s) -> int:
    """``react`` of a bot that decides immediately.

    Args:
        w: weights of the heuristics.
        out: scratch for actions, at least MAX_ACTIONS int64.
    """
    n = legal.list_actions(t, seat, out)
    action = _choose_call(t, seat, profile, dice, out, n)
    if action != layout.NOTHING or _list_jumps(t, seat, profile, dice, out, n) == 0:
        return action
    # One card fewer is worth it, unless the card is better played later.
    card = heuristic_policy.best_listed(t, w, seat, out, _MIN_JUMP_VALUE)
    jump = layout.NOTHING if card < 0 else card | heuristic_eval.best_arg(t, seat, card) << 8
    return behavior.add_call(t, seat, jump, profile, dice)


@export
def react(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, searches: SearchStates, profile: BotProfile, dice: Int64s
) -> int:
    """Returns the action of a bot out of turn: the call it owes, a catch, or a card (LC-41); NOTHING, or OPEN.

    Args:
        inputs, weights, scratch, searches, profile, dice: as for ``choose``.
    """
    t = inputs.states[0]
    seat = inputs.seat
    if profile.kind != BY_SEARCH and profile.kind != CUSTOM:
        return react_at_once(t, seat, profile, weights.w, dice, scratch.out)
    n = legal.list_actions(t, seat, scratch.out)
    action = _choose_call(t, seat, profile, dice, scratch.out, n)
    if action != layout.NOTHING:
        return action
    n = _list_jumps(t, seat, profile, dice, scratch.out, n)
    if n == 0:
        return layout.NOTHING
    v = searches[0]
    scratch.out[n] = layout.NOTHING
    _write_choices(v, scratch.out, n + 1)
    if profile.kind == BY_SEARCH:
        v.seed = chance.roll(dice)
    return OPEN


@export
def resolve_open(inputs: DecisionInput, searches: SearchStates, profile: BotProfile, dice: Int64s) -> int:
    """Returns the first choice in the order of an OPEN decision, with a call if it is due."""
    v = searches[0]
    return behavior.add_call(inputs.states[0], inputs.seat, int(v.actions[v.order[0]]), profile, dice)
