"""Search: what a choice is worth, by playing imagined deals to their end.

``think`` recalls the past and imagines deals, by how likely they make what others did.
``try_choices`` plays every choice on the same deals with the same chance. What to try how often is the
caller's (``bots.search``).
"""

from typing import Final, NamedTuple

from lastcard.engine import chance, layout, legal, phase, turn
from lastcard.engine.jit import door
from lastcard.engine.records import Float32s, Float64s, Int8s, Int64s, Records
from lastcard.mind import imagine, network, policy, recall, worth
from lastcard.mind.imagine import Chain, Others

_JUMP: Final = -15.0
"""What a card laid out of turn has to be worth."""
_GRAIN: Final = 65536.0
"""Judgments are so many parts of a round: their sum is exact, the same in whatever order threads add them up."""


class Trials(NamedTuple):
    """The acts of a seat that are tried, and what came of them."""

    seat: int
    actions: Int64s
    """NOTHING to let the table go on."""
    active: Int64s
    """1 for those that are tried, else 0."""
    wins: Float64s
    """float64[acts, seats], added to: who won; where the network judged, the seat's chance."""


class Rollouts(NamedTuple):
    """How imagined rounds are played on, and room for it."""

    w: Float64s
    """The weights by which all play."""
    plies: int
    """Acts after which the network judges; 0 for to the end."""
    net: Float32s
    """float32[network.PARAMETERS]."""
    x: Float32s
    """float32[network.SCRATCH]."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64 and a Dice."""


class Part(NamedTuple):
    """A part of what is to be played, from ``first`` to ``last``, and the chance that all acts have in common."""

    first: int
    last: int
    seed: int


@door
def think(tables: Records, beliefs: Records, seat: int, deck: Int64s, others: Others, chain: Chain) -> None:
    """Imagine deals that fit what a seat has seen.

    Args:
        tables: three tables; 0 is the table as the seat sees it.
        beliefs: one BELIEF, zeros.
        seat: who thinks.
        deck: int64[CARD_SLOTS], the cards of the game.
        others: what the seat has seen of the others.
        chain: of deals, written.
    """
    b = beliefs[0]
    tables[1] = tables[0]
    recall.recall(b, tables[0], tables[1], others.words, seat, deck)
    imagine.imagine_many(b, tables[0], tables[1], others, chain)


@door
def try_choices(
    tables: Records, beliefs: Records, deals: Int8s, trials: Trials, rollouts: Rollouts, part: Part
) -> None:
    """Play every active act on a part of the deals (taken round and round).

    Args:
        tables: three tables; 0 is the table as the seat sees it.
        beliefs: as ``think`` has left it.
        deals: those of ``think``.
    """
    dice = rollouts.out[-layout.DICE :]
    scratch = rollouts.out[: -layout.DICE]
    seat = trials.seat
    for r in range(part.first, part.last):
        chance.throw_dice(dice, part.seed, r)
        tables[1] = tables[0]
        imagine.settle_deal(beliefs[0], tables[1], deals[r % deals.shape[0]], dice)
        for a in range(trials.actions.size):
            if trials.active[a] == 0:
                continue
            tables[2] = tables[1]
            t = tables[2]
            if trials.actions[a] != layout.NOTHING:
                turn.apply(t, seat, legal.canonical(t, seat, trials.actions[a]))
            policy.play_out_by_thumb(t, rollouts.w, scratch, rollouts.plies if rollouts.plies > 0 else policy.LONGEST)
            if t.phase == phase.OVER:
                if t.winner >= 0:
                    trials.wins[a, t.winner] += 1.0
            elif rollouts.plies > 0:
                trials.wins[a, seat] += round(network.judge(t, seat, rollouts.net, rollouts.x) * _GRAIN) / _GRAIN


@door
def choose_plainly(tables: Records, w: Float64s, out: Int64s) -> int:
    """The act of the seat on turn by rules of thumb; the table may be one as the seat sees it."""
    return policy.choose_by_thumb(tables[0], w, out)


@door
def choose_jump(tables: Records, w: Float64s, out: Int64s, seat: int) -> int:
    """The card a seat lays out of turn (LC-41) by rules of thumb, as an action; -1 for none."""
    card = policy.best_listed(tables[0], w, seat, out, _JUMP)
    return card if card < 0 else card | worth.best_arg(tables[0], seat, card) << 8
