"""Estimates from rollouts with 95 % intervals. An estimate is float64[2]: its value, and half of its interval."""

import math
from typing import Final

from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float64s

NORMAL_95: Final = 1.96
"""Standard errors in half a 95 % interval of a normal distribution."""


@kernel
def share_margin(share: float, trials: int) -> float:
    """Returns half of the 95 % interval of a share of independent trials.

    It is Agresti and Coull's, which holds near 0 and 1.
    """
    n = trials + NORMAL_95 * NORMAL_95
    middle = (share * trials + NORMAL_95 * NORMAL_95 / 2) / n
    return NORMAL_95 * math.sqrt(middle * (1 - middle) / n)


@kernel
def student_95(free: float) -> float:
    """Returns the standard errors in half a 95 % interval for a number of degrees of freedom, approximately."""
    return NORMAL_95 + (NORMAL_95 * NORMAL_95 * NORMAL_95 + NORMAL_95) / (4 * free)


@kernel
def mean_margin(squares: float, count: int, step: float) -> float:
    """Returns half of the 95 % interval of a mean of independent values.

    It is Student's, and counts one more rollout that goes the other way: a rare difference may not have occurred yet.

    Args:
        squares: sum of the squared differences from the mean.
        count: number of values, two or more.
        step: change of a value by one rollout.
    """
    free = count - 1
    return student_95(free) * math.sqrt((squares + step * step) / free / count)


@kernel
def add(out: Float64s, value: float, margin: float) -> None:
    """Add an independent estimate to another."""
    out[0] += value
    out[1] = math.sqrt(out[1] * out[1] + margin * margin)


@kernel
def add_mean(out: Float64s, values: Float64s) -> None:
    """Add the mean of sums over single rollouts to an independent estimate; nothing if all of them are zero."""
    value = 0.0
    size = 0.0
    for i in range(values.size):
        value += values[i]
        size += abs(values[i])
    if size == 0.0:
        return
    value /= values.size
    squares = 0.0
    for i in range(values.size):
        squares += (values[i] - value) * (values[i] - value)
    add(out, value, mean_margin(squares, values.size, 1.0))


@kernel
def is_positive(estimate: Float64s) -> bool:
    """Whether the value is above zero by more than its margin."""
    return estimate[0] > estimate[1]
