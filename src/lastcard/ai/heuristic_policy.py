"""Rules of thumb in compiled code: what a sharp player does with what they can see.

A card's worth is a sum of weights (``worth``; tuned by play against itself); the best is laid.
The policy looks at its own hand and at what lies open, never at another hand or a pile, and throws no
dice: the same sight gets the same act, which is what makes it a model of others too.
"""

from typing import Final

from lastcard.ai import heuristic_eval, streak_policy, weight_index
from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float64s, Int64s
from lastcard.rules import effects, flow, legal, option_codes, phases, piles, refusal_reasons, rule_effects, turn
from lastcard.rules.cards import card_color, card_face
from lastcard.rules.round_state import RoundState

_MIN_VALUE: Final = -1e9
MAX_PLIES: Final = 3000
"""Acts after which a rollout is given up."""


@inlined
def needs_legality_check(t: RoundState, seat: int) -> bool:
    """Whether a card that fits may not be laid all the same (CO-8, LC-15, LC-34, AW-45)."""
    last = t.finish_restriction != option_codes.FINISH_ANY or t.forced_swap_last_card == option_codes.SWAP_NOT_LAST
    protects = t.forced_swap_target == option_codes.SWAP_PROTECTS
    return (t.held[seat] == 1 and last) or protects or piles.has_barred(t, seat)


@kernel
def choose_card(t: RoundState, w: Float64s, seat: int) -> int:
    """The card to lay on a turn; -1 where none can be, or drawing is worth more."""
    seat &= 15
    colored = t.colored[seat] & t.matching
    wilds = t.wilds[seat]
    strict = t.wd4_mode == option_codes.WD4_STRICT
    if strict and t.game != option_codes.ALL_WILD and piles.holds_color(t, seat, t.color):
        wilds &= ~(1 << cards.DRAW_FOUR)
    careful = needs_legality_check(t, seat)
    best = -1
    most = _MIN_VALUE
    while colored != 0 or wilds != 0:
        if colored != 0:
            card = bits.lowest_bit(colored)
            colored &= colored - 1
        else:
            card = cards.WILDS_FROM + bits.lowest_bit(wilds)
            wilds &= wilds - 1
        if careful and legal.hand_card_refusal(t, seat, card, strict) != refusal_reasons.OK:
            continue
        value = heuristic_eval.card_value(t, w, seat, card)
        if value > most:
            most = value
            best = card
    if best >= 0 and most < w[weight_index.DRAW] and legal.draw_refusal(t, seat) == refusal_reasons.OK:
        return -1
    return best


@kernel
def choose_drawn(t: RoundState, w: Float64s, seat: int) -> int:
    """Lay the card just drawn, or keep it."""
    card = t.drawn
    may_pass = legal.pass_refusal(t, seat) == refusal_reasons.OK
    if legal.card_refusal(t, seat, card, t.wd4_mode == option_codes.WD4_STRICT) != refusal_reasons.OK:
        return action_codes.PASS | action_codes.NO_ARG_BITS
    if may_pass and heuristic_eval.card_value(t, w, seat, card) < w[weight_index.PASS_DRAWN]:
        return action_codes.PASS | action_codes.NO_ARG_BITS
    return card | heuristic_eval.best_arg(t, seat, card) << 8


@kernel
def best_listed(t: RoundState, w: Float64s, seat: int, out: Int64s, least: float) -> int:
    """The best card among the legal plays of a seat that are worth more than ``least``; -1 where none is."""
    best = -1
    most = least
    for i in range(legal.list_actions(t, seat, out)):
        card = int(out[i]) & 255
        if card < cards.CARD_SLOTS:
            value = heuristic_eval.card_value(t, w, seat, card)
            if value > most:
                most = value
                best = card
    return best


@kernel
def answer_draw(t: RoundState, w: Float64s, seat: int, out: Int64s) -> int:
    """Pass a pending draw on where possible (6.1, 6.7); else challenge or accept."""
    if effects.can_answer(t):
        card = best_listed(t, w, seat, out, _MIN_VALUE)
        if card >= 0:
            return card | heuristic_eval.best_arg(t, seat, card) << 8
    if (
        t.phase == phases.CHALLENGE
        and w[weight_index.DARE] + w[weight_index.DARE_HELD] * t.held[t.challenged_seat] > 0.0
    ):
        return action_codes.CHALLENGE | action_codes.NO_ARG_BITS
    return action_codes.ACCEPT | action_codes.NO_ARG_BITS


@kernel
def choose_seat(t: RoundState, w: Float64s, seat: int) -> int:
    """Whom to name for a rule card or inside one (WJ-40a, LC-52)."""
    verb = action_codes.CHOOSE if t.phase == phases.CHOOSE else action_codes.TAKE
    most = _MIN_VALUE
    best = -1
    wants = 0
    if t.performer >= 0:
        effect = int(t.effects[t.rule, t.effect_index]) & 255
        wants = 1 if effect == rule_effects.TAKE else -1
    other = seat
    for _ in range(t.players):
        other = flow.neighbor(t, other)
        if t.candidates >> other & 1 == 0:
            continue
        foe = heuristic_eval.is_foe(t, seat, other)
        if wants != 0:
            value = float(wants * t.held[other]) - (0.0 if foe else 100.0)
        elif other == seat:
            value = w[weight_index.SELF] + w[weight_index.SELF_HELD] * t.held[seat]
        else:
            value = -float(t.held[other]) if foe else -100.0
        if value > most:
            most = value
            best = other
    return verb | best << 8


