"""Movements of cards between hands, draw pile and discard pile, and their event log."""

from typing import Final

from lastcard.game import cards
from lastcard.kernel import bits, bytes16
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.signatures import is_specialized
from lastcard.rules import chance, event_codes, forced_chance, layout, option_codes, phases
from lastcard.rules.cards import card_color, card_face, is_wild
from lastcard.rules.round_state import RoundState

# Masks of colored cards; shifted, those of a face or a color.
ALL_COLORED: Final = 0x3FFF3FFF3FFF3FFF
ONE_FACE: Final = 0x0001000100010001
ONE_COLOR: Final = 0x3FFF
# The bits of a card are its index in a mask and, above that, whether it is wild.
_WILD_SHIFT: Final = 6
_MASK_INDEX: Final = 63


@kernel
def _append_event(t: RoundState, event: int, seat: int, a: int, b: int) -> None:
    if t.event_log_n < layout.EVENT_LOG_WORDS:
        t.event_log[t.event_log_n] = event | (seat + 1) << 8 | (a + 1) << 16 | (b + 1) << 24
        t.event_log_n += 1


@inlined
def emit(t: RoundState, event: int, seat: int, a: int, b: int) -> None:
    """Append an event to the event log: kind, seat and two small values (-1 for none), a byte each."""
    if t.record_events != 0:
        _append_event(t, event, seat, a, b)


@inlined
def only_wilds(t: RoundState) -> bool:
    """Whether this code is compiled for a ruleset without colored cards."""
    return is_specialized() and t.game == option_codes.ALL_WILD and t.has_foreign_cards == 0


@inlined
def wild_bit(t: RoundState, card: int) -> int:
    """Returns 1 for a wild, else 0; masks made from it replace branches, which would mispredict."""
    return 1 if only_wilds(t) else card >> _WILD_SHIFT


@inlined
def put_card(t: RoundState, seat: int, card: int) -> None:
    """Put a card into a hand; the caller updates its size (``change_hand_size``)."""
    t.counts[seat, card] += 1
    wild = wild_bit(t, card)
    t.colored[seat] |= (1 - wild) << (card & _MASK_INDEX)
    t.wilds[seat] |= wild << (card & _MASK_INDEX)


@inlined
def has_duties(t: RoundState) -> bool:
    """Whether players may have to call; only then moves record who has played and whose hand has changed."""
    return not (is_specialized() and t.uno_window == option_codes.WINDOW_AUTOMATIC)


@inlined
def change_hand_size(t: RoundState, seat: int, count: int) -> None:
    """Add ``count``, which may be negative, to the size of a hand."""
    held = t.held[seat] + count
    t.held[seat] = held
    bit = 1 << seat
    t.one_card_mask = t.one_card_mask | bit if held == 1 else t.one_card_mask & ~bit
    if has_duties(t):
        t.changed_hands |= bit


@inlined
def has_barred(t: RoundState, seat: int) -> bool:
    """Whether a seat may hold cards that it may not play before its next turn (CO-8)."""
    return t.barred >> seat & 1 != 0


@inlined
def free_count(t: RoundState, seat: int, card: int) -> int:
    """Returns how many cards of a kind a seat holds that are not barred (CO-8)."""
    return int(t.free_cards[seat, card]) if has_barred(t, seat) else int(t.counts[seat, card])


@inlined
def is_barred(t: RoundState, seat: int, card: int) -> bool:
    """Whether a seat may play none of its cards of a kind before its next turn (CO-8)."""
    return has_barred(t, seat) and t.free_cards[seat, card] == 0


@kernel
def only_free(t: RoundState, seat: int, kinds: int, first: int) -> int:
    """Returns the part of a mask of card kinds that are not barred for a seat; ``first`` is its lowest bit's card."""
    left = kinds if has_barred(t, seat) else 0
    while left != 0:
        kind = bits.lowest_bit(left)
        left &= left - 1
        if t.free_cards[seat, first + kind] == 0:
            kinds ^= 1 << kind
    return kinds


@inlined
def bar_draws(t: RoundState, seat: int) -> None:
    """Bar the cards that a seat will draw: until its next turn it may play only the cards that it holds now (CO-8)."""
    if not has_barred(t, seat):
        t.barred |= 1 << seat
        for at in range(cards.WILDS_FROM if only_wilds(t) else 0, cards.CARD_SLOTS, bytes16.WIDTH_BYTES):
            bytes16.copy_part(t.free_cards[seat], at, t.counts[seat], at)


@inlined
def count_free_card(t: RoundState, seat: int, card: int) -> None:
    """Record that a hand has received a card that its seat may play at once (LC-9)."""
    if has_barred(t, seat):
        t.free_cards[seat, card] += 1


@inlined
def uncount_free_card(t: RoundState, seat: int, card: int) -> None:
    """Record that a card has left a hand: of equal cards, one that may be played (LC-9)."""
    if has_barred(t, seat) and t.free_cards[seat, card] > 0:
        t.free_cards[seat, card] -= 1


