"""Calls of WebAssembly functions through the C interface of wasmtime, without type checks.

The public call of wasmtime's Python package takes some forty times as long, because it wraps every argument. So this
file, and no other, uses private parts of the package. Therefore ``pyproject.toml`` has an upper bound on its version,
and ``tests/kernel/test_wasmtime_calls.py`` detects what a new version changes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import wasmtime
from wasmtime import _ffi

WORD_BYTES: Final = 16
"""The size of an argument or a result in the C interface."""


def _prototype(library: Any) -> Any:
    """Returns the C function that calls without checks, from a library loaded by ``PyDLL`` or ``CDLL``."""
    function = library.wasmtime_func_call_unchecked
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    return function


_call_holding_gil: Final = _prototype(ctypes.PyDLL(_ffi.dll._name))
_call_releasing_gil: Final = _prototype(ctypes.CDLL(_ffi.dll._name))
"""The call, with the interpreter lock held or released."""


class RawCall:
    """A prepared call of one function.

    Args:
        words: number of arguments or of results, whichever is larger.
        releases_gil: whether the call releases the interpreter lock.
    """

    def __init__(self, store: wasmtime.Store, function: wasmtime.Func, words: int, *, releases_gil: bool) -> None:
        words = max(words, 1)
        self.buffer: Any = ctypes.create_string_buffer(words * WORD_BYTES)
        """Buffer of the arguments, and then of the results, one word each."""
        self.trap = ctypes.c_void_p()
        """Not zero after a call that trapped."""
        self._store = store  # must outlive the call
        self._function: Any = function._func  # its address is passed
        self.invoke: Callable[[], int | None] = partial(
            _call_releasing_gil if releases_gil else _call_holding_gil,
            ctypes.cast(store._context(), ctypes.c_void_p).value,  # as integers, which ctypes passes fastest
            ctypes.addressof(self._function),
            ctypes.addressof(self.buffer),
            words,
            ctypes.addressof(self.trap),
        )
        """Make the call; anything but None or 0 means that wasmtime refuses it."""

    def take_fault(self) -> str | None:
        """Returns the message of the trap of the last call and clears it; None if there was none."""
        if not self.trap.value:
            return None
        trap = ctypes.cast(self.trap, ctypes.POINTER(_ffi.wasm_trap_t))
        self.trap.value = None
        return str(wasmtime.Trap._from_ptr(trap).message)
