"""Legality of actions: ``refusal_reason`` returns a reason or OK, ``list_actions`` the legal actions.

An action is an integer (``lastcard.game.action_codes``): ``code | arg << 8 | uno << 12 | card << 16``.
"""

from typing import Final

from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import option_codes, phases, piles, refusal_reasons
from lastcard.rules.cards import card_color, card_face, is_number, is_wild
from lastcard.rules.round_state import RoundState

# Things that a play must name besides the card.
NAMES_NOTHING: Final = 0
NAMES_COLOR: Final = 1
NAMES_TARGET: Final = 2


@inlined
def required_naming(t: RoundState, card: int, last: bool, plain: bool) -> int:
    """Returns what a play of ``card`` must name: nothing, a color or a target (LC-6).

    Args:
        last: whether it is the player's last card.
        plain: whether its effects are ignored (a play in a streak, R2).
    """
    if t.game == option_codes.ALL_WILD:
        if plain:
            return NAMES_NOTHING
        if card == cards.W_SWAP:
            return NAMES_NOTHING if last and t.forced_swap_last_card == option_codes.SWAP_PLAYER_WINS else NAMES_TARGET
        if card == cards.W_TARGETED:
            waived = last and (
                t.last_card_targeted_draw == option_codes.TARGETED_IGNORED or t.last_card_draw_counts == 0
            )
            return NAMES_NOTHING if waived else NAMES_TARGET
        return NAMES_NOTHING
    if is_wild(card):
        if last and not (card == cards.W_JACKPOT and t.wj_last_jackpot == option_codes.LAST_JACKPOT_PULL and not plain):
            return NAMES_NOTHING
        return NAMES_COLOR if card == cards.W or card == cards.W_DRAW_FOUR or card == cards.W_JACKPOT else NAMES_NOTHING
    if card_face(card) == cards.SEVEN and t.seven_zero != 0 and not plain:
        return NAMES_NOTHING if last and t.seven_zero_last != option_codes.SEVEN_ZERO_EFFECT else NAMES_TARGET
    return NAMES_NOTHING


@kernel
def canonical(t: RoundState, seat: int, action: int) -> int:
    """Returns the action without a color or target that has no effect (LC-6)."""
    code = action & 255
    if code < cards.CARD_SLOTS and (action >> 8) & 15 != action_codes.NO_ARG and 0 <= seat < t.players:
        last = t.held[seat] == 1
        plain = t.phase == phases.STREAK
        color_card = code == cards.W or code == cards.W_DRAW_FOUR or code == cards.W_JACKPOT
        if required_naming(t, code, last, plain) == NAMES_NOTHING:
            ignorable = (t.game == option_codes.ALL_WILD and color_card) or (
                last
                and (
                    color_card
                    or code == cards.W_SWAP
                    or code == cards.W_TARGETED
                    or (card_face(code) == cards.SEVEN and t.seven_zero != 0 and not plain)
                )
            )
            if ignorable:
                return (action & ~0xF00) | action_codes.NO_ARG_BITS
    return action


@kernel
def target_refusal(t: RoundState, seat: int, card: int, target: int) -> int:
    """Returns OK if a card may name a target, else BAD_TARGET or TARGET_PROTECTED (AW-23, AW-24, LC-34)."""
    if target < 0 or target >= t.players or target == seat:
        return refusal_reasons.BAD_TARGET
    if card == cards.W_SWAP and t.forced_swap_target == option_codes.SWAP_PROTECTS and t.held[target] == 1:
        return refusal_reasons.TARGET_PROTECTED
    return refusal_reasons.OK


@kernel
def has_target(t: RoundState, seat: int, card: int) -> bool:
    """Whether any player can be named."""
    for target in range(t.players):
        if target_refusal(t, seat, card, target) == refusal_reasons.OK:
            return True
    return False


