"""Exports of the WebAssembly module, and their arrays."""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import random
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import wasmtime

from lastcard.ai import decision, rollout
from lastcard.envs.compiled import action_ids, vector
from lastcard.errors import UsageError
from lastcard.kernel import jit, wasm_backend
from lastcard.kernel.cache import open_folder
from lastcard.kernel.records import ArrayOf
from lastcard.kernel.signatures import Export
from lastcard.kernel.wasm_backend import Instance, KernelFault, StaleModule, WasmBackend, WasmCall
from lastcard.match.round import Round
from lastcard.rules import chance, exports, random_policy
from lastcard.rules.round_state import ROUND_STATE
from support.package_copies import PACKAGE, make_environment
from support.random_play import seeded, seeds

BLOCK_WORDS: Final = 16
"""Words of a block of ChaCha8."""
KERNEL: Final = WasmBackend()
INVALID_INDEX: Final = 400_000
"""The index of a table far behind the end of any memory here."""


def fill(out: Any, kernel: WasmBackend = KERNEL, start: int = 5) -> None:
    """Have an export write a block."""
    kernel.resolve(as_export(chance.chacha8_block))(np.arange(8), start, 0, 0, 0, out)


def as_export(function: Callable[..., Any]) -> Export:
    """An export with its real type."""
    assert isinstance(function, Export)
    return function


def block(start: int = 5) -> list[int]:
    """The block of the source in plain Python."""
    out = np.zeros(BLOCK_WORDS, np.int64)
    as_export(chance.chacha8_block).function(np.arange(8), start, 0, 0, 0, out)
    return list(out.tolist())


BLOCK: Final = block()


# --- arrays -----------------------------------------------------------------------------------------------


def test_kernel_arrays_are_used_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither they nor contiguous parts of them are copied."""
    kernel = WasmBackend()
    key, out = kernel.zeros(8, np.int64), kernel.zeros(2 * BLOCK_WORDS, np.int64)
    key[:] = range(8)
    call = kernel.resolve(as_export(chance.chacha8_block))
    monkeypatch.setattr(Instance, "zeros", None)
    call(key, 5, 0, 0, 0, out)
    call(key, 5, 0, 0, 0, out[BLOCK_WORDS:])
    assert out.tolist() == BLOCK * 2


ARRAYS: Final[dict[str, Callable[[], Any]]] = {
    "NumPy's": lambda: np.zeros(BLOCK_WORDS, np.int64),
    "part of NumPy's": lambda: np.zeros(3 * BLOCK_WORDS, np.int64)[BLOCK_WORDS : 2 * BLOCK_WORDS],
    "every second": lambda: np.zeros(2 * BLOCK_WORDS, np.int64)[::2],
    "backwards": lambda: np.zeros(BLOCK_WORDS, np.int64)[::-1],
    "a column": lambda: np.zeros((BLOCK_WORDS, 3), np.int64)[:, 1],
    "a field": lambda: np.zeros(BLOCK_WORDS, [("a", np.int8), ("b", np.int64)])["b"],
    "another thread's": lambda: in_other_thread(lambda: KERNEL.zeros(BLOCK_WORDS, np.int64)),
    "its own": lambda: KERNEL.zeros(BLOCK_WORDS, np.int64),
    "part of its own": lambda: KERNEL.zeros(3 * BLOCK_WORDS, np.int64)[BLOCK_WORDS : 2 * BLOCK_WORDS],
    "every second of its own": lambda: KERNEL.zeros(2 * BLOCK_WORDS, np.int64)[::2],
    "its own backwards": lambda: KERNEL.zeros(BLOCK_WORDS, np.int64)[::-1],
    "its own as another type": lambda: KERNEL.zeros(8 * BLOCK_WORDS, np.uint8).view(np.int64),
    "its own, folded": lambda: KERNEL.zeros((2, 8), np.int64).reshape(BLOCK_WORDS),
}


def in_other_thread(do: Callable[[], Any]) -> Any:
    """The result of a function in a thread that ends with it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(do).result()


@pytest.mark.parametrize("kind", ARRAYS)
def test_an_export_writes_into_any_array(kind: str) -> None:
    """Other arrays are copied in and back; the bytes around them do not change."""
    out = ARRAYS[kind]()
    whole = out if out.base is None or not isinstance(out.base, np.ndarray) else out.base
    before = bytes(whole.tobytes())
    fill(out)
    assert out.tolist() == BLOCK
    out[:] = 0
    assert whole.tobytes() == before


