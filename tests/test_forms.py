"""Both forms of the kernel give the same reports, rows and masks, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lastcard import envs
from lastcard.kernel import jit
from support.compiled import PLAIN
from support.played import play, quick_report
from tools.differential.pair import Tally

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


def on_both(make: Callable[[], Any]) -> tuple[Any, Any]:
    """What the module makes, and native code."""
    from lastcard.kernel.module import ModuleKernel
    from lastcard.kernel.native import NativeKernel

    before, made = jit.form(), []
    try:
        for form in (ModuleKernel(), NativeKernel()):
            jit.take(form)
            made.append(make())
    finally:
        jit.take(before)
    return made[0], made[1]


def test_rounds_are_the_same() -> None:
    """Acts, legal and not, by random rules: every byte after each. The hunt goes on from here (``--kernel both``)."""
    from tools.differential.backends import play_both

    tally = Tally()
    for seed in range(1, 201):
        play_both(seed, 300, 10, tally)
    assert tally.plies > 5_000 and len(tally.seen) > 20


def test_reports_are_the_same() -> None:
    """Chances, luck and mistakes of a match: imagined deals, rollouts, the network and search are all in them."""
    match = play("wild-jackpot", "sharp,learner", 1, seed="both forms")
    module, native = on_both(lambda: quick_report(match).as_dict())
    assert module == native


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_rows_are_the_same(dtype: str) -> None:
    """What learners see of tables they act at, with compiled bots among them."""

    def run() -> list[bytes]:
        tables = envs.tables("classic+stacking=cross", 3, 8, seats=(None, "sharp", "random"), dtype=dtype, seed=7)
        tables.begin()
        seen = []
        for _ in range(150):
            tables.step(tables.sample())
            seen.append(b"".join(a.tobytes() for a in (tables.rows, tables.masks, tables.rewards, tables.ended)))
        return seen

    module, native = on_both(run)
    assert module == native
