"""How kernel functions become machine code: a door takes in all it calls, and the whole is compiled at once.

Left to itself, Numba optimizes and compiles every function, and once more inside each of its callers: that takes twice
as long, and functions meet when each is finished already. Here a kernel function stays as it was lowered. A door links
in everything below it, once each, as ``private``: LLVM may change how it is called or leave it out, and no name of it
gets into the object file. (``internal`` names do, and the loader takes such a function for another one of the same
name, which is called in another way.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager

SHARED_PREFIX: Final = "lastcard."
"""How names of functions begin that ``specialize.py`` exchanges. They are put in place of every call, and gone then."""


class _FunctionLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A kernel function as it was lowered, and what it calls: code only once somebody takes it in."""

    _shared_module: Any

    def finalize(self) -> None:
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """This function with all it calls, for functions that are compiled in Numba's own way."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            for name in _link_dependencies(self, self._shared_module):
                self._shared_module.get_function(name).linkage = "linkonce_odr"
        return self._shared_module


class _ExportLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A door with all it calls."""

    bitcode: bytes | None = None
    """All of it as LLVM's bitcode, not optimized yet, where that is wanted."""
    wants_bitcode = False

    def finalize(self) -> None:
        _link_dependencies(self, self._final_module)
        self._linking_libraries.clear()
        if self.wants_bitcode:
            self.bitcode = self._final_module.as_bitcode()
        super().finalize()


def _dependencies(library: Any, seen: set[Any]) -> Iterator[Any]:
    """Every library that one leans on, each once."""
    for other in library._linking_libraries:
        if other not in seen:
            seen.add(other)
            yield other
            if isinstance(other, _FunctionLibrary):
                yield from _dependencies(other, seen)


def llvm_texts(library: Any) -> Iterator[str]:
    """LLVM's text of a function compiled by ``FunctionCompiler`` and of all it calls, each once, as it was lowered."""
    for part in (library, *_dependencies(library, set())):
        yield str(part._final_module if isinstance(part, _FunctionLibrary) else part._get_module_for_linking())


def _link_dependencies(library: Any, module: Any) -> set[str]:
    """Link all that a library leans on into its module, out of everybody else's sight; returns its own functions."""
    own = {function.name for function in module.functions if not function.is_declaration}
    for other in _dependencies(library, set()):
        library._reload_init.update(other._reload_init)
        module.link_in(
            other._final_module if isinstance(other, _FunctionLibrary) else other._get_module_for_linking(),
            preserve=True,
        )
    for function in module.functions:
        if not function.is_declaration and function.name not in own and not function.name.startswith(SHARED_PREFIX):
            function.linkage = "private"
    return own


_PASSES: Final = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""What Numba does with a kernel function. It has as many passes again, for closures, ``with``, lists of types and whole
arrays, of which there are none here: they would change nothing and take a sixth of the time."""


class _BaseCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler with what kernel functions need of it."""

    def define_pipelines(self) -> list[Any]:
        manager = PassManager("kernel")
        for step in _PASSES:
            manager.add_pass(step, step.name())
        manager.finalize()
        return [manager]


class FunctionCompiler(_BaseCompiler):
    """For functions that only compiled functions call."""

    def compile_extra(self, function: Any) -> Any:
        def make_handle(*_: Any) -> Callable[[], None]:
            return [].clear  # Numba wants a built-in function of its own to know this one by; nobody calls it

        self.state.targetctx.get_executable = make_handle  # of a copy of the target, made for this function
        self.state.library = _FunctionLibrary(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


class ExportCompiler(_BaseCompiler):
    """For functions that Python calls."""

    wants_bitcode = False

    def compile_extra(self, function: Any) -> Any:
        self.state.library = _ExportLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.wants_bitcode = self.wants_bitcode
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class SpecializableCompiler(ExportCompiler):
    """The same for doors that are made once more for a ruleset (``specialize.py``)."""

    wants_bitcode = True
