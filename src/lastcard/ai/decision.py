"""Whole decisions: what a player does on its turn, and out of turn, from what its seat sees.

A player that searches, or chooses in a way of its own, is handed back an ``OPEN`` decision: its choices stand in the
weighing, and ``resolve_open`` is told the best of them there. All else is decided at once.
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

# How a player chooses.
BY_CHANCE: Final = 0
BY_HEURISTIC: Final = 1
BY_POLICY_NET: Final = 2
BY_SEARCH: Final = 3
CUSTOM: Final = 4
"""In a way of its own, which the kernel does not know."""

OPEN: Final = -2
"""In place of an action: it is still to be chosen from what stands in the weighing."""

LATE_TURNS: Final = 20
"""Turns after which a learned player does not draw for choice."""
_LATE_TURNS_IN_SEARCH: Final = 30
"""The same for one that searches, in All Wild: elsewhere nobody always has a card that fits."""
_MIN_JUMP_VALUE: Final = -15.0
"""What a card laid out of turn has to be worth."""


@inlined
def may_draw_repeatedly(t: RoundState) -> bool:
    """Whether a learned player may draw for choice on turns in succession: where two play, that pays."""
    return t.players == 2


@inlined
def must_lay(turns: int, drew: bool, again: bool) -> bool:
    """Whether a learned player has to lay a card: it is late, or it drew on its last turn and may not ``again``."""
    return turns > LATE_TURNS or (drew and not again)


@kernel
def _choose_by_heuristic(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, v: SearchState, dice: Int64s
) -> int:
    """The act of most worth by rules of thumb; any, where it is none of the choices."""
    action = heuristic_policy.choose_by_heuristic(inputs.states[0], weights.w, scratch.out)
    for a in range(v.choices):
        if v.actions[a] == action:
            return action
    return int(v.actions[chance.roll_below(dice, v.choices)])


@kernel
def _choose_by_policy_net(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, v: SearchState, dice: Int64s
) -> int:
    """The choice the network rates highest; by rules of thumb where it was not taught the decision."""
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
    """Write listed actions down as the choices of a decision."""
    v.choices = n
    for a in range(n):
        v.actions[a] = out[a]


@export
def choose(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, searches: SearchStates, profile: BotProfile, dice: Int64s
) -> int:
    """What a player does on its turn, with a call where it has to make one; or OPEN.

    Args:
        inputs: with its seat on turn.
        weights: the weights of the rules of thumb, and for LEARNED the player.
        scratch: to think in.
        searches: one WEIGHING, written: the choices, and the seed of a search.
        profile: decides.
        dice: Dice of all its chance.
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
    """The call a player owes, or a catch among its listed actions; NOTHING where it sees none."""
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
    """Keep of listed actions the cards that a player could lay out of turn (LC-41); returns how many are left."""
    n = behavior.filter_plays(out, n)
    if seat == t.turn or n == 0 or not behavior.happens(dice, profile.jumps) or profile.kind == BY_CHANCE:
        return 0
    return n


@kernel
def react_at_once(t: RoundState, seat: int, profile: BotProfile, w: Float64s, dice: Int64s, out: Int64s) -> int:
    """``react`` of a player that neither searches nor has a way of its own.

    Args:
        w: weights of the rules of thumb.
        out: scratch for actions, at least MAX_ACTIONS int64.
    """
    n = legal.list_actions(t, seat, out)
    action = _choose_call(t, seat, profile, dice, out, n)
    if action != layout.NOTHING or _list_jumps(t, seat, profile, dice, out, n) == 0:
        return action
    # A card fewer is worth it, unless the card should be kept for later.
    card = heuristic_policy.best_listed(t, w, seat, out, _MIN_JUMP_VALUE)
    jump = layout.NOTHING if card < 0 else card | heuristic_eval.best_arg(t, seat, card) << 8
    return behavior.add_call(t, seat, jump, profile, dice)


@export
def react(
    inputs: DecisionInput, weights: Weights, scratch: Scratch, searches: SearchStates, profile: BotProfile, dice: Int64s
) -> int:
    """What a player does out of turn: the call it owes, a catch, or a card laid (LC-41); NOTHING, or OPEN.

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
    """The choice that stands first in the order of a decision that was OPEN, with a call where one has to be made."""
    v = searches[0]
    return behavior.add_call(inputs.states[0], inputs.seat, int(v.actions[v.order[0]]), profile, dice)
