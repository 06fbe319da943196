"""Habits: what a player with practice does in All Wild, looked up by what the hands amount to.

Every card fits there, so what matters is who is done first. Between two, cards that keep the turn are laid in a row at
the end, the others take a turn each; at larger tables no card keeps it, and what matters is whom it hurts. As fast as
rules of thumb (decision 37). ``learning`` counts them between two, and finds them at larger tables.
"""

from typing import Final

from lastcard.engine import bits, choice, flow, layout, legal, phase, reason, turn
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
_PLACES_OF_TWO: Final = _SLOW * _QUICK * _THEIRS * 2
ROWS_OF_TWO: Final = 2 * _PLACES_OF_TWO
"""The first rows, between two: one for every place on a turn, one for every place after a draw."""
_OWN: Final = 8
_FEW: Final = 5
_SWAPS: Final = 3
_STINGS: Final = 4
_PLACES: Final = _OWN * _FEW**3 * _SWAPS * _STINGS
ROWS: Final = ROWS_OF_TWO + 2 * _PLACES
"""With those of larger tables, in the same order."""
HABITS: Final = ROWS * COLUMNS
"""Numbers of habits, by row and column: what is more is better in its row."""
_LATE: Final = 20
"""Turns of a rollout, for each seat, after which nobody draws for choice any more."""


@inlined
def apply_to(t: Table) -> bool:
    """Whether habits say anything about a table; larger ones swap with whoever has one card, if they may (LC-34)."""
    known = t.players == 2 or (t.team_play == 0 and t.forced_swap_target != choice.SWAP_PROTECTS)
    return t.game == choice.ALL_WILD and known


@inlined
def may_hold(t: Table, seat: int, turns: int, drew: int) -> bool:
    """Whether a seat may draw for choice: not on two turns in succession, nor late, as at real tables.

    Args:
        turns: that all seats have had.
        drew: the seats that drew on their last turn, one bit each.
    """
    return drew >> seat & 1 == 0 and turns < _LATE * t.players


@kernel
def _find_place_of_two(t: Table, seat: int) -> int:
    """The place of a hand between two: cards that take a turn, cards that keep it, what the other holds, a swap."""
    slow = 0
    mask = t.wilds[seat]
    while mask != 0:
        card = cards.WILDS_FROM + bits.lowest_bit(mask)
        mask &= mask - 1
        if not worth.goes_again(t, card):
            slow += t.counts[seat, card]
    quick = t.held[seat] - slow
    theirs = max(t.held[seat ^ 1], 1)
    swaps = 1 if t.counts[seat, cards.W_SWAP] > 0 else 0
    place = min(slow, _SLOW - 1) * _QUICK + min(quick, _QUICK - 1)
    return (place * _THEIRS + min(theirs, _THEIRS) - 1) * 2 + swaps


@inlined
def _few(n: int) -> int:
    """How many cards another holds, in steps: 1, 2, 3, 4 or 5, more."""
    return max(n, 1) - 1 if n < 4 else 3 if n < 6 else _FEW - 1


@kernel
def _find_place(t: Table, seat: int) -> int:
    """The place of a hand at a larger table: its cards, those of the next player, of the one before and of who has the
    fewest but for the next, swaps, and cards that hurt who comes next or change who that is."""
    ahead = flow.neighbor(t, seat)
    other = ahead
    fewest = layout.MAX_DECK
    for _ in range(t.players - 2):
        other = flow.neighbor(t, other)
        fewest = min(fewest, t.held[other])
    own = t.counts[seat]
    stings = own[cards.W_DRAW_TWO] + own[cards.W_DRAW_FOUR] + own[cards.W_SKIP] + own[cards.W_SKIP_TWO]
    stings += own[cards.W_REVERSE]
    place = (min(t.held[seat], _OWN) - 1) * _FEW + _few(t.held[ahead])
    place = (place * _FEW + _few(fewest)) * _FEW + _few(t.held[other])
    return (place * _SWAPS + min(own[cards.W_SWAP], _SWAPS - 1)) * _STINGS + min(stings, _STINGS - 1)


@kernel
def find_row(t: Table, seat: int) -> int:
    """The row of a decision."""
    seat &= 15
    drawn = 1 if t.phase == phase.DRAWN else 0
    if t.players == 2:
        return drawn * _PLACES_OF_TWO + _find_place_of_two(t, seat)
    return ROWS_OF_TWO + drawn * _PLACES + _find_place(t, seat)


@inlined
def column_of(action: int) -> int:
    """The column of an act."""
    card = action & 255
    return worth.kind_of(card) if card < cards.CARD_SLOTS else HOLD


@kernel
def choose_card(t: Table, habits: Int8s, seat: int, free: bool) -> int:
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
    holds = best >= 0 and free and habits[base + HOLD] > habits[base + worth.kind_of(best)]
    return -1 if holds and legal.why_not_draw(t, seat) == reason.OK else best


@kernel
def choose_by_habit(t: Table, habits: Int8s, w: Float64s, out: Int64s, free: bool) -> int:
    """The act of the seat the table waits for, calls aside.

    Args:
        habits: int8[HABITS].
        w: weights of the rules of thumb, for all but turns and cards that were drawn.
        out: scratch for actions, at least MAX_ACTIONS int64.
        free: whether it may draw for choice.
    """
    seat = t.turn & 15
    if t.phase == phase.PLAY:
        card = choose_card(t, habits, seat, free)
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

    See ``may_hold`` for who may draw for choice.
    """
    plies = 0
    turns = 0
    drew = 0
    while t.phase != phase.OVER and plies < limit:
        seat = t.turn & 15
        action = choose_by_habit(t, habits, w, out, may_hold(t, seat, turns, drew))
        if t.phase == phase.PLAY:
            turns += 1
            drew &= ~(1 << seat)
            if action & 255 == act.DRAW:
                drew |= 1 << seat
        turn.apply(t, seat, action)
        plies += 1
    return plies
