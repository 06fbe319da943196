"""The kernel as native code: Numba compiles it when it is called, and keeps it in the user's cache.

Numba's own cache does not notice a change in an *imported* file, and finds nothing for a second copy of the sources.
So code is kept under a hash of every kernel source and the versions of what compiled it, and of nothing else.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from math import inf
from operator import index
from pathlib import Path
from types import FunctionType
from typing import Any, Final, cast

import numba
import numpy as np
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import typeof_impl

from lastcard.kernel import intrinsics  # noqa: F401  # what bits and chance become
from lastcard.kernel.cache import locked, native_folder
from lastcard.kernel.functions import Door, Entry, Group, Parameter, choose_entry, flatten, wants_inlining
from lastcard.kernel.linkage import DoorCompiler, PartCompiler, RoundsCompiler
from lastcard.kernel.records import ArrayOf
from lastcard.kernel.specialize import SpecialDoor

FLAGS: Final[dict[str, Any]] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}


_dispatchers: Final[dict[Callable[..., Any], Any]] = {}


def compile_kernel(function: Callable[..., Any], inline: bool) -> Any:
    """Numba's dispatcher of a function that other kernel functions call."""
    made = _dispatchers.get(function)
    if made is None:
        made = numba.njit(**FLAGS, no_cpython_wrapper=True, forceinline=inline, pipeline_class=PartCompiler)(function)
        resolve = made.get_call_template

        def resolve_plainly(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            # Numba would compile one form for every literal and integer width; all of ours are int64.
            plain = (types.int64 if isinstance(a, types.Integer) else types.unliteral(a) for a in args)
            return resolve(tuple(plain), kws)

        made.get_call_template = resolve_plainly
        _dispatchers[function] = made
    return made


@typeof_impl.register(FunctionType)
def _type_of_function(function: FunctionType, context: Any) -> Any:
    """A kernel function in compiled code is its dispatcher."""
    inline = wants_inlining(function)
    if inline is None:
        return typeof_impl.dispatch(object)(function, context)
    return types.Dispatcher(compile_kernel(function, inline))


_NUMBERS: Final = {int: types.int64, float: types.float64, bool: types.boolean}


def entry_types(entry: Entry) -> tuple[Any, ...]:
    """Numba's types of what an entry of a door takes."""
    return tuple(map(_numba_type, entry.arguments))


def _numba_type(argument: Parameter | Group) -> Any:
    """Numba's type of an argument."""
    if isinstance(argument, Group):
        return types.BaseTuple.from_types([_numba_type(part) for part in argument.parts], argument.kind)
    if isinstance(argument.kind, ArrayOf):
        return types.Array(numba.from_dtype(argument.kind.kind), argument.kind.dimensions, "C")
    return _NUMBERS[argument.kind]


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Where a door's code is kept: under the key alone, wherever its source lies."""

    def __init__(self, module: str) -> None:
        self._module = module

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.__module__)

    def get_cache_path(self) -> str:
        return str(native_folder())

    def get_source_stamp(self) -> str:
        return ""  # the folder's name says it

    def get_disambiguator(self) -> str:
        return self._module


