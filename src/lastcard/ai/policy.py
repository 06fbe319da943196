"""Rules of thumb in compiled code: what a sharp player does with what he can see.

A card's worth is a sum of weights (``worth``; tuned by play against itself); the best is laid.
The policy looks at its own hand and at what lies open, never at another hand or a pile, and throws no
dice: the same sight gets the same act, which is what makes it a model of others too.
"""

from typing import Final

from lastcard.ai import row, weight, worth
from lastcard.game import act, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float64s, Int64s
from lastcard.rules import choice, effects, flow, legal, phase, piles, reason, rule, turn
from lastcard.rules.cards import card_color, card_face
from lastcard.rules.table import Table

_NO_WORTH: Final = -1e9
LONGEST: Final = 3000
"""Acts after which a rollout is given up."""


@inlined
def has_to_ask(t: Table, seat: int) -> bool:
    """Whether a card that fits may not be laid all the same (CO-8, LC-15, LC-34, AW-45)."""
    last = t.finish_restriction != choice.FINISH_ANY or t.forced_swap_last_card == choice.SWAP_NOT_LAST
    protects = t.forced_swap_target == choice.SWAP_PROTECTS
    return (t.held[seat] == 1 and last) or protects or piles.has_barred(t, seat)


@kernel
def choose_card(t: Table, w: Float64s, seat: int) -> int:
    """The card to lay on a turn; -1 where none can be, or drawing is worth more."""
    seat &= 15
    colored = t.colored[seat] & t.matching
    wilds = t.wilds[seat]
    strict = t.wd4_mode == choice.WD4_STRICT
    if strict and t.game != choice.ALL_WILD and piles.holds_color(t, seat, t.color):
        wilds &= ~(1 << cards.DRAW_FOUR)
    careful = has_to_ask(t, seat)
    best = -1
    most = _NO_WORTH
    while colored != 0 or wilds != 0:
        if colored != 0:
            card = bits.lowest_bit(colored)
            colored &= colored - 1
        else:
            card = cards.WILDS_FROM + bits.lowest_bit(wilds)
            wilds &= wilds - 1
        if careful and legal.why_not_from_hand(t, seat, card, strict) != reason.OK:
            continue
        value = worth.play_worth(t, w, seat, card)
        if value > most:
            most = value
            best = card
    if best >= 0 and most < w[weight.DRAW] and legal.why_not_draw(t, seat) == reason.OK:
        return -1
    return best


@kernel
def choose_drawn(t: Table, w: Float64s, seat: int) -> int:
    """Lay the card just drawn, or keep it."""
    card = t.drawn
    keeps = legal.why_not_pass(t, seat) == reason.OK
    if legal.why_not_card(t, seat, card, t.wd4_mode == choice.WD4_STRICT) != reason.OK:
        return act.PASS | act.BARE
    if keeps and worth.play_worth(t, w, seat, card) < w[weight.KEEP]:
        return act.PASS | act.BARE
    return card | worth.best_arg(t, seat, card) << 8


@kernel
def best_listed(t: Table, w: Float64s, seat: int, out: Int64s, least: float) -> int:
    """The best card among the legal plays of a seat that are worth more than ``least``; -1 where none is."""
    best = -1
    most = least
    for i in range(legal.list_actions(t, seat, out)):
        card = int(out[i]) & 255
        if card < cards.CARD_SLOTS:
            value = worth.play_worth(t, w, seat, card)
            if value > most:
                most = value
                best = card
    return best


@kernel
def choose_answer(t: Table, w: Float64s, seat: int, out: Int64s) -> int:
    """Pass a pending draw on where possible (6.1, 6.7); else challenge or accept."""
    if effects.can_answer(t):
        card = best_listed(t, w, seat, out, _NO_WORTH)
        if card >= 0:
            return card | worth.best_arg(t, seat, card) << 8
    if t.phase == phase.CHALLENGE and w[weight.DARE] + w[weight.DARE_HELD] * t.held[t.accused] > 0.0:
        return act.CHALLENGE | act.BARE
    return act.ACCEPT | act.BARE


@kernel
def choose_seat(t: Table, w: Float64s, seat: int) -> int:
    """Whom to name for a rule card or inside one (WJ-40a, LC-52)."""
    verb = act.CHOOSE if t.phase == phase.CHOOSE else act.TAKE
    most = _NO_WORTH
    best = -1
    wants = 0
    if t.performer >= 0:
        effect = int(t.effects[t.rule, t.effect]) & 255
        wants = 1 if effect == rule.TAKE else -1
    other = seat
    for _ in range(t.players):
        other = flow.neighbor(t, other)
        if t.candidates >> other & 1 == 0:
            continue
        foe = worth.is_foe(t, seat, other)
        if wants != 0:
            value = float(wants * t.held[other]) - (0.0 if foe else 100.0)
        elif other == seat:
            value = w[weight.SELF] + w[weight.SELF_HELD] * t.held[seat]
        else:
            value = -float(t.held[other]) if foe else -100.0
        if value > most:
            most = value
            best = other
    return verb | best << 8


