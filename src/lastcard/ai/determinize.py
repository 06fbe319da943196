"""Determinization: deals of the hidden cards that agree with a belief, and the likelihood of others' plays in them.

Source of the method: determinization weighted by a model of the others, as in M. L. Ginsberg, "GIB: Imperfect
Information in a Computationally Challenging Game" (2001).
"""

from typing import Any, Final, NamedTuple

from lastcard.ai import belief, heuristic_eval, heuristic_policy
from lastcard.ai.belief import Belief
from lastcard.game import action_codes, cards
from lastcard.kernel import bits, bytes16
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float64s, Int8s, Int8s2, Int32s, Int64s
from lastcard.rules import chance, history, legal, option_codes, phases, piles, refusal_reasons
from lastcard.rules.cards import is_wild
from lastcard.rules.round_state import RoundState

DEAL_BYTES: Final = 256
"""Size of a sampled deal in bytes: the cards of the cohorts by ``c_at``, then the draw pile from ``pile_at``."""

_MAX_TRIES: Final = 12
_EXCLUDED_PER_65536: Final = 2621
"""Probability, times 65,536, of an unlikely card."""
_NAMES_BEST: Final = 0.8
"""Probability that a heuristic player of a wild names the heuristic color; of all players, about half do."""
_NAMES_BEST_AT_RANDOM: Final = 0.55
_ROUNDED_DOWN: Final = 1.0 - 1e-12
"""Factor of a limit that is not to be too high by rounding."""
_DEVIATORS_FOLLOW: Final = 0.6
"""Probability that a deviating player follows the heuristics nevertheless."""


class OpponentModel(NamedTuple):
    """History of the others, and assumptions about their play."""

    words: Int32s
    """The history as the seat saw it."""
    w: Float64s
    """Weights of the heuristics by which their plays are rated."""
    scored_plays: int
    """Number of plays rated for each hand, latest first; 0 for none."""
    rationality: float
    """Probability that they follow the heuristics, 0 to 1."""
    deviation: float
    """Share of players that deviate more often, 0 to 1."""


class Chain(NamedTuple):
    """A Markov chain of sampled deals, each a small change of the previous one."""

    deals: Int8s2
    """int8[k, DEAL_BYTES], written."""
    likelihoods: Float64s
    """float64[MAX_SEATS], scratch: likelihood of the plays of each hand."""
    dice: Int64s
    """Dice for all random numbers."""
    burn_in: int
    """Number of steps before the first deal counts."""
    thinning: int
    """Number of steps between two deals."""


@kernel
def pick_card(b: Belief, cohort: int, pool: Any, n: int, dice: Int64s) -> int:
    """Returns the index in a pool of a random card for a cohort, rarely an unlikely one."""
    i = chance.roll_below(dice, n)
    for _ in range(_MAX_TRIES):
        if not belief.excludes(b, cohort, int(pool[i])) or chance.roll_below(dice, 65536) < _EXCLUDED_PER_65536:
            break
        i = chance.roll_below(dice, n)
    return i


@kernel
def sample_deal(b: Belief, root: RoundState, dice: Int64s, deal: Int8s) -> None:
    """Write a random deal of the hidden cards that agrees with the belief to ``deal`` (int8[DEAL_BYTES])."""
    old = b.old_n
    young = b.young_n
    for i in range(old):
        b.old_left[i] = b.old[i]
    for i in range(young):
        b.young_left[i] = b.young[i]
    for k in range(b.orders):
        c = b.order[k]
        at = b.c_at[c]
        for j in range(b.c_count[c]):
            if old > 0 and (young == 0 or (b.reshuffled != 0 and b.c_fresh[c] == 0)):
                i = pick_card(b, c, b.old_left, old, dice)
                old -= 1
                deal[at + j] = b.old_left[i]
                b.old_left[i] = b.old_left[old]
            elif young > 0:
                i = pick_card(b, c, b.young_left, young, dice)
                young -= 1
                deal[at + j] = b.young_left[i]
                b.young_left[i] = b.young_left[young]
            else:  # a position with fewer cards than a deck
                deal[at + j] = cards.W
    for j in range(root.pile_n):
        card = cards.W
        if young > 0:
            i = chance.roll_below(dice, young)
            young -= 1
            card = int(b.young_left[i])
            b.young_left[i] = b.young_left[young]
        elif old > 0:
            old -= 1
            card = int(b.old_left[old])
        deal[b.pile_at + j] = card


@kernel
def give_hand(b: Belief, t: RoundState, deal: Int8s, hand: int, seat: int) -> None:
    """Put the known and the sampled cards of a hand into it; its size is already set."""
    for card in range(cards.CARD_SLOTS):
        for _ in range(b.known[hand, card]):
            piles.put_card(t, seat, card)
    for k in range(b.orders):
        c = b.order[k]
        if b.c_hand[c] == hand:
            for j in range(b.c_count[c]):
                piles.put_card(t, seat, int(deal[b.c_at[c] + j]))


@kernel
def empty_hand(t: RoundState, seat: int) -> None:
    """Remove all cards of a hand without changing its size."""
    for card in range(cards.CARD_SLOTS):
        t.counts[seat, card] = 0
    t.colored[seat] = 0
    t.wilds[seat] = 0