@inlined
def may_be_last(t: RoundState, card: int) -> bool:
    """Whether a card may be the last one (LC-15, AW-45)."""
    if card == cards.W_SWAP and t.forced_swap_last_card == option_codes.SWAP_NOT_LAST:
        return False
    if t.finish_restriction == option_codes.FINISH_ANY:
        return True
    if t.finish_restriction == option_codes.FINISH_NO_WILD:
        return not is_wild(card)
    if t.game == option_codes.ALL_WILD:
        return card == cards.W
    return is_number(card)


@inlined
def matches(t: RoundState, card: int) -> bool:
    """Whether a card matches the color, number or symbol in force (CL-15, AW-8)."""
    return is_wild(card) or t.matching >> card & 1 != 0


@inlined
def card_refusal(t: RoundState, seat: int, card: int, strict: bool) -> int:
    """Returns why a held card could not be laid as an ordinary play, or OK; targets and colors aside.

    If ``strict``, a Wild Draw Four is refused while the current color is held (CL-30).
    """
    if not matches(t, card):
        return refusal_reasons.NO_MATCH
    if strict and card == cards.W_DRAW_FOUR and t.game != option_codes.ALL_WILD and piles.holds_color(t, seat, t.color):
        return refusal_reasons.COLOR_HELD
    if t.held[seat] == 1 and not may_be_last(t, card):
        return refusal_reasons.NOT_LAST
    if card == cards.W_SWAP and t.forced_swap_target == option_codes.SWAP_PROTECTS and not has_target(t, seat, card):
        if required_naming(t, card, t.held[seat] == 1, False) == NAMES_TARGET:
            return refusal_reasons.TARGET_PROTECTED
    return refusal_reasons.OK


@inlined
def hand_card_refusal(t: RoundState, seat: int, card: int, strict: bool) -> int:
    """Returns what ``card_refusal`` does, or DRAWN_CARD if the card is barred (CO-8); for cards not just drawn."""
    refusal = card_refusal(t, seat, card, strict)
    return refusal_reasons.DRAWN_CARD if refusal == refusal_reasons.OK and piles.is_barred(t, seat, card) else refusal


@kernel
def can_lay_any(t: RoundState, seat: int, strict: bool) -> bool:
    """Whether a seat holds a card that it could lay; ``strict`` as in ``card_refusal``."""
    colored = t.colored[seat] & t.matching
    if colored != 0 and t.held[seat] > 1 and not piles.has_barred(t, seat):
        return True
    while colored != 0:
        if hand_card_refusal(t, seat, bits.lowest_bit(colored), strict) == refusal_reasons.OK:
            return True
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0:
        if hand_card_refusal(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), strict) == refusal_reasons.OK:
            return True
        wilds &= wilds - 1
    return False


@kernel
def can_play_any(t: RoundState, seat: int) -> bool:
    """Whether a seat could play on its turn; a Wild Draw Four that would be a bluff does not count (6.5, LC-9)."""
    return can_lay_any(t, seat, t.wd4_mode != option_codes.WD4_FREE)


@kernel
def naming_refusal(t: RoundState, seat: int, card: int, arg: int, plain: bool) -> int:
    """Returns why a play names too much or too little, or OK."""
    names = required_naming(t, card, t.held[seat] == 1, plain)
    if names == NAMES_NOTHING:
        return refusal_reasons.OK if arg == action_codes.NO_ARG else refusal_reasons.SURPLUS
    if names == NAMES_COLOR:
        return refusal_reasons.OK if 0 <= arg < cards.WILD else refusal_reasons.COLOR_NEEDED
    if arg == action_codes.NO_ARG:
        return refusal_reasons.TARGET_NEEDED
    return target_refusal(t, seat, card, arg)


