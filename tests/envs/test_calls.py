"""Environments and the module: how often they call it, what they copy, and that they do not disturb each other."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from lastcard import envs
from lastcard.bots.base import find_reaction
from lastcard.bots.registry import make_bots
from lastcard.envs import pettingzoo
from lastcard.envs import rlcard as our_rlcard
from lastcard.envs.features import _scratch, features
from lastcard.envs.openspiel.config import load_config
from lastcard.kernel import jit, wasm_backend
from lastcard.kernel.wasm_backend import Instance, WasmBackend
from lastcard.kernel.wasmtime_calls import RawCall
from lastcard.match.round import Round
from lastcard.rules import exports
from support.episodes import PLAYS, first_steps
from support.forking import run_in_child_and_here
from support.openspiel_play import load_game

STEPS: Final = 40
"""Fewer than a round has."""


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """The calls into the module, and the bytes that are copied for them."""
    backend = jit.backend()
    if not isinstance(backend, WasmBackend):
        pytest.skip("another backend runs")
    counted: Counter[str] = Counter()

    class CountedCall(RawCall):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            invoke = self.invoke

            def count() -> int | None:
                counted["calls"] += 1
                return invoke()

            self.invoke = count

    copy_in = Instance.copy_in

    def count_copies(instance: Instance, array: Any, kind: Any, name: str) -> Any:
        words, copied = copy_in(instance, array, kind, name)
        counted["bytes"] += 0 if copied is None else array.nbytes
        return words, copied

    monkeypatch.setattr(wasm_backend, "RawCall", CountedCall)
    monkeypatch.setattr(Instance, "copy_in", count_copies)
    prepare_calls(backend)
    yield counted
    monkeypatch.undo()
    prepare_calls(backend)


def prepare_calls(backend: WasmBackend) -> None:
    """Have all calls into the module prepared anew, with scratch in its memory: other tests leave that of another."""
    backend._thread.calls.clear()
    vars(exports.SCRATCH).clear()
    _scratch.of.cache_clear()
    load_config.cache_clear()
    jit.switch_backend(backend)


def legal_id(mask: Any) -> int:
    return int(mask.nonzero()[0][-1])


def step_batch() -> Callable[[], Any]:
    tables = envs.batch("classic", 4, 2, seed=1)
    tables.reset()
    return lambda: tables.step(np.array([legal_id(mask) for mask in tables.action_mask]))


def step_vector() -> Callable[[], Any]:
    env = envs.vector("classic", 4, 2, bots=("random", "trained"), seed=1)
    env.reset()
    return lambda: env.step(np.array([legal_id(mask) for mask in env.batch.action_mask]))


def step_pettingzoo() -> Callable[[], Any]:
    env = pettingzoo.env("classic", 4)
    env.reset(seed=1)

    def step() -> None:
        seen = env.last()[0]
        assert seen is not None
        env.step(legal_id(seen["action_mask"]))

    return step


def step_rlcard() -> Callable[[], Any]:
    env = our_rlcard.make("classic", 4, seed=1)
    states = [env.reset()[0]]

    def step() -> None:
        states[0], _ = env.step(list(states[0]["legal_actions"])[-1])

    return step


def step_openspiel() -> Callable[[], Any]:
    game = load_game("classic", players=4)
    state = game.new_initial_state()

    def step() -> None:
        assert not state.is_terminal()
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(state.legal_actions()[-1])

    return step


def step_round() -> Callable[[], Any]:
    table = Round.deal("classic", 4, seed=1)
    return lambda: table.do(table.turn, table.legal()[-1])


def view_round() -> Callable[[], Any]:
    table = Round.deal("classic", 4, seed=1)

    def step() -> None:
        table.do(table.turn, table.view(table.turn).legal[-1])

    return step


def observe_view() -> Callable[[], Any]:
    layout, view = features("classic", 4), Round.deal("classic", 4, seed=1).view(0)
    return lambda: (layout.observe(view), layout.action_mask(view))


def react() -> Callable[[], Any]:
    table, bots = Round.deal("classic", 4, seed=1), make_bots(["sharp"] * 4, b"")
    return lambda: find_reaction(bots, table)


@pytest.mark.parametrize(
    ("make", "calls"),
    [
        (step_batch, 1),
        (step_vector, 1),
        (step_pettingzoo, 1),
        (step_rlcard, 1),
        (step_openspiel, 1),
        (step_round, 1),
        (view_round, 3),  # the move, the private part of the view, and the history since the last one
        (observe_view, 2),
        (react, 0),
    ],
)
def test_a_step_calls_the_module_once_and_copies_nothing(
    make: Callable[[], Callable[[], Any]], calls: int, counts: Counter[str]
) -> None:
    step = make()
    step()
    counts.clear()
    for _ in range(STEPS):
        step()
    assert counts["calls"] <= calls * STEPS
    assert counts["bytes"] == 0


@pytest.mark.parametrize("name", PLAYS)
def test_another_instance_can_go_on_in_the_middle_of_an_episode(name: str) -> None:
    """Arrays of another memory are copied. tests/test_backends.py changes to native code."""
    wanted, before = first_steps(name, 3, STEPS), jit.backend()
    if not isinstance(before, WasmBackend):
        pytest.skip("another backend runs")

    def change(step: int) -> None:
        if step % 8 == 7:
            jit.switch_backend(WasmBackend() if step % 16 == 7 else before)

    try:
        assert first_steps(name, 3, STEPS, change) == wanted
    finally:
        jit.switch_backend(before)


@pytest.mark.parametrize("name", PLAYS)
def test_environments_in_threads_do_not_disturb_each_other(name: str) -> None:
    """Each is made and stepped in a thread of its own, and one is stepped in a thread that did not make it."""
    alone = [first_steps(name, seed, 150) for seed in (1, 2)]
    moved = PLAYS[name](1)
    shown = [next(moved)]
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(first_steps, name, seed, 150) for seed in (1, 2)]
        shown += pool.submit(lambda: [next(moved) for _ in range(40)]).result()
        assert [future.result() for future in futures] == alone
    assert shown == alone[0][:41]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.parametrize("name", PLAYS)
def test_a_forked_process_continues_an_environment(name: str) -> None:
    """Parent and child go on from the same state, and neither sees the steps of the other."""
    wanted, play = first_steps(name, 1, 60), PLAYS[name](1)
    assert [next(play) for _ in range(20)] == wanted[:20]
    assert run_in_child_and_here(lambda: [next(play) for _ in range(40)] == wanted[20:]) == (True, True)
