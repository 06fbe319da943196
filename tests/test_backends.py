"""Both backends of the kernel give the same reports, rows and masks, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lastcard import envs
from lastcard.kernel import jit
from support.compiled import PLAIN
from support.episodes import PLAYS, first_steps
from support.report_samples import play_match, quick_report
from tools.differential.pair import Statistics

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


def on_both(make: Callable[[], Any]) -> tuple[Any, Any]:
    """The results of the module and of native code."""
    from lastcard.kernel.native_backend import NativeBackend
    from lastcard.kernel.wasm_backend import WasmBackend

    before, made = jit.backend(), []
    try:
        for backend in (WasmBackend(), NativeBackend()):
            jit.switch_backend(backend)
            made.append(make())
    finally:
        jit.switch_backend(before)
    return made[0], made[1]


def test_rounds_are_the_same() -> None:
    """Legal and illegal moves by random rules: every byte after each. ``--kernel both`` runs longer."""
    from tools.differential.backends import play_both

    tally = Statistics()
    for seed in range(1, 201):
        play_both(seed, 300, 10, tally)
    assert tally.plies > 5_000 and len(tally.seen) > 20


def test_reports_are_the_same() -> None:
    """Chances, luck and mistakes of a match: they use sampled deals, rollouts, the value net and search."""
    match = play_match("wild-jackpot", "sharp,learner", 1, seed="both forms")
    module, native = on_both(lambda: quick_report(match).as_dict())
    assert module == native


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_observations_are_the_same(dtype: str) -> None:
    """A learner's observations of its tables, with compiled bots among the seats."""

    def run() -> list[bytes]:
        tables = envs.batch("classic+stacking=cross", 3, 8, seats=(None, "sharp", "random"), dtype=dtype, seed=7)
        tables.reset()
        seen = []
        for _ in range(150):
            tables.step(tables.sample())
            seen.append(
                b"".join(
                    a.tobytes() for a in (tables.observations, tables.action_mask, tables.rewards, tables.terminated)
                )
            )
        return seen

    module, native = on_both(run)
    assert module == native


@pytest.mark.parametrize("name", PLAYS)
def test_an_environment_changes_to_native_code_in_an_episode(name: str) -> None:
    """The same seed gives the same episodes, whichever backend runs which part of them, in every environment."""
    from lastcard.kernel.native_backend import NativeBackend
    from lastcard.kernel.wasm_backend import WasmBackend

    before, steps = jit.backend(), 120
    module, native = WasmBackend(), NativeBackend()

    def change(step: int) -> None:
        if step % 30 == 29:
            jit.switch_backend(native if step % 60 == 29 else module)

    try:
        jit.switch_backend(module)
        wanted = first_steps(name, 3, steps)
        assert first_steps(name, 3, steps, change) == wanted
    finally:
        jit.switch_backend(before)