@inlined
def add_card(t: RoundState, seat: int, card: int) -> None:
    """Put a card into a hand."""
    seat &= 15
    put_card(t, seat, card)
    change_hand_size(t, seat, 1)


@inlined
def take_card(t: RoundState, seat: int, card: int) -> None:
    """Take a card that is in a hand out of it."""
    seat &= 15
    left = int(t.counts[seat, card]) - 1
    t.counts[seat, card] = left
    gone = 1 if left == 0 else 0
    wild = wild_bit(t, card)
    t.colored[seat] ^= (gone & ~wild) << (card & _MASK_INDEX)
    t.wilds[seat] ^= (gone & wild) << (card & _MASK_INDEX)
    change_hand_size(t, seat, -1)


@inlined
def color_mask(color: int) -> int:
    """Returns the mask of the colored cards of a color."""
    return ONE_COLOR << (cards.FACES_PER_COLOR * color)


@inlined
def set_top(t: RoundState, card: int, color: int) -> None:
    """Set the card to be matched and the current color (CL-15, CL-16)."""
    t.top = card
    t.color = color
    if t.game == option_codes.ALL_WILD:
        t.matching = ALL_COLORED
        return
    mask = 0
    if color >= 0:
        mask = color_mask(color)
    if not is_wild(card):
        mask |= ONE_FACE << card_face(card)
    elif card_face(card) == cards.JACKPOT and t.wj_jackpot_on_wild == option_codes.JACKPOT_SYMBOL:
        mask |= ONE_FACE << cards.JACKPOT
    t.matching = mask


@inlined
def set_colored_top(t: RoundState, card: int) -> None:
    """``set_top`` for a colored card whose own color is in force, the usual case."""
    color = card_color(card)
    t.top = card
    t.color = color
    t.matching = ALL_COLORED if t.game == option_codes.ALL_WILD else color_mask(color) | ONE_FACE << card_face(card)


@inlined
def push_discard(t: RoundState, card: int) -> None:
    """Put a card on the discard pile."""
    n = t.discard_n & 127
    t.discard[n] = card
    t.discard_n = n + 1
    t.topless = 0


@kernel
def bury(t: RoundState, seat: int, card: int) -> None:
    """Put a card of a hand under the top discard; color and top do not change (R1)."""
    take_card(t, seat, card)
    uncount_free_card(t, seat, card)
    n = t.discard_n
    if n > 0 and t.topless == 0:
        t.discard[n] = t.discard[n - 1]
        t.discard[n - 1] = card
    else:
        t.discard[n] = card
    t.discard_n = n + 1
    t.successive_passes = 0
    emit(t, event_codes.BURIED, seat, card, -1)


@inlined
def available(t: RoundState) -> int:
    """Returns how many cards could be drawn now, recycled discards included (CO-30, CO-31)."""
    below = t.discard_n
    if t.reshuffle != option_codes.RESHUFFLE_KEEP_NONE and below > 0:
        below -= 1
    return t.pile_n + below


@kernel
def takes_top(t: RoundState, by: int) -> bool:
    """Whether a reshuffle takes the top card too: not while its effect is being applied (LC-10).

    ``by`` is the reason of the draw (``event_codes.BY_TURN`` and so on).
    """
    if t.reshuffle != option_codes.RESHUFFLE_KEEP_NONE:
        return False
    penalty = by == event_codes.BY_PENALTY and t.phase != phases.CHALLENGE and t.phase != phases.STACK
    return by == event_codes.BY_TURN or penalty


@kernel
def recycle(t: RoundState, by: int) -> None:
    """Turn the discards except the top card into the new draw pile, in random order (CO-30)."""
    n = t.discard_n
    stays_top = 0 if n == 0 or t.topless != 0 or takes_top(t, by) else 1
    for i in range(n - stays_top):
        t.pile[i] = t.discard[i]
    if stays_top == 1:
        t.discard[0] = t.discard[n - 1]
    t.pile_n = n - stays_top
    t.discard_n = stays_top
    t.topless = 1 - stays_top
    t.ordered_n = 0
    if n > stays_top:
        chance.open_stream(t, chance.RESHUFFLE, t.reshuffles)
        t.reshuffles += 1
        emit(t, event_codes.RESHUFFLED, -1, t.pile_n, -1)


@inlined
def take_top(t: RoundState, by: int) -> int:
    """Take the next card of the draw pile; returns it, or -1 if none exists.

    The shuffle is drawn card by card: unless the order is known, any card left is equally likely.
    """
    n = t.pile_n
    if n == 0:
        recycle(t, by)
        n = t.pile_n
        if n == 0:
            return -1
    n = (n - 1) & 127
    if t.ordered_n > 0:
        card = int(t.pile[n]) & 127
        t.ordered_n -= 1
    else:
        i = chance.next_below(t, n + 1) & 127
        card = int(t.pile[i]) & 127
        t.pile[i] = t.pile[n]
    t.pile_n = n
    if n == 0 and t.reshuffle == option_codes.RESHUFFLE_EAGER and t.discard_n > 1:
        recycle(t, by)
    return card


