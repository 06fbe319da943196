"""Mixed play: before every act a die decides which of four players chooses it, but for seats whose player is known.

They are rules of thumb, the learned player before practice and after it, and habits; where none are known, the learned
player after practice goes for them too. Nobody keeps anything in mind, so what comes of a table depends on the table
alone. Players of all kinds go on more like this than like one of the four, above all where both sides wait: what one of
them never does, another may do.
"""

from typing import Final, NamedTuple

from lastcard.ai import actor, chances, habits, imagine, policy, weighing
from lastcard.ai.actor import Rater
from lastcard.ai.scene import Room, Scene
from lastcard.ai.search import Thoughts
from lastcard.kernel.jit import door, kernel, long_door
from lastcard.kernel.records import Float64s, Int8s, Int8s2, Int64s, Int64s2
from lastcard.rules import chance, layout, legal, opening, phase, turn
from lastcard.rules.table import Table, Tables

ANY: Final = -1
"""In place of one of ``PLAYERS``: the die decides."""
PLAYERS: Final = 4
"""How many take turns, by this number: rules of thumb, the yardstick, the player after practice, habits."""
THUMB: Final = 0
_YARDSTICK: Final = 1
_HABITS: Final = 3
_DIE: Final = 0x2545F491
"""What makes of the seed of a rollout that of its die."""
_LATE: Final = 40
"""Acts of a rollout after which nobody draws for choice by habit."""


class Mixture(NamedTuple):
    """Those who play, for one game and one thread."""

    w: Float64s
    """The weights of the rules of thumb."""
    yardstick: Rater
    """The learned player before practice; its worth is float64[MAX_ACTIONS]."""
    practiced: Rater
    """The same after practice."""
    habits: Int8s
    """int8[HABITS], or nothing where none are known (``habits``)."""
    m: Int64s2
    """A memory of nothing (``memory``)."""
    only: Int64s
    """int64[MAX_SEATS]: who of ``PLAYERS`` chooses for each seat, or ANY."""
    die: Int64s
    """Scratch: a Dice."""


@kernel
def choose_as(t: Table, p: Mixture, who: int, out: Int64s, may_hold: bool) -> int:
    """The act of the seat the table waits for, calls aside.

    Args:
        who: of ``PLAYERS``.
        may_hold: whether it may draw for choice by habit.
    """
    if who == THUMB:
        return policy.choose_by_thumb(t, p.w, out)
    if who == _YARDSTICK:
        return actor.choose_by_actor(t, p.m, p.yardstick, p.w, out)
    if who == _HABITS and p.habits.size > 0 and habits.apply_to(t):
        return habits.choose_by_habit(t, p.habits, p.w, out, may_hold)
    return actor.choose_by_actor(t, p.m, p.practiced, p.w, out)


@kernel
def play_out_mixed(t: Table, p: Mixture, out: Int64s) -> None:
    """Play a round to its end by mixed play; its die has been shaken."""
    plies = 0
    while t.phase != phase.OVER and plies < policy.LONGEST:
        who = p.only[t.turn & 15]
        if who == ANY:
            who = chance.roll_below(p.die, PLAYERS)
        action = choose_as(t, p, who, out, plies < _LATE)
        turn.apply(t, t.turn & 15, action)
        plies += 1


@door
def act_as(tables: Tables, i: int, p: Mixture, who: int, out: Int64s) -> int:
    """What the seat on turn at table ``i`` does by one of the ``PLAYERS``, if it keeps nothing in mind."""
    t = tables[i]
    return legal.canonical(t, t.turn & 15, choose_as(t, p, who, out, True))


@long_door
def play_on_mixed(tables: Tables, jobs: Int64s2, winners: Int8s2, p: Mixture, bench: chances.Bench, seed: int) -> None:
    """Play jobs as ``chances.play_on`` does, by mixed play.

    Args:
        tables: the moments, with every card.
        jobs: int64[n, 3]: a moment, a seat and what it does there, or NOTHING or ``chances.DEAL``.
        winners: int8[n, rollouts], written: who won, -1 for nobody.
        p: by whom all play on.
        bench: of the thread.
        seed: of the chance that all jobs have in common.
    """
    dice = bench.out[-layout.DICE :]
    scratch = bench.out[: -layout.DICE]
    t = bench.room[0]
    for job in range(jobs.shape[0]):
        for number in range(winners.shape[1]):
            bench.room[0] = tables[jobs[job, 0]]
            chance.throw_dice(p.die, seed ^ _DIE, number)
            chance.throw_dice(dice, seed, number)
            chance.renew_chance(t, dice)
            action = jobs[job, 2]
            if action == chances.DEAL:
                opening.deal(t, t.dealer, t.number, 0)
            elif action != layout.NOTHING:
                turn.apply(t, jobs[job, 1], action)
            play_out_mixed(t, p, scratch)
            winners[job, number] = t.winner if t.phase == phase.OVER else -1


@long_door
def go_on_mixed(scene: Scene, thoughts: Thoughts, room: Room, p: Mixture, deals: int) -> None:
    """Play every choice on so many imagined deals to the end, as ``search.go_on`` does, by mixed play."""
    v = thoughts.weighings[0]
    dice = room.out[-layout.DICE :]
    scratch = room.out[: -layout.DICE]
    for a in range(v.choices):
        for s in range(layout.MAX_SEATS):
            room.wins[a, s] = 0.0
    for r in range(deals):
        chance.throw_dice(dice, v.seed, r)
        room.tables[0] = scene.tables[0]
        imagine.settle_deal(thoughts.beliefs[0], room.tables[0], thoughts.deals[r], dice)
        for a in range(v.choices):
            room.tables[1] = room.tables[0]
            t = room.tables[1]
            chance.throw_dice(p.die, v.seed ^ _DIE, r)
            if v.actions[a] != layout.NOTHING:
                turn.apply(t, v.seat, legal.canonical(t, v.seat, v.actions[a]))
            play_out_mixed(t, p, scratch)
            if t.phase == phase.OVER and t.winner >= 0:
                room.wins[a, t.winner] += 1.0
    weighing.add_wins(v, room.wins, deals)
