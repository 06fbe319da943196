"""Exports that play whole rounds as native code for one ruleset, a tenth to a fifth faster than the form for all.

Some fields of a table never change while it is played (``FIXED``). A read of one is lowered as a call of a small
function whose body LLVM always puts in place of the call. The form for a ruleset is linked with other functions of the
same names, which return what its tables hold there, before LLVM optimizes anything: branches for other rulesets go.

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
from lastcard.kernel import functions
from lastcard.kernel.cache import locked
from lastcard.kernel.functions import Entry, Group, Parameter
from lastcard.kernel.linkage import SHARED
from lastcard.kernel.records import ArrayOf, Records

FIXED: Final = ("game", "players", "taping", "foreign", *OPTIONS)
"""The fields that never change, in the order they have in a table. No compiled function writes one."""
PAYS: Final = 10.0
"""Seconds of play by one ruleset after which a form for it pays."""
_MOST: Final = 64
"""Rulesets whose seconds are counted; with more of them, counting begins anew."""
_TIMED: Final = 64
"""Of so many calls of a door that is bound one is timed."""
_FEW: Final = 64
"""Tables for which a call is so short that to count it would be felt: they use a form, and never lead to one."""
_ONE_RULESET: Final = f"{SHARED}for_one_ruleset"


def is_table(fields: Iterable[str]) -> bool:
    """Whether a record with some fields is a table, which alone has all of these."""
    return not set(FIXED).difference(fields)


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
        if not is_table(kind.fields):
            return record_getattr(context, builder, kind, record, name)
        number = context.get_data_type(kind.typeof(name))
        place = cgutils.get_record_member(builder, record, kind.offset(name), number)
        function, body = _define(builder.module, SHARED + name, ir.FunctionType(number, [place.type]))
        if body is not None:
            body.ret(body.load(function.args[0]))
        return builder.call(function, [place])


for _name in FIXED:
    _lower_reads(_name)


@infer_global(functions.for_one_ruleset)
class _ForOneRuleset(ConcreteTemplate):  # type: ignore[misc]
    """Its type. No ``overload``: Numba would compile that by itself, and its answer would be settled."""

    cases: ClassVar = [typing.signature(types.boolean)]


@lower_builtin(functions.for_one_ruleset)
def _lower_question(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    bit = ir.IntType(1)
    function, body = _define(builder.module, _ONE_RULESET, ir.FunctionType(bit, []))
    if body is not None:
        body.ret(ir.Constant(bit, 0))
    return builder.call(function, [])


def fix(linked: Any, kinds: np.dtype[Any], values: Mapping[str, int]) -> None:
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
        _define(answers, SHARED + name, ir.FunctionType(number, [place]))[1].ret(ir.Constant(number, value))
    bit = ir.IntType(1)
    _define(answers, _ONE_RULESET, ir.FunctionType(bit, []))[1].ret(ir.Constant(bit, 1))
    names = list(answers.globals)
    for function in answers.functions:
        function.linkage = "external"  # which takes the place of one that many may define
    linked.link_in(llvmlite.binding.parse_assembly(str(answers)))
    for name in names:
        linked.get_function(name).linkage = "private"


class FixedFields:
    """Where tables hold these fields.

    Args:
        kind: NumPy's type of a table.
    """

    def __init__(self, kind: Any) -> None:
        self.kinds = np.dtype([(name, kind.fields[name][0]) for name in FIXED])
        self._stretches: list[slice] = []
        for name in FIXED:
            field, at = kind.fields[name][:2]
            begin = self._stretches.pop().start if self._stretches and self._stretches[-1].stop == at else at
            self._stretches.append(slice(begin, at + field.itemsize))

    def read(self, tables: Records) -> bytes:
        """What the first of some tables holds in them."""
        table = tables[:1].tobytes()
        return b"".join([table[stretch] for stretch in self._stretches])

    def values(self, fixed: bytes) -> dict[str, int]:
        """The same as numbers, by name."""
        return dict(zip(FIXED, np.frombuffer(fixed, self.kinds)[0].item(), strict=True))


class SpecialDoor:
    """What calls an entry of a door: the form for the ruleset of the tables it is given, or the general one.

    Args:
        entry: of a door that gets tables.
        result: what Numba has compiled it to.
        folder: where code is kept.
    """

    def __init__(self, entry: Entry, result: Any, folder: Path) -> None:
        self.general, self._result = result.entry_point, result
        self._place, kind = find_tables(entry.arguments)
        self._fields = FixedFields(kind)
        self._codegen = result.library.codegen
        processor = hashlib.sha256(repr(self._codegen.magic_tuple()).encode()).hexdigest()[:8]
        self._stem = folder / f"{entry.name}.{processor}"
        self._linked = self._stem.with_name(f"{self._stem.name}.linked")
        linked = getattr(result.library, "linked", None)
        if linked is not None:  # compiled just now
            _keep(self._linked, linked)
        self._made: dict[bytes, Callable[..., Any]] = {}
        self._spent: dict[bytes, float] = {}
        self._waiting: dict[bytes, list[WeakMethod[Callable[[], None]]]] = {}
        """What is told that a form is there, by ruleset."""
        self._counting = threading.Lock()

    def __call__(self, *args: Any) -> Any:
        """Call the door.

        Args:
            args: as its entry takes them; nothing looks at their types.
        """
        fixed = self._read(args)
        made = self._made.get(fixed)
        if made is None and fixed not in self._spent:
            made = self._look_up(fixed)
        if made is not None:
            return made(*args)
        began = time.perf_counter()
        result = self.general(*args)
        self._count(fixed, time.perf_counter() - began)
        return result

    def bind(self, first: Sequence[Any], renew: Callable[[], None]) -> Callable[..., Any]:
        """The door with its first arguments given, the tables among them: these are looked at once.

        Args:
            first: as its entry takes them.
            renew: a method, called when it should be bound anew, for a form for the ruleset of the tables is there.

        Returns:
            That form where there is one; else the general one, with time counted where that may lead to one.
        """
        fixed = self._read(first)
        if fixed not in self._made:
            self._look_up(fixed)
        with self._counting:  # so that a form that is made just now is found, or tells us
            made = self._made.get(fixed)
            if made is None:
                waiting = [method for method in self._waiting.get(fixed, ()) if method() is not None]
                self._waiting[fixed] = [*waiting, WeakMethod(renew)]
            settled = made is not None or len(self._find(first)) < _FEW or self._spent.get(fixed, 0.0) >= PAYS
        call, left = partial(made or self.general, *first), _TIMED
        if settled:
            return call

        def count(*rest: Any) -> Any:
            nonlocal left
            left -= 1
            if left:
                return call(*rest)
            left = _TIMED
            began = time.perf_counter()
            result = call(*rest)
            self._count(fixed, (time.perf_counter() - began) * _TIMED)
            return result

        return count

    def specialize(self, args: Sequence[Any]) -> None:
        """Have the form for the ruleset of the tables in some arguments, made now where it is not kept."""
        self._make(self._read(args))

    def _find(self, args: Any) -> Any:
        """The tables among some arguments."""
        for i in self._place:
            args = args[i]
        return args

    def _read(self, args: Any) -> bytes:
        return self._fields.read(self._find(args))

    def _count(self, fixed: bytes, seconds: float) -> None:
        """Add to the time that a ruleset was played, and begin to make a form for it when it pays."""
        with self._counting:
            before = self._spent.get(fixed, 0.0)
            if len(self._spent) >= _MOST:
                self._spent.clear()
            self._spent[fixed] = before + seconds
        if before < PAYS <= before + seconds:
            # No daemon: the end of the program waits for it, since LLVM must not be at work then.
            threading.Thread(target=self._make, args=(fixed,), name="special").start()

    def _make(self, fixed: bytes) -> None:
        """Have the form for a ruleset; of processes that want it at once one compiles."""
        with locked(self._stem.with_name(f"{self._stem.name}.lock")):
            if self._look_up(fixed) is None and self._linked.exists():
                self._made[fixed] = self._compile(fixed)
        with self._counting:
            waiting = self._waiting.pop(fixed, [])
        for method in waiting:
            renew = method()
            if renew is not None:
                renew()

    def _file(self, fixed: bytes) -> Path:
        return self._stem.with_name(f"{self._stem.name}.{_tag(fixed)}.special")

    def _look_up(self, fixed: bytes) -> Callable[..., Any] | None:
        """The form for a ruleset where it is kept."""
        try:
            state = pickle.loads(self._file(fixed).read_bytes())
        except FileNotFoundError:
            return None
        with global_compiler_lock:
            if fixed not in self._made:
                self._made[fixed] = self._enter(self._codegen.unserialize_library(state), fixed)
        return self._made[fixed]

    def _compile(self, fixed: bytes) -> Callable[..., Any]:
        linked = llvmlite.binding.parse_bitcode(self._linked.read_bytes())
        fix(linked, self._fields.kinds, self._fields.values(fixed))
        self._rename(linked, fixed)
        with global_compiler_lock:
            library = self._codegen.create_library(self._file(fixed).stem)
            library.enable_object_caching()
            library._final_module.link_in(linked)
            library.finalize()
            _keep(self._file(fixed), pickle.dumps(library.serialize_using_object_code()))
            return self._enter(library, fixed)

    def _rename(self, linked: Any, fixed: bytes) -> None:
        """Give what others can see of a door names of its own."""
        door = self._result.fndesc
        for value in (
            linked.get_function(door.llvm_func_name),
            linked.get_function(door.llvm_cpython_wrapper_name),
            linked.get_global_variable(door.env_name),
        ):
            value.name = f"{value.name}.{_tag(fixed)}"

    def _enter(self, library: Any, fixed: bytes) -> Callable[..., Any]:
        """What calls a form."""
        door = copy(self._result.fndesc)
        door.mangled_name += f".{_tag(fixed)}"
        door.env_name += f".{_tag(fixed)}"
        entered: Callable[..., Any] = self._result.target_context.get_executable(
            library, door, self._result.environment
        )
        return entered


def _tag(fixed: bytes) -> str:
    """A short name of a ruleset."""
    return hashlib.sha256(fixed).hexdigest()[:16]


def find_tables(arguments: Sequence[Parameter | Group]) -> tuple[tuple[int, ...], Any]:
    """Where among arguments, and in which named tuple of them, the first tables are; and NumPy's type of a table.

    Raises:
        TypeError: where there are none.
    """
    for i, argument in enumerate(arguments):
        if isinstance(argument, Group):
            with suppress(TypeError):
                place, kind = find_tables(argument.parts)
                return (i, *place), kind
        elif isinstance(argument.kind, ArrayOf) and is_table(argument.kind.kind.names or ()):
            return (i,), argument.kind.kind
    raise TypeError("a door of whole rounds takes tables")


def _keep(file: Path, data: bytes) -> None:
    """Write a file in one step, or none where there is no room for it."""
    part = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    with suppress(OSError):
        part.write_bytes(data)
        part.replace(file)
    part.unlink(missing_ok=True)
