"""Linking of kernel functions: an export links in all it calls, and LLVM compiles the whole at once.

By default, Numba optimizes and compiles every function alone, and again inside each of its callers, which takes twice
as long. Here a kernel function is only lowered. An export links in each function that it reaches once, as ``private``:
LLVM may change its calling convention or drop it, and its name does not get into the object file. (``internal`` names
do, and the loader confuses such a function with another one of the same name but another calling convention.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager

SHARED_PREFIX: Final = "lastcard."
"""Prefix of the functions that ``specialize.py`` replaces. They are inlined into every caller and vanish."""


class _FunctionLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A lowered kernel function and its callees, which are compiled only when an export links them."""

    _shared_module: Any

    def finalize(self) -> None:
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Returns this function with all it calls, for functions that Numba compiles by default."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            for name in _link_dependencies(self, self._shared_module):
                self._shared_module.get_function(name).linkage = "linkonce_odr"
        return self._shared_module


class _ExportLibrary(JITCodeLibrary):  # type: ignore[misc]
    """An export with all it calls."""

    bitcode: bytes | None = None
    """The unoptimized LLVM bitcode of all of it, if ``wants_bitcode``."""
    wants_bitcode = False

    def finalize(self) -> None:
        _link_dependencies(self, self._final_module)
        self._linking_libraries.clear()
        if self.wants_bitcode:
            self.bitcode = self._final_module.as_bitcode()
        super().finalize()


def _dependencies(library: Any, seen: set[Any]) -> Iterator[Any]:
    """Yields every library that one depends on, each once."""
    for other in library._linking_libraries:
        if other not in seen:
            seen.add(other)
            yield other
            if isinstance(other, _FunctionLibrary):
                yield from _dependencies(other, seen)


def llvm_texts(library: Any) -> Iterator[str]:
    """Yields the LLVM text of a function lowered by ``FunctionCompiler`` and of all it calls, each once."""
    for part in (library, *_dependencies(library, set())):
        yield str(part._final_module if isinstance(part, _FunctionLibrary) else part._get_module_for_linking())


def _link_dependencies(library: Any, module: Any) -> set[str]:
    """Link the dependencies of a library into its module as private; returns the names of its own functions."""
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
"""Numba's passes for a kernel function. As many more handle closures, ``with``, lists of types and whole arrays, which
the kernel does not use: they would change nothing and take a sixth of the time."""


class _BaseCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler with the passes that kernel functions need."""

    def define_pipelines(self) -> list[Any]:
        manager = PassManager("kernel")
        for step in _PASSES:
            manager.add_pass(step, step.name())
        manager.finalize()
        return [manager]


class FunctionCompiler(_BaseCompiler):
    """Compiles functions that only compiled functions call."""

    def compile_extra(self, function: Any) -> Any:
        def make_handle(*_: Any) -> Callable[[], None]:
            return [].clear  # Numba identifies this function by a unique built-in function, and never calls that

        self.state.targetctx.get_executable = make_handle  # of a copy of the target, made for this function
        self.state.library = _FunctionLibrary(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


class ExportCompiler(_BaseCompiler):
    """Compiles functions that Python calls."""

    wants_bitcode = False

    def compile_extra(self, function: Any) -> Any:
        self.state.library = _ExportLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.wants_bitcode = self.wants_bitcode
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class SpecializableCompiler(ExportCompiler):
    """Compiles exports that are compiled again for one ruleset (``specialize.py``)."""

    wants_bitcode = True