@pytest.mark.parametrize("form", ["module", "native"])
@pytest.mark.parametrize("kind", ARRAYS)
def test_the_same_array_twice(kind: str, form: str) -> None:
    """An export reads and writes one array: no old copy overwrites what it wrote."""
    if form == "native":
        pytest.importorskip("numba")
    kernel = KERNEL if form == "module" else jit._create_backend("native")
    both = ARRAYS[kind]()
    both[:8] = range(8)
    kernel.resolve(as_export(chance.chacha8_block))(both, 5, 0, 0, 0, both)
    assert both.tolist() == BLOCK


def test_overlapping_arrays() -> None:
    """Two copies would overwrite each other, which is refused; the module's own arrays need no copies."""
    call = KERNEL.resolve(as_export(chance.chacha8_block))
    for array in (np.arange(2 * BLOCK_WORDS), KERNEL.zeros(4 * BLOCK_WORDS, np.int64)[::2]):
        before = array.copy()
        with pytest.raises(TypeError, match=r"\b(key|out) and (key|out) lie in the same memory in part"):
            call(array[:BLOCK_WORDS], 5, 0, 0, 0, array[4 : 4 + BLOCK_WORDS])
        assert (array == before).all()
    apart = np.arange(2 * BLOCK_WORDS)
    call(apart[::2], 5, 0, 0, 0, apart[1::2])  # their numbers alternate
    own = KERNEL.zeros(2 * BLOCK_WORDS, np.int64)
    own[:8] = range(8)
    call(own[:BLOCK_WORDS], 5, 0, 0, 0, own[4 : 4 + BLOCK_WORDS])
    assert own[4 : 4 + BLOCK_WORDS].tolist() == BLOCK


def test_read_only_arrays_are_unchanged() -> None:
    """A read-only array is copied in, and changes of the copy are dropped."""
    out = np.zeros(BLOCK_WORDS, np.int64)
    out.flags.writeable = False
    fill(out)
    assert not out.any()


def test_records_are_copied_whole() -> None:
    """A table preserves every byte in both directions, also those without a name."""
    tables, own = np.zeros(3, ROUND_STATE), KERNEL.zeros(3, ROUND_STATE)
    tables[:1] = own[:1] = np.frombuffer(Round.deal("classic", 4, seed=1).state_bytes(), ROUND_STATE)
    for array in (tables, own):
        KERNEL.resolve(as_export(random_policy.clone_state))(array, 0, 1, 2)
        KERNEL.resolve(as_export(random_policy.clone_state))(array[1:], 0, 1, 1)
    assert tables.tobytes() == own.tobytes()
    assert tables[0].tobytes() == tables[1].tobytes() == tables[2].tobytes()


def test_other_arguments_are_refused() -> None:
    """For another type, more dimensions or no array at all, the error names the parameter."""
    fill_ids = KERNEL.resolve(as_export(action_ids.fill_action_ids))
    actions, ids = KERNEL.zeros(4, np.int64), KERNEL.zeros(action_ids.KEYS, np.int16)
    wrong: tuple[Any, ...] = (
        np.zeros(4, np.int32), KERNEL.zeros(4, np.int32), np.zeros((2, 2), np.int64), KERNEL.zeros((2, 2), np.int64),
        [1, 2], None, 3, np.zeros(4, ">i8"),
    )  # fmt: skip
    for value in wrong:
        with pytest.raises(TypeError, match=r"\bactions\b"):
            fill_ids(value, ids)
    with pytest.raises(TypeError, match=r"\bids\b"):
        fill_ids(actions, actions)
    for few in ((), (actions,), (actions, ids, 3)):
        with pytest.raises(TypeError, match=f"takes 2 numbers and arrays, not {len(few)}"):
            fill_ids(*few)
    plain_action = KERNEL.resolve(as_export(rollout.canonical_action))
    for tables in (KERNEL.zeros(1, ROUND_STATE), np.zeros(1, ROUND_STATE)):
        for number in (1.5, "1", None):
            with pytest.raises(TypeError, match=r"\bseat is of type int\b"):
                plain_action(tables, 0, number, 0)


