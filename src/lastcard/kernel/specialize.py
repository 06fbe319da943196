"""Native code for one ruleset, of exports that play whole rounds: a tenth to a fifth faster than general code.

Some fields of a round state never change during a round (``CONSTANT_FIELDS``). A read of one is lowered as a call of
a small function, which LLVM always inlines. A specialization is linked with other functions of the same names, which
return the values of its ruleset, before LLVM optimizes anything, so branches for other rulesets are removed.

An export is specialized after a ruleset was played for long. That takes one to two seconds in a thread of its own, and
starts from the cached bitcode of the general code, so nothing is parsed, typed or lowered again. The result is cached
too, and used from the first round on when that ruleset is played again.
"""

from __future__ import annotations

import hashlib
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
from lastcard.kernel.cache import locked, write_atomically
from lastcard.kernel.linkage import SHARED_PREFIX
from lastcard.kernel.records import ArrayOf, Records
from lastcard.kernel.signatures import Group, Parameter, Signature

CONSTANT_FIELDS: Final = ("game", "players", "record_events", "has_foreign_cards", *OPTIONS)
"""The fields that never change, in the order of the round state. No compiled function writes one."""
PAYS_AFTER_S: Final = 10.0
"""Seconds of play by one ruleset after which it is specialized."""
_MAX_RULESETS: Final = 64
"""Maximum number of rulesets whose seconds are counted; beyond it, counting restarts."""
_CALLS_PER_SAMPLE: Final = 64
"""One in this many calls of a bound export is timed."""
_FEW_STATES: Final = 64
"""Calls for fewer round states are too short to be timed: they use specialized code, and never cause it."""
_IS_SPECIALIZED: Final = f"{SHARED_PREFIX}for_one_ruleset"


def is_round_state(fields: Iterable[str]) -> bool:
    """Returns whether a record with these fields is a round state, which alone has all constant fields."""
    return not set(CONSTANT_FIELDS).difference(fields)


def _define(module: Any, name: str, kind: Any) -> tuple[Any, Any]:
    """Returns an always inlined function of a module, and a builder of its body if it has none yet."""
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
    """Type of ``is_specialized``. With ``overload``, Numba would compile it alone and fix its result."""

    cases: ClassVar = [typing.signature(types.boolean)]