@kernel
def seat_of(b: Belief, t: RoundState, hand: int) -> int:
    """Returns the seat that has a hand now."""
    for seat in range(t.players):
        if b.hand_of[seat] == hand:
            return seat
    return 0


@kernel
def apply_deal(b: Belief, t: RoundState, deal: Int8s, dice: Int64s) -> None:
    """Complete a copy of the root with a sampled deal: hands, draw pile, and new chance."""
    for seat in range(t.players):
        if seat != b.seat:
            give_hand(b, t, deal, b.hand_of[seat], seat)
    for j in range(t.pile_n):
        t.pile[j] = deal[b.pile_at + j]
    chance.reseed_chance(t, dice)
    if t.phase == phases.CHALLENGE:
        t.was_bluff = 1 if piles.holds_color(t, t.challenged_seat, t.color_before) else 0
    if t.phase == phases.DRAWN and t.turn != b.seat:
        t.drawn = find_drawn(t, t.turn)


@kernel
def find_drawn(t: RoundState, seat: int) -> int:
    """Returns a card that another seat may just have drawn: a playable one, if it has any."""
    last = cards.W
    for card in range(cards.CARD_SLOTS):
        if t.counts[seat, card] > 0:
            last = card
            if legal.card_refusal(t, seat, card, t.wd4_mode == option_codes.WD4_STRICT) == refusal_reasons.OK:
                return card
    return last


# --- likelihood of the others' plays ---------------------------------------------------------------


@kernel
def play_likelihood(g: RoundState, opponents: OpponentModel, at: int, seat: int, card: int) -> tuple[float, float]:
    """Returns how likely a seat with the hand in ``g`` makes a play: by the heuristics, and by uniformly random play.

    Args:
        at: index of the decision in the history.
        card: card that was laid.
    """
    history.restore_public_state(g, opponents.words, at)
    if g.held[seat] == 1:
        return 1.0, 1.0
    any_card = 1.0 / max(1, bits.popcount(g.colored[seat] & g.matching) + bits.popcount(g.wilds[seat]))
    by_heuristic = 1.0 if heuristic_policy.choose_card(g, opponents.w, seat) == card else 0.0
    color = (int(opponents.words[at + 1]) >> 16) & 15
    if not is_wild(card) or color == action_codes.NO_ARG:
        return by_heuristic, any_card
    if heuristic_eval.best_arg(g, seat, card) == color:
        return by_heuristic * _NAMES_BEST, any_card * _NAMES_BEST_AT_RANDOM
    rest = cards.WILD - 1
    return by_heuristic * (1.0 - _NAMES_BEST) / rest, any_card * (1.0 - _NAMES_BEST_AT_RANDOM) / rest


@kernel
def hand_likelihood(b: Belief, g: RoundState, opponents: OpponentModel, deal: Int8s, hand: int, least: float) -> float:
    """Put a hand of a deal into ``g``, and return ``plays_likelihood`` of it."""
    seat = seat_of(b, g, hand)
    empty_hand(g, seat)
    give_hand(b, g, deal, hand, seat)
    return plays_likelihood(b, g, opponents, deal, hand, least)


@kernel
def plays_likelihood(b: Belief, g: RoundState, opponents: OpponentModel, deal: Int8s, hand: int, least: float) -> float:
    """Returns the likelihood of the last plays from a hand in a deal, or any number below ``least`` if it is below.

    Goes back from the present: laid cards return to the hand, received cards leave it. A player deviates in all plays
    of a round or in none, so the result is a mixture of both cases. Every play makes both less likely.

    Args:
        g: state with the hand as it is now, in which other information is changed.
        hand: hand of the plays.
    """
    seat = seat_of(b, g, hand)
    colored, wilds = g.colored[seat], g.wilds[seat]
    for at in range(0, cards.CARD_SLOTS, bytes16.WIDTH_BYTES):
        bytes16.copy_part(b.saved, at, g.counts[seat], at)
    rational = deviating = mixture = 1.0
    scored = 0
    i = b.steps - 1
    while i >= 0 and scored < opponents.scored_plays and mixture >= least:
        if b.s_hand[i] == hand:
            card = b.s_card[i]
            if b.s_kind[i] == belief.S_CAME:
                remove_cohort(b, g, seat, b.s_cohort[i], deal)
            else:
                piles.put_card(g, seat, card)
                at = b.s_at[i]
                if b.s_kind[i] == belief.S_PLAYED and (int(opponents.words[at]) >> 8 & 255) - 1 == seat:
                    by_heuristic, any_card = play_likelihood(g, opponents, at, seat, card)
                    rational *= opponents.rationality * by_heuristic + (1.0 - opponents.rationality) * any_card
                    deviating *= _DEVIATORS_FOLLOW * by_heuristic + (1.0 - _DEVIATORS_FOLLOW) * any_card
                    mixture = (1.0 - opponents.deviation) * rational + opponents.deviation * deviating
                    scored += 1
        i -= 1
    g.colored[seat] = colored
    g.wilds[seat] = wilds
    for at in range(0, cards.CARD_SLOTS, bytes16.WIDTH_BYTES):
        bytes16.copy_part(g.counts[seat], at, b.saved, at)
    return mixture


