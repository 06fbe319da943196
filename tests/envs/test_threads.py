"""Tables stepped by several threads: the same to the last byte as by one, whatever form the kernel has."""

from __future__ import annotations

import copy
import gc
import multiprocessing
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
from lastcard.envs.compiled import vector as kernel
from lastcard.envs.tables import Tables
from lastcard.errors import UsageError
from lastcard.kernel import jit
from lastcard.kernel.functions import Door
from lastcard.rules.layout import NOTHING
from support.compiled import PLAIN

if not PLAIN:
    from lastcard.kernel.native import NativeDoor, NativeKernel


@pytest.fixture(scope="module", params=["as chosen", "native"])
def form(request: pytest.FixtureRequest) -> Iterator[str]:
    """The form of the kernel that tests run on, and a native one that steps tables, and leaves all other doors."""
    before, step = jit.form(), cast(Door, kernel.step)
    if request.param == "native":
        if PLAIN:
            pytest.skip("nothing is compiled")
        opened = NativeDoor(step)
        opened.compile(step.entries[""])
        jit.take(NativeKernel({step.name: opened}, before))
    yield jit.form().name
    jit.take(before)


def told(tables: Tables) -> list[bytes]:
    """All that tables tell, and all that they keep."""
    shown = (tables.rows, tables.masks, tables.rewards, tables.ended, tables.cut, tables.last_rows)
    return [array.tobytes() for array in (*shown, tables._tables, tables._desks, tables._known, tables._laid)]


def helpers() -> set[threading.Thread]:
    """The threads that step tables beside the one that asks."""
    return {thread for thread in threading.enumerate() if thread.name.startswith("tables_")}


SETTINGS = st.fixed_dictionaries(
    {
        "rules": st.sampled_from(["all-wild", "classic", "classic+jump_in+seven_zero", "wild-jackpot"]),
        "n": st.integers(1, 20),
        "dtype": st.sampled_from(["uint8", "float32"]),
        "seed": st.integers(0, 1 << 32),
        "calls": st.sampled_from(["automatic", "decisions"]),
        "episode": st.sampled_from(["round", "match"]),
        "longest": st.sampled_from([9, 5000]),
        "seats": st.lists(st.sampled_from([None, "random", "sharp", "trained"]), min_size=2, max_size=4).map(
            lambda bots: (None, *bots[1:])
        ),
    }
)


@settings(max_examples=25)
@given(SETTINGS, st.integers(2, 5), st.booleans())
def test_the_same_with_any_number_of_threads(form: str, wanted: dict[str, Any], threads: int, partly: bool) -> None:
    given = wanted | {"players": len(wanted["seats"])}
    one, many = envs.tables(**given), envs.tables(**given, threads=threads)
    for tables in (one, many):
        tables.begin()
    for turn in range(40):
        chosen = one.sample().copy()
        if partly:
            chosen[turn % 3 :: 3] = NOTHING
        for tables in (one, many):
            tables.step(chosen, partly)
        assert told(one) == told(many)


@settings(max_examples=10)
@given(st.integers(1, 12), st.integers(2, 4), st.data())
def test_an_illegal_act_changes_nothing_in_any_part(form: str, n: int, threads: int, data: st.DataObject) -> None:
    tables = envs.tables("classic", 2, n, seed=3, threads=threads)
    tables.begin()
    at = data.draw(st.integers(0, n - 1))
    chosen = tables.sample().copy()
    chosen[at:] = len(tables.actions)
    before = told(tables)
    with pytest.raises(UsageError, match=f"at table {at};"):
        tables.step(chosen)
    assert tables.bind(chosen).call() == at and told(tables) == before


def test_a_step_that_is_bound_is_done_by_all(form: str) -> None:
    one, many = (envs.tables("wild-jackpot", 3, 10, seed=6, threads=threads) for threads in (1, 3))
    chosen = np.zeros(10, np.int64)
    steps = [(tables, tables.bind(chosen)) for tables in (one, many)]
    for tables in (one, many):
        tables.begin()
    for _ in range(60):
        chosen[:] = one.sample()
        assert [step.call() for _, step in steps] == [-1, -1]
        assert told(one) == told(many)


def test_threads_are_there_where_they_help(form: str) -> None:
    """They work on native code alone, and end with the tables."""
    before = helpers()
    tables = envs.tables("classic", 2, 8, seed=1, threads=3)
    tables.begin()
    running = helpers() - before
    assert bool(running) == (form == "native")
    del tables
    gc.collect()
    for thread in running:
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_has_threads_of_its_own(form: str) -> None:
    """Threads do not go along with a fork: whoever asked those of before would wait for them for ever."""
    tables = envs.tables("classic", 2, 8, seed=1, threads=2)
    tables.begin()
    tables.step(tables.sample())
    forking = multiprocessing.get_context("fork")
    told_there = forking.SimpleQueue()

    def step() -> None:
        tables.step(tables.sample())
        told_there.put(zlib.crc32(b"".join(told(tables))))

    child = forking.Process(target=step)
    child.start()
    child.join(60)
    child.kill()
    assert child.exitcode == 0
    step()
    assert told_there.get() == told_there.get()


def test_a_copy_has_as_many_threads(form: str) -> None:
    tables = envs.tables("classic", 2, 7, seats=(None, "trained"), seed=3, threads=2)
    tables.begin()
    other = copy.deepcopy(tables)
    assert other._threads == 2
    for _ in range(30):
        chosen = tables.sample().copy()
        tables.step(chosen)
        other.step(chosen)
        assert told(tables) == told(other)


def test_the_gymnasium_form_takes_them(form: str) -> None:
    runs = []
    for threads in (1, 3):
        env = envs.vector("all-wild", 3, 9, bots=("sharp", "random"), seed=5, threads=threads)
        rows = [env.reset(seed=8)[0]]
        for _ in range(40):
            rows += env.step(env.sample())[:3]
        runs.append(rows)
    assert all((one == other).all() for one, other in zip(*runs, strict=True))


@pytest.mark.parametrize("threads", [0, -1, 1.5, None, "2"])
def test_a_number_that_makes_no_sense(threads: Any) -> None:
    with pytest.raises(UsageError, match="the number of threads is a whole number from 1 on, not"):
        envs.tables("classic", threads=threads)


def test_without_numba_several_threads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastcard.envs.abreast.native_state", lambda: "absent")
    with pytest.raises(UsageError, match=r"pip install 'lastcard\[native\]'"):
        envs.tables("classic", threads=2)
    envs.tables("classic", threads=1)
