"""The kernel as a WebAssembly module that was compiled ahead, and the memory it works in.

Every thread has an instance of its own. Arrays made by ``Instance.zeros`` lie in its memory, and its doors work on
them in place; any other array is copied in for a call and back. A door is called without a look at types
(``wasmtime_calls.py``): what is passed has been checked here.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import json
import operator
import os
import platform
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import count
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn, SupportsFloat, SupportsIndex

import numpy as np
import wasmtime

from lastcard.errors import LastcardError
from lastcard.kernel.cache import PACKAGE, open_folder, source_key
from lastcard.kernel.functions import Door, Entry, choose_entry, flatten
from lastcard.kernel.records import ArrayOf, array_of
from lastcard.kernel.wasmtime_calls import WORD_BYTES, RawCall

FILE: Final = PACKAGE / "kernel" / "lastcard.wasm"
CHECKOUT: Final = PACKAGE.parents[1] / "tools" / "wasm"
"""What compiles the module; where it is, the code may be another one than that of the module."""
SECTION: Final = "lastcard"
"""The custom section of a module that says what it was made from."""
_GRAIN: Final = 64
"""Arrays begin at multiples of this, and blocks are so many bytes, or more."""
_PAGE: Final = 65536
_STEP: Final = 16
"""Pages by which the memory grows at least."""
_OWN: Final = 1 << 25
"""Bytes of 4 GiB that are left for constants and the small arrays of all that works."""
_KEPT: Final = 4
"""How many compiled forms of modules are kept."""


class KernelFault(RuntimeError):
    """Compiled code did what it must never do, such as to leave its memory; the table it worked on is void."""


class StaleModule(LastcardError):
    """The module was compiled from other code than that beside it, or is not whole."""

    def __init__(self) -> None:
        super().__init__("the kernel was changed since lastcard.wasm was made: make module")


# --- the module -------------------------------------------------------------------------------------------


def read_origin(module: bytes) -> dict[str, Any]:
    """What a module was made from.

    ``key`` is that of its code (``fingerprint.py``), ``exports`` the modules whose functions it exports, ``tools`` what
    compiled it, with versions.

    Args:
        module: the bytes of a WebAssembly module.

    Returns:
        An empty dictionary where it does not say, as where the bytes are no module.
    """
    at = 8
    with suppress(IndexError, ValueError):  # it ends too soon
        while at < len(module):
            kind, (size, start) = module[at], _read_number(module, at + 1)
            length, name = _read_number(module, start)
            if kind == 0 and module[name : name + length] == SECTION.encode():
                origin: dict[str, Any] = json.loads(module[name + length : start + size])
                return origin
            at = start + size
    return {}


def _read_number(module: bytes, at: int) -> tuple[int, int]:
    """A LEB128 number of a module, and the place behind it."""
    value = 0
    for i in count():
        value |= (module[at + i] & 127) << 7 * i
        if module[at + i] < 128:
            return value, at + i + 1
    raise AssertionError


@cache
def _engine() -> wasmtime.Engine:
    return wasmtime.Engine()


@cache
def load_module() -> wasmtime.Module:
    """The module, compiled for this processor; what comes of that is kept in the user's cache.

    Raises:
        StaleModule: where it is not whole, or in a checkout was compiled from other code.
    """
    module = FILE.read_bytes() if FILE.exists() else b""
    origin = read_origin(module)
    if not origin or (CHECKOUT.is_dir() and not _is_fresh(origin)):
        raise StaleModule
    key = hashlib.sha256(f"{platform.machine()} ".encode() + module).hexdigest()[:16]
    folder = open_folder("module")
    kept = folder / key if folder else None
    found = _read_compiled(kept) if kept else None
    if found is None:
        found = wasmtime.Module(_engine(), module)
        if kept:
            _keep_compiled(kept, bytes(found.serialize()))
    return found


def _is_fresh(origin: Mapping[str, Any]) -> bool:
    """Whether a module was compiled from the code beside it.

    The cache keeps the answer for sources of the same text.
    """
    folder = open_folder("fresh")
    stamp = folder / f"{origin['key']}-{source_key()}" if folder else None
    if stamp is not None and stamp.exists():
        return True
    command = [sys.executable, "-m", "lastcard.kernel.fingerprint", *origin["exports"]]
    found = subprocess.run(command, stdout=subprocess.PIPE, env=_environment(), check=True, text=True).stdout
    if found == origin["key"] and stamp is not None:
        with suppress(OSError):
            stamp.touch()
    return found == origin["key"]


def _environment() -> dict[str, str]:
    """That of a process which imports this package, and runs nothing compiled."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), *sys.path]), "LASTCARD_KERNEL": "plain"}


