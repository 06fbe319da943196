"""Operations on sixteen floats at a time; compiled, as vectors (``intrinsics.py``)."""

from typing import Final

from lastcard.kernel.records import Float32s, Uint8s

FLOATS: Final = 16


def copy_part(target: Float32s, to: int, source: Float32s, at: int) -> None:
    """Copy sixteen floats of one array, from index ``at`` on, to another, from index ``to`` on."""
    for i in range(FLOATS):
        target[to + i] = source[at + i]


def copy_bytes(target: Float32s, source: Uint8s, at: int) -> None:
    """Copy sixteen bytes of one array, from index ``at`` on, to the same places of another as floats."""
    for i in range(at, at + FLOATS):
        target[i] = source[i]


def add_scaled(target: Float32s, to: int, scale: float, source: Float32s, at: int) -> None:
    """Add sixteen floats of one array, from index ``at`` on, times a number, to those of another, from ``to`` on."""
    for i in range(FLOATS):
        target[to + i] += scale * source[at + i]


def add_two_rows(target: Float32s, to: int, scales: Float32s, i: int, k: int, rows: Float32s) -> None:
    """Add sixteen floats of the rows ``i`` and ``k``, each times its scale, to those of an array, from ``to`` on.

    A row is as long as the array.
    """
    for j in range(to, to + FLOATS):
        target[j] += scales[i] * rows[i * len(target) + j]
        target[j] += scales[k] * rows[k * len(target) + j]


def rectify(target: Float32s, weights: Float32s, at: int) -> None:
    """Replace sixteen floats, from index ``at`` on, by zero if they are negative, and multiply them by weights."""
    for i in range(at, at + FLOATS):
        target[i] = max(target[i], 0.0) * weights[i]


def find_nonzero(numbers: Float32s, at: int) -> int:
    """Returns a mask of those among the sixteen floats from index ``at`` on that are not zero.

    Compiled code reads sixteen, even if a slice ends earlier; the array behind it must have them.
    """
    return sum(1 << i for i, number in enumerate(numbers[at : at + FLOATS]) if number != 0.0)
