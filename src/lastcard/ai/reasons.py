"""Reasons for a move, as facts of the position that the seat can check for itself."""

from typing import Final, NamedTuple

from lastcard.ai import arithmetic
from lastcard.ai.decision_input import DecisionInput
from lastcard.ai.evaluation import Evaluation, Evaluations
from lastcard.game import action_codes, cards
from lastcard.kernel.jit import export, inlined, kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import layout, option_codes, phases
from lastcard.rules.cards import card_color, card_face, is_wild
from lastcard.rules.round_state import RoundState, RoundStates

NAMES: Final = (
    *("best", "average", "only", "wins", "strike", "turn", "swap", "bluff", "honest"),
    *("keep_strike", "keep_wild", "color", "suspicion"),
)
"""Names of the reasons by code; the text of a reason is ``advice.<name>``."""
BEST, AVERAGE, ONLY, WINS, STRIKE, TURN, SWAP, BLUFF, HONEST, SAVED_ATTACK, SAVED_WILD, COLOR, SUSPICION = range(13)
NONE: Final = BEST
"""There is no reason but that hidden cards were sampled."""

FACTS: Final = 6
"""Number of facts in a reason, -1 if it has none: a number; a seat, card and color; hand sizes before and after."""
N, PLAYER, CARD, NAMED_COLOR, OWN_HAND, OTHER_HAND = range(FACTS)

FEW_CARDS: Final = 2
"""Number of cards with which a player may soon be out."""


class Facts(NamedTuple):
    """A move in the information state of its seat."""

    states: RoundStates
    """State 0 is the information state."""
    seat: int
    action: int
    card: int
    """Card of a play, -1 for another move."""
    color: int
    """Color that the move names, or -1."""
    target: int
    """Seat that a play names, or -1."""
    out: Int64s
    """Facts of the reason, written."""


@inlined
def names_color(code: int) -> bool:
    """Whether a move with this code may name a color."""
    is_card = code == cards.W or code == cards.W_DRAW_FOUR or code == cards.W_JACKPOT
    return is_card or code == action_codes.COLOR


@kernel
def _read_move(states: RoundStates, seat: int, action: int, out: Int64s) -> Facts:
    verb = action & 255
    arg = action >> action_codes.ARG_SHIFT & 15
    card = verb if verb < cards.CARD_SLOTS else -1
    is_color = names_color(verb)
    color = arg if is_color and arg != action_codes.NO_ARG else -1
    target = arg if card >= 0 and not is_color and arg != action_codes.NO_ARG else -1
    return Facts(states, seat, action, card, color, target, out)


@inlined
def _neighbor(f: Facts, step: int) -> int:
    return (f.seat + step * f.states[0].direction) % f.states[0].players


@inlined
def _is_foe_with_few(f: Facts, seat: int) -> bool:
    """Whether a seat is nearly out, and no partner (6.8)."""
    return f.states[0].held[seat] <= FEW_CARDS and not (f.states[0].team_play != 0 and (seat - f.seat) % 4 == 2)


@kernel
def _is_attack(t: RoundState, card: int) -> bool:
    face = card_face(card)
    if face == cards.REVERSE:
        return t.players == 2 and t.two_player_reverse == option_codes.REVERSE_SKIPS
    if face == cards.SKIP or face == cards.DRAW_TWO:
        return True
    return is_wild(card) and (face == cards.DRAW_FOUR or face == cards.SKIP_TWO or face == cards.TARGETED)


@inlined
def _may_move_hands(f: Facts) -> bool:
    """Whether the hand may change owners by the move: by a swap, a zero or the lever (LC-42, WJ-40)."""
    if f.card < 0:
        return False
    face = card_face(f.card)
    passes = f.states[0].seven_zero != 0 and not is_wild(f.card) and (face == 0 or face == cards.SEVEN)
    return (f.target >= 0 and f.card != cards.W_TARGETED) or face == cards.JACKPOT or passes


@kernel
def _count_color(t: RoundState, seat: int, color: int) -> int:
    n = 0
    for card in range(color * cards.FACES_PER_COLOR, (color + 1) * cards.FACES_PER_COLOR):
        n += t.counts[seat, card]
    return n


@kernel
def _explain_attack(f: Facts) -> int:
    """An attack on a player who is nearly out."""
    t = f.states[0]
    if f.card < 0 or not _is_attack(t, f.card) or t.phase == phases.STACK:
        return NONE
    victim = f.target if f.target >= 0 else _neighbor(f, 1)
    if not _is_foe_with_few(f, victim):
        return NONE
    f.out[N] = t.held[victim]
    f.out[PLAYER] = victim
    return STRIKE


@kernel
def _explain_reverse(f: Facts) -> int:
    """A Reverse that passes over a player who is nearly out."""
    t = f.states[0]
    after = _neighbor(f, 1)
    if f.card < 0 or card_face(f.card) != cards.REVERSE or t.phase == phases.STACK:
        return NONE
    if not _is_foe_with_few(f, after) or t.held[_neighbor(f, -1)] <= t.held[after]:
        return NONE
    f.out[N] = t.held[after]
    f.out[PLAYER] = after
    return TURN


@kernel
def _explain_swap(f: Facts) -> int:
    """A swap that leaves fewer cards."""
    t = f.states[0]
    if f.target < 0 or f.card == cards.W_TARGETED or t.held[f.target] >= t.held[f.seat] - 1:
        return NONE
    f.out[OWN_HAND] = t.held[f.seat] - 1
    f.out[OTHER_HAND] = t.held[f.target]
    return SWAP


