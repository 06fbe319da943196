"""Heuristic value of laying a card: a sum of weights over what a player can see."""

from typing import Final

from lastcard.ai import weight_index
from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float64s
from lastcard.rules import flow, layout, legal, option_codes, piles, refusal_reasons
from lastcard.rules.cards import card_color, card_face, is_wild
from lastcard.rules.round_state import RoundState

_WIN_VALUE: Final = 1e6
_FEW_CARDS: Final = 3


@inlined
def kind_of(card: int) -> int:
    """Returns the kind of a card, an index of its weights."""
    face = card_face(card)
    if not is_wild(card):
        return 0 if face < cards.SKIP else face - cards.SKIP + 1
    if face >= cards.SKIP:
        return 10 if face == cards.JACKPOT else face - cards.SKIP + 1
    return 5 + face  # plain, draw four, Skip Two, Targeted, Swap


@inlined
def is_foe(t: RoundState, seat: int, other: int) -> bool:
    """Whether another seat plays against this one (6.8)."""
    return other != seat and (t.team_play == 0 or (other - seat) & 1 != 0)


@kernel
def fewest_of_foes(t: RoundState, seat: int) -> int:
    """Returns the smallest hand size of the foes."""
    fewest = layout.MAX_DECK
    for other in range(t.players):
        if is_foe(t, seat, other) and t.held[other] < fewest:
            fewest = t.held[other]
    return fewest


@inlined
def threat_weight(t: RoundState, w: Float64s, seat: int, other: int) -> float:
    """Returns the value of an attack on a seat, higher the fewer cards it holds, negative for a partner."""
    value = w[weight_index.THREAT + min(t.held[other] & 255, 7)]  # & as in ``flow.neighbor``
    return value if is_foe(t, seat, other) else -value


@kernel
def best_color(t: RoundState, colored: int) -> int:
    """Returns the color of which a hand has most kinds of cards."""
    best = 0
    most = -1
    for color in range(cards.WILD):
        n = bits.popcount(piles.of_color(colored, color))
        if n > most:
            most = n
            best = color
    return best


@kernel
def best_target(t: RoundState, seat: int, card: int) -> int:
    """Returns the target to name: the next of the foes with the fewest cards; -1 if none is possible."""
    best = -1
    fewest = 1 << 20
    other = seat
    for _ in range(t.players - 1):
        other = flow.neighbor(t, other)
        if legal.target_refusal(t, seat, card, other) == refusal_reasons.OK:
            count = t.held[other] + (0 if is_foe(t, seat, other) else 1000)
            if count < fewest:
                fewest = count
                best = other
    return best


@kernel
def best_arg(t: RoundState, seat: int, card: int) -> int:
    """Returns what a play of a card names."""
    seat &= 15
    names = legal.required_naming(t, card, t.held[seat] == 1, False)
    if names == legal.NAMES_NOTHING:
        return action_codes.NO_ARG
    if names == legal.NAMES_COLOR:
        return best_color(t, t.colored[seat])
    return best_target(t, seat, card)


@kernel
def gets_next_turn(t: RoundState, card: int) -> bool:
    """Whether the player of a card has the next turn too."""
    face = card_face(card)
    if is_wild(card) and face == cards.SKIP_TWO:
        return t.players == 3 or (t.players == 2 and t.two_player_skip_two == option_codes.SKIP_TWO_SAME)
    if t.players != 2:
        return False
    if face == cards.REVERSE:
        return t.two_player_reverse == option_codes.REVERSE_SKIPS
    if face == cards.SKIP:
        return True
    draws = face == cards.DRAW_TWO or (is_wild(card) and face == cards.DRAW_FOUR)
    return draws and t.stacking == option_codes.STACKING_OFF and t.deflect == 0 and t.draw_keeps_turn == 0


