"""Habits: what a player with practice does in All Wild, looked up by what the hands amount to.

Every card fits there, so what matters is who is done first. At a table of two, cards that keep the turn are laid in a
row at the end and the others take a turn each; at larger ones it counts who holds how many. As fast as rules of thumb,
and nearly as strong as the network they were taken from (decision 37). ``learning`` counts them.
"""

from typing import Final

from lastcard.engine import bits, choice, flow, legal, phase, reason, turn
from lastcard.engine.jit import inlined, kernel
from lastcard.engine.records import Float64s, Int8s, Int64s
from lastcard.engine.table import Table
from lastcard.game import act, cards
from lastcard.mind import policy, weight, worth

HOLD: Final = weight.KINDS
"""Column of laying nothing: to draw on a turn, to keep a card that was drawn. Those before it are kinds of cards."""
COLUMNS: Final = HOLD + 1
_SLOW: Final = 8
_QUICK: Final = 6
_THEIRS: Final = 8
_OWN: Final = 8
_NEAR: Final = 5
_TWO: Final = _SLOW * _QUICK * _THEIRS * 2
_PLACES: Final = _TWO + _OWN * _NEAR * _NEAR * _NEAR * 2
ROWS: Final = 2 * _PLACES
"""One for every place on a turn, one for every place after a draw; those of two seats first."""
HABITS: Final = ROWS * COLUMNS
"""Numbers of habits, by row and column: what is more is better in its row."""
_LATE: Final = 20
"""Turns of a rollout, for every seat in the mean, after which nobody draws for choice any more."""


@inlined
def apply_to(t: Table) -> bool:
    """Whether habits say anything about a table."""
    return t.game == choice.ALL_WILD and t.team_play == 0


@inlined
def _level(held: int, most: int) -> int:
    """A number of cards from 1 on, as one of so many levels; the last is for more as well."""
    return min(max(held, 1), most) - 1


@kernel
def _place_of_two(t: Table, seat: int) -> int:
    """Where two sit: by the cards that take a turn each, those that keep it, and what the other holds."""
    seat &= 15
    slow = 0
    mask = t.wilds[seat]
    while mask != 0:
        card = cards.WILDS_FROM + bits.lowest_bit(mask)
        mask &= mask - 1
        if not worth.goes_again(t, card):
            slow += t.counts[seat, card]
    quick = t.held[seat] - slow
    place = min(slow, _SLOW - 1) * _QUICK + min(quick, _QUICK - 1)
    return place * _THEIRS + _level(t.held[seat ^ 1], _THEIRS)


@kernel
def _place_of_more(t: Table, seat: int) -> int:
    """Where more sit: by one's own cards, those of the next and of the one before, and the fewest of all."""
    seat &= 15
    ahead = _level(t.held[flow.neighbor(t, seat)], _NEAR)
    behind = _level(t.held[worth.neighbor_back(t, seat)], _NEAR)
    place = (_level(t.held[seat], _OWN) * _NEAR + ahead) * _NEAR + behind
    return place * _NEAR + _level(worth.fewest_of_foes(t, seat), _NEAR)


@kernel
def find_row(t: Table, seat: int) -> int:
    """The row of a decision: by the hands, whether there is a Forced Swap, and whether a card was drawn just now."""
    place = _place_of_two(t, seat) if t.players == 2 else _TWO // 2 + _place_of_more(t, seat)
    row = 2 * place + (1 if t.counts[seat, cards.W_SWAP] > 0 else 0)
    return row + _PLACES if t.phase == phase.DRAWN else row


@inlined
def column_of(action: int) -> int:
    """The column of an act."""
    card = action & 255
    return worth.kind_of(card) if card < cards.CARD_SLOTS else HOLD


@kernel
def choose_card(t: Table, habits: Int8s, seat: int, may_hold: bool) -> int:
    """The card to lay on a turn; -1 where none can be, or drawing is better."""
    seat &= 15
    base = find_row(t, seat) * COLUMNS
    careful = policy.has_to_ask(t, seat)
    best = -1
    mask = t.wilds[seat]
    while mask != 0:
        card = cards.WILDS_FROM + bits.lowest_bit(mask)
        mask &= mask - 1
        if careful and legal.why_not_card(t, seat, card, False) != reason.OK:
            continue
        if best < 0 or habits[base + worth.kind_of(card)] > habits[base + worth.kind_of(best)]:
            best = card
    holds = best >= 0 and may_hold and habits[base + HOLD] > habits[base + worth.kind_of(best)]
    return -1 if holds and legal.why_not_draw(t, seat) == reason.OK else best


@kernel
def choose_by_habit(t: Table, habits: Int8s, w: Float64s, out: Int64s, may_hold: bool) -> int:
    """The act of the seat the table waits for, calls aside.

    Args:
        habits: int8[HABITS].
        w: weights of the rules of thumb, for all but turns and cards that were drawn.
        out: scratch for actions, at least MAX_ACTIONS int64.
        may_hold: whether it may draw for choice.
    """
    seat = t.turn & 15
    if t.phase == phase.PLAY:
        card = choose_card(t, habits, seat, may_hold)
        return act.DRAW | act.BARE if card < 0 else card | worth.best_arg(t, seat, card) << 8
    if t.phase == phase.DRAWN and legal.why_not_card(t, seat, t.drawn, False) == reason.OK:
        base = find_row(t, seat) * COLUMNS
        keeps = habits[base + HOLD] > habits[base + worth.kind_of(t.drawn)]
        if keeps and legal.why_not_pass(t, seat) == reason.OK:
            return act.PASS | act.BARE
        return t.drawn | worth.best_arg(t, seat, t.drawn) << 8
    return policy.choose_rarely(t, w, seat, out)


@kernel
def play_out_by_habit(t: Table, habits: Int8s, w: Float64s, out: Int64s, limit: int) -> int:
    """Play a round to its end by habit; returns the plies, at most ``limit``.

    Nobody draws for choice on two turns in succession or late, as at real tables.
    """
    plies = 0
    turns = 0
    drew = 0
    while t.phase != phase.OVER and plies < limit:
        seat = t.turn & 15
        may_hold = drew >> seat & 1 == 0 and turns < _LATE * t.players
        action = choose_by_habit(t, habits, w, out, may_hold)
        if t.phase == phase.PLAY:
            turns += 1
            drew &= ~(1 << seat)
            if action & 255 == act.DRAW:
                drew |= 1 << seat
        turn.apply(t, seat, action)
        plies += 1
    return plies
