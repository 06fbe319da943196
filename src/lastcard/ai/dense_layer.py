"""A layer of a network: units, each with a bias and a weight for every input."""

from typing import Any

from lastcard.kernel import bits, floats16
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float32s


@kernel
def set_units(to: Any, values: Any, width: int) -> None:
    """Set ``width`` units, a multiple of sixteen, to some values."""
    for j in range(0, width, floats16.FLOATS):
        floats16.copy_part(to, j, values, j)


@kernel
def add_inputs(x: Float32s, size: int, width: int, weights: Float32s, to: Any) -> None:
    """Add ``size`` inputs, of which most are zero, to ``width`` units, a multiple of sixteen.

    Args:
        x: the inputs; compiled code reads up to a multiple of sixteen of the array, also beyond ``size``.
        weights: weights of the first input for all units, then those of the second, and so on.
    """
    units = to[:width]
    for first in range(0, size, floats16.FLOATS):
        used = floats16.find_nonzero(x, first)
        if size - first < floats16.FLOATS:
            used &= (1 << size - first) - 1
        while used != 0:
            i = first + bits.lowest_bit(used)
            used &= used - 1
            if used == 0:
                for j in range(0, width, floats16.FLOATS):
                    floats16.add_scaled(units, j, x[i], weights, i * width + j)
                break
            k = first + bits.lowest_bit(used)
            used &= used - 1
            for j in range(0, width, floats16.FLOATS):
                floats16.add_two_rows(units, j, x, i, k, weights)