@kernel
def last_card_value(t: RoundState, seat: int, card: int) -> float:
    """Returns the value of the last card: a win, unless it gives the empty hand to another player (AW-45, LC-42)."""
    if card == cards.W_SWAP and t.forced_swap_last_card == option_codes.SWAP_WINS_OTHER:
        return -_WIN_VALUE
    if not is_wild(card) and t.seven_zero != 0 and t.seven_zero_last == option_codes.SEVEN_ZERO_EFFECT:
        if card_face(card) == cards.SEVEN:
            return -_WIN_VALUE
        if card_face(card) == 0:
            return -_WIN_VALUE if is_foe(t, seat, flow.neighbor(t, seat)) else _WIN_VALUE
    return _WIN_VALUE


@kernel
def attack_value(t: RoundState, w: Float64s, seat: int, card: int, kind: int) -> float:
    """Returns the value of an action card's effect on the following players."""
    other = flow.neighbor(t, seat)
    value = threat_weight(t, w, seat, other)
    if t.players > 2:
        if card_face(card) == cards.REVERSE:  # the next player becomes the last
            value -= threat_weight(t, w, seat, neighbor_back(t, seat))
        elif kind == 5 + cards.SKIP_TWO:
            value += threat_weight(t, w, seat, flow.neighbor(t, other))
        elif kind == 5 + cards.TARGETED:
            value = threat_weight(t, w, seat, best_target(t, seat, card))
    return value * w[weight_index.ATTACK + kind]


@inlined
def neighbor_back(t: RoundState, seat: int) -> int:
    """Returns the seat before this one in the current direction."""
    seat -= t.direction
    if seat == t.players:
        return 0
    if seat < 0:
        seat = t.players - 1
    return seat & 15


@kernel
def card_value(t: RoundState, w: Float64s, seat: int, card: int) -> float:
    """Returns the value of laying a card on a turn."""
    seat &= 15
    card &= 127
    held = t.held[seat]
    if held == 1:
        return last_card_value(t, seat, card)
    kind = kind_of(card)
    face = card_face(card)
    value = w[weight_index.BASE + kind]
    if held <= _FEW_CARDS:
        value += w[weight_index.FEW + kind]
    if w[weight_index.ATTACK + kind] != 0.0:
        value += attack_value(t, w, seat, card, kind)
    wilds = t.wilds[seat]
    if t.game == option_codes.ALL_WILD:
        if held == 2 and gets_next_turn(t, card):
            rest = wilds ^ (1 << face) if t.counts[seat, card] == 1 else wilds
            if last_card_value(t, seat, cards.WILDS_FROM + bits.lowest_bit(rest)) > 0.0:
                return _WIN_VALUE
        if kind == 5 + cards.SWAP:
            value += w[weight_index.TRADE] * (held - 1 - t.held[best_target(t, seat, card)])
        return value
    rest = t.colored[seat]
    if not is_wild(card):
        if t.counts[seat, card] == 1:
            rest ^= 1 << card
        color = card_color(card)
        value += w[weight_index.SAME] * bits.popcount(rest & piles.ONE_FACE << face) + 0.001 * face
    else:
        if t.counts[seat, card] == 1:
            wilds ^= 1 << face
        color = best_color(t, rest)
    follows = piles.of_color(rest, color)
    support = bits.popcount(follows)
    value += w[weight_index.SUPPORT] * min(support, 4)
    if support == 0:
        value += w[weight_index.ALONE]
    if held == 2 and gets_next_turn(t, card):
        if not is_wild(card):
            follows |= rest & piles.ONE_FACE << face
        if follows != 0 or wilds & ~(1 << cards.DRAW_FOUR) != 0 or (wilds != 0 and support == 0):
            return _WIN_VALUE
    if card == cards.W_DRAW_FOUR and t.wd4_mode == option_codes.WD4_CHALLENGE and piles.holds_color(t, seat, t.color):
        value += w[weight_index.BLUFF]
    if t.seven_zero != 0 and not is_wild(card):
        if face == cards.SEVEN:
            value += w[weight_index.TRADE] * (held - 1 - t.held[best_target(t, seat, card)])
        elif face == 0:
            value += w[weight_index.TRADE] * (held - 1 - t.held[neighbor_back(t, seat)])
    return value
