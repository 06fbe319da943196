"""Search: what a choice is worth, by playing imagined deals to their end.

``think`` recalls the past and imagines deals, by how likely they make what others did.
``try_choices`` plays every choice on the same deals with the same chance. What to try how often is the
caller's (``bots.search``).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from lastcard.engine import phase
from lastcard.engine.chance import throw_dice
from lastcard.engine.jit import door
from lastcard.engine.layout import DICE, NOTHING
from lastcard.engine.legal import canonical
from lastcard.engine.records import Float32s, Float64s, Int8s, Int64s, Records
from lastcard.engine.turn import apply
from lastcard.mind.imagine import Chain, Others, imagine_many, settle_deal
from lastcard.mind.network import judge
from lastcard.mind.policy import LONGEST, best_listed, choose_by_thumb, play_out_by_thumb
from lastcard.mind.recall import recall
from lastcard.mind.worth import best_arg

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
    recall(b, tables[0], tables[1], others.words, seat, deck)
    imagine_many(b, tables[0], tables[1], others, chain)


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
    dice = rollouts.out[-DICE:]
    scratch = rollouts.out[:-DICE]
    seat = trials.seat
    for r in range(part.first, part.last):
        throw_dice(dice, part.seed, r)
        tables[1] = tables[0]
        settle_deal(beliefs[0], tables[1], deals[r % deals.shape[0]], dice)
        for a in range(trials.actions.size):
            if trials.active[a] == 0:
                continue
            tables[2] = tables[1]
            t = tables[2]
            if trials.actions[a] != NOTHING:
                apply(t, seat, canonical(t, seat, trials.actions[a]))
            play_out_by_thumb(t, rollouts.w, scratch, rollouts.plies if rollouts.plies > 0 else LONGEST)
            if t.phase == phase.OVER:
                if t.winner >= 0:
                    trials.wins[a, t.winner] += 1.0
            elif rollouts.plies > 0:
                trials.wins[a, seat] += round(judge(t, seat, rollouts.net, rollouts.x) * _GRAIN) / _GRAIN


@door
def choose_plainly(tables: Records, w: Float64s, out: Int64s) -> int:
    """The act of the seat on turn by rules of thumb; the table may be one as the seat sees it."""
    return choose_by_thumb(tables[0], w, out)


@door
def choose_jump(tables: Records, w: Float64s, out: Int64s, seat: int) -> int:
    """The card a seat lays out of turn (LC-41) by rules of thumb, as an action; -1 for none."""
    card = best_listed(tables[0], w, seat, out, _JUMP)
    return card if card < 0 else card | best_arg(tables[0], seat, card) << 8
