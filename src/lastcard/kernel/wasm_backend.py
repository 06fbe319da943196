"""The kernel as a WebAssembly module compiled ahead of time, and its memory.

Every thread has an instance of its own. Arrays made by ``Instance.zeros`` lie in its memory, and its exports work on
them in place. Any other array is copied in for a call and back. The calls do not check types (``wasmtime_calls.py``):
this module has checked the arguments.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import json
import mmap
import operator
import os
import platform
import struct
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import count
from math import prod
from pathlib import Path
from threading import get_ident
from typing import Any, Final, NamedTuple, NoReturn, SupportsFloat, SupportsIndex

import numpy as np
import wasmtime

from lastcard.errors import LastcardError
from lastcard.kernel.cache import PACKAGE, open_folder, source_key, write_atomically
from lastcard.kernel.records import ArrayOf, array_of
from lastcard.kernel.signatures import Export, Parameter, Signature, choose_signature, flatten
from lastcard.kernel.wasmtime_calls import WORD_BYTES, RawCall

MODULE_FILE: Final = PACKAGE / "kernel" / "lastcard.wasm"
BUILD_TOOL: Final = PACKAGE.parents[1] / "tools" / "wasm"
"""The tool that compiles the module; if it exists, the sources may be newer than the module."""
SECTION_NAME: Final = "lastcard"
"""Name of the custom section that describes the origin of a module."""
_ALIGNMENT_BYTES: Final = 64
"""Alignment of arrays, and the minimum size of a block."""
_PAGE_BYTES: Final = 65536
_MEMORY_BYTES: Final = 65536 * _PAGE_BYTES
"""Size of the largest memory."""
_MIN_GROWTH_PAGES: Final = 16
"""Minimum number of pages by which the memory grows."""
_HUGE_BYTES: Final = 1 << 22
"""Number of bytes from which on a growth of the memory asks for huge pages."""
_RESERVED_BYTES: Final = 1 << 25
"""Bytes of 4 GiB that are reserved for constants and small working arrays."""
_MAX_CACHED_MODULES: Final = 4
"""Maximum number of compiled modules in the cache."""


class KernelFault(RuntimeError):
    """Compiled code trapped, as by leaving its memory; the round state it worked on is invalid."""


class StaleModule(LastcardError):
    """The module was compiled from other sources than those beside it, or is incomplete."""

    def __init__(self) -> None:
        super().__init__("the kernel was changed since lastcard.wasm was made: make module")


# --- the module -------------------------------------------------------------------------------------------


def read_origin(module: bytes) -> dict[str, Any]:
    """Returns the origin of a module, given its bytes; an empty dictionary if it has none or the bytes are no module.

    ``key`` is the fingerprint of its code (``fingerprint.py``), ``exports`` the Python modules whose functions it
    exports, ``tools`` the compilers with versions.
    """
    at = 8
    with suppress(IndexError, ValueError):  # truncated
        while at < len(module):
            kind, (size, start) = module[at], _read_number(module, at + 1)
            length, name = _read_number(module, start)
            if kind == 0 and module[name : name + length] == SECTION_NAME.encode():
                origin: dict[str, Any] = json.loads(module[name + length : start + size])
                return origin
            at = start + size
    return {}


def _read_number(module: bytes, at: int) -> tuple[int, int]:
    """Returns a LEB128 number of a module, and the index after it."""
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
    """Returns the module, compiled for this processor and stored in the user's cache.

    Raises:
        StaleModule: if it is incomplete, or in a checkout was compiled from other sources.
    """
    module = MODULE_FILE.read_bytes() if MODULE_FILE.exists() else b""
    origin = read_origin(module)
    if not origin or (BUILD_TOOL.is_dir() and not _is_fresh(origin)):
        raise StaleModule
    key = hashlib.sha256(f"{platform.machine()} ".encode() + module).hexdigest()[:16]
    folder = open_folder("module")
    cache_file = folder / key if folder else None
    found = _read_compiled(cache_file) if cache_file else None
    if found is None:
        found = wasmtime.Module(_engine(), module)
        if cache_file:
            _write_compiled(cache_file, bytes(found.serialize()))
    return found


def _is_fresh(origin: Mapping[str, Any]) -> bool:
    """Returns whether a module was compiled from the sources beside it.

    A positive answer is cached for sources of the same text.
    """
    folder = open_folder("fresh")
    stamp = folder / f"{origin['key']}-{source_key()}" if folder else None
    if stamp is not None and stamp.exists():
        return True
    import subprocess  # takes long, and only changed sources need it

    command = [sys.executable, "-m", "lastcard.kernel.fingerprint", *origin["exports"]]
    path = os.pathsep.join([str(PACKAGE.parent), *sys.path])  # imports this package
    env = os.environ | {"PYTHONPATH": path, "LASTCARD_KERNEL": "plain"}
    found = subprocess.run(command, stdout=subprocess.PIPE, env=env, check=True, text=True).stdout
    if found == origin["key"] and stamp is not None:
        with suppress(OSError):
            stamp.touch()
    return found == origin["key"]


def _read_compiled(cache_file: Path) -> wasmtime.Module | None:
    """Returns a cached module, if it is complete and fits this processor and this version of wasmtime."""
    try:
        written = cache_file.read_bytes()
        digest, compiled = written[:32], written[32:]
        if hashlib.sha256(compiled).digest() != digest:
            return None
        os.utime(cache_file)
        return wasmtime.Module.deserialize(_engine(), compiled)
    except (OSError, wasmtime.WasmtimeError):
        return None


def _write_compiled(cache_file: Path, compiled: bytes) -> None:
    """Cache a compiled module atomically, and delete the least recently used ones."""
    write_atomically(cache_file, hashlib.sha256(compiled).digest() + compiled)
    with suppress(OSError):
        others = sorted(cache_file.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in others[_MAX_CACHED_MODULES:]:
            old.unlink(missing_ok=True)


# --- calls ------------------------------------------------------------------------------------------------

_stores: Final[weakref.WeakSet[wasmtime.Store]] = weakref.WeakSet()


@atexit.register
def _leak_at_exit() -> None:
    """Prevent finalizers of wasmtime at exit, when Python has destroyed the objects that they need."""
    for owned in (*_stores, *([_engine(), load_module()] if _stores else [])):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(owned))


class ArrayLocation(NamedTuple):
    """Location of an array in the memory of an instance."""

    array: Callable[[], Any]
    words: tuple[int, ...]
    """Address and shape, as an export takes them."""
    type: ArrayOf


class Instance:
    """One instance of the module, with its memory. Only the thread that made it may call its exports."""

    def __init__(self) -> None:
        self.thread = get_ident()
        self._store = wasmtime.Store(_engine())
        _stores.add(self._store)
        self._exports: Any = wasmtime.Instance(self._store, load_module(), []).exports(self._store)
        memory: Any = self._exports["memory"]
        heap: Any = self._exports["__heap_base"]
        self._memory = memory
        self._base = ctypes.addressof(memory.data_ptr(self._store).contents)
        self._bytes = memoryview((ctypes.c_ubyte * _MEMORY_BYTES).from_address(self._base)).cast("B")
        """All bytes that the memory may grow to."""
        self._end: int = memory.data_len(self._store)
        self._top: int = -(-heap.value(self._store) // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES
        stack: Any = self._exports["__stack_pointer"]
        self._stack, self._stack_top = stack, stack.value(self._store)
        self._free: dict[int, list[int]] = {}
        """Addresses of free blocks, by size."""
        self._blocks: dict[int, Any] = {}
        """Weak references to the buffers of blocks in use, by address."""
        self._arrays: dict[int, int] = {}
        """The ``id`` of the array in a block, by address."""
        self.locations: dict[int, ArrayLocation] = {}
        """Locations of arrays made here, by their ``id``."""

    def prepare(self, name: str, words: int, *, releases_gil: bool) -> RawCall:
        """Returns a prepared call of an exported function; see ``RawCall``.

        Raises:
            KeyError: if the module has no such function.
        """
        return RawCall(self._store, self._exports[name], words, releases_gil=releases_gil)

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """Returns an array of zeros in the memory of this instance; its block is freed after its last view.

        Raises:
            TypeError: for a size that is not an integer.
            ValueError: for a size below 0.
            MemoryError: when 4 GiB are used up.
        """
        kind = np.dtype(kind)
        # Checked before a block is allocated: an invalid size would corrupt the free lists.
        sizes = tuple([int(operator.index(size)) for size in ((shape,) if isinstance(shape, int) else shape)])
        if min(sizes, default=0) < 0:
            raise ValueError(f"an array has no size below 0, as in {sizes}")
        array = self._allocate(sizes, array_of(kind, len(sizes)))
        ctypes.memset(self._base + self.locations[id(array)].words[0], 0, array.nbytes)
        return array

    def copy(self, array: Any) -> Any:
        """Returns a copy of an array in the memory of this instance, as ``zeros`` does."""
        place = self.locations.get(id(array))
        if place is None or place.array() is not array:
            copied = self._allocate(array.shape, array_of(array.dtype, array.ndim))
            copied[...] = array
            return copied
        copied = self._allocate(array.shape, place.type)
        size, source, target = array.nbytes, place.words[0], self.locations[id(copied)].words[0]
        self._bytes[target : target + size] = self._bytes[source : source + size]  # twice as fast as memmove
        return copied

    def _allocate(self, shape: tuple[int, ...], type_: ArrayOf) -> Any:
        """Returns an array in this memory that is not cleared; its block is freed after its last view."""
        size = type_.kind.itemsize * prod(shape)
        at = self._find_block(size)
        buffer: Any = (ctypes.c_ubyte * size).from_address(self._base + at)
        buffer.instance = self  # the instance's memory must outlive it
        free = self._free[_block_size(size)]  # found now: release may run while Python shuts down

        def release(_: Any) -> None:
            array = self._arrays.pop(at)
            place = self.locations.get(array)
            if place is not None and place.words[0] == at:  # else another array has that id by now
                del self.locations[array]
            del self._blocks[at]
            free.append(at)

        self._blocks[at] = weakref.ref(buffer, release)
        array = np.ndarray(shape, type_.kind, buffer)
        self._arrays[at] = id(array)
        self.locations[id(array)] = ArrayLocation(weakref.ref(array), (at, *shape), type_)
        return array

    def _find_block(self, size: int) -> int:
        """Returns the address of a block of at least ``size`` bytes, not cleared."""
        size = _block_size(size)
        free = self._free.setdefault(size, [])
        return free.pop() if free else self._grow(size)

    def _grow(self, size: int) -> int:
        """Returns the address of a new block, and grows the memory if needed."""
        at = self._top
        lacking = at + size - self._end
        if lacking > 0:
            pages = max(-(-lacking // _PAGE_BYTES), _MIN_GROWTH_PAGES)
            try:
                self._memory.grow(self._store, pages)
            except wasmtime.WasmtimeError as error:
                raise MemoryError(f"a kernel has no room for {size} bytes more") from error
            if pages * _PAGE_BYTES >= _HUGE_BYTES:
                _ask_for_huge_pages(self._base + self._end, pages * _PAGE_BYTES)
            self._end += pages * _PAGE_BYTES
        self._top = at + size
        return at

    def copy_in(self, array: Any, kind: ArrayOf, name: str) -> tuple[tuple[int, ...], ArrayCopy | None]:
        """Returns address and shape of an array for an export, and a copy if the array does not lie in this memory.

        Errors name the parameter ``name``.

        Raises:
            TypeError: if it is not an array of that type.
        """
        place = self.locations.get(id(array))
        if place is not None and place.array() is array and place.type is kind:
            return place.words, None
        if not isinstance(array, np.ndarray) or not kind.allows(array):
            raise TypeError(f"{name} is an array of {kind}, not {array!r:.200}")
        if array.size == 0:
            return (0, *array.shape), None
        whole = array if array.flags.c_contiguous else np.ascontiguousarray(array)
        address = whole.ctypes.data  # takes a microsecond, so only once
        at = address - self._base
        if whole is array and 0 <= at < self._top:  # a view of one that was made here
            return (at, *array.shape), None
        copy_at = self._find_block(array.nbytes)
        ctypes.memmove(self._base + copy_at, address, array.nbytes)
        return (copy_at, *array.shape), ArrayCopy(array, copy_at, address)

    def locate(self, array: Any, kind: ArrayOf) -> tuple[int, ...] | None:
        """Returns address and shape of an array, as an export takes them; None if it would need a copy."""
        if not isinstance(array, np.ndarray) or not kind.allows(array):
            return None
        if array.size == 0:
            return (0, *array.shape)
        at = array.ctypes.data - self._base
        return (at, *array.shape) if array.flags.c_contiguous and 0 <= at < self._top else None

    def owns(self, array: Any) -> bool:
        """Returns whether ``zeros`` made an array; False for its views."""
        place = self.locations.get(id(array))
        return place is not None and place.array() is array

    def clear_stack(self) -> None:
        """Reset the stack pointer after a trap."""
        self._stack.set_value(self._store, self._stack_top)

    def copy_out(self, copied: ArrayCopy) -> None:
        """Write a copy back to its array, and free the copy."""
        array, at, address = copied
        if array.flags.writeable:
            if array.flags.c_contiguous:
                ctypes.memmove(address, self._base + at, array.nbytes)
            else:
                block = (ctypes.c_ubyte * array.nbytes).from_address(self._base + at)
                array[...] = np.ndarray(array.shape, array.dtype, block)
        self._free[_block_size(array.nbytes)].append(at)


def _ask_for_huge_pages(address: int, size: int) -> None:
    """Ask Linux for pages of 2 MB, as NumPy does for its arrays: a thousand tables are stepped a tenth faster.

    Only whole pages are named, because Linux refuses others. A refusal changes nothing.
    """
    if hasattr(mmap, "MADV_HUGEPAGE"):
        start = -(-address // mmap.PAGESIZE) * mmap.PAGESIZE
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), ctypes.c_size_t(size - (start - address)), mmap.MADV_HUGEPAGE)


class ArrayCopy(NamedTuple):
    """A copy of an array, made for one call."""

    array: Any
    at: int
    address: int
    """Address of the array outside, if it is contiguous."""


def _block_size(size: int) -> int:
    """Returns the size of a block for a number of bytes."""
    return -(-max(size, 1) // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES


_RESULTS: Final = {int: "<q", float: "<d", bool: "<?"}


def _struct_of(parameters: Iterable[Parameter]) -> struct.Struct:
    """Returns the layout of parameters in the buffer of a call."""
    codes = (
        "q" * (1 + kind.dimensions) if isinstance(kind, ArrayOf) else "d" if kind is float else "q"
        for _, kind in parameters
    )
    return struct.Struct("<" + "".join(f"{code}8x" for code in "".join(codes)))


def _find_instance(values: Iterable[Any]) -> Instance | None:
    """Returns the instance in whose memory the first of some arrays lies that lies in one."""
    for value in values:
        while isinstance(value, np.ndarray):
            value = value.base
        instance = getattr(value, "instance", None)
        if isinstance(instance, Instance):
            return instance
    return None


class WasmCall:
    """A signature of an export in one instance: ``call`` takes the flattened arguments."""

    def __init__(self, instance: Instance, signature: Signature, *, releases_gil: bool) -> None:
        self._instance, self._entry = instance, signature
        words = _struct_of(signature.parameters)
        self._raw_call = instance.prepare(signature.name, words.size // WORD_BYTES, releases_gil=releases_gil)
        self._write = words.pack_into
        self._read = None if signature.result is None else struct.Struct(_RESULTS[signature.result]).unpack_from
        self.call = self._make_call()

    def _make_call(self) -> Callable[..., Any]:
        """Returns the call. Most arrays were made here, and this path must be fast: a tenth of a microsecond counts."""
        arrays = [(i, p.kind) for i, p in enumerate(self._entry.parameters) if isinstance(p.kind, ArrayOf)][::-1]
        locations, write, raw, read = self._instance.locations, self._write, self._raw_call.buffer, self._read
        invoke, trap = self._raw_call.invoke, self._raw_call.trap
        fail, refuse = self._raise_fault, self._raise_argument_error
        count = len(self._entry.parameters)

        def call(*args: Any) -> Any:
            if len(args) != count:
                refuse(args)
            words = [*args]
            for i, wanted in arrays:
                value = args[i]
                place = locations.get(id(value))
                if place is None:
                    return call_with_copies(args)
                array, numbers, kind = place
                if array() is not value or kind is not wanted:
                    return call_with_copies(args)
                words[i : i + 1] = numbers
            try:
                write(raw, 0, *words)
            except struct.error:
                refuse(args)
            if invoke() or trap.value:
                fail()
            return None if read is None else read(raw)[0]

        def call_with_copies(args: Sequence[Any]) -> Any:
            words, copies = [*args], list[ArrayCopy]()
            try:
                for i, wanted in arrays:
                    place = locations.get(id(args[i]))
                    if place is not None and place.array() is args[i] and place.type is wanted:
                        words[i : i + 1] = place.words
                    else:
                        words[i : i + 1] = self._copy_in(args, i, copies)
                write(raw, 0, *words)
                if invoke() or trap.value:
                    fail()
                return None if read is None else read(raw)[0]
            except struct.error:
                refuse(args)
            finally:
                for copied in copies:
                    self._instance.copy_out(copied)

        return call

    def bind(self, first: Sequence[Any], unbound: Callable[..., Any]) -> Callable[..., Any] | None:
        """Returns the call with its first arguments written once; it takes the others.

        Args:
            first: the first arguments, flattened.
            unbound: called instead in another thread, and for others that are named tuples, need a copy or an error.

        Returns:
            None if one of the first arguments needs a copy, or has another type.
        """
        parameters = self._entry.parameters
        words: list[Any] = []
        for value, (_, kind) in zip(first, parameters, strict=False):
            place = self._instance.locate(value, kind) if isinstance(kind, ArrayOf) else (value,)
            if place is None:
                return None
            words += place
        try:
            _struct_of(parameters[: len(first)]).pack_into(self._raw_call.buffer, 0, *words)
        except struct.error:
            return None
        rest = parameters[len(first) :]
        return self._make_bound_call(rest, len(words) * WORD_BYTES, unbound)

    def _make_bound_call(
        self, rest: Sequence[Parameter], start: int, unbound: Callable[..., Any]
    ) -> Callable[..., Any]:
        """Returns a call that writes only the parameters ``rest``, from byte ``start`` of the buffer on."""
        arrays = [(i, p.kind) for i, p in enumerate(rest) if isinstance(p.kind, ArrayOf)][::-1]
        locations, read, fail = self._instance.locations, self._read, self._raise_fault
        raw, invoke, trap = self._raw_call.buffer, self._raw_call.invoke, self._raw_call.trap
        write, thread, count = _struct_of(rest).pack_into, self._instance.thread, len(rest)
        buffer_words, is_integer = memoryview(raw).cast("B").cast("q"), self._entry.result is int
        first_word = buffer_words[0]  # overwritten by the result

        def call(*args: Any) -> Any:
            if get_ident() != thread or len(args) != count:
                return unbound(*args)
            words = [*args]
            for i, wanted in arrays:
                place = locations.get(id(args[i]))
                if place is None or place[0]() is not args[i] or place[2] is not wanted:
                    return unbound(*args)
                words[i : i + 1] = place[1]
            buffer_words[0] = first_word
            try:
                write(raw, start, *words)
            except struct.error:
                return unbound(*args)
            if invoke() or trap.value:
                fail()
            return buffer_words[0] if is_integer else None if read is None else read(raw)[0]

        def call_complete(*args: Any) -> Any:
            if args or get_ident() != thread:
                return unbound(*args)
            buffer_words[0] = first_word
            if invoke() or trap.value:
                fail()
            return buffer_words[0] if is_integer else None if read is None else read(raw)[0]

        return call if rest else call_complete

    def _copy_in(self, args: Sequence[Any], i: int, copies: list[ArrayCopy]) -> tuple[int, ...]:
        """Returns address and shape of an array that was not made here; appends its copy to ``copies`` if it needs one.

        Raises:
            TypeError: if it has another type, or overlaps another argument: one would overwrite the other.
        """
        array, (name, kind) = args[i], self._entry.parameters[i]
        for other in copies:
            if other.array is array:
                return (other.at, *array.shape)
        numbers, copied = self._instance.copy_in(array, kind, f"{self._entry.name}: {name}")
        if copied is not None:
            copies.append(copied)
            is_apart = array.flags.c_contiguous  # then it is no view of an array that was made here
            for other, (called, _) in zip(args, self._entry.parameters, strict=True):
                if not isinstance(other, np.ndarray) or other is array or (is_apart and self._instance.owns(other)):
                    continue
                if np.shares_memory(other, array):
                    raise TypeError(f"{self._entry.name}: {name} and {called} lie in the same memory in part")
        return numbers

    def _raise_argument_error(self, args: Sequence[Any]) -> NoReturn:
        """Report the argument that does not fit.

        Raises:
            TypeError: if the number or the type of arguments is wrong.
            OverflowError: if a number does not fit into 64 bits.
        """
        signature = self._entry
        if len(args) != len(signature.parameters):
            raise TypeError(f"{signature.name} takes {len(signature.parameters)} numbers and arrays, not {len(args)}")
        for value, (name, kind) in zip(args, signature.parameters, strict=True):
            if not isinstance(kind, ArrayOf) and not isinstance(
                value, SupportsFloat if kind is float else SupportsIndex
            ):
                raise TypeError(f"{signature.name}: {name} is of type {kind.__name__}, not {value!r:.200}")
        raise OverflowError(f"{signature.name} takes numbers of 64 bits")

    def _raise_fault(self) -> NoReturn:
        """Raise the error that wasmtime reports."""
        self._instance.clear_stack()
        raise KernelFault(f"{self._entry.name}: {self._raw_call.take_fault() or 'wasmtime refuses the call'}")


class _ThreadState(threading.local):
    """The instance of each thread."""

    def __init__(self) -> None:
        self.instance = Instance()
        self.calls: dict[str, Callable[..., Any]] = {}
        """By the name of the signature."""

    def open_call(self, signature: Signature, releases_gil: bool) -> Callable[..., Any]:
        """Returns a new call of a signature, and stores it."""
        call = self.calls[signature.name] = WasmCall(self.instance, signature, releases_gil=releases_gil).call
        return call


class WasmBackend:
    """Exports of the module, and arrays for them."""

    name = "module"
    memory_limit_bytes: float = 65535 * _PAGE_BYTES - _RESERVED_BYTES

    def __init__(self) -> None:
        load_module()
        self._thread = _ThreadState()

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """Returns an array of zeros in the memory of this thread's instance; see ``Instance.zeros``."""
        return self._thread.instance.zeros(shape, kind)

    def copy(self, array: Any) -> Any:
        """Returns a copy of an array in the memory of this thread's instance."""
        return self._thread.instance.copy(array)

    def resolve(self, export: Export) -> Callable[..., Any]:
        """Returns a function that calls an export in this thread's instance."""
        thread, releases_gil, signatures = self._thread, export.releases_gil, export.signatures
        single = signatures.get("")

        def call_flat(*args: Any) -> Any:
            call = thread.calls.get(name)
            return (call or thread.open_call(entry, releases_gil))(*args)

        def call_nested(*args: Any) -> Any:
            values = flatten(args)
            signature = single or choose_signature(signatures, values)
            call = thread.calls.get(signature.name)
            return (call or thread.open_call(signature, releases_gil))(*values)

        if single is not None and single.is_flat:
            entry, name = single, single.name
            return call_flat
        return call_nested

    def bind(
        self, export: Export, first: Sequence[Any], others: Sequence[Any], rebind: Callable[[], None]
    ) -> Callable[..., Any]:
        """See ``jit.Backend``."""
        unbound, values = partial(self.resolve(export), *first), flatten(first)
        instance = _find_instance(values)
        if instance is None:
            return unbound
        signature = choose_signature(export.signatures, [*values, *flatten(others)])
        call = WasmCall(instance, signature, releases_gil=export.releases_gil)
        return call.bind(values, unbound) or unbound

    def can_run_parallel(self, export: Export) -> bool:
        """Returns False: an instance copies arrays from the memory of another, so a parallel call takes longer."""
        return False
