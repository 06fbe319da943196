"""Exports that play whole rounds as native code for one ruleset, a tenth to a fifth faster than the form for all.

Some fields of a round state never change during a round (``CONSTANT_FIELDS``). A read of one is lowered as a call of
a small function, which LLVM always inlines. The form for a ruleset is linked with other functions of the same names,
which return what its states hold there, before LLVM optimizes anything: branches for other rulesets go.

Such a form is made where it pays: when a ruleset has been played for long. It takes one to two seconds, in a thread of
its own, and nothing is read, typed or lowered again: what the general form was compiled from is kept beside it. It is
kept too, and used from the first round on by whoever plays that ruleset next.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final
from weakref import WeakMethod

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.imputils import lower_builtin, lower_getattr
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.np.arrayobj import record_getattr

from lastcard.game.options import OPTIONS
from lastcard.kernel import signatures
from lastcard.kernel.cache import locked
from lastcard.kernel.linkage import SHARED_PREFIX
from lastcard.kernel.records import ArrayOf, Records
from lastcard.kernel.signatures import Group, Parameter, Signature

CONSTANT_FIELDS: Final = ("game", "players", "record_events", "has_foreign_cards", *OPTIONS)
"""The fields that never change, in the order they have in a table. No compiled function writes one."""
PAYS_AFTER_S: Final = 10.0
"""Seconds of play by one ruleset after which a form for it pays."""
_MAX_RULESETS: Final = 64
"""Rulesets whose seconds are counted; with more of them, counting begins anew."""
_CALLS_PER_SAMPLE: Final = 64
"""Of so many calls of a door that is bound one is timed."""
_FEW_STATES: Final = 64
"""Tables for which a call is so short that to count it would be felt: they use a form, and never lead to one."""
_IS_SPECIALIZED: Final = f"{SHARED_PREFIX}for_one_ruleset"


def is_round_state(fields: Iterable[str]) -> bool:
    """Whether a record with some fields is a table, which alone has all of these."""
    return not set(CONSTANT_FIELDS).difference(fields)


def _define(module: Any, name: str, kind: Any) -> tuple[Any, Any]:
    """A function of a module that is put in place of every call: itself, and what builds its body if that lacks."""
    function = module.globals.get(name)
    if function is not None:
        return function, None
    function = ir.Function(module, kind, name)
    function.linkage = "linkonce_odr"
    function.attributes.add("alwaysinline")
    return function, ir.IRBuilder(function.append_basic_block())


def _lower_reads(name: str) -> None:
    """Lower every read of a field that never changes as a call."""

    @lower_getattr(types.Record, name)
    def read(context: Any, builder: Any, kind: Any, record: Any) -> Any:
        if not is_round_state(kind.fields):
            return record_getattr(context, builder, kind, record, name)
        number = context.get_data_type(kind.typeof(name))
        place = cgutils.get_record_member(builder, record, kind.offset(name), number)
        function, body = _define(builder.module, SHARED_PREFIX + name, ir.FunctionType(number, [place.type]))
        if body is not None:
            body.ret(body.load(function.args[0]))
        return builder.call(function, [place])


for _name in CONSTANT_FIELDS:
    _lower_reads(_name)


@infer_global(signatures.is_specialized)
class _ForOneRuleset(ConcreteTemplate):  # type: ignore[misc]
    """Its type. No ``overload``: Numba would compile that by itself, and its answer would be settled."""

    cases: ClassVar = [typing.signature(types.boolean)]


@lower_builtin(signatures.is_specialized)
def _lower_question(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    bit = ir.IntType(1)
    function, body = _define(builder.module, _IS_SPECIALIZED, ir.FunctionType(bit, []))
    if body is not None:
        body.ret(ir.Constant(bit, 0))
    return builder.call(function, [])


def fold_constants(linked: Any, kinds: np.dtype[Any], values: Mapping[str, int]) -> None:
    """Have LLVM's module answer with numbers in place of reads, and say that it is for one ruleset.

    Args:
        linked: an export and all it calls, before anything is optimized.
        kinds: the types of the fields.
        values: the number of every field.
    """
    answers = ir.Module()
    answers.triple, answers.data_layout = linked.triple, linked.data_layout
    place = ir.PointerType()
    for name, value in values.items():
        number = ir.IntType(8 * kinds[name].itemsize)
        _define(answers, SHARED_PREFIX + name, ir.FunctionType(number, [place]))[1].ret(ir.Constant(number, value))
    bit = ir.IntType(1)
    _define(answers, _IS_SPECIALIZED, ir.FunctionType(bit, []))[1].ret(ir.Constant(bit, 1))
    names = list(answers.globals)
    for function in answers.functions:
        function.linkage = "external"  # which takes the place of one that many may define
    linked.link_in(llvmlite.binding.parse_assembly(str(answers)))
    for name in names:
        linked.get_function(name).linkage = "private"


class ConstantFields:
    """Where tables hold these fields.

    Args:
        kind: NumPy's type of a table.
    """

    def __init__(self, kind: Any) -> None:
        self.kinds = np.dtype([(name, kind.fields[name][0]) for name in CONSTANT_FIELDS])
        self._slices: list[slice] = []
        for name in CONSTANT_FIELDS:
            field, at = kind.fields[name][:2]
            begin = self._slices.pop().start if self._slices and self._slices[-1].stop == at else at
            self._slices.append(slice(begin, at + field.itemsize))

    def read(self, states: Records) -> bytes:
        """What the first of some tables holds in them."""
        state = states[:1].tobytes()
        return b"".join([state[stretch] for stretch in self._slices])

    def values(self, ruleset_key: bytes) -> dict[str, int]:
        """The same as numbers, by name."""
        return dict(zip(CONSTANT_FIELDS, np.frombuffer(ruleset_key, self.kinds)[0].item(), strict=True))


class SpecializedExport:
    """What calls an entry of a door: the form for the ruleset of the tables it is given, or the general one.

    Args:
        signature: of a door that gets tables.
        result: what Numba has compiled it to.
        folder: where code is kept.
    """

    def __init__(self, signature: Signature, result: Any, folder: Path) -> None:
        self.general, self._result = result.entry_point, result
        self._states_path, kind = find_states(signature.arguments)
        self._fields = ConstantFields(kind)
        self._codegen = result.library.codegen
        processor = hashlib.sha256(repr(self._codegen.magic_tuple()).encode()).hexdigest()[:8]
        self._file_stem = folder / f"{signature.name}.{processor}"
        self._bitcode_file = self._file_stem.with_name(f"{self._file_stem.name}.linked")
        linked = getattr(result.library, "bitcode", None)
        if linked is not None:  # compiled just now
            _write_atomically(self._bitcode_file, linked)
        self._specialized: dict[bytes, Callable[..., Any]] = {}
        self._seconds_spent: dict[bytes, float] = {}
        self._rebind_callbacks: dict[bytes, list[WeakMethod[Callable[[], None]]]] = {}
        """What is told that a form is there, by ruleset."""
        self._lock = threading.Lock()

    def __call__(self, *args: Any) -> Any:
        """Call the door.

        Args:
            args: as its entry takes them; nothing looks at their types.
        """
        ruleset_key = self._ruleset_key(args)
        specialized = self._specialized.get(ruleset_key)
        if specialized is None and ruleset_key not in self._seconds_spent:
            specialized = self._load(ruleset_key)
        if specialized is not None:
            return specialized(*args)
        began = time.perf_counter()
        result = self.general(*args)
        self._count_seconds(ruleset_key, time.perf_counter() - began)
        return result

    def bind(self, first: Sequence[Any], rebind: Callable[[], None]) -> Callable[..., Any]:
        """The door with its first arguments given, the tables among them: these are looked at once.

        Args:
            first: as its entry takes them.
            rebind: a method, called when it should be bound anew, for a form for the ruleset of the tables is there.

        Returns:
            That form where there is one; else the general one, with time counted where that may lead to one.
        """
        ruleset_key = self._ruleset_key(first)
        if ruleset_key not in self._specialized:
            self._load(ruleset_key)
        with self._lock:  # so that a form that is made just now is found, or tells us
            specialized = self._specialized.get(ruleset_key)
            if specialized is None:
                waiting = [method for method in self._rebind_callbacks.get(ruleset_key, ()) if method() is not None]
                self._rebind_callbacks[ruleset_key] = [*waiting, WeakMethod(rebind)]
            is_final = (
                specialized is not None
                or len(self._find_states(first)) < _FEW_STATES
                or self._seconds_spent.get(ruleset_key, 0.0) >= PAYS_AFTER_S
            )
        call, left = partial(specialized or self.general, *first), _CALLS_PER_SAMPLE
        if is_final:
            return call

        def count(*rest: Any) -> Any:
            nonlocal left
            left -= 1
            if left:
                return call(*rest)
            left = _CALLS_PER_SAMPLE
            began = time.perf_counter()
            result = call(*rest)
            self._count_seconds(ruleset_key, (time.perf_counter() - began) * _CALLS_PER_SAMPLE)
            return result

        return count

    def specialize(self, args: Sequence[Any]) -> None:
        """Have the form for the ruleset of the tables in some arguments, made now where it is not kept."""
        self._specialize(self._ruleset_key(args))

    def _find_states(self, args: Any) -> Any:
        """The tables among some arguments."""
        for i in self._states_path:
            args = args[i]
        return args

    def _ruleset_key(self, args: Any) -> bytes:
        return self._fields.read(self._find_states(args))

    def _count_seconds(self, ruleset_key: bytes, seconds: float) -> None:
        """Add to the time that a ruleset was played, and begin to make a form for it when it pays."""
        with self._lock:
            before = self._seconds_spent.get(ruleset_key, 0.0)
            if len(self._seconds_spent) >= _MAX_RULESETS:
                self._seconds_spent.clear()
            self._seconds_spent[ruleset_key] = before + seconds
        if before < PAYS_AFTER_S <= before + seconds:
            # No daemon: the end of the program waits for it, since LLVM must not be at work then.
            threading.Thread(target=self._specialize, args=(ruleset_key,), name="special").start()

    def _specialize(self, ruleset_key: bytes) -> None:
        """Have the form for a ruleset; of processes that want it at once one compiles."""
        with locked(self._file_stem.with_name(f"{self._file_stem.name}.lock")):
            if self._load(ruleset_key) is None and self._bitcode_file.exists():
                self._specialized[ruleset_key] = self._compile(ruleset_key)
        with self._lock:
            waiting = self._rebind_callbacks.pop(ruleset_key, [])
        for method in waiting:
            rebind = method()
            if rebind is not None:
                rebind()

    def _cache_file(self, ruleset_key: bytes) -> Path:
        return self._file_stem.with_name(f"{self._file_stem.name}.{_ruleset_tag(ruleset_key)}.special")

    def _load(self, ruleset_key: bytes) -> Callable[..., Any] | None:
        """The form for a ruleset where it is kept."""
        try:
            state = pickle.loads(self._cache_file(ruleset_key).read_bytes())
        except FileNotFoundError:
            return None
        with global_compiler_lock:
            if ruleset_key not in self._specialized:
                self._specialized[ruleset_key] = self._entry_point(
                    self._codegen.unserialize_library(state), ruleset_key
                )
        return self._specialized[ruleset_key]

    def _compile(self, ruleset_key: bytes) -> Callable[..., Any]:
        linked = llvmlite.binding.parse_bitcode(self._bitcode_file.read_bytes())
        fold_constants(linked, self._fields.kinds, self._fields.values(ruleset_key))
        self._make_symbols_unique(linked, ruleset_key)
        with global_compiler_lock:
            library = self._codegen.create_library(self._cache_file(ruleset_key).stem)
            library.enable_object_caching()
            library._final_module.link_in(linked)
            library.finalize()
            _write_atomically(self._cache_file(ruleset_key), pickle.dumps(library.serialize_using_object_code()))
            return self._entry_point(library, ruleset_key)

    def _make_symbols_unique(self, linked: Any, ruleset_key: bytes) -> None:
        """Give what others can see of a door names of its own."""
        descriptor = self._result.fndesc
        for value in (
            linked.get_function(descriptor.llvm_func_name),
            linked.get_function(descriptor.llvm_cpython_wrapper_name),
            linked.get_global_variable(descriptor.env_name),
        ):
            value.name = f"{value.name}.{_ruleset_tag(ruleset_key)}"

    def _entry_point(self, library: Any, ruleset_key: bytes) -> Callable[..., Any]:
        """What calls a form."""
        descriptor = copy(self._result.fndesc)
        descriptor.mangled_name += f".{_ruleset_tag(ruleset_key)}"
        descriptor.env_name += f".{_ruleset_tag(ruleset_key)}"
        entered: Callable[..., Any] = self._result.target_context.get_executable(
            library, descriptor, self._result.environment
        )
        return entered


def _ruleset_tag(ruleset_key: bytes) -> str:
    """A short name of a ruleset."""
    return hashlib.sha256(ruleset_key).hexdigest()[:16]


def find_states(arguments: Sequence[Parameter | Group]) -> tuple[tuple[int, ...], Any]:
    """Where among arguments, and in which named tuple of them, the first tables are; and NumPy's type of a table.

    Raises:
        TypeError: where there are none.
    """
    for i, argument in enumerate(arguments):
        if isinstance(argument, Group):
            with suppress(TypeError):
                place, kind = find_states(argument.parts)
                return (i, *place), kind
        elif isinstance(argument.kind, ArrayOf) and is_round_state(argument.kind.kind.names or ()):
            return (i,), argument.kind.kind
    raise TypeError("a door of whole rounds takes tables")


def _write_atomically(file: Path, data: bytes) -> None:
    """Write a file in one step, or none where there is no room for it."""
    part = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    with suppress(OSError):
        part.write_bytes(data)
        part.replace(file)
    part.unlink(missing_ok=True)
