"""Search: what a choice is worth, by playing imagined deals to their end.

``think`` recalls the past and imagines deals, by how likely they make what others did.
``try_choices`` plays every choice on the same deals with the same chance. What to try how often is the
caller's (``bots.search``).
"""

from __future__ import annotations

from typing import Final

from lastcard.engine import phase
from lastcard.engine.chance import throw_dice
from lastcard.engine.jit import door
from lastcard.engine.layout import DICE, NOTHING
from lastcard.engine.legal import canonical
from lastcard.engine.records import Float32s, Float64s, Int8s, Int32s, Int64s, Records
from lastcard.engine.turn import apply
from lastcard.mind.imagine import imagine_many, settle_deal
from lastcard.mind.network import judge
from lastcard.mind.policy import LONGEST, best_listed, choose_by_thumb, play_out_by_thumb
from lastcard.mind.recall import recall
from lastcard.mind.worth import best_arg

_JUMP: Final = -15.0
"""What a card laid out of turn has to be worth."""
_GRAIN: Final = 65536.0
"""Judgments are so many parts of a round: their sum is exact, the same in whatever order threads add them up."""


@door
def think(
    tables: Records, beliefs: Records, words: Int32s, seat: int, deck: Int64s, w: Float64s, dice: Int64s,
    deals: Int8s, likely: Float64s,
    burn: int, thin: int, judged: int, trust: float, strays: float,
) -> None:  # fmt: skip
    """Imagine deals that fit what a seat has seen.

    Args:
        tables: three tables; 0 is the table as the seat sees it.
        beliefs: one BELIEF, zeros.
        words: int32, the past as the seat saw it.
        deck: int64[CARD_SLOTS], the cards of the game.
        w: weights of the rules of thumb, by which others are judged.
        dice: Dice.
        deals: int8[k, DEAL], written.
        likely: float64[MAX_SEATS], scratch.
        burn: changes before the first deal counts.
        thin: changes between two deals.
        judged: how many plays of each hand are judged.
        trust: 0 to 1, how often others follow the rules of thumb.
        strays: 0 to 1, what part of others do so less often.
    """
    b = beliefs[0]
    tables[1] = tables[0]
    recall(b, tables[0], tables[1], words, seat, deck)
    imagine_many(b, tables[0], tables[1], w, words, dice, deals, likely, burn, thin, judged, trust, strays)


@door
def try_choices(
    tables: Records, beliefs: Records, deals: Int8s, seat: int, actions: Int64s, active: Int64s, first: int,
    last: int, seed: int,
    w: Float64s, plies: int, net: Float32s, x: Float32s, out: Int64s, wins: Float64s,
) -> None:  # fmt: skip
    """Play every active choice on the deals from ``first`` to ``last`` (taken round and round).

    Args:
        tables: three tables; 0 is the table as the seat sees it.
        beliefs: as ``think`` has left it.
        deals: those of ``think``.
        actions: int64, the choices; NOTHING to let the table go on.
        active: int64, which of them are tried: 1 or 0.
        seed: of the chance that is the same for every choice.
        w: weights by which all play on.
        plies: acts after which the network judges; 0 for to the end.
        net: float32[network.PARAMETERS].
        x: float32[network.SCRATCH].
        out: scratch: MAX_ACTIONS int64 and a Dice.
        wins: float64[choices, seats], added to: who won; where the network judged, the seat's chance.
    """
    dice = out[-DICE:]
    scratch = out[:-DICE]
    for r in range(first, last):
        throw_dice(dice, seed, r)
        tables[1] = tables[0]
        settle_deal(beliefs[0], tables[1], deals[r % deals.shape[0]], dice)
        for a in range(actions.size):
            if active[a] == 0:
                continue
            tables[2] = tables[1]
            t = tables[2]
            if actions[a] != NOTHING:
                apply(t, seat, canonical(t, seat, actions[a]))
            play_out_by_thumb(t, w, scratch, plies if plies > 0 else LONGEST)
            if t.phase == phase.OVER:
                if t.winner >= 0:
                    wins[a, t.winner] += 1.0
            elif plies > 0:
                wins[a, seat] += round(judge(t, seat, net, x) * _GRAIN) / _GRAIN


@door
def choose_plainly(tables: Records, w: Float64s, out: Int64s) -> int:
    """The act of the seat on turn by rules of thumb; the table may be one as the seat sees it."""
    return choose_by_thumb(tables[0], w, out)


@door
def choose_jump(tables: Records, w: Float64s, out: Int64s, seat: int) -> int:
    """The card a seat lays out of turn (LC-41) by rules of thumb, as an action; -1 for none."""
    card = best_listed(tables[0], w, seat, out, _JUMP)
    return card if card < 0 else card | best_arg(tables[0], seat, card) << 8