def test_bound_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments are written once: no call looks them up, copies them, or is disturbed by the result before."""
    actions, masks = KERNEL.zeros(2, np.int64), KERNEL.zeros((2, 3), np.uint8)
    states = KERNEL.zeros(4, vector.EPISODE_STATE)
    masks[:, 1] = 1
    find = as_export(vector.find_illegal)
    example = (states[:2], masks, actions, True)
    calls = [KERNEL.bind(find, example[:n], example[n:], lambda: None) for n in range(1, 5)]
    monkeypatch.setattr(Instance, "copy_in", None)
    for legal, illegal in ((1, -1), (2, 0), (1, -1)):
        actions[0], actions[1] = legal, 1
        for n, call in enumerate(calls, start=1):
            assert call(*example[n:]) == illegal
    monkeypatch.undo()
    assert in_other_thread(lambda: [call(*example[n:]) for n, call in enumerate(calls, start=1)]) == [-1] * 4
    with pytest.raises(TypeError, match=r"takes 4 numbers and arrays, not 3"):
        calls[2]()
    with pytest.raises(TypeError, match=r"\bmasked is of type bool, not None"):
        calls[2](None)
    with pytest.raises(TypeError, match=r"\bactions is an array of int64\[:\], not"):
        calls[1](np.zeros(2, np.int32), True)
    assert calls[1](np.array([2, 1]), True) == 0  # any other array is copied


def test_bound_arrays_outside_the_module_are_copied() -> None:
    """What is bound but lies elsewhere, is not contiguous or has another type behaves as in any call."""
    key, out = np.arange(8), KERNEL.zeros(2 * BLOCK_WORDS, np.int64)
    export = as_export(chance.chacha8_block)
    KERNEL.bind(export, (key, 5, 0, 0, 0, out[:BLOCK_WORDS]), (), lambda: None)()
    KERNEL.bind(export, (key, 5, 0, 0), (0, out), lambda: None)(0, out[BLOCK_WORDS:])
    assert out.tolist() == BLOCK * 2
    out[:] = 0
    KERNEL.bind(export, (key, 5, 0, 0, 0, out[::2]), (), lambda: None)()
    assert out[::2].tolist() == BLOCK and not out[1::2].any()
    with pytest.raises(TypeError, match=r"w12 is of type int, not 1\.5"):
        KERNEL.bind(export, (KERNEL.zeros(8, np.int64), 1.5, 0, 0, 0, out), (), lambda: None)()


# --- blocks -----------------------------------------------------------------------------------------------


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_freed_blocks_are_reused() -> None:
    instance = Instance()
    first = instance.zeros(100, np.int64)
    first[:] = 7
    at = address(first)
    del first
    again = instance.zeros(100, np.int64)
    assert address(again) == at and not again.any()
    for _ in range(5_000):
        instance.zeros(1000, np.int64)
    assert instance._top < 1 << 20


@pytest.fixture
def old_objects_uncollected() -> Iterator[None]:
    """Old objects are excluded from garbage collections, which take half a second of a process that runs tests."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("old_objects_uncollected")
def test_a_view_prevents_reuse_of_its_block() -> None:
    """A block is not reused while anything refers to it: a part, a record, a buffer."""
    instance = Instance()
    make_views: tuple[Callable[[Any], Any], ...] = (
        lambda a: a[3:],
        lambda a: a.view(np.uint8),
        memoryview,
        lambda a: a[0],
    )
    for make_view in make_views:
        array = instance.zeros(8, ROUND_STATE)
        at, view = address(array), make_view(array)
        del array
        gc.collect()
        others = [instance.zeros(8, ROUND_STATE) for _ in range(3)]
        assert at not in map(address, others)
        del view
        gc.collect()
        assert address(instance.zeros(8, ROUND_STATE)) == at


@pytest.mark.parametrize("seed", seeds(8))
def test_an_array_is_never_taken_for_another(seed: int) -> None:
    """Python gives a new object the ``id`` of an old one: an export still writes to the right array."""
    kernel = WasmBackend()
    held: list[Any] = []
    with seeded(seed) as rng:
        for step in range(400):
            if held and rng.random() < 0.5:
                held.pop(rng.randrange(len(held)))
            made = kernel.zeros(BLOCK_WORDS, np.int64) if rng.random() < 0.5 else np.zeros(BLOCK_WORDS, np.int64)
            held.append(made[:] if rng.random() < 0.3 else made)
            del made
            out = rng.choice(held)
            others = [(array, array.tobytes()) for array in held if array is not out]
            fill(out, kernel, step)
            assert out.tolist() == block(step)
            assert all(array.tobytes() == before for array, before in others)