@kernel
def answer_refusal(t: RoundState, seat: int, card: int) -> int:
    """Returns why a card does not answer the pending draw: stacking (6.1, LC-40), deflecting (6.7, LC-45); or OK."""
    answers = False
    face = card_face(card)
    wild = is_wild(card)
    if t.stacking != option_codes.STACKING_OFF:
        number = 0
        if face == cards.DRAW_TWO:
            number = 2
        elif wild and face == cards.DRAW_FOUR:
            number = 4
        if t.stacking == option_codes.STACKING_SAME:
            answers = number == t.pending_face
        else:
            answers = number >= t.pending_face and number > 0
    if t.deflect != 0 and not wild and t.pending_face == 2:
        top_face = card_face(t.top)
        if is_wild(t.top):
            pass
        elif top_face == cards.DRAW_TWO:
            answers = answers or (
                (face == cards.SKIP or face == cards.REVERSE) and card_color(card) == card_color(t.top)
            )
        elif top_face == cards.SKIP:
            answers = answers or face == cards.SKIP
    if not answers:
        return refusal_reasons.NO_ANSWER
    if t.held[seat] == 1 and not may_be_last(t, card):
        return refusal_reasons.NOT_LAST
    return refusal_reasons.OK


@kernel
def jump_in_refusal(t: RoundState, seat: int, card: int) -> int:
    """Returns why a card may not be laid out of turn, or OK (6.2, LC-41)."""
    if t.jump_in == 0:
        return refusal_reasons.NO_JUMP_IN if card == t.top else refusal_reasons.NOT_YOUR_TURN
    if card != t.top or (is_wild(card) and t.game != option_codes.ALL_WILD):
        return refusal_reasons.NOT_IDENTICAL
    face = card_face(t.top)
    draws = face == cards.DRAW_TWO or (is_wild(t.top) and face == cards.DRAW_FOUR)
    if (t.phase != phases.PLAY and not (t.phase == phases.STACK and draws)) or t.topless != 0:
        return refusal_reasons.JUMP_LATE
    if t.held[seat] == 1 and not may_be_last(t, card):
        return refusal_reasons.NOT_LAST
    if card == cards.W_SWAP:
        return card_refusal(t, seat, card, False)
    return refusal_reasons.OK


@kernel
def play_refusal(t: RoundState, seat: int, card: int, arg: int) -> int:
    """Returns why a seat may not lay a card now, or OK."""
    plain = False
    if seat != t.turn:
        if t.phase > phases.STACK:
            return refusal_reasons.DECIDE_FIRST
        if t.counts[seat, card] == 0:
            return refusal_reasons.NOT_HELD if t.jump_in != 0 else refusal_reasons.NOT_YOUR_TURN
        refusal = jump_in_refusal(t, seat, card)
    elif t.counts[seat, card] == 0:
        return (
            refusal_reasons.NOT_HELD
            if t.phase <= phases.STACK or t.phase == phases.STREAK
            else refusal_reasons.DECIDE_FIRST
        )
    elif t.phase == phases.PLAY:
        refusal = card_refusal(t, seat, card, t.wd4_mode == option_codes.WD4_STRICT)
    elif t.phase == phases.DRAWN:
        refusal = (
            card_refusal(t, seat, card, t.wd4_mode == option_codes.WD4_STRICT)
            if card == t.drawn
            else refusal_reasons.ONLY_DRAWN
        )
    elif t.phase == phases.STACK or t.phase == phases.CHALLENGE:
        refusal = answer_refusal(t, seat, card)
    elif t.phase == phases.STREAK:
        refusal = card_refusal(t, seat, card, True)
        plain = True
    else:
        return refusal_reasons.DECIDE_FIRST
    if refusal != refusal_reasons.OK:
        return refusal
    if piles.is_barred(t, seat, card):
        return refusal_reasons.DRAWN_CARD
    return naming_refusal(t, seat, card, arg, plain)


