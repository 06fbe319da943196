"""The random policy in compiled code. It chooses among legal actions, so they are not checked again.

*Play-if-you-can*: choose uniformly among the distinct cards that can be laid, then among the colors or
targets each may name; draw only if none can be laid; play the drawn card if possible; choose uniformly
in every other decision. It never calls and never catches.
"""

from typing import Final

from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import export, export_specializable, inlined, kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import chance, layout, legal, opening, option_codes, phases, piles, refusal_reasons, turn
from lastcard.rules.round_state import RoundState, RoundStates

# Columns of the tally that ``play_rounds`` fills.
TALLY_PLIES: Final = 0
TALLY_VOID: Final = 1
TALLY_LONGEST: Final = 2
TALLY_STUCK: Final = 3
TALLY_WINS: Final = 4
TALLY_NUMBERS: Final = 14


@inlined
def playable_wilds(t: RoundState, seat: int, strict: bool) -> int:
    """Returns the mask of the wilds (by face) that a seat could lay; ``strict`` as in ``legal.card_refusal``."""
    wilds = t.wilds[seat]
    if strict and t.game != option_codes.ALL_WILD and piles.holds_color(t, seat, t.color):
        wilds &= ~(1 << (cards.W_DRAW_FOUR - cards.WILDS_FROM))
    return wilds


@inlined
def restricts_last(t: RoundState) -> bool:
    """Whether the options forbid some card as the last one."""
    return t.finish_restriction != option_codes.FINISH_ANY or t.forced_swap_last_card == option_codes.SWAP_NOT_LAST


