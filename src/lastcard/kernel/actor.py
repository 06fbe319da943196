"""A learned player: a small network that says which act is worth more than another.

It sees what one player sees (``sight``) and keeps in mind (``memory``). One layer of rectified units; what a decision
adds to them is the same for all its acts and computed once. ``learning`` trains it.
"""

from __future__ import annotations

from typing import Any, Final

from lastcard.kernel.jit import door, inlined, kernel
from lastcard.kernel.layout import CHALLENGE, COLOR, DRAWN, PLAY, STACK
from lastcard.kernel.memory import notice, recollect
from lastcard.kernel.sight import ACT, STATE, UNSEEN, count_unseen, read_act, read_state

WIDTH: Final = 64
INPUTS: Final = STATE + ACT
PARAMETERS: Final = INPUTS * WIDTH + 2 * WIDTH
ROOM: Final = INPUTS + 2 * WIDTH + UNSEEN


@kernel
def decides(t: Any) -> bool:
    """Whether the network was taught this decision; the others are rare and easy (``policy``)."""
    return t.phase == PLAY or t.phase == DRAWN or t.phase == CHALLENGE or t.phase == STACK or t.phase == COLOR


@inlined
def add_inputs(x: Any, size: int, net: Any, to: Any) -> None:
    """Add what inputs give to the units."""
    for i in range(size):
        value = x[i]
        if value != 0.0:
            row = net[i * WIDTH : (i + 1) * WIDTH]
            for j in range(WIDTH):
                to[j] += value * row[j]


@kernel
def rate(base: Any, units: Any, act: Any, net: Any) -> float:
    """The worth of one act, given what the decision adds to the units."""
    for j in range(WIDTH):
        units[j] = base[j]
    add_inputs(act, ACT, net[STATE * WIDTH :], units)
    last = net[INPUTS * WIDTH + WIDTH :]
    total = 0.0
    for j in range(WIDTH):
        if units[j] > 0.0:
            total += units[j] * last[j]
    return total


@door
def rate_acts(
    tables: Any, words: Any, seat: int, m: Any, deck: Any, net: Any, x: Any, actions: Any, worth: Any
) -> None:
    """What every act is worth to a seat; nothing is written where the network was not taught the decision.

    Args:
        tables: two tables; 0 is the table as the seat sees it.
        words: int32, the past as the seat saw it.
        seat: who decides.
        m: int64[MAX_SEATS, MEMORY], zeros.
        deck: int64[CARD_SLOTS], the cards of the game.
        net: float32[PARAMETERS]: weights by input, biases, weights of the units.
        x: float32[ROOM].
        actions: int64, the acts.
        worth: float64, written: shares of rounds won, of which only the differences count.
    """
    t = tables[0]
    if not decides(t):
        return
    tables[1] = tables[0]
    recollect(tables[1], m, words)
    notice(t, m)
    act = x[STATE:INPUTS]
    base = x[INPUTS : INPUTS + WIDTH]
    units = x[INPUTS + WIDTH : INPUTS + 2 * WIDTH]
    unseen = x[INPUTS + 2 * WIDTH :]
    read_state(t, m, seat, x)
    count_unseen(t, seat, deck, unseen)
    biases = net[INPUTS * WIDTH :]
    for j in range(WIDTH):
        base[j] = biases[j]
    add_inputs(x, STATE, net, base)
    for i in range(actions.size):
        read_act(t, m, seat, int(actions[i]), unseen, act)
        worth[i] = rate(base, units, act, net)