@kernel
def draw_refusal(t: RoundState, seat: int) -> int:
    """Returns why a seat may not draw instead of playing, or OK (CL-18, CL-19, CO-34)."""
    if seat != t.turn:
        return refusal_reasons.NOT_YOUR_TURN
    if t.phase != phases.PLAY:
        return refusal_reasons.ALREADY_DREW if t.phase == phases.DRAWN else refusal_reasons.DECIDE_FIRST
    if piles.available(t) == 0:
        return refusal_reasons.NOTHING_TO_DRAW if can_play_any(t, seat) else refusal_reasons.OK
    if t.force_play == option_codes.FORCE_ALWAYS and can_play_any(t, seat):
        return refusal_reasons.MUST_NOT_DRAW
    if t.voluntary_draw == option_codes.DRAW_IF_NO_PLAYABLE and can_play_any(t, seat):
        return refusal_reasons.MUST_NOT_DRAW
    return refusal_reasons.OK


@kernel
def pass_refusal(t: RoundState, seat: int) -> int:
    """Returns why a seat may not keep the card it has drawn, or OK (CO-4, LC-44)."""
    if seat != t.turn:
        return refusal_reasons.NOT_YOUR_TURN
    if t.phase != phases.DRAWN:
        return refusal_reasons.NO_PASS if t.phase == phases.PLAY else refusal_reasons.DECIDE_FIRST
    if t.draw_then_play == option_codes.MUST_PLAY or t.force_play != option_codes.FORCE_OFF:
        bluff = t.drawn == cards.W_DRAW_FOUR and t.game != option_codes.ALL_WILD and piles.holds_color(t, seat, t.color)
        if not bluff or t.wd4_mode == option_codes.WD4_FREE:
            return refusal_reasons.MUST_PLAY_DRAWN
    return refusal_reasons.OK


@kernel
def call_refusal(t: RoundState, seat: int) -> int:
    """Returns why a seat may not call UNO now, or OK; penalties for false calls aside (CO-11, CO-13, LC-17)."""
    if t.phase > phases.STACK:
        return refusal_reasons.CALL_NOT_NOW
    if t.held[seat] == 1:
        return refusal_reasons.OK
    if t.held[seat] != 2:
        return refusal_reasons.CALL_COUNT
    if t.uno_early_call == option_codes.EARLY_ANY_TIME:
        return refusal_reasons.OK
    if t.uno_early_call == option_codes.EARLY_WITH_PLAY:
        return refusal_reasons.CALL_EARLY
    return refusal_reasons.OK if seat == t.turn and t.phase != phases.CHALLENGE else refusal_reasons.CALL_COUNT


@kernel
def catch_refusal(t: RoundState, seat: int, target: int) -> int:
    """Returns why a seat may not catch another, or OK; penalties for false catches aside (CO-14, CO-15, CO-20)."""
    if t.phase > phases.STACK:
        return refusal_reasons.CALL_NOT_NOW
    if target < 0 or target >= t.players:
        return refusal_reasons.BAD_TARGET
    if target == seat:
        return refusal_reasons.CATCH_SELF
    return refusal_reasons.OK if t.exposed >> target & 1 != 0 else refusal_reasons.CATCH_CLOSED


@kernel
def challenge_refusal(t: RoundState, seat: int) -> int:
    """Returns why a seat may not challenge the Wild Draw Four, or OK (CL-32, LC-19)."""
    if t.phase != phases.CHALLENGE:
        return refusal_reasons.NO_CHALLENGE if t.phase <= phases.STACK else refusal_reasons.DECIDE_FIRST
    if seat == t.turn or (t.challenge_by == option_codes.CHALLENGE_ANYONE and seat != t.challenged_seat):
        return refusal_reasons.OK
    return refusal_reasons.NOT_CHALLENGER


@kernel
def discard_refusal(t: RoundState, seat: int, card: int) -> int:
    """Returns why a held card may not be discarded in DISCARD, or OK (WJ-40e, WJ-41, LC-15)."""
    if is_wild(card):
        return refusal_reasons.THROW_WILD
    if t.discarded_colors >> card_color(card) & 1 != 0:
        return refusal_reasons.THROW_COLOR
    if t.held[seat] == 1 and not may_be_last(t, card):
        return refusal_reasons.NOT_LAST
    return refusal_reasons.OK


