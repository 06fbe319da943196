"""Input features of the policy net: the observation of a decision, and the consequences of an action."""

from typing import Final, NamedTuple

from lastcard.ai import heuristic_eval, opponent_memory, value_net, weight_index
from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float32s, Int64s
from lastcard.rules import flow, option_codes, phases, piles
from lastcard.rules.cards import card_color, card_face, is_number, is_wild
from lastcard.rules.round_state import RoundState

UNSEEN: Final = cards.WILD + 2
_OTHER: Final = 9  # of another seat
_SITUATION: Final = 17  # of the table
STATE: Final = value_net.SEAT_FEATURES + 3 * _OTHER + _SITUATION
_VERB: Final = weight_index.KINDS  # actions that are no plays, after the kinds of cards
_PLAY: Final = _VERB + 6
_VICTIM: Final = _PLAY + 7
_NEXT: Final = _VICTIM + 6
_AFTER: Final = _NEXT + 9
_COLOR: Final = _AFTER + 16
ACTION: Final = _COLOR + 5

_NEARLY_OUT: Final = 2
_COUNT_BITS: Final = 8
"""Size of a count of cards, of which a deck has fewer than 256."""


@kernel
def read_count(held: int, x: Float32s, at: int) -> None:
    """Write a hand size: as a number, and one-hot for 1 to 4."""
    x[at] = (held if held < 12 else 12) / 7.0
    if 1 <= held <= 4:
        x[at + held] = 1.0


@kernel
def lack_confidence(m: Int64s, seat: int, color: int) -> float:
    """Returns the confidence that a seat lacks a color."""
    return 1.0 / m[seat, color] if color >= 0 and m[seat, color] != 0 else 0.0


@kernel
def read_other(t: RoundState, m: Int64s, seat: int, other: int, x: Float32s, at: int) -> None:
    """Write the features of another seat: its hand size, and the memory of its colors."""
    read_count(t.held[other], x, at)
    if t.game != option_codes.ALL_WILD:
        x[at + 5] = lack_confidence(m, other, t.color)
        if m[other, opponent_memory.NAMED] == t.color + 1:
            x[at + 6] = 1.0
        lacks = 0.0
        for color in range(cards.WILD):
            lacks += lack_confidence(m, other, color)
        x[at + 7] = lacks / 2.0
    if not heuristic_eval.is_foe(t, seat, other):
        x[at + 8] = 1.0


@kernel
def read_situation(t: RoundState, m: Int64s, seat: int, x: Float32s, at: int) -> None:
    """Write the features of the situation: how close the others are to winning, number of players, kind of decision."""
    total = 0
    for other in range(t.players):
        if heuristic_eval.is_foe(t, seat, other):
            total += t.held[other]
    fewest = heuristic_eval.fewest_of_foes(t, seat)
    if fewest <= 3:
        x[at + fewest] = 1.0
    x[at + 4] = total / (7.0 * t.players)
    x[at + 5] = t.players / 10.0
    if t.players == 2:
        x[at + 6] = 1.0
    elif t.players == 3:
        x[at + 7] = 1.0
    if t.phase == phases.DRAWN:
        x[at + 8] = 1.0
    elif t.phase == phases.CHALLENGE:
        x[at + 9] = 1.0
        x[at + 10] = t.held[t.challenged_seat] / 7.0
        x[at + 11] = lack_confidence(m, t.challenged_seat, t.color_before)
        if t.color_before >= 0 and m[t.challenged_seat, opponent_memory.NAMED] == t.color_before + 1:
            x[at + 12] = 1.0
    elif t.phase == phases.STACK:
        x[at + 13] = 1.0
    elif t.phase == phases.COLOR:
        x[at + 14] = 1.0
    x[at + 15] = t.pending / 4.0
    x[at + 16] = 1.0


@kernel
def read_state(t: RoundState, m: Int64s, seat: int, x: Float32s) -> None:
    """Write the observation of a seat to ``x`` (float32[STATE])."""
    for i in range(STATE):
        x[i] = 0.0
    value_net.read_hand(t, seat, x, 0, 1.0)
    ahead = flow.neighbor(t, seat)
    read_other(t, m, seat, ahead, x, value_net.SEAT_FEATURES)
    if t.players > 2:
        read_other(t, m, seat, heuristic_eval.neighbor_back(t, seat), x, value_net.SEAT_FEATURES + _OTHER)
    if t.players > 3:
        read_other(t, m, seat, flow.neighbor(t, ahead), x, value_net.SEAT_FEATURES + 2 * _OTHER)
    read_situation(t, m, seat, x, value_net.SEAT_FEATURES + 3 * _OTHER)


