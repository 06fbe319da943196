"""Functions of a C math library in plain additions and multiplications, which round the same on every machine."""

from typing import Final

from lastcard.kernel.jit import kernel

_LN_2_HIGH: Final = 6.93147180369123816490e-01
"""High bits of the logarithm of 2: their product with an integer up to 2**20 is exact."""
_LN_2_LOW: Final = 1.90821492927058770002e-10
_LARGEST: Final = 700.0
"""Arguments of ``exp`` are clamped to this, so no result is infinite or 0."""
_TERMS: Final = 13
_WHOLE: Final = 6755399441055744.0  # 1.5 * 2**52: a sum with it has no bits for a fraction


@kernel
def nearest(x: float) -> float:
    """Returns the nearest integer to ``x``, ties to even; abs(x) is at most 2**51."""
    return (x + _WHOLE) - _WHOLE


@kernel
def power_of_two(n: int) -> float:
    """Returns 2 to the power of ``n``, -1022 to 1023, exactly."""
    square = 2.0 if n > 0 else 0.5
    left = n if n > 0 else -n
    power = 1.0
    while left > 0:
        if left & 1 != 0:
            power *= square
        square *= square
        left >>= 1
    return power


@kernel
def exp(x: float) -> float:
    """Returns e to the power of ``x``: 2**n times a polynomial for the rest of ``x``, at most half of ln 2."""
    x = min(max(float(x), -_LARGEST), _LARGEST)
    n = nearest(x / (_LN_2_HIGH + _LN_2_LOW))
    rest = (x - n * _LN_2_HIGH) - n * _LN_2_LOW
    value = 1.0
    for k in range(_TERMS, 0, -1):  # Taylor's, from the last term to the first
        value = 1.0 + value * rest / k
    return value * power_of_two(int(n))
