"""Belief: the conclusions of a seat about hidden cards, as a record with functions that update it.

A hand is tracked as *known* cards and as *cohorts* of unknown cards that arrived together. A cohort has a
mask of unlikely cards: a player who drew while a color was in force probably had none of it. Hands keep
their number when they change seats. Discards that were shuffled are *fresh*: cards drawn later come from
them, cards drawn earlier do not.
"""

from __future__ import annotations

from typing import Annotated, Final

from lastcard.game import cards
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Int8s, Int64s, Records, array_of, record_type, shape
from lastcard.rules import layout
from lastcard.rules.cards import card_face, is_wild

MAX_COHORTS: Final = 512
MAX_STEPS: Final = 2048
MAX_POOL: Final = 256

# Kinds of steps, which ``determinize.hand_likelihood`` traverses backwards.
S_CAME: Final = 0  # a hand received a cohort
S_LEFT: Final = 1  # a card left a hand without an informative choice
S_PLAYED: Final = 2  # a card was chosen on a turn


class Belief:
    """Belief of a seat."""

    seat: int
    cohorts: int
    steps: int
    reshuffled: int
    top: int
    hand_of: Int64s = shape(layout.MAX_SEATS)
    known: Int64s = shape(layout.MAX_SEATS, cards.CARD_SLOTS)
    discarded: Int64s = shape(cards.CARD_SLOTS)  # the discard pile, top included
    fresh: Int64s = shape(cards.CARD_SLOTS)  # shuffled from the discards and not seen again
    unseen: Int64s = shape(cards.CARD_SLOTS)  # hidden from this seat
    c_hand: Int64s = shape(MAX_COHORTS)
    c_count: Int64s = shape(MAX_COHORTS)
    c_fresh: Int64s = shape(MAX_COHORTS)
    c_colored: Int64s = shape(MAX_COHORTS)  # masks of unlikely cards
    c_wilds: Int64s = shape(MAX_COHORTS)
    c_left: Int64s = shape(MAX_COHORTS)  # the last step in which one of its cards left, -1 none
    s_kind: Int64s = shape(MAX_STEPS)
    s_hand: Int64s = shape(MAX_STEPS)
    s_card: Int64s = shape(MAX_STEPS)
    s_cohort: Int64s = shape(MAX_STEPS)
    s_left: Int64s = shape(MAX_STEPS)  # the previous step in which a card of that cohort left
    s_at: Int64s = shape(MAX_STEPS)  # index of the decision in the history
    order: Int64s = shape(MAX_COHORTS)  # the cohorts with cards, the most constrained first
    orders: int
    c_at: Int64s = shape(MAX_COHORTS)  # index of the cards of a cohort in a deal
    cohort_at: Int64s = shape(MAX_POOL)  # cohort of an index in a deal
    pile_at: int
    old: Int8s = shape(MAX_POOL)  # candidates for older cohorts
    old_n: int
    young: Int8s = shape(MAX_POOL)  # candidates for fresh cohorts and the draw pile
    young_n: int
    old_left: Int8s = shape(MAX_POOL)
    young_left: Int8s = shape(MAX_POOL)
    saved: Int8s = shape(cards.CARD_SLOTS)  # a hand, while its plays are rated


BELIEF: Final = record_type(Belief)
Beliefs = Annotated[Records, array_of(BELIEF)]

_UNLIKELY: Final = 0.05


@kernel
def reset(b: Belief) -> None:
    """Reset a belief to the state before the deal; fields not cleared here are written before they are read."""
    b.cohorts = 0
    b.steps = 0
    b.reshuffled = 0
    for card in range(cards.CARD_SLOTS):
        b.discarded[card] = 0
        b.fresh[card] = 0
        for hand in range(layout.MAX_SEATS):
            b.known[hand, card] = 0


@kernel
def excludes(b: Belief, cohort: int, card: int) -> bool:
    """Whether a card is unlikely in a cohort."""
    if is_wild(card):
        return b.c_wilds[cohort] >> card_face(card) & 1 != 0
    return b.c_colored[cohort] >> card & 1 != 0


@kernel
def add_step(b: Belief, kind: int, hand: int, card: int, cohort: int, at: int) -> None:
    """Append a step; if there are too many, all steps and their evidence are dropped."""
    n = b.steps
    if n == MAX_STEPS:
        n = 0
        for c in range(b.cohorts):
            b.c_left[c] = -1
    b.s_kind[n] = kind
    b.s_hand[n] = hand
    b.s_card[n] = card
    b.s_cohort[n] = cohort
    b.s_at[n] = at
    b.s_left[n] = -1
    if kind != S_CAME and cohort >= 0:
        b.s_left[n] = b.c_left[cohort]
        b.c_left[cohort] = n
    b.steps = n + 1


