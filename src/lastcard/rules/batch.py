"""Many rounds in compiled code. Acts are chosen among the legal ones, so nothing is checked again.

*Play-if-you-can*: choose uniformly over the distinct cards that can be laid, then over what each may
name; draw only when none can; play the drawn card when it can be played; everything else a table
asks is answered uniformly. It never calls and never catches.
"""

from typing import Final

from lastcard.game import act, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import door, inlined, kernel, rounds_door
from lastcard.kernel.records import Int64s
from lastcard.rules import chance, choice, layout, legal, opening, phase, piles, reason, turn
from lastcard.rules.table import Table, Tables

# Columns of the tally that ``play_rounds`` fills.
TALLY_PLIES: Final = 0
TALLY_VOID: Final = 1
TALLY_LONGEST: Final = 2
TALLY_STUCK: Final = 3
TALLY_WINS: Final = 4
TALLY_LENGTH: Final = 14


@inlined
def playable_wilds(t: Table, seat: int, strict: bool) -> int:
    """Mask of the wilds (by face) a seat could lay; ``strict`` as in ``why_not_card``."""
    wilds = t.wilds[seat]
    if strict and t.game != choice.ALL_WILD and piles.holds_color(t, seat, t.color):
        wilds &= ~(1 << (cards.W_DRAW_FOUR - cards.WILDS_FROM))
    return wilds


@inlined
def restricts_last(t: Table) -> bool:
    """Whether some card may not be laid last."""
    return t.finish_restriction != choice.FINISH_ANY or t.forced_swap_last_card == choice.SWAP_NOT_LAST


@inlined
def pick_card(t: Table, seat: int, dice: Int64s, barred: bool) -> int:
    """A card to lay on a turn, uniformly over the distinct ones that can be laid; -1 where none can.

    Args:
        barred: whether the seat may have had to draw on this turn, where somebody catches or calls (CO-8).
    """
    colored = t.colored[seat] & t.matching if not piles.only_wilds(t) else 0
    wilds = playable_wilds(t, seat, t.wd4_mode == choice.WD4_STRICT)
    last = t.held[seat] == 1
    if (
        (last and restricts_last(t))
        or t.forced_swap_target == choice.SWAP_PROTECTS
        or (barred and piles.has_barred(t, seat))
    ):
        return pick_restricted(t, seat, colored, wilds, dice)
    a = bits.popcount(colored)
    n = a + bits.popcount(wilds)
    if n == 0:
        return -1
    k = chance.roll_below(dice, n) if n > 1 or last else 0
    if k < a:
        return bits.nth_bit(colored, k)
    return cards.WILDS_FROM + bits.nth_bit(wilds, k - a)


@kernel
def pick_restricted(t: Table, seat: int, colored: int, wilds: int, dice: Int64s) -> int:
    """``pick_card`` where finishing, targets or a penalty (CO-8) may forbid a card."""
    found = -1
    n = 0
    while colored != 0 or wilds != 0:
        if colored != 0:
            card = bits.lowest_bit(colored)
            colored &= colored - 1
        else:
            card = cards.WILDS_FROM + bits.lowest_bit(wilds)
            wilds &= wilds - 1
        if legal.why_not_from_hand(t, seat, card, t.wd4_mode == choice.WD4_STRICT) == reason.OK:
            n += 1
            if chance.roll_below(dice, n) == 0:
                found = card
    return found


@inlined
def pick_arg(t: Table, seat: int, card: int, dice: Int64s) -> int:
    """What a play names, uniformly: a color, a target, or nothing."""
    names = legal.naming(t, card, t.held[seat] == 1, False)
    if names == legal.NAMES_NOTHING:
        return act.NO_ARG
    if names == legal.NAMES_COLOR:
        return chance.roll_below(dice, cards.WILD)
    while True:
        target = chance.roll_below(dice, t.players - 1)
        if target >= seat:
            target += 1
        if card != cards.W_SWAP or t.forced_swap_target != choice.SWAP_PROTECTS or t.held[target] != 1:
            return target


@kernel
def pick_throw(t: Table, seat: int, dice: Int64s) -> int:
    """Throw off one of the cards that can be, or stop, each as likely."""
    mask = t.colored[seat]
    for color in range(cards.WILD):
        if t.thrown >> color & 1 != 0:
            mask &= ~(0xFFFF << (cards.FACES_PER_COLOR * color))
    n = bits.popcount(mask)
    k = chance.roll_below(dice, n + 1)
    if k == n:
        return act.STOP | act.BARE
    return act.THROW | act.BARE | bits.nth_bit(mask, k) << 16


@kernel
def pick_hand_card(t: Table, seat: int, dice: Int64s) -> int:
    """Any distinct card of a hand."""
    colored = t.colored[seat]
    a = bits.popcount(colored)
    k = chance.roll_below(dice, a + bits.popcount(t.wilds[seat]))
    return bits.nth_bit(colored, k) if k < a else cards.WILDS_FROM + bits.nth_bit(t.wilds[seat], k - a)


