"""Compiling the engine ahead of the first match."""

from __future__ import annotations

from lastcard.kernel.jit import mark_warm
from lastcard.match import Match


def warm_up() -> None:
    """Compile everything that a match calls, by touching it once."""
    match = Match("classic", 2, seed=0)
    table = match.round
    view = table.view(table.turn)
    table.can(table.turn, "draw")
    match.do(table.turn, view.legal[0])
    assert len(table.held) == len(table.hands) == 2
    mark_warm()