@kernel
def _explain_bluff(f: Facts) -> int:
    """A Wild Draw Four, with or without the current color (CL-30)."""
    t = f.states[0]
    if f.card != cards.W_DRAW_FOUR or t.game == option_codes.ALL_WILD or t.color < 0:
        return NONE
    if t.wd4_mode != option_codes.WD4_CHALLENGE:
        return NONE
    f.out[NAMED_COLOR] = t.color
    return BLUFF if _count_color(t, f.seat, t.color) > 0 else HONEST


@kernel
def _is_spent(f: Facts, e: Evaluation, i: int, card: int) -> bool:
    """Whether another choice, no better, would play a card."""
    if card == f.card:
        return False
    for k in range(e.choices):
        if e.actions[k] & 255 == card and e.actions[k] != layout.NOTHING and e.chances[k, 0] <= e.chances[i, 0]:
            return True
    return False


@kernel
def _explain_saved_card(f: Facts, e: Evaluation, i: int) -> int:
    """An attack card or a wild that another move, no better, would have spent."""
    t = f.states[0]
    if _may_move_hands(f):
        return NONE
    foe = -1
    for step in range(1, t.players):
        seat = (f.seat + step) % t.players
        if _is_foe_with_few(f, seat) and (foe < 0 or t.held[seat] < t.held[foe]):
            foe = seat
    attacks = 0
    attack = -1
    for card in range(cards.CARD_SLOTS):
        if t.counts[f.seat, card] > 0 and _is_attack(t, card):
            attacks += t.counts[f.seat, card]
            attack = card
    if foe >= 0 and attacks == 1 and _is_spent(f, e, i, attack):
        f.out[N] = t.held[foe]
        f.out[PLAYER] = foe
        f.out[CARD] = attack
        return SAVED_ATTACK
    if t.game != option_codes.ALL_WILD and (f.card < 0 or not is_wild(f.card)):
        for card in range(cards.WILDS_FROM, cards.CARD_SLOTS):
            if _is_spent(f, e, i, card):
                f.out[CARD] = card
                return SAVED_WILD
    return NONE


@kernel
def _explain_color(f: Facts) -> int:
    """The current color after the play, if this seat holds most of it."""
    t = f.states[0]
    color = card_color(f.card) if f.card >= 0 and not is_wild(f.card) else f.color
    if color < 0 or _may_move_hands(f):
        return NONE
    most = 0
    own = 0
    for each in range(cards.WILD):
        n = _count_color(t, f.seat, each)
        if f.card >= 0 and card_color(f.card) == each:
            n -= 1
        most = max(most, n)
        if each == color:
            own = n
    if own == 0 or own < most:
        return NONE
    f.out[N] = own
    f.out[NAMED_COLOR] = color
    return COLOR


@kernel
def _explain_challenge(f: Facts, deck: Int64s) -> int:
    """The chance that the player of a Wild Draw Four held the color, by the cards hidden from this seat alone."""
    t = f.states[0]
    if t.challenged_seat < 0 or t.color_before < 0 or t.wj_number_distribution == option_codes.SECRET_NUMBERS:
        return NONE
    unseen = -t.discard_n
    colored = 0
    for card in range(cards.CARD_SLOTS):
        hidden = deck[card] - t.counts[f.seat, card]
        unseen += hidden
        if card_color(card) == t.color_before:
            colored += hidden
    for i in range(t.discard_n):
        if card_color(int(t.discard[i])) == t.color_before:
            colored -= 1
    without = 1.0
    for i in range(t.held[t.challenged_seat]):
        without *= max(unseen - colored - i, 0) / (unseen - i)
    f.out[N] = int(arithmetic.nearest(100 * (1 - without)))
    f.out[PLAYER] = t.challenged_seat
    f.out[NAMED_COLOR] = t.color_before
    return SUSPICION


@export
def find_reason(inputs: DecisionInput, evaluations: Evaluations, i: int, out: Int64s) -> int:
    """Returns the weightiest reason for choice ``i``; if there is none, that hidden cards were sampled.

    Args:
        inputs: input of the seat on turn.
        evaluations: one EVALUATION, whose choices are rated.
        i: index of the choice.
        out: int64[FACTS], written: the facts of the reason.
    """
    e = evaluations[0]
    t = inputs.states[0]
    f = _read_move(inputs.states, inputs.seat, int(e.actions[i]), out)
    for k in range(FACTS):
        out[k] = -1
    if e.choices == 1:
        return ONLY
    verb = f.action & 255
    reason = NONE
    if f.card >= 0 and t.held[f.seat] == 1 and e.chances[i, 0] == 1.0:
        reason = WINS
    elif t.phase == phases.CHALLENGE and (verb == action_codes.CHALLENGE or verb == action_codes.ACCEPT):
        reason = _explain_challenge(f, inputs.deck)
    elif f.card >= 0 or verb == action_codes.DRAW or verb == action_codes.PASS or verb == action_codes.COLOR:
        reason = _explain_attack(f) or _explain_reverse(f) or _explain_swap(f) or _explain_bluff(f)
        reason = reason or _explain_saved_card(f, e, i) or _explain_color(f)
    if reason == NONE:
        out[N] = e.rollouts[i]
        reason = BEST if i == 0 else AVERAGE
    return reason
