"""Native code beside the module: compiled by another process, marked, cached, taken over between two moves."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from lastcard.kernel import background_compile, cache, jit
from lastcard.kernel.signatures import Export
from lastcard.match.match import Match
from lastcard.match.setup import fill_hand
from lastcard.rules import chance, exports, option_codes
from lastcard.rules.round_state import ROUND_STATE
from support.package_copies import PACKAGE, copy_package, make_environment, run_script

numba = pytest.importorskip("numba")
pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

SMALL = [cast(Export, export) for export in (exports.count_points, chance.shuffle_cards)]
NAMES = [f"{export.function.__module__}:{export.function.__name__}" for export in SMALL]

COMPILE_SCRIPT = """
import threading, time
from lastcard.kernel import jit
from lastcard.rules import chance, exports
wanted = [exports.count_points, chance.shuffle_cards]
later = [wanted.pop()] if one_by_one else []
ended, states, pauses = threading.Event(), [], []
def record(state):
    states.append(state)
    if state == "used" and later:
        wanted.append(later.pop())
        jit._background_compiler.wake()
    elif state in ("used", "failed"):
        ended.set()
before = jit.backend().name, jit.native_state()
began = last = time.perf_counter()
jit.enable_native(wanted, record)
jit.enable_native()
while not ended.is_set():
    time.sleep(0.001)
    last, past = time.perf_counter(), last
    pauses.append(last - past)
print(*before, *states, jit.backend().name, jit.native_state())
"""
ONE_BY_ONE, TOGETHER = f"one_by_one = True{COMPILE_SCRIPT}", f"one_by_one = False{COMPILE_SCRIPT}"
SHARE = "print(max(pauses) / (last - began))"


def start(**others: Any) -> subprocess.Popen[bytes]:
    """The process that compiles the small exports into the current cache."""
    environment = make_environment(PACKAGE, os.environ["LASTCARD_CACHE"], "native")
    command = [sys.executable, "-P", "-m", "lastcard.kernel.background_compile", *NAMES]
    return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment | others, stdout=subprocess.PIPE)


def await_marker(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until the first export is compiled."""
    while not list(folder.glob("*.done")):
        assert process.poll() is None
        time.sleep(0.01)


def marked(folder: Path) -> int:
    """The number of small exports that are marked as compiled; each of those must exist."""
    from lastcard.kernel.native_backend import NativeExport

    lacking = [export for export, _ in background_compile.missing_signatures(folder, SMALL)]
    there = [export for export in SMALL if export not in lacking]
    assert all(NativeExport(export).load(entry) for export in there for entry in export.signatures.values())
    return len(there)


def test_native_code_replaces_the_module(tmp_path: Path) -> None:
    """The module begins, native code follows, also that of a function imported later.

    A second copy of the sources finds it and compiles nothing. If it is marked but missing, it is compiled again. No
    other thread waits for most of it at any time.
    """
    cache_folder, copy = tmp_path / "cache", copy_package(tmp_path / "copy")
    states = "compiling loading used compiling loading used"
    assert run_script(ONE_BY_ONE, copy, cache_folder, "auto") == f"module left {states} native used"
    second = tmp_path / "second" / "lastcard"
    shutil.copytree(copy, second)
    states, share = run_script(TOGETHER + SHARE, second, cache_folder, "auto").splitlines()
    assert states == "module left loading used native used"
    assert float(share) < 0.5
    for code in cache_folder.glob("kernel-*/exports.count_points*.nbc"):
        code.unlink()
    assert (
        run_script(TOGETHER, second, cache_folder, "auto") == "module left loading compiling loading used native used"
    )


@pytest.mark.parametrize(("kernel", "state"), [("module", "unwanted"), ("native", "used")])
def test_a_requested_backend_is_not_replaced(kernel: str, state: str, tmp_path: Path) -> None:
    shown = "jit.backend().name, jit.native_state(), jit._background_compiler"
    script = f"from lastcard.kernel import jit; jit.enable_native(); print({shown})"
    assert run_script(script, PACKAGE, tmp_path, kernel) == f"{kernel} {state} None"


