"""Whole decisions: what a player does on its turn, and out of turn, from what its seat sees.

A player that searches, or chooses in a way of its own, is handed back an ``OPEN`` decision: its choices stand in the
weighing, and ``settle`` is told the best of them there. All else is decided at once.
"""

from typing import Final

from lastcard.ai import actor, manners, memory, policy, search, worth
from lastcard.ai.actor import Rater
from lastcard.ai.manners import Character
from lastcard.ai.scene import Learned, Room, Scene
from lastcard.ai.weighing import Weighing, Weighings
from lastcard.game import act
from lastcard.kernel.jit import door, inlined, kernel
from lastcard.kernel.records import Float64s, Int64s
from lastcard.rules import chance, choice, layout, legal
from lastcard.rules.table import Table

# How a player chooses.
BY_CHANCE: Final = 0
BY_THUMB: Final = 1
LEARNED: Final = 2
BY_SEARCH: Final = 3
OWN: Final = 4
"""In a way of its own, which the kernel does not know."""

OPEN: Final = -2
"""In place of an action: it is still to be chosen from what stands in the weighing."""

LATE: Final = 20
"""Turns after which a learned player does not draw for choice."""
_LATE_IN_SEARCH: Final = 30
"""The same for one that searches, in All Wild: elsewhere nobody always has a card that fits."""
_JUMP: Final = -15.0
"""What a card laid out of turn has to be worth."""


@inlined
def may_wait(t: Table) -> bool:
    """Whether a learned player may draw for choice on turns in succession: where two play, that pays."""
    return t.players == 2


@inlined
def has_waited(turns: int, drew: bool, again: bool) -> bool:
    """Whether a learned player has to lay a card: it is late, or it drew on its last turn and may not ``again``."""
    return turns > LATE or (drew and not again)


@kernel
def _choose_by_thumb(scene: Scene, learned: Learned, room: Room, v: Weighing, dice: Int64s) -> int:
    """The act of most worth by rules of thumb; any, where it is none of the choices."""
    action = policy.choose_by_thumb(scene.tables[0], learned.w, room.out)
    for a in range(v.choices):
        if v.actions[a] == action:
            return action
    return int(v.actions[chance.roll_below(dice, v.choices)])


@kernel
def _choose_learned(scene: Scene, learned: Learned, room: Room, v: Weighing, dice: Int64s) -> int:
    """The choice the network rates highest; by rules of thumb where it was not taught the decision."""
    t = scene.tables[0]
    turns = manners.recall_turns(scene.words, scene.seat)
    waited = has_waited(turns >> 1, turns & 1 != 0, may_wait(t))
    n = manners.keep_from_waiting(t, waited, turns >> 1, room.out, v.choices)
    _open(v, room.out, n)
    if not search.rates(scene):
        return _choose_by_thumb(scene, learned, room, v, dice)
    memory.forget(room.m)
    memory.recollect_table(scene.tables, room.m, scene.words)
    rater = Rater(learned.player, scene.deck, room.x, room.worth)
    return actor.choose_rated(t, room.m, scene.seat, rater, room.out[:n])


@kernel
def _open(v: Weighing, out: Int64s, n: int) -> None:
    """Write listed actions down as the choices of a decision."""
    v.choices = n
    for a in range(n):
        v.actions[a] = out[a]