class _Files(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: Final = (_Locator,)


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class = _Files

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with locked(Path(self.cache_path) / "saving"):  # two that write an index at once would mix up its entries
            super().save_overload(signature, compiled)


@contextmanager
def keeping_all() -> Iterator[None]:
    """Collect no garbage: what Numba makes stays until a door is compiled, and to look through it takes a seventh."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class NativeDoor:
    """A door in native code: one compiled form for each of its entries, made for what the entry says it takes.

    Args:
        door: the door.
    """

    def __init__(self, door: Door) -> None:
        self._door = door
        self._compiled: dict[str, Callable[..., Any]] = {}
        """What calls an entry, by its name: to ask the dispatcher takes a thousand times as long."""
        compiler = RoundsCompiler if door.rounds else DoorCompiler
        self.dispatcher = numba.njit(**FLAGS, nogil=door.long, pipeline_class=compiler)(door.function)
        """What compiles it, and what Python calls (``enter``) where it does not play rounds."""
        # Numba asks for this where arguments are not of the types of a compiled form.
        self.dispatcher._compile_for_args = lambda *_: self._call_fitting
        if native_folder() is not None:
            self.dispatcher._cache = _Cache(door.function)

    def compile(self, entry: Entry) -> Callable[..., Any]:
        """What calls an entry, without a look at types; compiled here where it is not kept.

        Of processes that want it at once one compiles, and the others find what it has kept.
        """
        call = self._compiled.get(entry.name)
        if call is None:
            folder = native_folder()
            with keeping_all(), nullcontext() if folder is None else locked(folder / f"{self._door.name}.lock"):
                self.dispatcher.compile(entry_types(entry))
                call = self._calling(entry, self.dispatcher.overloads[entry_types(entry)])  # keeps what it is made from
            self._compiled[entry.name] = call
        return call

    def _calling(self, entry: Entry, result: Any) -> Callable[..., Any]:
        """What calls an entry that is compiled."""
        folder = native_folder()
        if self._door.rounds and folder is not None:
            return SpecialDoor(entry, result, folder)
        return cast(Callable[..., Any], result.entry_point)

    def enter(self) -> Callable[..., Any]:
        """The function that calls the door."""
        return self._call_fitting if self._door.rounds else cast(Callable[..., Any], self.dispatcher)

    def specialize(self, *args: Any) -> None:
        """Make a door of whole rounds for the ruleset of the tables in its arguments, without waiting for it to pay."""
        call, fitting, _ = self._prepare(args)
        if isinstance(call, SpecialDoor):
            call.specialize(fitting)

    def load(self, entry: Entry) -> bool:
        """Take the code of an entry from the cache.

        Returns:
            Whether it was there.
        """
        with global_compiler_lock:
            found = self.dispatcher._cache.load_overload(entry_types(entry), self.dispatcher.targetctx)
            if found is not None:
                self.dispatcher.add_overload(found)
                self._compiled[entry.name] = self._calling(entry, found)
            return found is not None

    def bind(self, first: Sequence[Any], others: Sequence[Any], renew: Callable[[], None]) -> Callable[..., Any]:
        """See ``jit.Form``."""
        call, fitting, copies = self._prepare((*first, *others))
        if copies:
            return partial(self.enter(), *first)
        given = fitting[: len(first)]
        return call.bind(given, renew) if isinstance(call, SpecialDoor) else partial(call, *given)

    def _call_fitting(self, *args: Any) -> Any:
        """Call the door with arguments that may be in an odd form."""
        call, fitting, copies = self._prepare(args)
        result = call(*fitting)
        for array, copy in copies:
            if array.flags.writeable:
                array[...] = copy
        return result

    def _prepare(self, args: Sequence[Any]) -> tuple[Callable[..., Any], list[Any], list[tuple[Any, Any]]]:
        """What to call for some arguments, these as it takes them, and arrays with their copies (``_fit``)."""
        entry = choose_entry(self._door.entries, flatten(args))
        copies: list[tuple[Any, Any]] = []
        return self.compile(entry), [_fit(*pair, copies) for pair in zip(entry.arguments, args, strict=True)], copies


def _fit(argument: Parameter | Group, value: Any, copies: list[tuple[Any, Any]]) -> Any:
    """An argument as compiled code takes it.

    Args:
        argument: what is taken.
        value: what was given.
        copies: an array that can only be read, or has gaps, comes to this list with its copy.

    Raises:
        TypeError: for something else than what is taken.
    """
    if isinstance(argument, Group):
        return argument.kind(*(_fit(*pair, copies) for pair in zip(argument.parts, value, strict=True)))
    kind = argument.kind
    if not isinstance(kind, ArrayOf):
        return kind(value if kind is float else index(value))
    if not isinstance(value, np.ndarray) or not kind.allows(value):
        raise TypeError(f"{argument.name} is an array of {kind}, not {value!r:.200}")
    if value.flags.carray:  # without gaps, in C's order, and can be written
        return value
    for given, copy in copies:
        if given is value:
            return copy
    copy = np.array(value, order="C")
    copies.append((value, copy))
    return copy


class NativeKernel:
    """Doors of native code, and arrays for them.

    Args:
        doors: those that are there already, by name.
        rest: the form of the kernel that calls all others; None to compile them here.
    """

    name = "native"
    room = inf

    def __init__(self, doors: Mapping[str, NativeDoor] | None = None, rest: Any = None) -> None:
        self._doors, self._rest = dict(doors or {}), rest

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """An array of zeros: native code works on any."""
        return np.zeros(shape, kind)

    def open(self, door: Door) -> NativeDoor:
        """A door in native code."""
        opened = self._doors.get(door.name)
        if opened is None:
            opened = self._doors[door.name] = NativeDoor(door)
        return opened

    def enter(self, door: Door) -> Callable[..., Any]:
        """The function that calls a door."""
        if self._is_left(door):
            return cast(Callable[..., Any], self._rest.enter(door))
        return self.open(door).enter()

    def bind(
        self, door: Door, first: Sequence[Any], others: Sequence[Any], renew: Callable[[], None]
    ) -> Callable[..., Any]:
        """See ``jit.Form``."""
        if self._is_left(door):
            return cast(Callable[..., Any], self._rest.bind(door, first, others, renew))
        return self.open(door).bind(first, others, renew)

    def shares(self, door: Door) -> bool:
        """Long doors, which let go of the interpreter lock."""
        return door.long and not self._is_left(door)

    def _is_left(self, door: Door) -> bool:
        """Whether a door is left to the other form."""
        return self._rest is not None and door.name not in self._doors
