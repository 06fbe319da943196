"""How kernel functions become code: a door takes in all that it calls, and the whole is optimized and compiled at once.

Left to itself, Numba optimizes and compiles every function first and then once more inside each caller. That takes
twice as long, and the code gets slower: functions meet when each is finished already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """A function that waits, as it is, to be taken in."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """A door with its parts, which nobody else can call: so what this door never needs of them is left out."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, for functions that only other compiled functions call."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library or _Part(target.codegen(), "part"), *rest)

        def make_handle(*_: Any) -> Callable[[], None]:
            return [].clear  # Numba wants some built-in function to know this one by; nobody calls it

        self.state.targetctx.get_executable = make_handle  # of a copy of the target, made for this function


class DoorCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, for functions that Python calls."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        whole = _Whole(target.codegen(), "door")
        whole.enable_object_caching()
        super().__init__(typing, target, library or whole, *rest)
