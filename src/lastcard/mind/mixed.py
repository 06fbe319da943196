"""Mixed play: before every act a coin decides whether rules of thumb choose it or the learned player does.

Nobody keeps anything in mind, so what comes of a table depends on the table alone. Players of all kinds go on more like
this than like one of the two, above all where both sides wait: what one of them never does, the other may do.
"""

from typing import Final, NamedTuple

from lastcard.engine import chance, layout, legal, opening, phase, turn
from lastcard.engine.jit import door, kernel, long_door
from lastcard.engine.records import Float64s, Int8s2, Int64s, Int64s2
from lastcard.engine.table import Table, Tables
from lastcard.mind import actor, chances, imagine, policy, weighing
from lastcard.mind.actor import Rater
from lastcard.mind.scene import Room, Scene
from lastcard.mind.search import Thoughts

_COIN: Final = 0x2545F491
"""What makes of the seed of a rollout that of its coin."""


class Mixture(NamedTuple):
    """The two that play, for one game and one thread."""

    w: Float64s
    """The weights of the rules of thumb."""
    rater: Rater
    """The learned player; its worth is float64[MAX_ACTIONS]."""
    m: Int64s2
    """A memory of nothing (``memory``)."""
    coin: Int64s
    """Scratch: a Dice."""


@kernel
def play_out_mixed(t: Table, p: Mixture, out: Int64s) -> None:
    """Play a round to its end by mixed play; its coin has been thrown."""
    plies = 0
    while t.phase != phase.OVER and plies < policy.LONGEST:
        if chance.roll_below(p.coin, 2) == 0:
            action = policy.choose_by_thumb(t, p.w, out)
        else:
            action = actor.choose_by_actor(t, p.m, p.rater, p.w, out)
        turn.apply(t, t.turn & 15, action)
        plies += 1


@door
def learned_act(tables: Tables, i: int, p: Mixture, out: Int64s) -> int:
    """What the seat on turn at table ``i`` does by the learned player, if it keeps nothing in mind."""
    t = tables[i]
    return legal.canonical(t, t.turn & 15, actor.choose_by_actor(t, p.m, p.rater, p.w, out))


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
            chance.throw_dice(p.coin, seed ^ _COIN, number)
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
            chance.throw_dice(p.coin, v.seed ^ _COIN, r)
            if v.actions[a] != layout.NOTHING:
                turn.apply(t, v.seat, legal.canonical(t, v.seat, v.actions[a]))
            play_out_mixed(t, p, scratch)
            if t.phase == phase.OVER and t.winner >= 0:
                room.wins[a, t.winner] += 1.0
    weighing.add_wins(v, room.wins, deals)
