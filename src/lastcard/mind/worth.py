"""What laying a card is worth by rules of thumb: a sum of weights over what a player can see."""

from __future__ import annotations

from typing import Any, Final

from lastcard.engine import choice, reason
from lastcard.engine.bits import lowest_bit, popcount
from lastcard.engine.flow import neighbor
from lastcard.engine.jit import inlined, kernel
from lastcard.engine.layout import MAX_DECK
from lastcard.engine.piles import ONE_FACE, holds_color, of_color
from lastcard.engine.plays import NAMES_COLOR, NAMES_NOTHING, NO_ARG, can_target, naming
from lastcard.game.cards import (
    DRAW_FOUR,
    DRAW_TWO,
    FACES_PER_COLOR,
    JACKPOT,
    REVERSE,
    SKIP,
    SKIP_TWO,
    SWAP,
    TARGETED,
    W_DRAW_FOUR,
    W_SWAP,
    WILD,
)

# Weights, by their place. A card's kind: number, Skip, Reverse, Draw Two, Jackpot, then the wilds.
KINDS: Final = 11
W_BASE: Final = 0  # of each kind
W_FEW: Final = W_BASE + KINDS  # more of each kind, with three cards or fewer
W_STRIKE: Final = W_FEW + KINDS  # of each kind, times the alarm about the player it hits
W_ALARM: Final = W_STRIKE + KINDS  # by how many cards that player holds, at most 7
W_SUPPORT: Final = W_ALARM + 8  # each further card of the color then in force, at most 4
W_ALONE: Final = W_SUPPORT + 1  # no further card of it
W_SAME: Final = W_SUPPORT + 2  # each further card of the face
W_BLUFF: Final = W_SUPPORT + 3  # a Wild Draw Four that could be challenged
W_TRADE: Final = W_SUPPORT + 4  # each card the hand gets smaller by
W_KEEP: Final = W_SUPPORT + 5  # keeping a drawn card
W_DRAW: Final = W_SUPPORT + 6  # drawing though a card could be laid
W_DARE: Final = W_SUPPORT + 7  # challenging a Wild Draw Four
W_DARE_HELD: Final = W_SUPPORT + 8  # more of it for each card its player holds
W_SELF: Final = W_SUPPORT + 9  # performing a rule card oneself
W_SELF_HELD: Final = W_SUPPORT + 10  # more of it for each card one holds
WEIGHTS: Final = W_SUPPORT + 11

_WON: Final = 1e6
_SEVEN: Final = 7
_FEW: Final = 3
WILDS_FROM: Final = WILD * FACES_PER_COLOR
"""Cards from here on are wild."""


@inlined
def kind_of(card: int) -> int:
    """The kind of a card, for its weights."""
    face = card & 15
    if card < WILDS_FROM:
        return 0 if face < SKIP else face - SKIP + 1
    if face >= SKIP:
        return 10 if face == JACKPOT else face - SKIP + 1
    return 5 + face  # plain, draw four, Skip Two, Targeted, Swap


@inlined
def is_foe(t: Any, seat: int, other: int) -> bool:
    """Whether another seat plays against this one (6.8)."""
    return other != seat and (t.team_play == 0 or (other - seat) & 1 != 0)


@kernel
def fewest_of_foes(t: Any, seat: int) -> int:
    """How few cards the foe with the fewest holds."""
    fewest = MAX_DECK
    for other in range(t.players):
        if is_foe(t, seat, other) and t.held[other] < fewest:
            fewest = t.held[other]
    return fewest


@inlined
def alarm(t: Any, w: Any, seat: int, other: int) -> float:
    """How much it is worth to hurt a seat: more the fewer cards it holds, the opposite for a partner."""
    worth = w[W_ALARM + min(t.held[other], 7)]
    return worth if is_foe(t, seat, other) else -worth


@kernel
def best_color(t: Any, colored: int) -> int:
    """The color of which a hand has most kinds of cards."""
    best = 0
    most = -1
    for color in range(WILD):
        n = popcount(of_color(colored, color))
        if n > most:
            most = n
            best = color
    return best


@kernel
def best_target(t: Any, seat: int, card: int) -> int:
    """Whom to name: the foe with the fewest cards, the next of them; -1 where nobody can be."""
    best = -1
    fewest = 1 << 20
    other = seat
    for _ in range(t.players - 1):
        other = neighbor(t, other)
        if can_target(t, seat, card, other) == reason.OK:
            count = t.held[other] + (0 if is_foe(t, seat, other) else 1000)
            if count < fewest:
                fewest = count
                best = other
    return best


