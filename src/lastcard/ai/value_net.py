"""The value net: a small network that estimates the chance of a seat to win a round with all hands open.

It rates the ends of short rollouts of sampled deals, where all hands are known. It has two layers of
rectified units and a logistic one; ``lastcard.training`` trains it.
"""

from typing import Final

from lastcard.ai import arithmetic, dense_layer, heuristic_eval
from lastcard.game import cards
from lastcard.kernel import bits
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float32s
from lastcard.rules import flow, option_codes, phases, piles
from lastcard.rules.round_state import RoundState

SEAT_FEATURES: Final = 22
"""Number of features of one hand."""
SLOTS: Final = 5
"""Hands: the seat itself, the next, the previous one, the one on turn, and the mean of all others."""
FEATURES: Final = SLOTS * SEAT_FEATURES + 14
HIDDEN_ONE: Final = 48
HIDDEN_TWO: Final = 16
PARAMETERS: Final = FEATURES * HIDDEN_ONE + HIDDEN_ONE + HIDDEN_ONE * HIDDEN_TWO + HIDDEN_TWO + HIDDEN_TWO + 1
SCRATCH: Final = FEATURES + SEAT_FEATURES + HIDDEN_ONE + HIDDEN_TWO

_NUMBERS: Final = 0x3FF


@kernel
def read_hand(t: RoundState, seat: int, x: Float32s, at: int, scale: float) -> None:
    """Add the features of a hand, times ``scale``, to ``x`` from ``at`` on."""
    held = t.held[seat]
    colored = t.colored[seat]
    wilds = t.wilds[seat]
    fits = colored & t.matching
    x[at] += scale * (held if held < 12 else 12) / 7.0
    if held <= 4:
        x[at + held] += scale  # 1 to 4
    playable = bits.popcount(fits) + bits.popcount(wilds)
    x[at + 5] += scale * (playable if playable < 5 else 5) / 3.0
    if playable == 0:
        x[at + 6] += scale
    if fits == 0:
        x[at + 7] += scale
    row = t.counts[seat]
    if t.game == option_codes.ALL_WILD:
        skips, reverses, twos = row[cards.W_SKIP], row[cards.W_REVERSE], row[cards.W_DRAW_TWO]
        x[at + 8] += scale * row[cards.W_SKIP_TWO]
        x[at + 9] += scale * row[cards.W_TARGETED]
        x[at + 10] += scale * row[cards.W_SWAP]
    else:
        halves = colored | colored >> 2 * cards.FACES_PER_COLOR
        symbols = halves | halves >> cards.FACES_PER_COLOR
        numbers = symbols & 0x3FF
        skips = 0
        reverses = 0
        twos = 0
        jackpots = 0
        most = 0
        colors = 0
        for color in range(cards.WILD):
            base = color * cards.FACES_PER_COLOR
            mine = piles.of_color(colored, color)
            if mine != 0:
                skips += row[base + cards.SKIP]
                reverses += row[base + cards.REVERSE]
                twos += row[base + cards.DRAW_TWO]
                jackpots += row[base + cards.JACKPOT]
                n = bits.popcount(mine)
                colors += 1
                if n > most:
                    most = n
                if color == t.color:
                    x[at + 11] += scale * n / 3.0
        x[at + 12] += scale * most / 4.0
        x[at + 13] += scale * colors / 4.0
        x[at + 14] += scale * bits.popcount(numbers) / 5.0
        x[at + 15] += scale * (jackpots + row[cards.W_JACKPOT])
    x[at + 16] += scale * skips
    x[at + 17] += scale * reverses
    x[at + 18] += scale * twos
    x[at + 19] += scale * row[cards.W] / 2.0
    x[at + 20] += scale * row[cards.W_DRAW_FOUR]
    if held > 0 and playable == held:
        x[at + 21] += scale


@kernel
def read_features(t: RoundState, seat: int, x: Float32s) -> None:
    """Write the features of a state for a seat to ``x`` (float32[FEATURES])."""
    for i in range(FEATURES):
        x[i] = 0.0
    ahead = flow.neighbor(t, seat)
    behind = heuristic_eval.neighbor_back(t, seat)
    read_hand(t, seat, x, 0, 1.0)
    read_hand(t, ahead, x, SEAT_FEATURES, 1.0)
    if behind != ahead:
        read_hand(t, behind, x, 2 * SEAT_FEATURES, 1.0)
    if t.players > 2:
        if t.turn != seat:
            read_hand(t, t.turn, x, 3 * SEAT_FEATURES, 1.0)
        share = 1.0 / (t.players - 1)
        for other in range(t.players):
            if other != seat:
                read_hand(t, other, x, 4 * SEAT_FEATURES, share)
    at = SLOTS * SEAT_FEATURES
    away = (t.turn - seat) * t.direction
    if away < 0:
        away += t.players
    away = t.players - away if away > 0 else 0  # turns until this seat's own
    x[at + (away if away < 5 else 5)] = 1.0
    x[at + 6] = t.players / 10.0
    if t.players == 2:
        x[at + 7] = 1.0
    if t.phase != phases.PLAY:
        x[at + 8] = 1.0
    if t.phase == phases.DRAWN:
        x[at + 9] = 1.0
    if t.phase == phases.CHALLENGE:
        x[at + 10] = 1.0
    x[at + 11] = t.pending / 4.0
    fewest = heuristic_eval.fewest_of_foes(t, seat)
    if fewest == 1:
        x[at + 12] = 1.0
    elif fewest == 2:
        x[at + 13] = 1.0


@kernel
def win_chance(t: RoundState, seat: int, net: Float32s, x: Float32s) -> float:
    """Returns the chance that a seat wins, 0 to 1.

    Args:
        net: float32[PARAMETERS]: weights by input, then biases, layer after layer.
        x: float32[SCRATCH].
    """
    read_features(t, seat, x)
    one = x[FEATURES + SEAT_FEATURES :]
    two = one[HIDDEN_ONE:]
    at = FEATURES * HIDDEN_ONE
    dense_layer.set_units(one, net[at:], HIDDEN_ONE)
    dense_layer.add_inputs(x, FEATURES, HIDDEN_ONE, net, one)
    for j in range(HIDDEN_ONE):
        one[j] = max(one[j], 0.0)
    at += HIDDEN_ONE
    bias = at + HIDDEN_ONE * HIDDEN_TWO
    dense_layer.set_units(two, net[bias:], HIDDEN_TWO)
    dense_layer.add_inputs(one, HIDDEN_ONE, HIDDEN_TWO, net[at:], two)
    at = bias + HIDDEN_TWO
    total = net[at + HIDDEN_TWO]
    for j in range(HIDDEN_TWO):
        if two[j] > 0.0:
            total += two[j] * net[at + j]
    return 1.0 / (1.0 + arithmetic.exp(-total))