@kernel
def count_unseen(t: RoundState, seat: int, deck: Int64s, u: Float32s) -> None:
    """Write the numbers of unseen cards of each color, of wilds, and of all to ``u`` (float32[UNSEEN]).

    Nothing is written in All Wild, whose inputs do not use them.
    """
    if t.game == option_codes.ALL_WILD:
        return
    laid = 0  # a number of _COUNT_BITS bits for each color
    for k in range(t.discard_n):
        laid += 1 << _COUNT_BITS * card_color(int(t.discard[k]))
    total = 0
    for color in range(cards.WILD + 1):
        unseen = -(laid >> _COUNT_BITS * color & (1 << _COUNT_BITS) - 1)
        for card in range(color * cards.FACES_PER_COLOR, (color + 1) * cards.FACES_PER_COLOR):
            unseen += deck[card] - t.counts[seat, card]
        u[color] = unseen
        total += unseen
    u[cards.WILD + 1] = total


@kernel
def victim_of(t: RoundState, seat: int, card: int, arg: int) -> int:
    """Returns the target of a play; -1 for none."""
    face = card_face(card)
    if heuristic_eval.gets_next_turn(t, card) or face == cards.SKIP or face == cards.DRAW_TWO:
        return flow.neighbor(t, seat)
    if is_wild(card) and (face == cards.DRAW_FOUR or face == cards.SKIP_TWO):
        return flow.neighbor(t, seat)
    if is_wild(card) and (face == cards.TARGETED or face == cards.SWAP) and arg < t.players:
        return arg
    if not is_wild(card) and face == cards.SEVEN and t.seven_zero != 0 and arg < t.players:
        return arg
    return -1


@kernel
def next_after(t: RoundState, seat: int, card: int) -> int:
    """Returns the next seat that plays freely after a play."""
    ahead = flow.neighbor(t, seat)
    face = card_face(card)
    if heuristic_eval.gets_next_turn(t, card):
        return seat
    if face == cards.REVERSE:
        return heuristic_eval.neighbor_back(t, seat)
    if face == cards.SKIP or face == cards.DRAW_TWO or (is_wild(card) and face == cards.DRAW_FOUR):
        return flow.neighbor(t, ahead)
    if is_wild(card) and face == cards.SKIP_TWO:
        return flow.neighbor(t, flow.neighbor(t, ahead))
    return ahead


@kernel
def read_play(t: RoundState, seat: int, card: int, arg: int, x: Float32s) -> None:
    """Write the effect of laying a card."""
    x[heuristic_eval.kind_of(card)] = 1.0
    face = card_face(card)
    held = t.held[seat] - 1
    if is_number(card):
        x[_PLAY] = face / 9.0
    if held == 0:
        x[_PLAY + (1 if heuristic_eval.last_card_value(t, seat, card) > 0 else 2)] = 1.0
    if heuristic_eval.gets_next_turn(t, card):
        x[_PLAY + 3] = 1.0
    giver = -1  # the seat that receives this hand
    if (is_wild(card) and face == cards.SWAP and t.game == option_codes.ALL_WILD) or (
        not is_wild(card) and face == cards.SEVEN and t.seven_zero != 0
    ):
        giver = arg if arg < t.players else -1
    elif not is_wild(card) and face == 0 and t.seven_zero != 0:
        giver = heuristic_eval.neighbor_back(t, seat)
    if giver >= 0:
        x[_PLAY + 4] = 1.0
        x[_PLAY + 5] = (held - t.held[giver]) / 5.0
    if card == cards.W_DRAW_FOUR and t.game != option_codes.ALL_WILD and piles.holds_color(t, seat, t.color):
        x[_PLAY + 6] = 1.0
    victim = victim_of(t, seat, card, arg)
    if victim >= 0:
        read_count(t.held[victim], x, _VICTIM)
        if not heuristic_eval.is_foe(t, seat, victim):
            x[_VICTIM + 5] = 1.0


@kernel
def read_next(t: RoundState, m: Int64s, seat: int, next_seat: int, color: int, x: Float32s) -> None:
    """Write the next seat that plays freely, and its color."""
    if next_seat == seat:
        x[_NEXT] = 1.0
        return
    read_count(t.held[next_seat], x, _NEXT + 1)
    if not heuristic_eval.is_foe(t, seat, next_seat):
        x[_NEXT + 6] = 1.0
    if t.game != option_codes.ALL_WILD and color >= 0:
        x[_NEXT + 7] = lack_confidence(m, next_seat, color)
        if m[next_seat, opponent_memory.NAMED] == color + 1:
            x[_NEXT + 8] = 1.0