@kernel
def draw(t: RoundState, seat: int, count: int, by: int) -> int:
    """Draw a number of cards, or as many as exist (CO-33); returns how many were drawn."""
    seat &= 15
    if count > 0:
        bar_draws(t, seat)
    came = 0
    while came < count:
        card = take_top(t, by)
        if card < 0:
            if t.short_draw == option_codes.SHORT_ENDS:
                t.supply_exhausted = 1
            break
        put_card(t, seat, card)
        emit(t, event_codes.DREW, seat, card, by)
        came += 1
    if came > 0:
        t.successive_passes = 0
        change_hand_size(t, seat, came)
    return came


@kernel
def swap_hands(t: RoundState, a: int, b: int) -> None:
    """Exchange two complete hands."""
    for at in range(0, cards.CARD_SLOTS, bytes16.WIDTH_BYTES):
        bytes16.swap_part(t.counts[a], t.counts[b], at)
    t.colored[a], t.colored[b] = t.colored[b], t.colored[a]
    t.wilds[a], t.wilds[b] = t.wilds[b], t.wilds[a]
    t.held[a], t.held[b] = t.held[b], t.held[a]
    both = (1 << a) | (1 << b)
    if has_duties(t):
        t.changed_hands |= both
    t.barred &= ~both
    t.one_card_mask &= ~both
    if t.held[a] == 1:
        t.one_card_mask |= 1 << a
    if t.held[b] == 1:
        t.one_card_mask |= 1 << b


@kernel
def blind_card(t: RoundState, seat: int) -> int:
    """Returns a random card of a hand, each card equally likely."""
    i = forced_chance.next_forced(t, forced_chance.OF_HAND, seat) if t.forced_outcomes > 0 else layout.NOTHING
    if i == layout.NOTHING:
        i = chance.first_below(t, chance.BLIND, t.blind_draws, t.held[seat])
    t.blind_draws += 1
    card = 0
    while i >= t.counts[seat, card]:
        i -= int(t.counts[seat, card])
        card += 1
    return card


@kernel
def move_blind(t: RoundState, giver: int, taker: int, count: int) -> None:
    """Move random cards from one hand to another, ``count`` or as many as there are (R5, LC-52)."""
    for _ in range(count):
        if t.held[giver] == 0:
            return
        card = blind_card(t, giver)
        take_card(t, giver, card)
        uncount_free_card(t, giver, card)
        add_card(t, taker, card)
        count_free_card(t, taker, card)
        t.successive_passes = 0
        emit(t, event_codes.TOOK, taker, giver, card)


@inlined
def holds_color(t: RoundState, seat: int, color: int) -> bool:
    """Whether a hand has a card of a color (CL-30)."""
    return color >= 0 and (t.colored[seat] >> (cards.FACES_PER_COLOR * color)) & ONE_COLOR != 0


@inlined
def of_color(colored: int, color: int) -> int:
    """Returns the cards of a color in a mask, as a mask of faces."""
    return colored >> (cards.FACES_PER_COLOR * color) & ONE_COLOR


@kernel
def only_kind(t: RoundState, seat: int) -> int:
    """Returns the only kind of card in a hand, or -1 if it has several or none."""
    colored, wilds = t.colored[seat], t.wilds[seat]
    if colored != 0 and wilds == 0 and colored & (colored - 1) == 0:
        return bits.lowest_bit(colored)
    if wilds != 0 and colored == 0 and wilds & (wilds - 1) == 0:
        return cards.WILDS_FROM + bits.lowest_bit(wilds)
    return -1


@kernel
def hand_points(t: RoundState, seat: int) -> int:
    """Returns the points of a hand (AW-51, CL-50, WJ-60)."""
    points = 0
    colored = t.colored[seat]
    while colored != 0:
        card = bits.lowest_bit(colored)
        colored &= colored - 1
        face = card_face(card)
        value = 40 if face == cards.JACKPOT else 20 if face >= cards.SKIP else face
        if t.game == option_codes.ALL_WILD:
            value = 50
        points += value * int(t.counts[seat, card])
    wilds = t.wilds[seat]
    while wilds != 0:
        face = bits.lowest_bit(wilds)
        wilds &= wilds - 1
        value = 20 if t.game == option_codes.ALL_WILD and face == 0 else 50
        points += value * int(t.counts[seat, cards.WILDS_FROM + face])
    return points


@kernel
def forget_color(t: RoundState) -> None:
    """Clear the current color, so that only wilds can be laid until one is named."""
    set_top(t, t.top, cards.NO_COLOR)