@lower_builtin(signatures.is_specialized)
def _lower_question(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    bit = ir.IntType(1)
    function, body = _define(builder.module, _IS_SPECIALIZED, ir.FunctionType(bit, []))
    if body is not None:
        body.ret(ir.Constant(bit, 0))
    return builder.call(function, [])


def fold_constants(linked: Any, kinds: np.dtype[Any], values: Mapping[str, int]) -> None:
    """Replace reads of the constant fields in an unoptimized LLVM module by numbers; make ``is_specialized`` True."""
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
        function.linkage = "external"  # overrides the linkonce_odr definition
    linked.link_in(llvmlite.binding.parse_assembly(str(answers)))
    for name in names:
        linked.get_function(name).linkage = "private"


class ConstantFields:
    """Location of the constant fields in a round state, given its NumPy type."""

    def __init__(self, kind: Any) -> None:
        self.kinds = np.dtype([(name, kind.fields[name][0]) for name in CONSTANT_FIELDS])
        self._slices: list[slice] = []
        for name in CONSTANT_FIELDS:
            field, at = kind.fields[name][:2]
            begin = self._slices.pop().start if self._slices and self._slices[-1].stop == at else at
            self._slices.append(slice(begin, at + field.itemsize))

    def read(self, states: Records) -> bytes:
        """Returns the bytes of these fields in the first of some round states."""
        state = states[:1].tobytes()
        return b"".join([state[stretch] for stretch in self._slices])

    def values(self, ruleset_key: bytes) -> dict[str, int]:
        """Returns the same as numbers, by name."""
        return dict(zip(CONSTANT_FIELDS, np.frombuffer(ruleset_key, self.kinds)[0].item(), strict=True))


class SpecializedExport:
    """Callable of a signature that gets round states: runs the code for their ruleset, or the general code."""

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
            write_atomically(self._bitcode_file, linked)
        self._specialized: dict[bytes, Callable[..., Any]] = {}
        self._seconds_spent: dict[bytes, float] = {}
        self._rebind_callbacks: dict[bytes, list[WeakMethod[Callable[[], None]]]] = {}
        """Methods called when specialized code is available, by ruleset."""
        self._lock = threading.Lock()

    def __call__(self, *args: Any) -> Any:
        """Call the export; the types of arguments are not checked."""
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
        """Returns the export with its first arguments bound; their ruleset is read once.

        ``rebind`` is called when specialized code is available, so that it is bound again.

        Returns:
            The specialized code if there is any; else the general code, timed if it may be specialized later.
        """
        ruleset_key = self._ruleset_key(first)
        if ruleset_key not in self._specialized:
            self._load(ruleset_key)
        with self._lock:  # code being made now is either found, or calls rebind
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
        """Load or compile the code for the ruleset of the round states in some arguments."""
        self._specialize(self._ruleset_key(args))

    def _find_states(self, args: Any) -> Any:
        """Returns the round states among some arguments."""
        for i in self._states_path:
            args = args[i]
        return args

    def _ruleset_key(self, args: Any) -> bytes:
        return self._fields.read(self._find_states(args))

    def _count_seconds(self, ruleset_key: bytes, seconds: float) -> None:
        """Add to the time that a ruleset was played, and start to specialize for it when the time is reached."""
        with self._lock:
            before = self._seconds_spent.get(ruleset_key, 0.0)
            if len(self._seconds_spent) >= _MAX_RULESETS:
                self._seconds_spent.clear()
            self._seconds_spent[ruleset_key] = before + seconds
        if before < PAYS_AFTER_S <= before + seconds:
            # No daemon: the program waits for it at its end, since LLVM must not run then.
            threading.Thread(target=self._specialize, args=(ruleset_key,), name="special").start()

    def _specialize(self, ruleset_key: bytes) -> None:
        """Load or compile the code for a ruleset; if several processes want it at once, one compiles it."""
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
        """Returns the cached code for a ruleset, None if there is none."""
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
            write_atomically(self._cache_file(ruleset_key), pickle.dumps(library.serialize_using_object_code()))
            return self._entry_point(library, ruleset_key)

    def _make_symbols_unique(self, linked: Any, ruleset_key: bytes) -> None:
        """Give the public symbols of an export unique names."""
        descriptor = self._result.fndesc
        for value in (
            linked.get_function(descriptor.llvm_func_name),
            linked.get_function(descriptor.llvm_cpython_wrapper_name),
            linked.get_global_variable(descriptor.env_name),
        ):
            value.name = f"{value.name}.{_ruleset_tag(ruleset_key)}"

    def _entry_point(self, library: Any, ruleset_key: bytes) -> Callable[..., Any]:
        """Returns the callable of specialized code."""
        descriptor = copy(self._result.fndesc)
        descriptor.mangled_name += f".{_ruleset_tag(ruleset_key)}"
        descriptor.env_name += f".{_ruleset_tag(ruleset_key)}"
        entered: Callable[..., Any] = self._result.target_context.get_executable(
            library, descriptor, self._result.environment
        )
        return entered


def _ruleset_tag(ruleset_key: bytes) -> str:
    """Returns a short name of a ruleset."""
    return hashlib.sha256(ruleset_key).hexdigest()[:16]


def find_states(arguments: Sequence[Parameter | Group]) -> tuple[tuple[int, ...], Any]:
    """Returns the path of indices to the first round states among arguments, and their NumPy type.

    Raises:
        TypeError: if there are none.
    """
    for i, argument in enumerate(arguments):
        if isinstance(argument, Group):
            with suppress(TypeError):
                place, kind = find_states(argument.parts)
                return (i, *place), kind
        elif isinstance(argument.kind, ArrayOf) and is_round_state(argument.kind.kind.names or ()):
            return (i,), argument.kind.kind
    raise TypeError("an export that plays whole rounds takes round states")