def _read_compiled(kept: Path) -> wasmtime.Module | None:
    """What was compiled before, if it is whole and fits this processor and this version of wasmtime."""
    try:
        written = kept.read_bytes()
        digest, compiled = written[:32], written[32:]
        if hashlib.sha256(compiled).digest() != digest:
            return None
        os.utime(kept)
        return wasmtime.Module.deserialize(_engine(), compiled)
    except (OSError, wasmtime.WasmtimeError):
        return None


def _keep_compiled(kept: Path, compiled: bytes) -> None:
    """Write a compiled form, whole or not at all, and forget those that were not used for longest."""
    mine = kept.with_name(f"{kept.name}.{os.getpid()}")
    with suppress(OSError):
        mine.write_bytes(hashlib.sha256(compiled).digest() + compiled)
        mine.replace(kept)
        others = sorted(kept.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in others[_KEPT:]:
            old.unlink(missing_ok=True)


# --- calls ------------------------------------------------------------------------------------------------

_stores: Final[weakref.WeakSet[wasmtime.Store]] = weakref.WeakSet()


@atexit.register
def _leave_to_the_system() -> None:
    """Have nothing of wasmtime finalized at the end of the program, when Python has taken down what that needs."""
    for owned in (*_stores, *([_engine(), load_module()] if _stores else [])):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(owned))


class Place(NamedTuple):
    """Where an array lies in the memory of an instance."""

    array: Callable[[], Any]
    numbers: tuple[int, ...]
    """Its address and its shape, as a door takes them."""
    type: ArrayOf