@door
def choose(scene: Scene, learned: Learned, room: Room, weighings: Weighings, who: Character, dice: Int64s) -> int:
    """What a player does on its turn, with a call where it has to make one; or OPEN.

    Args:
        scene: with its seat on turn.
        learned: the weights of the rules of thumb, and for LEARNED the player.
        room: to think in.
        weighings: one WEIGHING, written: the choices, and the seed of a search.
        who: decides.
        dice: Dice of all its chance.
    """
    t = scene.tables[0]
    v = weighings[0]
    seat = scene.seat
    n = manners.list_considered(t, seat, who, dice, room.out)
    _open(v, room.out, n)
    if n == 1:
        action = int(v.actions[0])
    elif manners.happens(dice, who.slips) or who.kind == BY_CHANCE:
        action = manners.pick_anything(t, room.out, n, dice)
    elif who.kind == BY_THUMB:
        action = _choose_by_thumb(scene, learned, room, v, dice)
    elif who.kind == LEARNED:
        action = _choose_learned(scene, learned, room, v, dice)
    else:
        if who.kind == BY_SEARCH:
            turns = manners.recall_turns(scene.words, seat) >> 1
            waited = t.game == choice.ALL_WILD and turns > _LATE_IN_SEARCH
            _open(v, room.out, manners.keep_from_waiting(t, waited, turns, room.out, n))
            v.seed = chance.roll(dice)
        return OPEN
    return manners.add_call(t, seat, action, who, dice)


@kernel
def _mind_calls(t: Table, seat: int, who: Character, dice: Int64s, out: Int64s, n: int) -> int:
    """The call a player owes, or a catch among its listed actions; NOTHING where it sees none."""
    if t.exposed >> seat & 1 != 0 and manners.happens(dice, who.calls):
        return act.UNO | act.BARE
    for i in range(n):
        action = int(out[i])
        if action & 255 == act.CATCH and t.exposed >> (action >> 8 & 15) & 1 != 0:
            if manners.happens(dice, who.catches):
                return action
    return layout.NOTHING


@kernel
def _list_jumps(t: Table, seat: int, who: Character, dice: Int64s, out: Int64s, n: int) -> int:
    """Keep of listed actions the cards that a player could lay out of turn (LC-41); returns how many are left."""
    n = manners.keep_plays(out, n)
    if seat == t.turn or n == 0 or not manners.happens(dice, who.jumps) or who.kind == BY_CHANCE:
        return 0
    return n


@kernel
def react_at_once(t: Table, seat: int, who: Character, w: Float64s, dice: Int64s, out: Int64s) -> int:
    """``react`` of a player that neither searches nor has a way of its own.

    Args:
        w: weights of the rules of thumb.
        out: scratch for actions, at least MAX_ACTIONS int64.
    """
    n = legal.list_actions(t, seat, out)
    action = _mind_calls(t, seat, who, dice, out, n)
    if action != layout.NOTHING or _list_jumps(t, seat, who, dice, out, n) == 0:
        return action
    # A card fewer is worth it, unless the card should be kept for later.
    card = policy.best_listed(t, w, seat, out, _JUMP)
    jump = layout.NOTHING if card < 0 else card | worth.best_arg(t, seat, card) << 8
    return manners.add_call(t, seat, jump, who, dice)


@door
def react(scene: Scene, learned: Learned, room: Room, weighings: Weighings, who: Character, dice: Int64s) -> int:
    """What a player does out of turn: the call it owes, a catch, or a card laid (LC-41); NOTHING, or OPEN.

    Args:
        scene, learned, room, weighings, who, dice: as for ``choose``.
    """
    t = scene.tables[0]
    seat = scene.seat
    if who.kind != BY_SEARCH and who.kind != OWN:
        return react_at_once(t, seat, who, learned.w, dice, room.out)
    n = legal.list_actions(t, seat, room.out)
    action = _mind_calls(t, seat, who, dice, room.out, n)
    if action != layout.NOTHING:
        return action
    n = _list_jumps(t, seat, who, dice, room.out, n)
    if n == 0:
        return layout.NOTHING
    v = weighings[0]
    room.out[n] = layout.NOTHING
    _open(v, room.out, n + 1)
    if who.kind == BY_SEARCH:
        v.seed = chance.roll(dice)
    return OPEN


@door
def settle(scene: Scene, weighings: Weighings, who: Character, dice: Int64s) -> int:
    """The choice that stands first in the order of a decision that was OPEN, with a call where one has to be made."""
    v = weighings[0]
    return manners.add_call(scene.tables[0], scene.seat, int(v.actions[v.order[0]]), who, dice)