@kernel
def add_unknown(b: Belief, hand: int, count: int, fresh: int, at: int) -> int:
    """Add unknown cards to a hand; returns their cohort, -1 if they joined an older one."""
    c = b.cohorts
    if c == MAX_COHORTS:  # in endless rounds the last cohort takes them and loses its masks
        c -= 1
        b.c_colored[c] = 0
        b.c_wilds[c] = 0
        b.c_count[c] += count
        return -1
    b.c_hand[c] = hand
    b.c_count[c] = count
    b.c_fresh[c] = fresh
    b.c_colored[c] = 0
    b.c_wilds[c] = 0
    b.c_left[c] = -1
    b.cohorts = c + 1
    add_step(b, S_CAME, hand, -1, c, at)
    return c


@kernel
def find_cohort(b: Belief, hand: int, card: int) -> int:
    """Returns the cohort of a hand that most likely contained a card, or any for -1; -1 if there is none."""
    best = -1
    most = 0.0
    for c in range(b.cohorts):
        if b.c_hand[c] != hand or b.c_count[c] == 0:
            continue
        weight = float(b.c_count[c])
        if card >= 0:
            if excludes(b, c, card):
                weight *= _UNLIKELY
            if b.reshuffled != 0 and b.c_fresh[c] != 0 and b.fresh[card] == 0:
                weight *= _UNLIKELY
        if weight > most:
            most = weight
            best = c
    return best


@kernel
def remove(b: Belief, hand: int, card: int, kind: int, at: int, newest: bool) -> None:
    """Remove a card that left a hand face up; ``newest`` if it was the one just drawn."""
    if b.known[hand, card] > 0:
        b.known[hand, card] -= 1
        add_step(b, kind, hand, card, -1, at)
        return
    c = b.cohorts - 1
    if not newest or c < 0 or b.c_hand[c] != hand or b.c_count[c] == 0:
        c = find_cohort(b, hand, card)
    if c >= 0:
        b.c_count[c] -= 1
        if b.c_fresh[c] != 0 and b.fresh[card] > 0:
            b.fresh[card] -= 1
    add_step(b, kind, hand, card, c, at)


@kernel
def exclude_cards(b: Belief, hand: int, colored: int, wilds: int) -> None:
    """Mark certain cards as unlikely in a hand."""
    for c in range(b.cohorts):
        if b.c_hand[c] == hand:
            b.c_colored[c] |= colored
            b.c_wilds[c] |= wilds


@kernel
def add_to_discard_pile(b: Belief, card: int) -> None:
    """Put a card on top of the discard pile."""
    b.discarded[card] += 1
    b.top = card


@kernel
def reshuffle(b: Belief, keep_none: bool) -> None:
    """Turn the discards into the draw pile."""
    b.reshuffled = 1
    for card in range(cards.CARD_SLOTS):
        b.fresh[card] = b.discarded[card]
        b.discarded[card] = 0
    for c in range(b.cohorts):
        b.c_fresh[c] = 0
    if not keep_none and b.top >= 0 and b.fresh[b.top] > 0:
        b.fresh[b.top] -= 1
        b.discarded[b.top] = 1


@kernel
def move_blind_card(b: Belief, giver: int, taker: int, card: int, at: int) -> None:
    """Move a card taken blindly from one hand to another; ``card`` is -1 if this seat did not see it."""
    if card >= 0:
        remove(b, giver, card, S_LEFT, at, False)
        b.known[taker, card] += 1
        return
    c = find_cohort(b, giver, -1)
    if c >= 0:
        b.c_count[c] -= 1
        came = add_unknown(b, taker, 1, b.c_fresh[c], at)
        if came >= 0:
            b.c_colored[came] = b.c_colored[c]
            b.c_wilds[came] = b.c_wilds[c]
        return
    for known in range(cards.CARD_SLOTS):  # the hand is known, but not the card taken: assume the first
        if b.known[giver, known] > 0:
            b.known[giver, known] -= 1
            b.known[taker, known] += 1
            return


@kernel
def show_card(b: Belief, hand: int, card: int, first: bool) -> None:
    """Add a card of a shown hand; the first of them clears all beliefs about the hand."""
    if first:
        for c in range(b.cohorts):
            if b.c_hand[c] == hand:
                b.c_count[c] = 0
        for other in range(cards.CARD_SLOTS):
            b.known[hand, other] = 0
    b.known[hand, card] += 1


@kernel
def pass_hands(b: Belief, players: int, step: int) -> None:
    """Pass every hand to the next seat (6.3)."""
    if step > 0:
        last = b.hand_of[players - 1]
        for seat in range(players - 1, 0, -1):
            b.hand_of[seat] = b.hand_of[seat - 1]
        b.hand_of[0] = last
    else:
        first = b.hand_of[0]
        for seat in range(players - 1):
            b.hand_of[seat] = b.hand_of[seat + 1]
        b.hand_of[players - 1] = first