@inlined
def pick_card(t: RoundState, seat: int, dice: Int64s, barred: bool) -> int:
    """Returns a card to lay on a turn, uniformly among the distinct ones that can be laid; -1 if none can.

    ``barred`` says whether the seat may hold barred cards, because players catch or call (CO-8).
    """
    colored = t.colored[seat] & t.matching if not piles.only_wilds(t) else 0
    wilds = playable_wilds(t, seat, t.wd4_mode == option_codes.WD4_STRICT)
    last = t.held[seat] == 1
    if (
        (last and restricts_last(t))
        or t.forced_swap_target == option_codes.SWAP_PROTECTS
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
def pick_restricted(t: RoundState, seat: int, colored: int, wilds: int, dice: Int64s) -> int:
    """Returns what ``pick_card`` does, after a check of every card: a rule such as CO-8 may forbid some."""
    found = -1
    n = 0
    while colored != 0 or wilds != 0:
        if colored != 0:
            card = bits.lowest_bit(colored)
            colored &= colored - 1
        else:
            card = cards.WILDS_FROM + bits.lowest_bit(wilds)
            wilds &= wilds - 1
        if legal.hand_card_refusal(t, seat, card, t.wd4_mode == option_codes.WD4_STRICT) == refusal_reasons.OK:
            n += 1
            if chance.roll_below(dice, n) == 0:
                found = card
    return found


@inlined
def pick_arg(t: RoundState, seat: int, card: int, dice: Int64s) -> int:
    """Returns what a play names, uniformly: a color, a target, or nothing."""
    names = legal.required_naming(t, card, t.held[seat] == 1, False)
    if names == legal.NAMES_NOTHING:
        return action_codes.NO_ARG
    if names == legal.NAMES_COLOR:
        return chance.roll_below(dice, cards.WILD)
    while True:
        target = chance.roll_below(dice, t.players - 1)
        if target >= seat:
            target += 1
        if card != cards.W_SWAP or t.forced_swap_target != option_codes.SWAP_PROTECTS or t.held[target] != 1:
            return target


@kernel
def pick_discard(t: RoundState, seat: int, dice: Int64s) -> int:
    """Returns a discard of one of the possible cards, or the action to stop, each equally likely."""
    mask = t.colored[seat]
    for color in range(cards.WILD):
        if t.discarded_colors >> color & 1 != 0:
            mask &= ~(0xFFFF << (cards.FACES_PER_COLOR * color))
    n = bits.popcount(mask)
    k = chance.roll_below(dice, n + 1)
    if k == n:
        return action_codes.STOP | action_codes.NO_ARG_BITS
    return action_codes.THROW | action_codes.NO_ARG_BITS | bits.nth_bit(mask, k) << 16


@kernel
def pick_hand_card(t: RoundState, seat: int, dice: Int64s) -> int:
    """Returns one of the distinct cards of a hand, uniformly."""
    colored = t.colored[seat]
    a = bits.popcount(colored)
    k = chance.roll_below(dice, a + bits.popcount(t.wilds[seat]))
    return bits.nth_bit(colored, k) if k < a else cards.WILDS_FROM + bits.nth_bit(t.wilds[seat], k - a)


@kernel
def pick_in_streak(t: RoundState, seat: int, dice: Int64s) -> int:
    """Returns a card to lay in a streak (R2), uniformly among the distinct ones and the colors they may name."""
    colored = piles.only_free(t, seat, t.colored[seat] & t.matching, 0)
    wilds = piles.only_free(t, seat, playable_wilds(t, seat, True), cards.WILDS_FROM)
    colors = cards.WILD if t.held[seat] > 1 else 1
    a = bits.popcount(colored)
    k = chance.roll_below(dice, a + colors * bits.popcount(wilds))
    if k < a:
        return bits.nth_bit(colored, k) | action_codes.NO_ARG_BITS
    k -= a
    card = cards.WILDS_FROM + bits.nth_bit(wilds, k // colors)
    return card | (k % cards.WILD << 8 if colors > 1 else action_codes.NO_ARG_BITS)


@inlined
def pick_decision(t: RoundState, dice: Int64s, out: Int64s) -> int:
    """Returns the answer to a decision other than a turn, uniformly."""
    asked = t.phase
    if asked == phases.CHALLENGE and t.stacking == option_codes.STACKING_OFF:
        return (
            action_codes.CHALLENGE if chance.roll_below(dice, 2) == 0 else action_codes.ACCEPT
        ) | action_codes.NO_ARG_BITS
    if asked == phases.PULL:
        return action_codes.PULL | action_codes.NO_ARG_BITS
    if asked == phases.THROW and t.finish_restriction == option_codes.FINISH_ANY:
        return pick_discard(t, t.turn, dice)
    if asked == phases.BURY:
        return action_codes.BURY | action_codes.NO_ARG_BITS | pick_hand_card(t, t.turn, dice) << 16
    if asked == phases.PERFORM:
        return action_codes.DONE | action_codes.NO_ARG_BITS
    if asked == phases.COLOR:
        return action_codes.COLOR | chance.roll_below(dice, cards.WILD) << 8
    if asked == phases.STREAK and (t.finish_restriction == option_codes.FINISH_ANY or t.held[t.turn] > 1):
        return pick_in_streak(t, t.turn, dice)
    if asked == phases.CHOOSE or asked == phases.TAKE:
        verb = action_codes.CHOOSE if asked == phases.CHOOSE else action_codes.TAKE
        return verb | bits.nth_bit(t.candidates, chance.roll_below(dice, bits.popcount(t.candidates))) << 8
    return pick_listed(t, dice, out)


@kernel
def pick_listed(t: RoundState, dice: Int64s, out: Int64s) -> int:
    """Returns a uniformly chosen action of the seat on turn, without calls and catches."""
    n = legal.list_actions(t, t.turn, out)
    count = 0
    for i in range(n):
        if out[i] & 255 != action_codes.UNO and out[i] & 255 != action_codes.CATCH:
            out[count] = out[i]
            count += 1
    return int(out[chance.roll_below(dice, count)])


@inlined
def choose_random(t: RoundState, dice: Int64s, out: Int64s) -> int:
    """Returns the action of the seat on turn by *play-if-you-can* (see the module)."""
    seat = t.turn & 15
    if t.phase == phases.PLAY:
        card = pick_card(t, seat, dice, True)
        if card < 0:
            return action_codes.DRAW | action_codes.NO_ARG_BITS
        return card | (pick_arg(t, seat, card, dice) & 15) << 8
    if t.phase == phases.DRAWN:
        return t.drawn | (pick_arg(t, seat, t.drawn, dice) & 15) << 8
    return pick_decision(t, dice, out)


@kernel
def apply_decision(t: RoundState, dice: Int64s, out: Int64s) -> None:
    """Apply the choice of *play-if-you-can* in a decision other than a turn."""
    turn.apply(t, t.turn & 15, pick_decision(t, dice, out))


@inlined
def play_out_random(t: RoundState, dice: Int64s, out: Int64s, limit: int) -> int:
    """Play a dealt round to its end by *play-if-you-can*; returns the number of plies, at most ``limit``."""
    plies = 0
    while t.phase != phases.OVER and plies < limit:
        asked = t.phase
        if asked == phases.PLAY:
            seat = t.turn & 15
            card = pick_card(t, seat, dice, False)
            turn.take_turn(
                t, seat, card, pick_arg(t, seat, card, dice) & 15 if card >= 0 else action_codes.NO_ARG, False
            )
        elif asked == phases.DRAWN:
            seat = t.turn & 15
            turn.take_turn(t, seat, t.drawn & 127, pick_arg(t, seat, t.drawn, dice) & 15, True)
        else:
            apply_decision(t, dice, out)
        plies += 1
    return plies


@export_specializable
def play_rounds(states: RoundStates, first: int, rounds: int, out: Int64s, tally: Int64s, limit: int) -> None:
    """Deal and play whole rounds by *play-if-you-can*.

    Args:
        states: array of one state.
        first: number of the first round; the dealer of a round is its number modulo the seats.
        out: scratch: MAX_ACTIONS int64, then the policy's Dice.
        tally: int64[TALLY_NUMBERS], to which sums are added.
        limit: number of plies after which a round is aborted (counted as stuck).
    """
    t = states[0]
    for r in range(first, first + rounds):
        opening.deal(t, r % t.players, r, 0)
        plies = play_out_random(t, out[-layout.DICE :], out[: -layout.DICE], limit)
        tally[TALLY_PLIES] += plies
        if plies > tally[TALLY_LONGEST]:
            tally[TALLY_LONGEST] = plies
        if t.phase != phases.OVER:
            tally[TALLY_STUCK] += 1
        elif t.winner < 0:
            tally[TALLY_VOID] += 1
        else:
            tally[TALLY_WINS + t.winner] += 1


@export
def clone_state(states: RoundStates, source: int, target: int, times: int) -> None:
    """Copy state ``source`` to ``target``, ``times`` times (more than once only to measure it)."""
    for _ in range(times):
        states[target] = states[source]
