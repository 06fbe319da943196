"""Internals of wasmtime that the kernel uses: a new version that changes them fails here first."""

from __future__ import annotations

import ctypes
import tomllib
from pathlib import Path
from typing import Any

import pytest
import wasmtime
from wasmtime import _ffi

from lastcard.kernel.wasmtime_calls import RawCall

ROOT = Path(__file__).parents[2]
PROGRAM = """(module
    (func (export "add") (param i64 i64) (result i64) (i64.add (local.get 0) (local.get 1)))
    (func (export "stop") unreachable))"""


@pytest.fixture
def call() -> tuple[RawCall, RawCall]:
    """Prepared calls of ``add`` and ``stop``."""
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, PROGRAM), []).exports(store)
    add, stop = exports["add"], exports["stop"]
    assert isinstance(add, wasmtime.Func) and isinstance(stop, wasmtime.Func)
    return RawCall(store, add, 2, releases_gil=False), RawCall(store, stop, 0, releases_gil=True)


def test_the_c_function_gets_its_arguments() -> None:
    """Store, function, words, their number, and a place for a trap; it returns an error or nothing."""
    function: Any = _ffi.dll.wasmtime_func_call_unchecked
    pointer, size = ctypes.sizeof(ctypes.c_void_p), ctypes.sizeof(ctypes.c_size_t)
    assert [ctypes.sizeof(kind) for kind in function.argtypes] == [pointer] * 3 + [size, pointer]
    assert ctypes.sizeof(function.restype) == pointer
    assert isinstance(_ffi.dll._name, str)


def test_words_lie_where_they_are_written_and_read(call: tuple[RawCall, RawCall]) -> None:
    """Each argument has sixteen bytes, and the result replaces the first."""
    add, _ = call
    ctypes.c_int64.from_buffer(add.buffer, 0).value = 40
    ctypes.c_int64.from_buffer(add.buffer, 16).value = 2
    assert not add.invoke() and add.take_fault() is None
    assert ctypes.c_int64.from_buffer(add.buffer, 0).value == 42


def test_a_trap_is_reported_once(call: tuple[RawCall, RawCall]) -> None:
    """The call can be used again: the next one runs."""
    _, stop = call
    for _ in range(2):
        stop.invoke()
        assert "unreachable" in (stop.take_fault() or "")
        assert stop.take_fault() is None


def test_no_other_file_uses_wasmtimes_internals() -> None:
    """The version has an upper bound, because these names are not guaranteed."""
    sources = [path for path in (ROOT / "src").rglob("*.py") if "_ffi" in path.read_text(encoding="utf-8")]
    assert [path.name for path in sources] == ["wasmtime_calls.py"]
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    (wanted,) = [line for line in dependencies if line.startswith("wasmtime")]
    assert ",<" in wanted
