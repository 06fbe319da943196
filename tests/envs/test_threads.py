"""Tables stepped by several threads are equal to the last byte to those of one thread, in every backend."""

from __future__ import annotations

import copy
import gc
import os
import threading
import zlib
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard import envs
from lastcard.envs.batch import Batch
from lastcard.envs.compiled import vector as kernel
from lastcard.errors import UsageError
from lastcard.kernel import jit
from lastcard.kernel.signatures import Export
from lastcard.rules.layout import NOTHING
from support.compiled import PLAIN
from support.forking import run_in_child_and_here

if not PLAIN:
    from lastcard.kernel.native_backend import NativeBackend, NativeExport


@pytest.fixture(scope="module", params=["as chosen", "native"])
def backend(request: pytest.FixtureRequest) -> Iterator[str]:
    """The tests' backend, and a native one that only steps tables."""
    before, step = jit.backend(), cast(Export, kernel.step)
    if request.param == "native":
        if PLAIN:
            pytest.skip("nothing is compiled")
        opened = NativeExport(step)
        opened.compile(step.signatures[""])
        jit.switch_backend(NativeBackend({step.name: opened}, before))
    yield jit.backend().name
    jit.switch_backend(before)


def batch_bytes(tables: Batch) -> list[bytes]:
    """All outputs and the whole state of tables."""
    states, _, outputs = tables.kernel_arrays
    return [array.tobytes() for array in (*states, *outputs)]


def step_threads() -> set[threading.Thread]:
    """The threads that step tables beside the calling one."""
    return {thread for thread in threading.enumerate() if thread.name.startswith("tables_")}


SETTINGS = st.fixed_dictionaries(
    {
        "rules": st.sampled_from(["all-wild", "classic", "classic+jump_in+seven_zero", "wild-jackpot"]),
        "n": st.integers(1, 20),
        "dtype": st.sampled_from(["uint8", "float32"]),
        "seed": st.integers(0, 1 << 32),
        "calls": st.sampled_from(["automatic", "decisions"]),
        "episode": st.sampled_from(["round", "match"]),
        "max_steps": st.sampled_from([9, 5000]),
        "seats": st.lists(st.sampled_from([None, "random", "sharp", "trained"]), min_size=2, max_size=4).map(
            lambda bots: (None, *bots[1:])
        ),
    }
)


@settings(max_examples=25)
@given(SETTINGS, st.integers(2, 5), st.booleans())
def test_the_same_with_any_number_of_threads(backend: str, wanted: dict[str, Any], threads: int, partly: bool) -> None:
    given = wanted | {"players": len(wanted["seats"])}
    one, many = envs.batch(**given), envs.batch(**given, threads=threads)
    for tables in (one, many):
        tables.reset()
    for turn in range(40):
        chosen = one.sample().copy()
        if partly:
            chosen[turn % 3 :: 3] = NOTHING
        for tables in (one, many):
            tables.step(chosen, partly)
        assert batch_bytes(one) == batch_bytes(many)


@settings(max_examples=10)
@given(st.integers(1, 12), st.integers(2, 4), st.data())
def test_an_illegal_action_changes_nothing_in_any_part(backend: str, n: int, threads: int, data: st.DataObject) -> None:
    tables = envs.batch("classic", 2, n, seed=3, threads=threads)
    tables.reset()
    at = data.draw(st.integers(0, n - 1))
    chosen = tables.sample().copy()
    chosen[at:] = len(tables.action_space)
    before = batch_bytes(tables)
    with pytest.raises(UsageError, match=f"at table {at};"):
        tables.step(chosen)
    assert tables.bind_step(chosen).call() == at and batch_bytes(tables) == before


def test_a_bound_step_uses_all_threads(backend: str) -> None:
    one, many = (envs.batch("wild-jackpot", 3, 10, seed=6, threads=threads) for threads in (1, 3))
    chosen = np.zeros(10, np.int64)
    steps = [(tables, tables.bind_step(chosen)) for tables in (one, many)]
    for tables in (one, many):
        tables.reset()
    for _ in range(60):
        chosen[:] = one.sample()
        assert [step.call() for _, step in steps] == [-1, -1]
        assert batch_bytes(one) == batch_bytes(many)


def test_threads_run_only_on_native_code(backend: str) -> None:
    """Threads work on native code alone, and end with the tables."""
    before = step_threads()
    tables = envs.batch("classic", 2, 8, seed=1, threads=3)
    tables.reset()
    running = step_threads() - before
    assert bool(running) == (backend == "native")
    del tables
    gc.collect()
    for thread in running:
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_has_threads_of_its_own(backend: str) -> None:
    """A fork does not copy threads: a process that used the old ones would wait forever."""
    tables = envs.batch("classic", 2, 8, seed=1, threads=2)
    tables.reset()
    tables.step(tables.sample())

    def step() -> int:
        tables.step(tables.sample())
        return zlib.crc32(b"".join(batch_bytes(tables)))

    child, here = run_in_child_and_here(step)
    assert child == here


def test_a_copy_has_as_many_threads(backend: str) -> None:
    tables = envs.batch("classic", 2, 7, seats=(None, "trained"), seed=3, threads=2)
    tables.reset()
    other = copy.deepcopy(tables)
    assert other._threads == 2
    for _ in range(30):
        chosen = tables.sample().copy()
        tables.step(chosen)
        other.step(chosen)
        assert batch_bytes(tables) == batch_bytes(other)


def test_the_gymnasium_environment_accepts_threads(backend: str) -> None:
    runs = []
    for threads in (1, 3):
        env = envs.vector("all-wild", 3, 9, bots=("sharp", "random"), seed=5, threads=threads)
        rows = [env.reset(seed=8)[0]]
        for _ in range(40):
            rows += env.step(env.sample())[:3]
        runs.append(rows)
    assert all((one == other).all() for one, other in zip(*runs, strict=True))


@pytest.mark.parametrize("threads", [0, -1, 1.5, None, "2"])
def test_an_invalid_number_of_threads_is_refused(threads: Any) -> None:
    with pytest.raises(UsageError, match="the number of threads is a whole number from 1 on, not"):
        envs.batch("classic", threads=threads)


def test_without_numba_several_threads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastcard.envs.parallel.native_state", lambda: "absent")
    with pytest.raises(UsageError, match=r"install lastcard\[native\]"):
        envs.batch("classic", threads=2)
    envs.batch("classic", threads=1)