def test_memory_grows() -> None:
    """Arrays do not move when memory grows."""
    kernel = WasmBackend()
    small = kernel.zeros(BLOCK_WORDS, np.int64)
    large = [kernel.zeros(1 << 20, np.int64) for _ in range(6)]
    for out in (small, large[-1][-BLOCK_WORDS:]):
        fill(out, kernel)
        assert out.tolist() == BLOCK
    assert len({address(array) for array in (small, *large)}) == 7


def test_memory_ends() -> None:
    """At 4 GiB Python raises an error, and existing arrays still work."""
    kernel = WasmBackend()
    out = kernel.zeros(BLOCK_WORDS, np.int64)
    with pytest.raises(MemoryError):
        kernel.zeros(5 << 30, np.uint8)
    fill(out, kernel)
    assert out.tolist() == BLOCK and kernel.zeros(10, np.int64).size == 10


@pytest.mark.parametrize(
    ("shape", "error"),
    [
        (2.5, TypeError),
        ((5, 2.0), TypeError),
        ("5", TypeError),
        (-1, ValueError),
        ((-1, -1), ValueError),
        ((1 << 40, -1), ValueError),
    ],
)
def test_an_invalid_size_allocates_nothing(shape: Any, error: type[Exception]) -> None:
    """No memory is counted for it, and later calls are not affected."""
    kernel = WasmBackend()
    before = address(kernel.zeros(BLOCK_WORDS, np.int64))
    with pytest.raises(error):
        kernel.zeros(shape, np.float32)
    out = kernel.zeros(BLOCK_WORDS, np.int64)
    fill(out, kernel)
    assert out.tolist() == BLOCK and address(out) == before


@pytest.mark.usefixtures("old_objects_uncollected")
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_true_is_one_in_a_shape() -> None:
    kernel = WasmBackend()
    sizes: Any = (True, np.int64(3))
    array = kernel.zeros(sizes, np.int32)
    assert array.shape == (1, 3) and [type(size) for size in array.shape] == [int, int]
    del array
    gc.collect()


# --- threads ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("old_objects_uncollected")
def test_an_array_outlives_its_thread() -> None:
    """The memory lives as long as an array in it, and not longer."""
    made: list[Any] = []

    def make() -> None:
        made.append(KERNEL.zeros(BLOCK_WORDS, np.int64))
        fill(made[0])
        made.append(weakref.ref(KERNEL._thread.instance))

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    gc.collect()
    array, instance = made
    made.clear()
    assert instance() is not None and array.tolist() == BLOCK
    fill(array)
    assert array.tolist() == BLOCK
    del array
    gc.collect()
    assert instance() is None


def play(seed: int) -> bytes:
    """The tables of some rounds, played move by move and at once."""
    rng = random.Random(seed)
    table = Round.deal(rng.choice(("classic", "all-wild", "wild-jackpot+living-room")), 3, seed=seed)
    for _ in range(60):
        moves = [] if table.over else table.legal()
        if moves:
            table.do(table.turn, moves[int(rng.random() * len(moves))])
    tables, out, tally = KERNEL.zeros(1, ROUND_STATE), KERNEL.zeros(1000, np.int64), KERNEL.zeros(64, np.int64)
    tables.view(np.uint8)[:] = np.frombuffer(Round.deal("classic", 4, seed=seed).state_bytes(), np.uint8)
    KERNEL.resolve(as_export(random_policy.play_rounds))(tables, seed, 5, out, tally, 2000)
    return table.state_bytes() + bytes(tables.tobytes()) + bytes(tally.tobytes())


def test_many_threads_play_as_one_does() -> None:
    """Each thread has an instance of its own, and all run at once."""
    alone = [play(seed) for seed in range(24)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(play, range(24))) == alone


def test_tables_go_from_thread_to_thread() -> None:
    """A round continues in whichever thread a move is made."""
    table, other = (Round.deal("classic", 4, seed=5) for _ in range(2))
    rng = random.Random(5)
    with ThreadPoolExecutor(4) as pool:
        while not table.over:
            move = rng.choice([move for move in table.legal() if move.verb != "uno"])
            pool.submit(table.do, table.turn, move).result()
            other.do(other.turn, move)
            assert table.state_bytes() == other.state_bytes()


# --- faults -----------------------------------------------------------------------------------------------


def test_a_fault_is_an_error_of_python() -> None:
    """Code that leaves its memory is stopped; the error says where, and the instance still works."""
    kernel = WasmBackend()
    tables, out = kernel.zeros(1, ROUND_STATE), kernel.zeros(BLOCK_WORDS, np.int64)
    with pytest.raises(KernelFault, match=r"exports\.count_points: (.|\n)*out of bounds"):
        kernel.resolve(as_export(exports.count_points))(tables, INVALID_INDEX, out)
    fill(out, kernel)
    assert out.tolist() == BLOCK