@kernel
def can_discard_any(t: RoundState, seat: int) -> bool:
    """Whether a seat can discard any more cards in DISCARD."""
    colored = t.colored[seat]
    while colored != 0:
        if discard_refusal(t, seat, bits.lowest_bit(colored)) == refusal_reasons.OK:
            return True
        colored &= colored - 1
    return False


@kernel
def decision_refusal(t: RoundState, seat: int, code: int, arg: int, card: int) -> int:
    """Returns why an action that answers a decision is illegal, or OK."""
    wanted = -1
    if code == action_codes.COLOR:
        wanted = phases.COLOR
    elif code == action_codes.CHOOSE:
        wanted = phases.CHOOSE
    elif code == action_codes.PULL:
        wanted = phases.PULL
    elif code == action_codes.THROW or code == action_codes.STOP:
        wanted = phases.THROW
    elif code == action_codes.BURY:
        wanted = phases.BURY
    elif code == action_codes.TAKE:
        wanted = phases.TAKE
    elif code == action_codes.DONE:
        wanted = phases.PERFORM
    if wanted < 0:
        return refusal_reasons.NOT_AN_ACT
    if t.phase != wanted:
        if wanted == phases.PULL and t.phase <= phases.STACK:
            return refusal_reasons.NO_LEVER
        return refusal_reasons.NOT_ASKED if t.phase <= phases.STACK else refusal_reasons.DECIDE_FIRST
    if seat != t.turn:
        return refusal_reasons.NOT_YOUR_TURN
    if wanted == phases.COLOR:
        return refusal_reasons.OK if arg < cards.WILD else refusal_reasons.COLOR_NEEDED
    if wanted == phases.CHOOSE or wanted == phases.TAKE:
        return refusal_reasons.OK if arg < t.players and t.candidates >> arg & 1 != 0 else refusal_reasons.BAD_TARGET
    if code == action_codes.THROW or code == action_codes.BURY:
        if card < 0 or card >= cards.CARD_SLOTS or t.counts[seat, card] == 0:
            return refusal_reasons.NOT_HELD
        return discard_refusal(t, seat, card) if code == action_codes.THROW else refusal_reasons.OK
    return refusal_reasons.OK


@kernel
def refusal_reason(t: RoundState, seat: int, action: int) -> int:
    """Returns the reason why a canonical action of a seat is illegal now, or OK."""
    if t.phase == phases.OVER:
        return refusal_reasons.ROUND_OVER
    if seat < 0 or seat >= t.players:
        return refusal_reasons.NOT_YOUR_TURN
    code = action & 255
    arg = (action >> 8) & 15
    if code < cards.CARD_SLOTS:
        return play_refusal(t, seat, code, arg)
    if code == action_codes.DRAW:
        return draw_refusal(t, seat)
    if code == action_codes.PASS:
        return pass_refusal(t, seat)
    if code == action_codes.UNO:
        refusal = call_refusal(t, seat)
        return (
            refusal_reasons.OK
            if t.false_uno_penalty != 0
            and (refusal == refusal_reasons.CALL_COUNT or refusal == refusal_reasons.CALL_EARLY)
            else refusal
        )
    if code == action_codes.CATCH:
        refusal = catch_refusal(t, seat, arg)
        costs = (
            t.false_catch_penalty != 0 and refusal == refusal_reasons.CATCH_CLOSED and t.catch_exempt >> arg & 1 == 0
        )
        return refusal_reasons.OK if costs else refusal
    if code == action_codes.CHALLENGE:
        return challenge_refusal(t, seat)
    if code == action_codes.ACCEPT:
        if t.phase != phases.CHALLENGE and t.phase != phases.STACK:
            return refusal_reasons.NO_CHALLENGE if t.phase < phases.STACK else refusal_reasons.DECIDE_FIRST
        return refusal_reasons.OK if seat == t.turn else refusal_reasons.NOT_CHALLENGER
    return decision_refusal(t, seat, code, arg, action >> 16)