def test_killed_in_the_middle(native_folder: Path) -> None:
    """A marker means that code exists, even if the process is killed; the next process compiles the rest."""
    with start() as process:
        await_marker(native_folder, process)
        process.kill()
    assert marked(native_folder) >= 1
    with start() as process:
        assert process.wait() == 0
    assert marked(native_folder) == len(SMALL)


def test_compilation_ends_with_its_parent(native_folder: Path) -> None:
    """When its standard input is closed, the process ends at any point."""
    with start() as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 1
    assert marked(native_folder) < len(SMALL)


def test_two_at_once_compile_once(native_folder: Path) -> None:
    """One of two processes waits for the other and finds everything compiled."""
    processes = [start(NUMBA_DEBUG_CACHE="1") for _ in range(2)]
    said = []
    for process in processes:
        with process:
            assert process.stdout is not None
            said.append(process.stdout.read().count(b"data saved"))
            assert process.wait() == 0
    assert sorted(said) == [0, len(SMALL)]
    assert marked(native_folder) == len(SMALL)


def test_old_folders_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Folders unused for a month are removed, and all but the newest eight of the rest, except today's."""
    monkeypatch.setenv("LASTCARD_CACHE", str(tmp_path))

    def make(name: str, days: float) -> None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").touch()
        os.utime(tmp_path / name, (time.time() - days * 86400,) * 2)

    for i in range(6):
        make(f"kernel-today{i}", 0.5)
        make(f"kernel-week{i}", 7 + i)
    make("cuda-old", 31)
    make("kernel-old", 31)
    make("dropped-kernel-half.1", 0)
    make("module", 99)
    cache.prune()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"module", "kernel-week0", "kernel-week1", *(f"kernel-today{i}" for i in range(6))}


def test_arguments_of_unusual_types(native_folder: Path) -> None:
    """Read-only arrays, arrays with gaps, and other kinds of numbers do not compile a second variant of an export.

    Anything else is refused, and nothing is compiled for it.
    """
    from lastcard.kernel.native_backend import NativeBackend

    kernel = NativeBackend()
    tables = np.zeros(2, ROUND_STATE)
    tables["game"], tables["players"] = option_codes.CLASSIC, 1
    fill_hand(tables[1], 0, [9])
    count: Any = kernel.resolve(SMALL[0])
    wide = np.zeros(20, np.int64)
    frozen = np.frombuffer(tables.tobytes(), ROUND_STATE)
    count(tables, np.uint8(1), wide[::2])
    assert wide[0] == 9
    for given in (tables, frozen):
        for i in (1, np.int16(1), True):
            out = np.zeros(10, np.int64)
            count(given, i, out)
            kernel.bind(SMALL[0], (given, i), (out,), lambda: None)(out[:])
            assert out[0] == 9
    for wrong in ((tables, 1.0, wide[:10]), (tables, 1, wide[:10].astype(float)), (tables, 1, [0] * 10)):
        with pytest.raises(TypeError):
            count(*wrong)
    assert len(count.overloads) == 1


def test_changed_between_two_moves() -> None:
    """A match that changes the backend at any move is, byte for byte, the one that does not."""
    from lastcard.kernel.native_backend import NativeBackend
    from lastcard.kernel.wasm_backend import WasmBackend

    seed = random.randrange(1 << 32)
    print("seed", seed)
    before, backends = jit.backend(), (WasmBackend(), NativeBackend())

    def play(changing: bool) -> list[bytes]:
        chosen, tables = random.Random(seed), []
        match = Match("classic+jump_in", 4, seed=seed)
        for i in range(60):
            if changing:
                jit.switch_backend(backends[i % 2])
            seat = next(seat for seat in range(4) if match.round.view(seat).legal)
            match.do(seat, chosen.choice(match.round.view(seat).legal))
            tables.append(match.round._states.tobytes())
            if match.round.over:
                break
        return tables

    try:
        assert play(changing=True) == play(changing=False)
    finally:
        jit.switch_backend(before)
