"""Moves as action ids of a fixed range, for learners: a seat is named by its distance from the seat that moves.

An *id* is the index of a move in the list of all moves of a ruleset (``lastcard.envs.action_space``). A move finds its
id by a *key*: its kind, and the distance of the seat or the color it names.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import export, inlined, kernel
from lastcard.kernel.records import Int16s, Int64s, Uint8s
from lastcard.rules import layout, legal, option_codes, phases, piles, random_policy, refusal_reasons
from lastcard.rules.round_state import RoundState

_VERBS_FROM: Final = 16 * cards.CARD_SLOTS
_DISCARDS_FROM: Final = _VERBS_FROM + 16 * 14
_BURIALS_FROM: Final = _DISCARDS_FROM + cards.CARD_SLOTS
KEYS: Final = _BURIALS_FROM + cards.CARD_SLOTS


class PlayerToAct:
    """The seat that a table asks."""

    current_player: int  # seat to move; the one asked last, once the episode is over
    is_reaction: int  # 1 where it is asked out of turn
    asked_mask: int  # seats still to be asked out of turn (bit mask)


@inlined
def names_seat(code: int) -> bool:
    """Whether the argument of a move, if it has one, is a seat."""
    return code != cards.W and code != cards.W_DRAW_FOUR and code != cards.W_JACKPOT and code != action_codes.COLOR


@inlined
def rotate_seat(action: int, by: int, players: int) -> int:
    """A move with the seat it names, if any, moved on by ``by`` seats."""
    arg = action >> 8 & 15
    if arg == action_codes.NO_ARG or not names_seat(action & 255):
        return action
    return (action & ~0xF00) | (arg + by) % players << 8


@inlined
def key_of(action: int) -> int:
    """The key of a move whose seat is relative to the seat that moves."""
    code = action & 255
    if code < cards.CARD_SLOTS:
        return code << 4 | (action >> 8 & 15)
    if code == action_codes.THROW:
        return _DISCARDS_FROM + (action >> action_codes.CARD_SHIFT)
    if code == action_codes.BURY:
        return _BURIALS_FROM + (action >> action_codes.CARD_SHIFT)
    return _VERBS_FROM + (code - action_codes.DRAW << 4 | (action >> 8 & 15))


_DRAW_KEY: Final = _VERBS_FROM + action_codes.NO_ARG
_PASS_KEY: Final = _VERBS_FROM + (action_codes.PASS - action_codes.DRAW << 4 | action_codes.NO_ARG)
_UNO_KEY: Final = _VERBS_FROM + (action_codes.UNO - action_codes.DRAW << 4 | action_codes.NO_ARG)


@export
def fill_action_ids(actions: Int64s, ids: Int16s) -> None:
    """Write the id of every action except NOTHING to its key in ``ids``."""
    for i in range(actions.size):
        if actions[i] != layout.NOTHING:
            ids[key_of(actions[i])] = i


class LegalActions(NamedTuple):
    """Arrays for the legal actions of a seat."""

    ids: Int16s
    """int16[KEYS], the ids of a ruleset; -1 if a move has none."""
    mask: Uint8s
    """uint8, zeros; 1 is written at every id that is legal."""
    legal: Int16s
    """int16[MAX_ACTIONS], written: those ids."""
    out: Int64s
    """int64[MAX_ACTIONS], scratch."""


@inlined
def add_legal(to: LegalActions, action_id: int, n: int) -> int:
    """Add an id to the mask and the list; returns their number."""
    to.mask[action_id] = 1
    to.legal[n] = action_id
    return n + 1


@inlined
def add_card_plays(t: RoundState, seat: int, card: int, to: LegalActions, n: int) -> int:
    """Add every play of one card that can be laid."""
    names = legal.required_naming(t, card, t.held[seat] == 1, False)
    if names == legal.NAMES_NOTHING:
        return add_legal(to, to.ids[card << 4 | action_codes.NO_ARG], n)
    first, last = (0, cards.WILD) if names == legal.NAMES_COLOR else (1, t.players)
    for arg in range(first, last):
        n = add_legal(to, to.ids[card << 4 | arg], n)
    return n


@kernel
def add_listed_actions(t: RoundState, seat: int, is_reaction: bool, to: LegalActions) -> int:
    """``add_legal_actions`` by the list of all moves, for rare cases."""
    n = 0
    called = (t.called | t.early) >> seat & 1 != 0
    for i in range(legal.list_actions(t, seat, to.out)):
        action = int(to.out[i])
        verb = action & 255
        if verb == action_codes.UNO and called:
            continue  # a second call changes nothing, and could be repeated forever
        if is_reaction and seat == t.turn and verb != action_codes.UNO and verb != action_codes.CATCH:
            continue  # its turn is still to come
        action_id = to.ids[key_of(rotate_seat(action, t.players - seat, t.players))]
        if action_id >= 0:
            n = add_legal(to, action_id, n)
    return n


@inlined
def is_simple_turn(t: RoundState, seat: int, ids: Int16s) -> bool:
    """Whether a turn allows nothing but cards that match, a draw and a pass."""
    return (
        t.phase <= phases.DRAWN
        and ids[_UNO_KEY] < 0
        and t.seven_zero == 0
        and t.forced_swap_target != option_codes.SWAP_PROTECTS
        and not (t.held[seat] == 1 and random_policy.restricts_last(t))
        and not piles.has_barred(t, seat)
    )


@inlined
def add_legal_actions(t: RoundState, seat: int, is_reaction: bool, to: LegalActions) -> int:
    """Write the legal actions of a seat, without *wait*; returns their number."""
    if is_reaction or not is_simple_turn(t, seat, to.ids):
        return add_listed_actions(t, seat, is_reaction, to)
    n = 0
    if t.phase == phases.DRAWN:
        n = add_card_plays(t, seat, t.drawn, to, n)
        return add_legal(to, to.ids[_PASS_KEY], n) if legal.pass_refusal(t, seat) == refusal_reasons.OK else n
    colored = t.colored[seat] & t.matching
    while colored != 0:
        n = add_legal(to, to.ids[bits.lowest_bit(colored) << 4 | action_codes.NO_ARG], n)
        colored &= colored - 1
    wilds = random_policy.playable_wilds(t, seat, t.wd4_mode == option_codes.WD4_STRICT)
    while wilds != 0:
        n = add_card_plays(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), to, n)
        wilds &= wilds - 1
    return add_legal(to, to.ids[_DRAW_KEY], n) if legal.draw_refusal(t, seat) == refusal_reasons.OK else n


@kernel
def may_react(t: RoundState, seat: int, out: Int64s) -> bool:
    """Whether there is a reason to ask a seat out of turn: a call, a catch, a jump-in, an open challenge."""
    if t.phase > phases.STACK:
        return False
    bit = 1 << seat
    if t.exposed & bit != 0 or (seat != t.turn and t.exposed != 0):
        return True
    if seat == t.turn or (
        t.jump_in == 0 and (t.phase != phases.CHALLENGE or t.challenge_by != option_codes.CHALLENGE_ANYONE)
    ):
        return False
    for i in range(legal.list_actions(t, seat, out)):
        if out[i] & 255 < cards.CARD_SLOTS or out[i] & 255 == action_codes.CHALLENGE:
            return True
    return False


@kernel
def find_reactors(t: RoundState, out: Int64s) -> int:
    """Mask of the seats to ask out of turn."""
    asked = 0
    for seat in range(t.players):
        if may_react(t, seat, out):
            asked |= 1 << seat
    return asked
