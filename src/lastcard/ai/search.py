"""Search: what choices are worth, by playing imagined deals to their end.

``begin`` recalls the past, imagines deals by how likely they make what others did, and asks the adviser. ``go_on``
plays every choice on the same deals with the same chance, as many as it is told: whoever calls it looks at the clock
in between. Threads call ``play_part``, each with room of its own, and one of them ``add_up``.
"""

from typing import Final, NamedTuple

import numpy as np

from lastcard.ai import actor, adviser, arithmetic, belief, habits, imagine, memory, network, policy, recall, weighing
from lastcard.ai.actor import Rater
from lastcard.ai.belief import BELIEF, Beliefs
from lastcard.ai.imagine import DEAL, Chain, Others
from lastcard.ai.scene import Learned, Room, Scene
from lastcard.ai.weighing import Weighings
from lastcard.kernel.arrays import zeros
from lastcard.kernel.jit import door, kernel, long_door, rounds_door
from lastcard.kernel.records import Float64s, Float64s2, Int8s2, Int64s
from lastcard.rules import chance, layout, legal, phase, turn
from lastcard.rules.table import Tables

_GRAIN: Final = 65536.0
"""Judgments are so many parts of a round: their sum is exact, the same in whatever order threads add them up."""
_FEWEST_PLIES: Final = 4
"""A turn of every seat counts for so many acts at least: two seats see as far as four."""


class Diligence(NamedTuple):
    """How hard a search thinks; ``bots.search.Effort`` says what each number does."""

    rollouts: int
    heats: int
    """How often the worse half of the choices is given up; 0 for until one is left."""
    horizon: float
    burn: int
    thin: int
    judged: int
    trust: float
    strays: float
    prior: float
    habits: int


class Thoughts(NamedTuple):
    """A decision, and what its seat imagines."""

    weighings: Weighings
    """One WEIGHING, with its choices and its seed."""
    beliefs: Beliefs
    """One BELIEF."""
    deals: Int8s2
    """int8[k, DEAL], how many different deals there are."""
    likely: Float64s
    """float64[MAX_SEATS], scratch."""


def new_thoughts(weighings: Weighings, deals: int) -> Thoughts:
    """Room for what a seat imagines: so many different deals."""
    return Thoughts(weighings, zeros(1, BELIEF), zeros((deals, DEAL), np.int8), zeros(layout.MAX_SEATS, np.float64))


@kernel
def imagine_deals(tables: Tables, beliefs: Beliefs, seat: int, deck: Int64s, others: Others, chain: Chain) -> None:
    """``think``, from compiled code."""
    b = beliefs[0]
    belief.forget(b)
    tables[1] = tables[0]
    recall.recall(b, tables[0], tables[1], others.words, seat, deck)
    imagine.imagine_many(b, tables[0], tables[1], others, chain)


@long_door
def think(tables: Tables, beliefs: Beliefs, seat: int, deck: Int64s, others: Others, chain: Chain) -> None:
    """Imagine deals that fit what a seat has seen.

    Args:
        tables: two tables or more; 0 is the table as the seat sees it, 1 is changed.
        beliefs: one BELIEF, written.
        seat: who thinks.
        deck: int64[CARD_SLOTS], the cards of the game.
        others: what the seat has seen of the others.
        chain: of deals, written.
    """
    imagine_deals(tables, beliefs, seat, deck, others, chain)


@kernel
def rates(scene: Scene) -> bool:
    """Whether networks were taught the decision of a seat: of its own turn, a frequent one, and without partners."""
    t = scene.tables[0]
    return scene.seat == t.turn and t.team_play == 0 and actor.decides(t)


