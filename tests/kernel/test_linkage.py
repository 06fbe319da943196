"""An export is compiled with all functions it calls, and its compiled parts are private."""

from __future__ import annotations

from typing import Any

import numba
import pytest
from llvmlite.binding import Linkage
from numba import types
from numba.extending import intrinsic

from lastcard.kernel.jit import kernel
from support.compiled import PLAIN, compiled_anew

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


@intrinsic
def never_inline(typing_context: Any) -> Any:
    """Prevent inlining of the function that calls this."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


@kernel
def scale(by: int, unused: int, x: int) -> int:
    """In an export with a constant factor, LLVM compiles it without its first two arguments."""
    never_inline()
    return by * x


@kernel
def shift(x: int) -> int:
    return scale(3, 1, x) + 1


@compiled_anew
def scaled(x: int) -> int:
    return shift(x) + scale(3, 2, x)


@compiled_anew
def scaled_again(x: int) -> int:
    return scaled(x) + scale(2, 0, x)


@numba.njit
def compile_plainly(x: int) -> int:
    """A function compiled by plain Numba, without exports."""
    return scale(5, 7, x) + shift(x) + scaled(x)


def test_variants_never_replace_a_function() -> None:
    """Regardless of the order of compilation, an export's own variant of a function never replaces the function."""
    assert scaled(50) == 301
    assert scaled_again(50) == 401
    assert compile_plainly(50) == 250 + 151 + 301
    assert scaled(51) == 307


def test_inner_functions_have_no_public_names() -> None:
    """A public name in the object file would be called with another calling convention, and crash the process."""
    scaled(1)
    (made,) = scaled.overloads.values()  # type: ignore[attr-defined]
    parts = [function for function in made.library.get_defined_functions() if "scaled" not in function.name]
    assert {function.linkage for function in parts} <= {Linkage.private}
    assert any("scale" in function.name for function in parts)