@kernel
def pick_in_row(t: Table, seat: int, dice: Int64s) -> int:
    """A card to lay in a row (R2), uniformly over the distinct ones and the colors they may name."""
    colored = piles.only_free(t, seat, t.colored[seat] & t.matching, 0)
    wilds = piles.only_free(t, seat, playable_wilds(t, seat, True), cards.WILDS_FROM)
    colors = cards.WILD if t.held[seat] > 1 else 1
    a = bits.popcount(colored)
    k = chance.roll_below(dice, a + colors * bits.popcount(wilds))
    if k < a:
        return bits.nth_bit(colored, k) | act.BARE
    k -= a
    card = cards.WILDS_FROM + bits.nth_bit(wilds, k // colors)
    return card | (k % cards.WILD << 8 if colors > 1 else act.BARE)


@inlined
def pick_decision(t: Table, dice: Int64s, out: Int64s) -> int:
    """The answer to a decision other than a turn, uniformly."""
    asked = t.phase
    if asked == phase.CHALLENGE and t.stacking == choice.STACKING_OFF:
        return (act.CHALLENGE if chance.roll_below(dice, 2) == 0 else act.ACCEPT) | act.BARE
    if asked == phase.PULL:
        return act.PULL | act.BARE
    if asked == phase.THROW and t.finish_restriction == choice.FINISH_ANY:
        return pick_throw(t, t.turn, dice)
    if asked == phase.BURY:
        return act.BURY | act.BARE | pick_hand_card(t, t.turn, dice) << 16
    if asked == phase.PERFORM:
        return act.DONE | act.BARE
    if asked == phase.COLOR:
        return act.COLOR | chance.roll_below(dice, cards.WILD) << 8
    if asked == phase.STREAK and (t.finish_restriction == choice.FINISH_ANY or t.held[t.turn] > 1):
        return pick_in_row(t, t.turn, dice)
    if asked == phase.CHOOSE or asked == phase.TAKE:
        verb = act.CHOOSE if asked == phase.CHOOSE else act.TAKE
        return verb | bits.nth_bit(t.candidates, chance.roll_below(dice, bits.popcount(t.candidates))) << 8
    return pick_listed(t, dice, out)


@kernel
def pick_listed(t: Table, dice: Int64s, out: Int64s) -> int:
    """A uniformly chosen act of the seat the table waits for, calls and catches left aside."""
    n = legal.list_actions(t, t.turn, out)
    kept = 0
    for i in range(n):
        if out[i] & 255 != act.UNO and out[i] & 255 != act.CATCH:
            out[kept] = out[i]
            kept += 1
    return int(out[chance.roll_below(dice, kept)])


@inlined
def choose_if_you_can(t: Table, dice: Int64s, out: Int64s) -> int:
    """The act of the seat on turn by *play-if-you-can* (see the module)."""
    seat = t.turn & 15
    if t.phase == phase.PLAY:
        card = pick_card(t, seat, dice, True)
        if card < 0:
            return act.DRAW | act.BARE
        return card | (pick_arg(t, seat, card, dice) & 15) << 8
    if t.phase == phase.DRAWN:
        return t.drawn | (pick_arg(t, seat, t.drawn, dice) & 15) << 8
    return pick_decision(t, dice, out)


@kernel
def answer(t: Table, dice: Int64s, out: Int64s) -> None:
    """Do what *play-if-you-can* does where more is asked than a turn."""
    turn.apply(t, t.turn & 15, pick_decision(t, dice, out))


@inlined
def play_out(t: Table, dice: Int64s, out: Int64s, limit: int) -> int:
    """Play a round, just dealt, to its end by *play-if-you-can*; returns the plies, at most ``limit``."""
    plies = 0
    while t.phase != phase.OVER and plies < limit:
        asked = t.phase
        if asked == phase.PLAY:
            seat = t.turn & 15
            card = pick_card(t, seat, dice, False)
            turn.take_turn(t, seat, card, pick_arg(t, seat, card, dice) & 15 if card >= 0 else act.NO_ARG, False)
        elif asked == phase.DRAWN:
            seat = t.turn & 15
            turn.take_turn(t, seat, t.drawn & 127, pick_arg(t, seat, t.drawn, dice) & 15, True)
        else:
            answer(t, dice, out)
        plies += 1
    return plies


@rounds_door
def play_rounds(tables: Tables, first: int, rounds: int, out: Int64s, tally: Int64s, limit: int) -> None:
    """Deal and play whole rounds at a table by *play-if-you-can*.

    Args:
        tables: one.
        first: number of the first round; the dealer is that number modulo the seats.
        rounds: how many.
        out: scratch: MAX_ACTIONS int64, and behind them the policy's Dice.
        tally: int64, TALLY_LENGTH; sums are added to it.
        limit: plies after which a round is given up (counted as stuck).
    """
    t = tables[0]
    for r in range(first, first + rounds):
        opening.deal(t, r % t.players, r, 0)
        plies = play_out(t, out[-layout.DICE :], out[: -layout.DICE], limit)
        tally[TALLY_PLIES] += plies
        if plies > tally[TALLY_LONGEST]:
            tally[TALLY_LONGEST] = plies
        if t.phase != phase.OVER:
            tally[TALLY_STUCK] += 1
        elif t.winner < 0:
            tally[TALLY_VOID] += 1
        else:
            tally[TALLY_WINS + t.winner] += 1


@door
def clone_table(tables: Tables, source: int, target: int, times: int) -> None:
    """Copy table ``source`` onto ``target``, ``times`` over (more than once only to measure it)."""
    for _ in range(times):
        tables[target] = tables[source]