class HandAfter(NamedTuple):
    """A hand after an action."""

    colored: int  # masks of its cards
    wilds: int
    held: int


@kernel
def read_hand_after(t: RoundState, after: HandAfter, card: int, color: int, u: Float32s, x: Float32s) -> None:
    """Write the possible plays of the remaining hand under a color, and how rare the color is."""
    if color != t.color:
        x[_AFTER + 5] = 1.0
    n = bits.popcount(piles.of_color(after.colored, color))
    same = bits.popcount(after.colored & piles.ONE_FACE << card_face(card)) if not is_wild(card) else 0
    x[_AFTER + 6] = n / 3.0
    if n == 0:
        x[_AFTER + 7] = 1.0
    x[_AFTER + 8] = same / 2.0
    if n == 0 and same == 0:
        x[_AFTER + 9] = 1.0
        if after.wilds == 0:
            x[_AFTER + 10] = 1.0
    if after.held > 0:
        x[_AFTER + 11] = (n + same + bits.popcount(after.wilds)) / after.held
    colors = 0
    most = 0
    for c in range(cards.WILD):
        k = bits.popcount(piles.of_color(after.colored, c))
        if k > 0:
            colors += 1
        if k > most:
            most = k
    x[_AFTER + 12] = colors / 4.0
    x[_AFTER + 13] = (most - n) / 3.0
    if u[cards.WILD + 1] > 0:
        x[_AFTER + 14] = 4.0 * u[color] / u[cards.WILD + 1]
        x[_AFTER + 15] = 4.0 * u[cards.WILD] / u[cards.WILD + 1]


@kernel
def read_color(t: RoundState, m: Int64s, seat: int, color: int, x: Float32s) -> None:
    """Write how well the others can play a color: all, the next, and the one with the fewest cards."""
    lack = 0.0
    near = 0.0
    worst = 0.0
    for other in range(t.players):
        if other == seat:
            continue
        value = lack_confidence(m, other, color)
        lack += value
        if m[other, opponent_memory.NAMED] == color + 1:
            near += 1.0
        if heuristic_eval.is_foe(t, seat, other) and t.held[other] <= _NEARLY_OUT and value > worst:
            worst = value
    ahead = flow.neighbor(t, seat)
    x[_COLOR] = lack / (t.players - 1)
    x[_COLOR + 1] = near / (t.players - 1)
    x[_COLOR + 2] = lack_confidence(m, ahead, color)
    if m[ahead, opponent_memory.NAMED] == color + 1:
        x[_COLOR + 3] = 1.0
    x[_COLOR + 4] = worst


@kernel
def read_action(t: RoundState, m: Int64s, seat: int, action: int, u: Float32s, x: Float32s) -> None:
    """Write an action and its consequences to ``x`` (float32[ACTION]); ``u`` is the result of ``count_unseen``."""
    for i in range(ACTION):
        x[i] = 0.0
    code = action & 255
    arg = action >> 8 & 15
    colored = t.colored[seat]
    wilds = t.wilds[seat]
    held = t.held[seat]
    color = t.color
    next_seat = flow.neighbor(t, seat)
    if code < cards.CARD_SLOTS:
        read_play(t, seat, code, arg, x)
        next_seat = next_after(t, seat, code)
        held -= 1
        last = t.counts[seat, code] == 1
        if not is_wild(code):
            color = card_color(code)
            if last:
                colored ^= 1 << code
        else:
            if t.game != option_codes.ALL_WILD and arg < cards.WILD:
                color = arg
            if last:
                wilds ^= 1 << card_face(code)
    elif code == action_codes.DRAW:
        x[_VERB] = 1.0
    elif code == action_codes.PASS:
        x[_VERB + 1] = 1.0
    elif code == action_codes.CHALLENGE:
        x[_VERB + 2] = 1.0
        next_seat = seat
    elif code == action_codes.ACCEPT:
        x[_VERB + 3] = 1.0
    elif code == action_codes.COLOR:
        x[_VERB + 4] = 1.0
        color = arg
    else:
        x[_VERB + 5] = 1.0
    read_next(t, m, seat, next_seat, color, x)
    if held <= 3:
        x[_AFTER + held] = 1.0
    x[_AFTER + 4] = bits.popcount(wilds) / 2.0
    if t.game != option_codes.ALL_WILD and color >= 0:
        read_hand_after(t, HandAfter(colored, wilds, held), code, color, u, x)
        read_color(t, m, seat, color, x)