@kernel
def choose_discard(t: RoundState, seat: int) -> int:
    """Everything off, the color held most last, so that it is the one in force (WJ-42).

    A Jackpot is kept where another card of its color can go and it would not pull the lever (WJ-44).
    """
    dull = t.wj_discard_jackpot != option_codes.DISCARD_JACKPOT_PULL
    colored = t.colored[seat]
    best = -1
    most = _MIN_VALUE
    mask = colored
    while mask != 0:
        card = bits.lowest_bit(mask)
        mask &= mask - 1
        if legal.discard_refusal(t, seat, card) != refusal_reasons.OK:
            continue
        color = card_color(card)
        held = bits.popcount(piles.of_color(colored, color))
        face = card_face(card)
        value = -held + (-0.5 if dull and face == cards.JACKPOT else 0.5 if face >= cards.SKIP else 0.01 * face)
        if value > most:
            most = value
            best = card
    return (
        action_codes.STOP | action_codes.NO_ARG_BITS
        if best < 0
        else action_codes.THROW | action_codes.NO_ARG_BITS | best << 16
    )


@kernel
def choose_burial(t: RoundState, w: Float64s, seat: int) -> int:
    """What does not fit goes first, of that what is hardest to get rid of; a wild last (R1)."""
    colored = t.colored[seat]
    if colored == 0:
        return action_codes.BURY | action_codes.NO_ARG_BITS | (cards.WILDS_FROM + bits.lowest_bit(t.wilds[seat])) << 16
    best = -1
    most = _MIN_VALUE
    mask = colored & ~t.matching
    if mask == 0:
        mask = colored
    while mask != 0:
        card = bits.lowest_bit(mask)
        mask &= mask - 1
        color = card_color(card)
        value = -w[weight_index.BASE + heuristic_eval.kind_of(card)] - w[weight_index.SUPPORT] * bits.popcount(
            piles.of_color(colored, color)
        )
        if value > most:
            most = value
            best = card
    return action_codes.BURY | action_codes.NO_ARG_BITS | best << 16


@kernel
def choose_rare(t: RoundState, w: Float64s, seat: int, out: Int64s) -> int:
    """``choose_by_heuristic`` for all but turns, which would only slow those down."""
    asked = t.phase
    if asked == phases.DRAWN:
        return choose_drawn(t, w, seat)
    if asked == phases.CHALLENGE or asked == phases.STACK:
        return answer_draw(t, w, seat, out)
    if asked == phases.COLOR:
        return action_codes.COLOR | heuristic_eval.best_color(t, t.colored[seat]) << 8
    if asked == phases.CHOOSE or asked == phases.TAKE:
        return choose_seat(t, w, seat)
    if asked == phases.PULL:
        return action_codes.PULL | action_codes.NO_ARG_BITS
    if asked == phases.THROW:
        return choose_discard(t, seat)
    if asked == phases.BURY:
        return choose_burial(t, w, seat)
    if asked == phases.STREAK:
        return streak_policy.choose_in_streak(t, seat, out)
    return action_codes.DONE | action_codes.NO_ARG_BITS  # PERFORM


@inlined
def choose_by_heuristic(t: RoundState, w: Float64s, out: Int64s) -> int:
    """The act of the seat the table waits for, calls aside.

    Args:
        w: WEIGHTS float64.
        out: scratch for actions, at least MAX_ACTIONS int64.
    """
    seat = t.turn & 15
    if t.phase == phases.PLAY:
        card = choose_card(t, w, seat)
        return (
            action_codes.DRAW | action_codes.NO_ARG_BITS
            if card < 0
            else card | heuristic_eval.best_arg(t, seat, card) << 8
        )
    return choose_rare(t, w, seat, out)


@kernel
def heuristic_action(t: RoundState, w: Float64s, out: Int64s) -> int:
    """``choose_by_heuristic``, without a color or target that binds nobody (LC-6)."""
    return legal.canonical(t, t.turn & 15, choose_by_heuristic(t, w, out))


@kernel
def apply_decision(t: RoundState, w: Float64s, out: Int64s) -> None:
    """Do what is best where more is asked than a turn."""
    seat = t.turn & 15
    turn.apply(t, seat, choose_rare(t, w, seat, out))


@inlined
def play_out_by_heuristic(t: RoundState, w: Float64s, out: Int64s, limit: int) -> int:
    """Play a round to its end by rules of thumb; returns the plies, at most ``limit``."""
    plies = 0
    while t.phase != phases.OVER and plies < limit:
        if t.phase == phases.PLAY:
            seat = t.turn & 15
            card = choose_card(t, w, seat)
            turn.take_turn(
                t, seat, card, heuristic_eval.best_arg(t, seat, card) & 15 if card >= 0 else action_codes.NO_ARG, False
            )
        else:
            apply_decision(t, w, out)
        plies += 1
    return plies
