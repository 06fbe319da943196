"""Copies, swaps and zeros of sixteen bytes at a time; compiled, as vectors (``intrinsics.py``)."""

from typing import Final

from lastcard.kernel.records import Int8s, Uint8s

WIDTH_BYTES: Final = 16


def copy_part(target: Int8s | Uint8s, to: int, source: Int8s | Uint8s, at: int) -> None:
    """Copy sixteen bytes of one array, from index ``at`` on, to another, from index ``to`` on."""
    for i in range(WIDTH_BYTES):
        target[to + i] = source[at + i]


def clear_part(target: Int8s | Uint8s, at: int) -> None:
    """Set sixteen bytes of an array, from index ``at`` on, to zero."""
    for i in range(at, at + WIDTH_BYTES):
        target[i] = 0


def swap_part(one: Int8s, other: Int8s, at: int) -> None:
    """Exchange sixteen bytes of two arrays, from index ``at`` on."""
    for i in range(at, at + WIDTH_BYTES):
        swapped = one[i]
        one[i] = other[i]
        other[i] = swapped