@kernel
def choose_throw(t: Table, seat: int) -> int:
    """Everything off, the color held most last, so that it is the one in force (WJ-42).

    A Jackpot is kept where another card of its color can go and it would not pull the lever (WJ-44).
    """
    dull = t.wj_discard_jackpot != choice.DISCARD_JACKPOT_PULL
    colored = t.colored[seat]
    best = -1
    most = _NO_WORTH
    mask = colored
    while mask != 0:
        card = bits.lowest_bit(mask)
        mask &= mask - 1
        if legal.may_throw(t, seat, card) != reason.OK:
            continue
        color = card_color(card)
        held = bits.popcount(piles.of_color(colored, color))
        face = card_face(card)
        value = -held + (-0.5 if dull and face == cards.JACKPOT else 0.5 if face >= cards.SKIP else 0.01 * face)
        if value > most:
            most = value
            best = card
    return act.STOP | act.BARE if best < 0 else act.THROW | act.BARE | best << 16


@kernel
def choose_burial(t: Table, w: Float64s, seat: int) -> int:
    """What does not fit goes first, of that what is hardest to get rid of; a wild last (R1)."""
    colored = t.colored[seat]
    if colored == 0:
        return act.BURY | act.BARE | (cards.WILDS_FROM + bits.lowest_bit(t.wilds[seat])) << 16
    best = -1
    most = _NO_WORTH
    mask = colored & ~t.matching
    if mask == 0:
        mask = colored
    while mask != 0:
        card = bits.lowest_bit(mask)
        mask &= mask - 1
        color = card_color(card)
        value = -w[weight.BASE + worth.kind_of(card)] - w[weight.SUPPORT] * bits.popcount(
            piles.of_color(colored, color)
        )
        if value > most:
            most = value
            best = card
    return act.BURY | act.BARE | best << 16


@kernel
def choose_rarely(t: Table, w: Float64s, seat: int, out: Int64s) -> int:
    """``choose_by_thumb`` for all but turns, which would only slow those down."""
    asked = t.phase
    if asked == phase.DRAWN:
        return choose_drawn(t, w, seat)
    if asked == phase.CHALLENGE or asked == phase.STACK:
        return choose_answer(t, w, seat, out)
    if asked == phase.COLOR:
        return act.COLOR | worth.best_color(t, t.colored[seat]) << 8
    if asked == phase.CHOOSE or asked == phase.TAKE:
        return choose_seat(t, w, seat)
    if asked == phase.PULL:
        return act.PULL | act.BARE
    if asked == phase.THROW:
        return choose_throw(t, seat)
    if asked == phase.BURY:
        return choose_burial(t, w, seat)
    if asked == phase.STREAK:
        return row.choose_in_row(t, seat, out)
    return act.DONE | act.BARE  # PERFORM


@inlined
def choose_by_thumb(t: Table, w: Float64s, out: Int64s) -> int:
    """The act of the seat the table waits for, calls aside.

    Args:
        w: WEIGHTS float64.
        out: scratch for actions, at least MAX_ACTIONS int64.
    """
    seat = t.turn & 15
    if t.phase == phase.PLAY:
        card = choose_card(t, w, seat)
        return act.DRAW | act.BARE if card < 0 else card | worth.best_arg(t, seat, card) << 8
    return choose_rarely(t, w, seat, out)


@kernel
def usual_act(t: Table, w: Float64s, out: Int64s) -> int:
    """``choose_by_thumb``, without a color or target that binds nobody (LC-6)."""
    return legal.canonical(t, t.turn & 15, choose_by_thumb(t, w, out))


@kernel
def answer(t: Table, w: Float64s, out: Int64s) -> None:
    """Do what is best where more is asked than a turn."""
    seat = t.turn & 15
    turn.apply(t, seat, choose_rarely(t, w, seat, out))


@inlined
def play_out_by_thumb(t: Table, w: Float64s, out: Int64s, limit: int) -> int:
    """Play a round to its end by rules of thumb; returns the plies, at most ``limit``."""
    plies = 0
    while t.phase != phase.OVER and plies < limit:
        if t.phase == phase.PLAY:
            seat = t.turn & 15
            card = choose_card(t, w, seat)
            turn.take_turn(t, seat, card, worth.best_arg(t, seat, card) & 15 if card >= 0 else act.NO_ARG, False)
        else:
            answer(t, w, out)
        plies += 1
    return plies
