"""Policy for a streak of cards (R2): looks for the longest streak after each possible next card."""

from typing import Final

from lastcard.game import cards
from lastcard.kernel import bits
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import legal, piles
from lastcard.rules.cards import card_color, card_face, is_wild
from lastcard.rules.round_state import RoundState

_NOTHING: Final = -1


@inlined
def _fits_on(card: int) -> int:
    """Returns the mask of the colored cards that match a colored card."""
    return piles.color_mask(card_color(card)) | (piles.ONE_FACE << card_face(card))


@inlined
def remove_one(colored: int, doubles: int, card: int) -> int:
    """Returns the mask of a hand without a card; one that it holds twice remains."""
    return colored if doubles >> card & 1 != 0 else colored ^ (1 << card)


@kernel
def streak_length(colored: int, doubles: int, wilds: int, fours: int, color: int, fits: int) -> int:
    """Returns the length of a streak in which each card is the one that leaves most successors.

    Jackpots of all colors may match a Wild Jackpot (WJ-21), which adds nothing: it can name the successor's color.

    Args:
        colored: mask of the colored cards of the hand; ``doubles`` are those it holds more than once.
        wilds: number of wilds except ``fours``, the Wild Draw Fours, which need a hand without the current color.
        color: current color.
        fits: mask of the matching cards, wilds aside.
    """
    laid = 0
    while True:
        most = -1
        best = _NOTHING
        mask = colored & fits
        while mask != 0:
            card = bits.lowest_bit(mask)
            mask &= mask - 1
            rest = remove_one(colored, doubles, card)
            after = 2 * bits.popcount(rest & _fits_on(card)) + 1
            if after > most:
                most = after
                best = card
        if wilds > 0 or (fours > 0 and piles.of_color(colored, color) == 0):
            for named in range(cards.WILD):
                after = 2 * bits.popcount(piles.of_color(colored, named))
                if after > most:  # a wild is saved if a card does as well
                    most = after
                    best = cards.WILDS_FROM + named
        if best == _NOTHING:
            return laid
        laid += 1
        if best < cards.WILDS_FROM:
            colored = remove_one(colored, doubles, best)
            doubles &= ~(1 << best)
            color = card_color(best)
            fits = _fits_on(best)
        else:
            color = best - cards.WILDS_FROM
            fits = piles.color_mask(color)
            if wilds > 0:
                wilds -= 1
            else:
                fours -= 1


@kernel
def choose_in_streak(t: RoundState, seat: int, out: Int64s) -> int:
    """Returns the play with the longest streak after it by ``streak_length``.

    Args:
        t: state whose seat on turn lays a streak (R2).
        out: int64[MAX_ACTIONS], scratch.
    """
    colored = piles.only_free(t, seat, t.colored[seat], 0)
    doubles = 0
    mask = colored
    while mask != 0:
        card = bits.lowest_bit(mask)
        mask &= mask - 1
        if piles.free_count(t, seat, card) > 1:
            doubles |= 1 << card
    wilds = piles.free_count(t, seat, cards.W) + piles.free_count(t, seat, cards.W_JACKPOT)
    fours = piles.free_count(t, seat, cards.W_DRAW_FOUR)
    best = 0
    most = -1
    for i in range(legal.list_actions(t, seat, out)):
        card = int(out[i]) & 255
        if card >= cards.CARD_SLOTS:
            continue
        if not is_wild(card):
            color = card_color(card)
            rest = remove_one(colored, doubles, card)
            after = streak_length(rest, doubles & ~(1 << card), wilds, fours, color, _fits_on(card))
        else:
            named = int(out[i]) >> 8 & 15
            color = named if named < cards.WILD else 0
            one = 1 if card == cards.W_DRAW_FOUR else 0
            after = streak_length(colored, doubles, wilds - 1 + one, fours - one, color, piles.color_mask(color))
        if after > most:
            most = after
            best = int(out[i])
    return best