@long_door
def begin(scene: Scene, learned: Learned, care: Diligence, thoughts: Thoughts, room: Room) -> None:
    """Open a weighing: imagine deals, and ask the adviser where it has a say."""
    t = scene.tables[0]
    v = thoughts.weighings[0]
    weighing.open_weighing(v, t, scene.seat, care.rollouts, care.heats)
    v.by_habit = 1 if care.habits != 0 and learned.habits.size > 0 and habits.apply_to(t) else 0
    v.plies = 0 if t.team_play != 0 else int(care.horizon * max(t.players, _FEWEST_PLIES))
    dice = room.out[-layout.DICE :]
    dice[0] = v.seed
    for i in range(1, layout.DICE):
        dice[i] = i
    others = Others(scene.words, learned.w, care.judged, care.trust, care.strays)
    chain = Chain(thoughts.deals, thoughts.likely, dice, care.burn, care.thin)
    imagine_deals(scene.tables, thoughts.beliefs, scene.seat, scene.deck, others, chain)
    if care.prior != 0.0 and rates(scene):
        out = room.out[: v.choices]
        for a in range(v.choices):
            out[a] = v.actions[a]
        memory.forget(room.m)
        rater = Rater(learned.adviser, scene.deck, room.x, room.worth)
        memory.recollect_table(scene.tables, room.m, scene.words)
        adviser.advise_all(t, room.m, scene.seat, rater, out)
        for a in range(v.choices):
            v.prior[a] = care.prior * room.worth[a]


@kernel
def play_deals(scene: Scene, learned: Learned, thoughts: Thoughts, room: Room, first: int, last: int) -> None:
    """``play_part``, from compiled code."""
    v = thoughts.weighings[0]
    dice = room.out[-layout.DICE :]
    scratch = room.out[: -layout.DICE]
    limit = v.plies if v.plies > 0 else policy.LONGEST
    for a in range(v.choices):
        for s in range(layout.MAX_SEATS):
            room.wins[a, s] = 0.0
    for r in range(first, last):
        chance.throw_dice(dice, v.seed, r)
        room.tables[0] = scene.tables[0]
        imagine.settle_deal(thoughts.beliefs[0], room.tables[0], thoughts.deals[r % thoughts.deals.shape[0]], dice)
        for a in range(v.choices):
            if v.active[a] == 0:
                continue
            room.tables[1] = room.tables[0]
            t = room.tables[1]
            if v.actions[a] != layout.NOTHING:
                turn.apply(t, v.seat, legal.canonical(t, v.seat, v.actions[a]))
            if v.by_habit != 0:
                habits.play_out_by_habit(t, learned.habits, learned.w, scratch, limit)
            else:
                policy.play_out_by_thumb(t, learned.w, scratch, limit)
            if t.phase == phase.OVER:
                if t.winner >= 0:
                    room.wins[a, t.winner] += 1.0
            elif v.plies > 0:
                judged = network.judge(t, v.seat, learned.judge, room.x)
                room.wins[a, v.seat] += arithmetic.nearest(judged * _GRAIN) / _GRAIN


@rounds_door
def play_part(scene: Scene, learned: Learned, thoughts: Thoughts, room: Room, first: int, last: int) -> None:
    """Play every active choice on a part of the deals (taken round and round), and count who wins in ``room.wins``."""
    play_deals(scene, learned, thoughts, room, first, last)


@door
def add_up(weighings: Weighings, wins: Float64s2, last: int) -> bool:
    """Take in what ``play_part`` has counted, all parts together, up to deal ``last``; returns whether it is done."""
    weighing.add_wins(weighings[0], wins, last)
    return weighing.is_done(weighings[0])


@rounds_door
def go_on(scene: Scene, learned: Learned, thoughts: Thoughts, room: Room, deals: int) -> bool:
    """Play at most so many more deals, and no further than the heat goes; returns whether the weighing is done."""
    v = thoughts.weighings[0]
    last = min(v.last, v.deals + deals)
    play_deals(scene, learned, thoughts, room, v.deals, last)
    weighing.add_wins(v, room.wins, last)
    return weighing.is_done(v)


@door
def hurry(weighings: Weighings) -> bool:
    """End a heat, in which deals were played, before its share of them was; returns whether the weighing is done."""
    weighing.end_heat(weighings[0])
    return weighing.is_done(weighings[0])
