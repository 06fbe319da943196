"""Counting and finding bits in int64 masks, as one machine instruction where compiled."""

from __future__ import annotations

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def _has_pdep() -> bool:
    """Whether this processor finds the n-th set bit in one instruction; compiled code is kept apart by processor."""
    try:
        features = llvmlite.binding.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this processor
        return False
    return not config.CPU_NAME and bool(features.get("bmi2"))


_HAS_PDEP = _has_pdep()


@intrinsic
def _ctpop(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def _pdep(typing_context: Any, source: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function_type = ir.FunctionType(word, [word, word])
        pdep = cgutils.get_or_insert_function(builder.module, function_type, "llvm.x86.bmi.pdep.64")
        return builder.call(pdep, args)

    return types.int64(types.int64, types.int64), generate


def popcount(mask: int) -> int:
    """How many bits of a non-negative mask are set."""
    return int(mask).bit_count()


def lowest_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask that is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def nth_bit(mask: int, n: int) -> int:
    """The index of the n-th set bit of a mask, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


@overload(popcount)
def _popcount(mask: Any) -> Any:
    def compiled(mask: Any) -> Any:
        return _ctpop(mask)

    return compiled


@overload(lowest_bit)
def _lowest_bit(mask: Any) -> Any:
    def compiled(mask: Any) -> Any:
        return _cttz(mask)

    return compiled


@overload(nth_bit)
def _nth_bit(mask: Any, n: Any) -> Any:
    def deposited(mask: Any, n: Any) -> Any:
        return _cttz(_pdep(1 << n, mask))

    def counted(mask: Any, n: Any) -> Any:
        for _ in range(n):
            mask &= mask - 1
        return _cttz(mask)

    return deposited if _HAS_PDEP else counted
