"""Habits: a tabular policy for two players in All Wild, indexed by a summary of both hands.

Every card matches there, so the player who needs fewer turns wins: cards that keep the turn are laid one after another
at the end, the others take a turn each. Habits are as fast as heuristics, and as strong as the network whose games they
were counted from (decision 37).
"""

from typing import Final

from lastcard.ai import heuristic_eval, heuristic_policy, weight_index
from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float64s, Int8s, Int64s
from lastcard.rules import legal, option_codes, phases, refusal_reasons, turn
from lastcard.rules.round_state import RoundState

HOLD: Final = weight_index.KINDS
"""Column of laying no card: a draw on a turn, or keeping a drawn card. The columns before it are kinds of cards."""
COLUMNS: Final = HOLD + 1
_SLOW: Final = 8
_QUICK: Final = 6
_THEIRS: Final = 8
_PLACES: Final = _SLOW * _QUICK * _THEIRS * 2
ROWS: Final = 2 * _PLACES
"""Rows for a turn, then rows for a decision after a draw."""
HABIT_COUNT: Final = ROWS * COLUMNS
"""Size of the table, by row and column; in a row, a larger number is better."""
_LATE_TURNS: Final = 40
"""Number of turns of a rollout after which players do not draw voluntarily."""


@inlined
def applies_to(t: RoundState) -> bool:
    """Whether habits apply to a state."""
    return t.game == option_codes.ALL_WILD and t.players == 2


@kernel
def find_row(t: RoundState, seat: int) -> int:
    """Returns the row of a decision: cards that pass the turn, cards that keep it, the other hand's size, any swap."""
    seat &= 15
    slow = 0
    mask = t.wilds[seat]
    while mask != 0:
        card = cards.WILDS_FROM + bits.lowest_bit(mask)
        mask &= mask - 1
        if not heuristic_eval.gets_next_turn(t, card):
            slow += t.counts[seat, card]
    quick = t.held[seat] - slow
    theirs = max(t.held[seat ^ 1], 1)
    swaps = 1 if t.counts[seat, cards.W_SWAP] > 0 else 0
    place = min(slow, _SLOW - 1) * _QUICK + min(quick, _QUICK - 1)
    row = (place * _THEIRS + min(theirs, _THEIRS) - 1) * 2 + swaps
    return row + _PLACES if t.phase == phases.DRAWN else row


@inlined
def column_of(action: int) -> int:
    """Returns the column of an action."""
    card = action & 255
    return heuristic_eval.kind_of(card) if card < cards.CARD_SLOTS else HOLD


@kernel
def choose_card(t: RoundState, habits: Int8s, seat: int, may_hold: bool) -> int:
    """Returns the card to lay on a turn; -1 if none can be, or drawing is better."""
    seat &= 15
    base = find_row(t, seat) * COLUMNS
    careful = heuristic_policy.needs_legality_check(t, seat)
    best = -1
    mask = t.wilds[seat]
    while mask != 0:
        card = cards.WILDS_FROM + bits.lowest_bit(mask)
        mask &= mask - 1
        if careful and legal.hand_card_refusal(t, seat, card, False) != refusal_reasons.OK:
            continue
        if best < 0 or habits[base + heuristic_eval.kind_of(card)] > habits[base + heuristic_eval.kind_of(best)]:
            best = card
    holds = best >= 0 and may_hold and habits[base + HOLD] > habits[base + heuristic_eval.kind_of(best)]
    return -1 if holds and legal.draw_refusal(t, seat) == refusal_reasons.OK else best


@kernel
def choose_by_habit(t: RoundState, habits: Int8s, w: Float64s, out: Int64s, may_hold: bool) -> int:
    """Returns the action of the seat on turn, calls aside.

    Args:
        habits: int8[HABIT_COUNT].
        w: weights of the heuristics, for decisions other than turns and drawn cards.
        out: scratch for actions, at least MAX_ACTIONS int64.
        may_hold: whether it may draw voluntarily.
    """
    seat = t.turn & 15
    if t.phase == phases.PLAY:
        card = choose_card(t, habits, seat, may_hold)
        return (
            action_codes.DRAW | action_codes.NO_ARG_BITS
            if card < 0
            else card | heuristic_eval.best_arg(t, seat, card) << 8
        )
    if t.phase == phases.DRAWN and legal.card_refusal(t, seat, t.drawn, False) == refusal_reasons.OK:
        base = find_row(t, seat) * COLUMNS
        holds = habits[base + HOLD] > habits[base + heuristic_eval.kind_of(t.drawn)]
        if holds and legal.pass_refusal(t, seat) == refusal_reasons.OK:
            return action_codes.PASS | action_codes.NO_ARG_BITS
        return t.drawn | heuristic_eval.best_arg(t, seat, t.drawn) << 8
    return heuristic_policy.choose_rare(t, w, seat, out)


@kernel
def play_out_by_habit(t: RoundState, habits: Int8s, w: Float64s, out: Int64s, limit: int) -> int:
    """Play a round to its end by habit; returns the number of plies, at most ``limit``.

    Players do not draw voluntarily on two successive turns or late, as in real rounds.
    """
    plies = 0
    turns = 0
    drew = 0
    while t.phase != phases.OVER and plies < limit:
        seat = t.turn & 15
        may_hold = drew >> seat & 1 == 0 and turns < _LATE_TURNS
        action = choose_by_habit(t, habits, w, out, may_hold)
        if t.phase == phases.PLAY:
            turns += 1
            drew &= ~(1 << seat)
            if action & 255 == action_codes.DRAW:
                drew |= 1 << seat
        turn.apply(t, seat, action)
        plies += 1
    return plies