def test_faults_leak_no_memory() -> None:
    """The stack of stopped functions is freed; otherwise every call would fail after some thousands."""
    instance = Instance()
    (choose,) = as_export(decision.choose).signatures.values()
    arguments = [
        instance.zeros((1,) * p.kind.dimensions, p.kind.kind) if isinstance(p.kind, ArrayOf) else INVALID_INDEX
        for p in choose.parameters
    ]
    before = instance._stack.value(instance._store)
    for _ in range(3000):
        with pytest.raises(KernelFault):
            WasmCall(instance, choose, releases_gil=True).call(*arguments)
    assert instance._stack.value(instance._store) == before
    out = np.zeros(BLOCK_WORDS, np.int64)
    (write,) = as_export(chance.chacha8_block).signatures.values()
    WasmCall(instance, write, releases_gil=False).call(np.arange(8), 5, 0, 0, 0, out)
    assert out.tolist() == BLOCK


# --- the cache --------------------------------------------------------------------------------------------


ORIGIN: Final = b'{"key": "0"}'
SMALL: Final = bytes(wasmtime.wat2wasm('(module (func (export "one") (result i32) i32.const 1))')) + bytes(
    [0, 9 + len(ORIGIN), 8, *b"lastcard", *ORIGIN]
)
"""A module that compiles at once: caching does not depend on its content."""


@pytest.fixture
def small_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A small module instead of the kernel, installed without its sources."""
    (tmp_path / "small.wasm").write_bytes(SMALL)
    monkeypatch.setattr(wasm_backend, "MODULE_FILE", tmp_path / "small.wasm")
    monkeypatch.setattr(wasm_backend, "BUILD_TOOL", tmp_path / "nowhere")


@pytest.fixture
def cached_module(small_module: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The compiled module, in a cache of its own."""
    monkeypatch.setenv("LASTCARD_CACHE", str(tmp_path))
    compile_module()
    (file,) = (tmp_path / "module").iterdir()
    return file


def compile_module() -> wasmtime.Module:
    """The module as a new process loads it."""
    return wasm_backend.load_module.__wrapped__()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The modules that are compiled from now on."""
    made: list[bytes] = []
    create = wasmtime.Module.__init__

    def count(module: wasmtime.Module, engine: Any, source: bytes) -> None:
        made.append(source)
        create(module, engine, source)

    monkeypatch.setattr(wasmtime.Module, "__init__", count)
    return made


def test_the_module_is_compiled_once(cached_module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process finds the compiled code of this one, and marks it as used."""
    made = counted(monkeypatch)
    os.utime(cached_module, (0, 0))
    compile_module()
    assert not made and cached_module.stat().st_mtime > 0


def spoil(data: bytes) -> dict[str, bytes]:
    """Invalid contents of a cached file."""
    other = data[32:].replace(platform.machine().replace("_", "-").encode(), b"riscv64", 1)
    other = other if other != data[32:] else b"\x7fELF of another version"
    return {
        "empty": b"",
        "cut off": data[:-1],
        "a wrong byte": data[:100] + bytes([data[100] ^ 1]) + data[101:],
        "whole, and for something else": hashlib.sha256(other).digest() + other,
        "whole, and nothing": hashlib.sha256(b"").digest(),
    }


@pytest.mark.parametrize("how", spoil(bytes(6000)))
def test_a_damaged_cache_file_is_replaced(cached_module: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """A file that is damaged, or of another processor or version, is replaced."""
    good = cached_module.read_bytes()
    cached_module.write_bytes(spoil(good)[how])
    made = counted(monkeypatch)
    assert [export.name for export in compile_module().exports] == ["one"]
    assert len(made) == 1
    assert [cached_module] == list(cached_module.parent.iterdir())
    compile_module()
    assert len(made) == 1


@pytest.mark.usefixtures("small_module")
def test_without_a_folder_nothing_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the cache cannot be written, the module is compiled each time."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LASTCARD_CACHE", str(tmp_path / "file" / "cache"))
    made = counted(monkeypatch)
    compile_module()
    compile_module()
    assert len(made) == 2