@kernel
def remove_cohort(b: Belief, g: RoundState, seat: int, c: int, deal: Int8s) -> None:
    """Remove the cards of a cohort from a hand, to go back before it arrived: sampled ones and those that have left."""
    for j in range(b.c_count[c]):
        remove_one(g, seat, int(deal[b.c_at[c] + j]))
    left = b.c_left[c]
    while left >= 0:
        remove_one(g, seat, b.s_card[left])
        left = b.s_left[left]


@inlined
def replace_card(b: Belief, g: RoundState, hand: int, old: int, new: int) -> None:
    """Replace a card of a hand by another; -1 is the draw pile, which is not in ``g``."""
    if hand >= 0:
        seat = seat_of(b, g, hand)
        piles.take_card(g, seat, old)
        piles.put_card(g, seat, new)


@kernel
def remove_one(g: RoundState, seat: int, card: int) -> None:
    """Take a card out of a hand, if it is there."""
    if g.counts[seat, card] > 0:
        piles.take_card(g, seat, card)


# --- a Markov chain of deals -----------------------------------------------------------------------


@kernel
def exclusion_weight(b: Belief, cohort: int, card: int) -> float:
    """Returns the weight of a card in a cohort; in the draw pile (-1) all are equal."""
    return 1.0 if cohort < 0 or not belief.excludes(b, cohort, card) else _EXCLUDED_PER_65536 / 65536.0


@kernel
def metropolis_step(b: Belief, g: RoundState, opponents: OpponentModel, chain: Chain, deal: Int8s, total: int) -> None:
    """Swap two hidden cards, if the Metropolis criterion accepts it (N. Metropolis et al. 1953).

    Args:
        deal: current deal of the chain, changed together with ``chain.likelihoods`` and the hands in ``g``.
        total: number of hidden cards.
    """
    dice = chain.dice
    likelihoods = chain.likelihoods
    i = chance.roll_below(dice, b.pile_at)
    j = chance.roll_below(dice, total)
    c = b.cohort_at[i]
    d = b.cohort_at[j] if j < b.pile_at else -1
    one, two = int(deal[i]), int(deal[j])
    hand = b.c_hand[c]
    other = b.c_hand[d] if d >= 0 else -1
    if one == two or hand == other:
        return
    if b.reshuffled != 0 and (b.c_fresh[c] != 0) != (d < 0 or b.c_fresh[d] != 0):
        return
    ratio = (
        exclusion_weight(b, c, two)
        * exclusion_weight(b, d, one)
        / (exclusion_weight(b, c, one) * exclusion_weight(b, d, two))
    )
    uniform = chance.roll(dice) / 4294967296.0
    if opponents.scored_plays == 0:
        if uniform < ratio:
            deal[i], deal[j] = two, one
        return
    if ratio < uniform * 1e-4:
        return
    deal[i], deal[j] = two, one
    replace_card(b, g, hand, one, two)
    replace_card(b, g, other, two, one)
    needed = uniform * likelihoods[hand] * (likelihoods[other] if other >= 0 else 1.0) / ratio
    least = needed * _ROUNDED_DOWN
    proposed = plays_likelihood(b, g, opponents, deal, hand, least)
    other_proposed = 1.0
    if other >= 0 and proposed >= least and proposed > 0.0:
        other_proposed = plays_likelihood(b, g, opponents, deal, other, least / proposed)
    if proposed * other_proposed > needed:
        likelihoods[hand] = proposed
        if other >= 0:
            likelihoods[other] = other_proposed
    else:
        deal[i], deal[j] = one, two
        replace_card(b, g, hand, two, one)
        replace_card(b, g, other, one, two)


@kernel
def sample_deals(b: Belief, root: RoundState, g: RoundState, opponents: OpponentModel, chain: Chain) -> None:
    """Fill a chain with deals sampled by their likelihood, in random order; ``g`` is changed."""
    deals = chain.deals
    sample_deal(b, root, chain.dice, deals[0])
    for c in range(b.cohorts):
        for j in range(b.c_count[c]):
            b.cohort_at[b.c_at[c] + j] = c
    total = b.pile_at + root.pile_n
    for seat in range(root.players):
        hand = b.hand_of[seat]
        likelihood = hand_likelihood(b, g, opponents, deals[0], hand, 0.0)
        chain.likelihoods[hand] = 1.0 if seat == b.seat else likelihood
    for k in range(deals.shape[0]):
        if k > 0:
            for card in range(DEAL_BYTES):
                deals[k, card] = deals[k - 1, card]
        if b.pile_at > 0:
            for _ in range(chain.burn_in if k == 0 else chain.thinning):
                metropolis_step(b, g, opponents, chain, deals[k], total)
    for k in range(deals.shape[0] - 1, 0, -1):
        j = chance.roll_below(chain.dice, k + 1)
        for card in range(DEAL_BYTES):
            deals[k, card], deals[j, card] = deals[j, card], deals[k, card]