class Instance:
    """One instance of the module, with its memory. Only the thread that made it may call its doors."""

    def __init__(self) -> None:
        self._store = wasmtime.Store(_engine())
        _stores.add(self._store)
        self._exports: Any = wasmtime.Instance(self._store, load_module(), []).exports(self._store)
        memory: Any = self._exports["memory"]
        heap: Any = self._exports["__heap_base"]
        self._memory = memory
        self._base = ctypes.addressof(memory.data_ptr(self._store).contents)
        self._end: int = memory.data_len(self._store)
        self._top: int = -(-heap.value(self._store) // _GRAIN) * _GRAIN
        stack: Any = self._exports["__stack_pointer"]
        self._stack, self._stack_top = stack, stack.value(self._store)
        self._free: dict[int, list[int]] = {}
        """Addresses of blocks that are free, by size."""
        self._blocks: dict[int, Any] = {}
        """Weak references to the buffers of blocks in use, by address."""
        self._arrays: dict[int, int] = {}
        """The ``id`` of the array in a block, by address."""
        self.places: dict[int, Place] = {}
        """Of arrays made here, by their ``id``."""

    def prepare(self, name: str, words: int, *, long: bool) -> RawCall:
        """A call of an exported function; see ``RawCall``.

        Raises:
            KeyError: where the module has no such function.
        """
        return RawCall(self._store, self._exports[name], words, long=long)

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """An array of zeros in the memory of this instance, where its block stays as long as anything looks at it.

        Args:
            shape: its sizes.
            kind: NumPy's type of what it holds.

        Raises:
            TypeError: for a size that is no whole number.
            ValueError: for one below 0.
            MemoryError: when 4 GiB are used up.
        """
        kind = np.dtype(kind)
        # Before a block is taken: what is no whole number would spoil the count of what is free.
        sizes = tuple([int(operator.index(size)) for size in ((shape,) if isinstance(shape, int) else shape)])
        if min(sizes, default=0) < 0:
            raise ValueError(f"an array has no size below 0, as in {sizes}")
        at, buffer = self._take(kind.itemsize * prod(sizes))
        array = np.ndarray(sizes, kind, buffer)
        self._arrays[at] = id(array)
        self.places[id(array)] = Place(weakref.ref(array), (at, *sizes), array_of(kind, len(sizes)))
        return array

    def _take(self, size: int) -> tuple[int, Any]:
        """A block of zeros: its address in the module, and the buffer with which it goes."""
        at = self._find_block(size)
        buffer = (ctypes.c_ubyte * size).from_address(self._base + at)
        ctypes.memset(buffer, 0, size)
        buffer.instance = self  # type: ignore[attr-defined]  # whose memory must not go before it
        free = self._free[_block_size(size)]  # found now: what gives it back may run when Python is half taken down

        def give_back(_: Any) -> None:
            array = self._arrays.pop(at)
            place = self.places.get(array)
            if place is not None and place.numbers[0] == at:  # else another array has that id by now
                del self.places[array]
            del self._blocks[at]
            free.append(at)

        self._blocks[at] = weakref.ref(buffer, give_back)
        return at, buffer

    def _find_block(self, size: int) -> int:
        """The address of a block for so many bytes, with whatever it held before."""
        size = _block_size(size)
        free = self._free.setdefault(size, [])
        return free.pop() if free else self._extend(size)

    def _extend(self, size: int) -> int:
        """A block in memory that nothing has lain in yet."""
        at = self._top
        lacking = at + size - self._end
        if lacking > 0:
            pages = max(-(-lacking // _PAGE), _STEP)
            try:
                self._memory.grow(self._store, pages)
            except wasmtime.WasmtimeError as error:
                raise MemoryError(f"a kernel has no room for {size} bytes more") from error
            self._end += pages * _PAGE
        self._top = at + size
        return at

    def lend(self, array: Any, kind: ArrayOf, name: str) -> tuple[tuple[int, ...], Loan | None]:
        """Where a door finds an array.

        Args:
            array: any.
            kind: what the door takes.
            name: of the parameter.

        Returns:
            Address and shape; and, where it does not lie in this memory, the loan of a copy.

        Raises:
            TypeError: for something else than such an array.
        """
        place = self.places.get(id(array))
        if place is not None and place.array() is array and place.type is kind:
            return place.numbers, None
        if not isinstance(array, np.ndarray) or not kind.allows(array):
            raise TypeError(f"{name} is an array of {kind}, not {array!r:.200}")
        if array.size == 0:
            return (0, *array.shape), None
        whole = array if array.flags.c_contiguous else np.ascontiguousarray(array)
        at = whole.ctypes.data - self._base
        if whole is array and 0 <= at < self._top:  # a part of one that was made here
            return (at, *array.shape), None
        lent = self._find_block(array.nbytes)
        ctypes.memmove(self._base + lent, whole.ctypes.data, array.nbytes)
        return (lent, *array.shape), Loan(array, lent)

    def clear_stack(self) -> None:
        """Give back what functions kept in memory that were stopped by a fault."""
        self._stack.set_value(self._store, self._stack_top)

    def take_back(self, loan: Loan) -> None:
        """End a loan: what a door has written goes to where it belongs."""
        array, at = loan
        if array.flags.writeable:
            if array.flags.c_contiguous:
                ctypes.memmove(array.ctypes.data, self._base + at, array.nbytes)
            else:
                block = (ctypes.c_ubyte * array.nbytes).from_address(self._base + at)
                array[...] = np.ndarray(array.shape, array.dtype, block)
        self._free[_block_size(array.nbytes)].append(at)


class Loan(NamedTuple):
    """A copy of an array, made for one call."""

    array: Any
    at: int


def _block_size(size: int) -> int:
    """How large a block is for so many bytes."""
    return -(-max(size, 1) // _GRAIN) * _GRAIN


_RESULTS: Final = {int: "<q", float: "<d", bool: "<?"}


def _letters(kind: type | ArrayOf) -> str:
    """How the words of a parameter are written, as ``struct`` says it."""
    if isinstance(kind, ArrayOf):
        return "q" + "q" * kind.dimensions
    return "d" if kind is float else "q"


class Gate:
    """An entry of a door in one instance: ``call`` takes the arguments of the door, named tuples taken apart.

    Args:
        instance: in which it is called.
        entry: what is called.
        long: whether the interpreter lock is released in it.
    """

    def __init__(self, instance: Instance, entry: Entry, *, long: bool) -> None:
        self._instance, self._entry = instance, entry
        words = struct.Struct("<" + "".join(f"{letter}8x" for p in entry.parameters for letter in _letters(p.kind)))
        self._raw_call = instance.prepare(entry.name, words.size // WORD_BYTES, long=long)
        self._write = words.pack_into
        self._read = None if entry.result is None else struct.Struct(_RESULTS[entry.result]).unpack_from
        self.call = self._make_call()

    def _make_call(self) -> Callable[..., Any]:
        """The way for arrays that were made here, which most are: every tenth of a microsecond counts."""
        arrays = [(i, p.kind) for i, p in enumerate(self._entry.parameters) if isinstance(p.kind, ArrayOf)][::-1]
        places, write, raw, read = self._instance.places, self._write, self._raw_call.raw, self._read
        invoke, trap, fail, refuse = self._raw_call.invoke, self._raw_call.trap, self._fail, self._refuse
        count = len(self._entry.parameters)

        def call(*args: Any) -> Any:
            if len(args) != count:
                refuse(args)
            words = [*args]
            for i, wanted in arrays:
                value = args[i]
                place = places.get(id(value))
                if place is None:
                    return call_with_others(args)
                array, numbers, kind = place
                if array() is not value or kind is not wanted:
                    return call_with_others(args)
                words[i : i + 1] = numbers
            try:
                write(raw, 0, *words)
            except struct.error:
                refuse(args)
            if invoke() or trap.value:
                fail()
            return None if read is None else read(raw)[0]

        def call_with_others(args: Sequence[Any]) -> Any:
            words, loans = [*args], list[Loan]()
            try:
                for i, wanted in arrays:
                    place = places.get(id(args[i]))
                    if place is not None and place.array() is args[i] and place.type is wanted:
                        words[i : i + 1] = place.numbers
                    else:
                        words[i : i + 1] = self._lend(args, i, loans)
                write(raw, 0, *words)
                if invoke() or trap.value:
                    fail()
                return None if read is None else read(raw)[0]
            except struct.error:
                refuse(args)
            finally:
                for loan in loans:
                    self._instance.take_back(loan)

        return call

    def _lend(self, args: Sequence[Any], i: int, loans: list[Loan]) -> tuple[int, ...]:
        """Address and shape of an array that was not made here; a copy of it comes to the loans where it needs one.

        Raises:
            TypeError: where it is no such array, or lies partly in another one: each would be written over the other.
        """
        array, (name, kind) = args[i], self._entry.parameters[i]
        for other in loans:
            if other.array is array:
                return (other.at, *array.shape)
        numbers, loan = self._instance.lend(array, kind, f"{self._entry.name}: {name}")
        if loan is not None:
            loans.append(loan)
            for other, (called, _) in zip(args, self._entry.parameters, strict=True):
                if isinstance(other, np.ndarray) and other is not array and _overlap(other, array):
                    raise TypeError(f"{self._entry.name}: {name} and {called} lie in the same memory in part")
        return numbers

    def _refuse(self, args: Sequence[Any]) -> NoReturn:
        """Say which number is none.

        Raises:
            TypeError: always.
        """
        entry = self._entry
        if len(args) != len(entry.parameters):
            raise TypeError(f"{entry.name} takes {len(entry.parameters)} numbers and arrays, not {len(args)}")
        for value, (name, kind) in zip(args, entry.parameters, strict=True):
            if not isinstance(kind, ArrayOf) and not isinstance(
                value, SupportsFloat if kind is float else SupportsIndex
            ):
                raise TypeError(f"{entry.name}: {name} is of type {kind.__name__}, not {value!r:.200}")
        raise OverflowError(f"{entry.name} takes numbers of 64 bits")

    def _fail(self) -> NoReturn:
        """Raise what wasmtime reports."""
        self._instance.clear_stack()
        raise KernelFault(f"{self._entry.name}: {self._raw_call.take_fault() or 'wasmtime refuses the call'}")


def _overlap(one: Any, other: Any) -> bool:
    """Whether two arrays have a number in common; most are told apart by where they begin and end."""
    return np.may_share_memory(one, other) and np.shares_memory(one, other)


class _Here(threading.local):
    """The instance of each thread."""

    def __init__(self) -> None:
        self.instance = Instance()
        self.calls: dict[str, Callable[..., Any]] = {}
        """By the name of the entry."""

    def open(self, entry: Entry, long: bool) -> Callable[..., Any]:
        """The way into an entry."""
        call = self.calls[entry.name] = Gate(self.instance, entry, long=long).call
        return call


class ModuleKernel:
    """Doors of the module, and arrays for them."""

    name = "module"
    room: float = 65535 * _PAGE - _OWN

    def __init__(self) -> None:
        load_module()
        self._here = _Here()

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """An array of zeros in the memory of this thread's instance; see ``Instance.zeros``."""
        return self._here.instance.zeros(shape, kind)

    def enter(self, door: Door) -> Callable[..., Any]:
        """A function that calls a door in this thread's instance."""
        here, long, entries = self._here, door.long, door.entries
        only = entries.get("")

        def enter_one(*args: Any) -> Any:
            call = here.calls.get(name)
            return (call or here.open(entry, long))(*args)

        def enter_any(*args: Any) -> Any:
            values = flatten(args)
            entry = only or choose_entry(entries, values)
            call = here.calls.get(entry.name)
            return (call or here.open(entry, long))(*values)

        if only is not None and only.flat:
            entry, name = only, only.name
            return enter_one
        return enter_any

    def bind(
        self, door: Door, first: Sequence[Any], others: Sequence[Any], renew: Callable[[], None]
    ) -> Callable[..., Any]:
        """See ``jit.Form``."""
        return partial(self.enter(door), *first)

    def shares(self, door: Door) -> bool:
        """No door: an instance copies what lies in the memory of another, and a call takes longer for it."""
        return False