def test_few_files_stay_in_the_cache(cached_module: Path) -> None:
    """The compiled modules that were unused for longest are removed."""
    for days in range(1, 9):
        old = cached_module.with_name(f"{days:016x}")
        old.write_bytes(b"old")
        os.utime(old, (cached_module.stat().st_mtime - days * 86400,) * 2)
    cached_module.unlink()
    compile_module()
    assert {path.name for path in cached_module.parent.iterdir()} == {
        cached_module.name,
        *(f"{days:016x}" for days in (1, 2, 3)),
    }


DEAL: Final = """
from lastcard.match.round import Round
print(Round.deal("classic", 4, seed=1).hands)
"""


def test_many_processes_begin_at_once(tmp_path: Path) -> None:
    """Processes that find nothing compiled do not disturb each other, and leave one file."""
    fresh = open_folder("fresh")
    assert fresh is not None
    shutil.copytree(fresh, tmp_path / "fresh")
    environment = make_environment(PACKAGE, tmp_path, "module")
    started = [
        subprocess.Popen([sys.executable, "-c", DEAL], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = {process.communicate()[0] for process in started}
    assert said == {f"{Round.deal('classic', 4, seed=1).hands}\n"}
    assert not any(process.returncode for process in started)
    assert len(list((tmp_path / "module").iterdir())) == 1


def test_a_module_of_other_sources_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a changed kernel, without the file, and with half of it, the error names the fix."""
    stale = tmp_path / "stale.wasm"
    whole = wasm_backend.MODULE_FILE.read_bytes()
    stale.write_bytes(whole.replace(wasm_backend.read_origin(whole)["key"].encode(), b"0" * 16))
    cut = tmp_path / "cut.wasm"
    cut.write_bytes(wasm_backend.MODULE_FILE.read_bytes()[:-1])
    for file in (stale, cut, tmp_path / "none.wasm"):
        monkeypatch.setattr(wasm_backend, "MODULE_FILE", file)
        with pytest.raises(StaleModule, match="make module"):
            compile_module()


# --- choice of the backend --------------------------------------------------------------------------------


@pytest.fixture
def restored_backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the backend and the requested one afterwards."""
    before = jit.backend()
    monkeypatch.setenv(jit.ENV_VARIABLE, before.name)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    yield
    jit.switch_backend(before)


@pytest.mark.usefixtures("restored_backend")
def test_which_backend_is_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    """LASTCARD_KERNEL names it; Numba's own switch for debuggers has priority."""
    for name in jit.BACKENDS:
        monkeypatch.setenv(jit.ENV_VARIABLE, name)
        assert jit.requested_backend() == name
    monkeypatch.setenv(jit.ENV_VARIABLE, "")
    assert jit.requested_backend() == "auto"
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert jit.requested_backend() == "plain"


@pytest.mark.usefixtures("restored_backend")
@pytest.mark.parametrize(("name", "said"), [("fast", "auto, module, native, plain"), ("native", r"lastcard\[native\]")])
def test_a_backend_that_is_not_there(name: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error lists the existing ones, or says what native code needs; nothing changes."""
    monkeypatch.setattr(jit, "has_native", lambda: False)
    before, asked = jit.backend(), jit.requested_backend()
    with pytest.raises(UsageError, match=said):
        jit.select_backend(name)
    assert jit.backend() is before and jit.requested_backend() == asked


@pytest.mark.usefixtures("restored_backend")
def test_the_default_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module; if it is stale, native code; without Numba, an error that names the fix."""
    jit.select_backend("auto")
    assert jit.backend().name == "module"

    def find_stale() -> None:
        raise StaleModule

    monkeypatch.setattr(wasm_backend, "load_module", find_stale)
    monkeypatch.setattr(jit, "has_native", lambda: False)
    with pytest.raises(StaleModule):
        jit.select_backend("auto")
    with pytest.raises(StaleModule):
        jit.select_backend("module")


@pytest.mark.usefixtures("restored_backend")
def test_exports_follow_the_backend() -> None:
    """Every export, also one with bound arguments, is called in the current backend."""
    key, out = np.arange(8), np.zeros(BLOCK_WORDS, np.int64)
    bound = jit.bind(chance.chacha8_block, (key, 5, 0, 0, 0), (out,))
    called: list[Any] = []
    for name in ("plain", "module", "plain"):
        jit.select_backend(name)
        assert jit.backend().name == jit.requested_backend() == name
        for call in (bound.call, partial(chance.chacha8_block, key, 5, 0, 0, 0)):
            out[:] = 0
            call(out)
            assert out.tolist() == BLOCK
        called.append(bound.call)
    assert called[0].func is as_export(chance.chacha8_block).function is not called[1].func
