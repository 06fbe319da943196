"""Counting and finding bits in int64 masks, as one machine instruction where compiled."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic, overload


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


def popcount(mask: int) -> int:
    """How many bits of a non-negative mask are set."""
    return int(mask).bit_count()


def lowest_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask that is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


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
