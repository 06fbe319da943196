"""Functions that a C library would bring, in plain additions and multiplications: they round alike on every machine."""

from typing import Final

from lastcard.kernel.jit import kernel

_LN_2_HIGH: Final = 6.93147180369123816490e-01
"""The first bits of the logarithm of 2: times a whole number up to 2**20 they are exact."""
_LN_2_LOW: Final = 1.90821492927058770002e-10
_LARGEST: Final = 700.0
"""Beyond this, either way, results are those at this: so none is infinite, and none 0."""
_TERMS: Final = 13
_WHOLE: Final = 6755399441055744.0  # 1.5 * 2**52: a sum with it has no room for a fraction


@kernel
def nearest(x: float) -> float:
    """The whole number nearest to ``x``, an even one where two are; up to 2**51 either way."""
    return (x + _WHOLE) - _WHOLE


@kernel
def power_of_two(n: int) -> float:
    """2 to the power of ``n``, -1022 to 1023, exactly."""
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
    """e to the power of ``x``: 2**n times a polynomial for what is left of ``x``, at most half of ln 2."""
    x = min(max(float(x), -_LARGEST), _LARGEST)
    n = nearest(x / (_LN_2_HIGH + _LN_2_LOW))
    rest = (x - n * _LN_2_HIGH) - n * _LN_2_LOW
    value = 1.0
    for k in range(_TERMS, 0, -1):  # Taylor's, from the last term to the first
        value = 1.0 + value * rest / k
    return value * power_of_two(int(n))