@kernel
def best_arg(t: Any, seat: int, card: int) -> int:
    """What a play of a card names."""
    names = naming(t, card, t.held[seat] == 1, False)
    if names == NAMES_NOTHING:
        return NO_ARG
    if names == NAMES_COLOR:
        return best_color(t, t.colored[seat])
    return best_target(t, seat, card)


@kernel
def goes_again(t: Any, card: int) -> bool:
    """Whether whoever lays a card has the next turn too."""
    face = card & 15
    if card >= WILDS_FROM and face == SKIP_TWO:
        return t.players == 3 or (t.players == 2 and t.two_player_skip_two == choice.SKIP_TWO_SAME)
    if t.players != 2:
        return False
    if face == REVERSE:
        return t.two_player_reverse == choice.REVERSE_SKIPS
    if face == SKIP:
        return True
    draws = face == DRAW_TWO or (card >= WILDS_FROM and face == DRAW_FOUR)
    return draws and t.stacking == choice.STACKING_OFF and t.deflect == 0


@kernel
def last_worth(t: Any, seat: int, card: int) -> float:
    """Laying the last card wins, unless it hands the empty hand to somebody else (AW-45, LC-42)."""
    if card == W_SWAP and t.forced_swap_last_card == choice.SWAP_WINS_OTHER:
        return -_WON
    if card < WILDS_FROM and t.seven_zero != 0 and t.seven_zero_last == choice.SEVEN_ZERO_EFFECT:
        if card & 15 == _SEVEN:
            return -_WON
        if card & 15 == 0:
            return -_WON if is_foe(t, seat, neighbor(t, seat)) else _WON
    return _WON


@kernel
def strike_worth(t: Any, w: Any, seat: int, card: int, kind: int) -> float:
    """What an action card does to the players after this one."""
    other = neighbor(t, seat)
    worth = alarm(t, w, seat, other)
    if t.players > 2:
        if card & 15 == REVERSE:  # whoever would have been next waits longest now
            worth -= alarm(t, w, seat, neighbor_back(t, seat))
        elif kind == 5 + SKIP_TWO:
            worth += alarm(t, w, seat, neighbor(t, other))
        elif kind == 5 + TARGETED:
            worth = alarm(t, w, seat, best_target(t, seat, card))
    return worth * w[W_STRIKE + kind]


@inlined
def neighbor_back(t: Any, seat: int) -> int:
    """The seat before this one in the direction now in force."""
    seat -= t.direction
    if seat == t.players:
        return 0
    return t.players - 1 if seat < 0 else seat


@kernel
def play_worth(t: Any, w: Any, seat: int, card: int) -> float:
    """What laying a card on a turn is worth."""
    held = t.held[seat]
    if held == 1:
        return last_worth(t, seat, card)
    kind = kind_of(card)
    face = card & 15
    worth = w[W_BASE + kind]
    if held <= _FEW:
        worth += w[W_FEW + kind]
    if w[W_STRIKE + kind] != 0.0:
        worth += strike_worth(t, w, seat, card, kind)
    wilds = t.wilds[seat]
    if t.game == choice.ALL_WILD:
        if held == 2 and goes_again(t, card):
            rest = wilds ^ (1 << face) if t.counts[seat, card] == 1 else wilds
            if last_worth(t, seat, WILDS_FROM + lowest_bit(rest)) > 0.0:
                return _WON
        if kind == 5 + SWAP:
            worth += w[W_TRADE] * (held - 1 - t.held[best_target(t, seat, card)])
        return worth
    rest = t.colored[seat]
    if card < WILDS_FROM:
        if t.counts[seat, card] == 1:
            rest ^= 1 << card
        color = card // FACES_PER_COLOR
        worth += w[W_SAME] * popcount(rest & ONE_FACE << face) + 0.001 * face
    else:
        if t.counts[seat, card] == 1:
            wilds ^= 1 << face
        color = best_color(t, rest)
    follows = of_color(rest, color)
    support = popcount(follows)
    worth += w[W_SUPPORT] * min(support, 4)
    if support == 0:
        worth += w[W_ALONE]
    if held == 2 and goes_again(t, card):
        if card < WILDS_FROM:
            follows |= rest & ONE_FACE << face
        if follows != 0 or wilds & ~(1 << DRAW_FOUR) != 0 or (wilds != 0 and support == 0):
            return _WON
    if card == W_DRAW_FOUR and t.wd4_mode == choice.WD4_CHALLENGE and holds_color(t, seat, t.color):
        worth += w[W_BLUFF]
    if t.seven_zero != 0 and card < WILDS_FROM:
        if face == _SEVEN:
            worth += w[W_TRADE] * (held - 1 - t.held[best_target(t, seat, card)])
        elif face == 0:
            worth += w[W_TRADE] * (held - 1 - t.held[neighbor_back(t, seat)])
    return worth