@kernel
def _offer(t: RoundState, seat: int, action: int, out: Int64s, n: int) -> int:
    """Append an action to the list if it is legal; returns the new length."""
    if refusal_reason(t, seat, action) == refusal_reasons.OK:
        out[n] = action
        return n + 1
    return n


@kernel
def _offer_card(t: RoundState, seat: int, card: int, out: Int64s, n: int) -> int:
    """Append every legal play, discard or burial of one held card; returns the new length."""
    if t.phase == phases.THROW:
        return _offer(t, seat, action_codes.THROW | action_codes.NO_ARG_BITS | card << 16, out, n)
    if t.phase == phases.BURY:
        return _offer(t, seat, action_codes.BURY | action_codes.NO_ARG_BITS | card << 16, out, n)
    names = required_naming(t, card, t.held[seat] == 1, t.phase == phases.STREAK)
    if names == NAMES_NOTHING:
        return _offer(t, seat, card | action_codes.NO_ARG_BITS, out, n)
    for arg in range(cards.WILD if names == NAMES_COLOR else t.players):
        n = _offer(t, seat, card | arg << 8, out, n)
    return n


@kernel
def list_actions(t: RoundState, seat: int, out: Int64s) -> int:
    """Write every legal canonical action of a seat to ``out`` (at least MAX_ACTIONS); returns how many.

    Calls and catches come last, because they end no turn. Plays with a call (``!``) are left out: they are legal
    whenever the play is.
    """
    n = 0
    if t.phase == phases.OVER:
        return 0
    colored = t.colored[seat]
    while colored != 0:
        n = _offer_card(t, seat, bits.lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0:
        n = _offer_card(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    for code in range(action_codes.DRAW, action_codes.DONE + 1):
        if (
            code == action_codes.UNO
            or code == action_codes.CATCH
            or code == action_codes.THROW
            or code == action_codes.BURY
        ):
            continue
        if code == action_codes.CHOOSE or code == action_codes.TAKE:
            for target in range(t.players):
                n = _offer(t, seat, code | target << 8, out, n)
        elif code == action_codes.COLOR:
            for color in range(cards.WILD):
                n = _offer(t, seat, code | color << 8, out, n)
        else:
            n = _offer(t, seat, code | action_codes.NO_ARG_BITS, out, n)
    n = _offer(t, seat, action_codes.UNO | action_codes.NO_ARG_BITS, out, n)
    for target in range(t.players):
        n = _offer(t, seat, action_codes.CATCH | target << 8, out, n)
    return n


@kernel
def list_choices(t: RoundState, seat: int, out: Int64s) -> int:
    """``list_actions`` of the seat on turn, without calls and catches, if a card, a color or an answer is due."""
    n = 0
    colored = t.colored[seat]
    if t.phase == phases.PLAY:
        colored &= t.matching
    while colored != 0 and t.phase != phases.COLOR:
        n = _offer_card(t, seat, bits.lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0 and t.phase != phases.COLOR:
        n = _offer_card(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    if t.phase == phases.PLAY:
        n = _offer(t, seat, action_codes.DRAW | action_codes.NO_ARG_BITS, out, n)
    if t.phase == phases.PLAY or t.phase == phases.DRAWN:
        return _offer(t, seat, action_codes.PASS | action_codes.NO_ARG_BITS, out, n)
    if t.phase == phases.COLOR:
        for color in range(cards.WILD):
            n = _offer(t, seat, action_codes.COLOR | color << 8, out, n)
        return n
    n = _offer(t, seat, action_codes.CHALLENGE | action_codes.NO_ARG_BITS, out, n)
    return _offer(t, seat, action_codes.ACCEPT | action_codes.NO_ARG_BITS, out, n)
