"""Acts as numbers of a fixed range, for learners: a seat is named by how far it sits from the one who acts.

An *id* is the place of an act in the list of all acts of a ruleset (``lastcard.envs.action_space``). An act finds its
id by a *key*: what is done, and how far the seat or which color it names.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from lastcard.game import act, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import door, inlined, kernel
from lastcard.kernel.records import Int16s, Int64s, Uint8s
from lastcard.rules import batch, choice, layout, legal, phase, piles, reason
from lastcard.rules.table import Table

_VERBS_FROM: Final = 16 * cards.CARD_SLOTS
_THROWS_FROM: Final = _VERBS_FROM + 16 * 14
_BURIALS_FROM: Final = _THROWS_FROM + cards.CARD_SLOTS
KEYS: Final = _BURIALS_FROM + cards.CARD_SLOTS


class Asked:
    """Whom a table asks."""

    seat: int  # who is to act; who was asked last, once the episode is over
    reacts: int  # 1 where it is asked out of turn
    asked: int  # seats still to be asked out of turn (bit mask)


@inlined
def names_seat(code: int) -> bool:
    """Whether the argument of an act, where it has one, is a seat."""
    return code != cards.W and code != cards.W_DRAW_FOUR and code != cards.W_JACKPOT and code != act.COLOR


@inlined
def turn_seat(action: int, by: int, players: int) -> int:
    """An act with the seat it names, if any, moved on by so many seats."""
    arg = action >> 8 & 15
    if arg == act.NO_ARG or not names_seat(action & 255):
        return action
    return (action & ~0xF00) | (arg + by) % players << 8


@inlined
def key_of(action: int) -> int:
    """The key of an act whose seat is counted from the one who acts."""
    code = action & 255
    if code < cards.CARD_SLOTS:
        return code << 4 | (action >> 8 & 15)
    if code == act.THROW:
        return _THROWS_FROM + (action >> act.CARD_SHIFT)
    if code == act.BURY:
        return _BURIALS_FROM + (action >> act.CARD_SHIFT)
    return _VERBS_FROM + (code - act.DRAW << 4 | (action >> 8 & 15))


_DRAW_KEY: Final = _VERBS_FROM + act.NO_ARG
_PASS_KEY: Final = _VERBS_FROM + (act.PASS - act.DRAW << 4 | act.NO_ARG)
_UNO_KEY: Final = _VERBS_FROM + (act.UNO - act.DRAW << 4 | act.NO_ARG)


@door
def fill_ids(actions: Int64s, ids: Int16s) -> None:
    """Write the place of every act but NOTHING behind its key."""
    for i in range(actions.size):
        if actions[i] != layout.NOTHING:
            ids[key_of(actions[i])] = i


class Offer(NamedTuple):
    """Where it is written what a seat may do."""

    ids: Int16s
    """int16[KEYS], the ids of a ruleset; -1 where an act has none."""
    mask: Uint8s
    """uint8, zeros; 1 is written at every id that is legal."""
    legal: Int16s
    """int16[MAX_ACTIONS], written: those ids."""
    out: Int64s
    """int64[MAX_ACTIONS], scratch."""


@inlined
def offer(to: Offer, identity: int, n: int) -> int:
    """Add an id to the mask and the list; returns how many there are."""
    to.mask[identity] = 1
    to.legal[n] = identity
    return n + 1


@inlined
def offer_card(t: Table, seat: int, card: int, to: Offer, n: int) -> int:
    """Add every play of one card that can be laid."""
    names = legal.naming(t, card, t.held[seat] == 1, False)
    if names == legal.NAMES_NOTHING:
        return offer(to, to.ids[card << 4 | act.NO_ARG], n)
    first, last = (0, cards.WILD) if names == legal.NAMES_COLOR else (1, t.players)
    for arg in range(first, last):
        n = offer(to, to.ids[card << 4 | arg], n)
    return n


@kernel
def offer_listed(t: Table, seat: int, reacts: bool, to: Offer) -> int:
    """``offer_acts`` by the list of all acts, for what is rare."""
    n = 0
    called = (t.called | t.early) >> seat & 1 != 0
    for i in range(legal.list_actions(t, seat, to.out)):
        action = int(to.out[i])
        verb = action & 255
        if verb == act.UNO and called:
            continue  # a second call changes nothing, and could be made for ever
        if reacts and seat == t.turn and verb != act.UNO and verb != act.CATCH:
            continue  # its turn is still to come
        identity = to.ids[key_of(turn_seat(action, t.players - seat, t.players))]
        if identity >= 0:
            n = offer(to, identity, n)
    return n


@inlined
def is_plain(t: Table, seat: int, ids: Int16s) -> bool:
    """Whether a turn knows nothing but cards that match, a draw and a pass."""
    return (
        t.phase <= phase.DRAWN
        and ids[_UNO_KEY] < 0
        and t.seven_zero == 0
        and t.forced_swap_target != choice.SWAP_PROTECTS
        and not (t.held[seat] == 1 and batch.restricts_last(t))
        and not piles.has_barred(t, seat)
    )


@inlined
def offer_acts(t: Table, seat: int, reacts: bool, to: Offer) -> int:
    """Write what a seat may do now, letting the table go on aside.

    Args:
        reacts: whether it is asked out of turn.
        to: where it is written.

    Returns:
        How many there are.
    """
    if reacts or not is_plain(t, seat, to.ids):
        return offer_listed(t, seat, reacts, to)
    n = 0
    if t.phase == phase.DRAWN:
        n = offer_card(t, seat, t.drawn, to, n)
        return offer(to, to.ids[_PASS_KEY], n) if legal.why_not_pass(t, seat) == reason.OK else n
    colored = t.colored[seat] & t.matching
    while colored != 0:
        n = offer(to, to.ids[bits.lowest_bit(colored) << 4 | act.NO_ARG], n)
        colored &= colored - 1
    wilds = batch.playable_wilds(t, seat, t.wd4_mode == choice.WD4_STRICT)
    while wilds != 0:
        n = offer_card(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), to, n)
        wilds &= wilds - 1
    return offer(to, to.ids[_DRAW_KEY], n) if legal.why_not_draw(t, seat) == reason.OK else n


@kernel
def may_react(t: Table, seat: int, out: Int64s) -> bool:
    """Whether there is a reason to ask a seat out of turn: a call, a catch, a jump-in, a challenge by anyone."""
    if t.phase > phase.STACK:
        return False
    bit = 1 << seat
    if t.exposed & bit != 0 or (seat != t.turn and t.exposed != 0):
        return True
    if seat == t.turn or (t.jump_in == 0 and (t.phase != phase.CHALLENGE or t.challenge_by != choice.CHALLENGE_ANYONE)):
        return False
    for i in range(legal.list_actions(t, seat, out)):
        if out[i] & 255 < cards.CARD_SLOTS or out[i] & 255 == act.CHALLENGE:
            return True
    return False


@kernel
def find_reactors(t: Table, out: Int64s) -> int:
    """Mask of the seats to ask out of turn."""
    asked = 0
    for seat in range(t.players):
        if may_react(t, seat, out):
            asked |= 1 << seat
    return asked
