"""Points of a round, the winners of the match, and the dealer of the first and of the next round."""

from __future__ import annotations

from typing import Final

from lastcard.game import cards
from lastcard.kernel import bits
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import chance, layout, option_codes, piles
from lastcard.rules.cards import card_face, is_wild
from lastcard.rules.round_state import RoundState

BY_DRAW: Final = -1
"""In place of a dealer: players draw cards for it."""
DEALER_SCRATCH_WORDS: Final = layout.MAX_DECK + layout.MAX_SEATS + 16
"""Size of the scratch of ``draw_dealer`` in int64: a deck, a card for every seat, a ChaCha8 block."""


@kernel
def wins_with(t: RoundState, seat: int, winner: int) -> bool:
    """Whether a seat wins when ``winner`` does; -1 for no winner (6.8)."""
    return winner >= 0 and (seat == winner or (t.team_play != 0 and (seat - winner) & 1 == 0))


@kernel
def round_winners(t: RoundState) -> int:
    """Returns the mask of the seats that have won the finished round."""
    winners = 0
    for seat in range(t.players):
        if wins_with(t, seat, t.winner):
            winners |= 1 << seat
    return winners


@kernel
def count_hands(t: RoundState, points: Int64s) -> None:
    """Write the points of the cards in each hand to ``points``."""
    for seat in range(t.players):
        points[seat] = piles.hand_points(t, seat)


@kernel
def score_round(t: RoundState, points: Int64s) -> None:
    """Replace the points left in each hand by those each seat scores (AW-51, CL-51, CL-52, WJ-61, LC-46, CO-35)."""
    collected = 0
    for seat in range(t.players):
        if not wins_with(t, seat, t.winner):
            collected += points[seat]
    for seat in range(t.players):
        if t.scoring == option_codes.TALLY:
            points[seat] = points[seat] if t.winner >= 0 and seat != t.winner else 0
        else:
            points[seat] = collected if wins_with(t, seat, t.winner) else 0


@kernel
def find_winners(t: RoundState, scores: Int64s) -> int:
    """Returns the mask of the seats that have won the match; 0 while it continues (AW-50, CO-46, CL-52, CL-53)."""
    if t.winner < 0:
        return 0
    if t.match_mode == option_codes.SINGLE_ROUND:
        return round_winners(t)
    most = scores[0]
    least = scores[0]
    for seat in range(t.players):
        most = max(most, scores[seat])
        least = min(least, scores[seat])
    if most < t.winning_score:
        return 0
    winners = 0
    tied = 0
    for seat in range(t.players):
        if scores[seat] == (least if t.scoring == option_codes.TALLY else most):
            winners |= 1 << seat
            tied += 1
    return 0 if t.scoring == option_codes.TALLY and tied > 1 and t.tally_tie != option_codes.TIE_SHARED else winners


@kernel
def find_dealer(t: RoundState, points: Int64s) -> int:
    """Returns the dealer after the finished round by the points left in each hand, or BY_DRAW (CO-44, LC-14)."""
    left = (t.dealer + 1) % t.players
    if t.next_dealer == option_codes.NEXT_REDRAWN:
        return BY_DRAW
    if t.winner < 0:
        return left
    if t.next_dealer == option_codes.NEXT_WINNER:
        return int(t.winner)
    if t.next_dealer != option_codes.NEXT_LOSER:
        return left
    best = left
    for i in range(t.players):
        seat = (left + i) % t.players
        if points[seat] > points[best]:
            best = seat
    return best


@kernel
def dealer_value(card: int) -> int:
    """Returns the number of a card; a symbol counts 0 (CL-3)."""
    face = card_face(card)
    return 0 if is_wild(card) or face >= cards.SKIP else face


@kernel
def highest_drawers(t: RoundState, seats: int, drawn: Int64s) -> int:
    """Mask of the seats that have drawn the highest number for dealer, or of the lowest of them (CL-3, CL-4, WJ-6).

    ``seats`` is a mask; ``drawn`` has a card of each of them, lowest seat first.
    """
    best = -1
    highest = 0
    n = 0
    for seat in range(layout.MAX_SEATS):
        if seats >> seat & 1 != 0:
            value = dealer_value(int(drawn[n]))
            n += 1
            if value > best:
                best = value
                highest = 0
            if value == best:
                highest |= 1 << seat
    return highest & -highest if t.dealer_tie == option_codes.TIE_LOWEST_SEAT else highest


@kernel
def draw_dealer(t: RoundState, number: int, scratch: Int64s) -> int:
    """Returns a random dealer: the highest number drawn, in All Wild any seat (AW-4, LC-13).

    Args:
        scratch: int64[DEALER_SCRATCH_WORDS].
    """
    block = scratch[layout.MAX_DECK + layout.MAX_SEATS :]
    if t.game == option_codes.ALL_WILD or t.first_dealer == option_codes.FIRST_RANDOM:
        for seat in range(t.players):
            scratch[seat] = seat
        chance.shuffle(t.key, chance.DEALER, number, 0, scratch[: t.players], block)
        return int(scratch[0])
    drawn = scratch[layout.MAX_DECK : layout.MAX_DECK + layout.MAX_SEATS]
    seats = (1 << t.players) - 1
    decks = 0  # one shuffled deck after another
    at = t.deck_n
    while seats & (seats - 1) != 0:
        n = 0
        for seat in range(t.players):
            if seats >> seat & 1 != 0:
                if at == t.deck_n:
                    for i in range(t.deck_n):
                        scratch[i] = t.deck[i]
                    chance.shuffle(t.key, chance.DEALER, number, decks, scratch[: t.deck_n], block)
                    decks += 1
                    at = 0
                drawn[n] = scratch[at]
                n += 1
                at += 1
        seats = highest_drawers(t, seats, drawn)
    return bits.lowest_bit(seats)
