"""The rating of a player by Glicko-2: M. Glickman, "Example of the Glicko-2 system" (2013), http://www.glicko.net.

A rating period is one game against an opponent whose rating is certain, such as a puzzle of a grade.
"""

import math
from typing import Final

from lastcard.ai import arithmetic
from lastcard.kernel.jit import export, inlined, kernel
from lastcard.kernel.records import Float64s

RATING, DEVIATION, VOLATILITY = range(3)
"""Indexes of a player's values, float64[3]."""
_SCALE: Final = 173.7178
_MIDDLE: Final = 1500.0
_TAU: Final = 0.5
"""Constraint of the change of volatility over time."""
_PRECISION: Final = 1e-6
_NEWTON_STEPS: Final = 40


@kernel
def _ln(x: float) -> float:
    """Returns the logarithm of a number from e**-30 to e**30, by Newton's method."""
    part = min(x, 1.0 / x)  # from above, steps would be longer and longer
    y = 0.0
    for _ in range(_NEWTON_STEPS):
        y += part * arithmetic.exp(-y) - 1.0
    return y if x < 1.0 else -y


@inlined
def _ends_at(x: float, change: float, variance: float, phi: float, a: float) -> float:
    """Returns the function of step 5, whose zero is the logarithm of the new squared volatility."""
    e = arithmetic.exp(x)
    whole = phi * phi + variance + e
    return e * (change * change - whole) / (2.0 * whole * whole) - (x - a) / (_TAU * _TAU)


@kernel
def _new_volatility(sigma: float, change: float, variance: float, phi: float) -> float:
    """Returns the volatility after a game (step 5, the Illinois algorithm)."""
    a = 2.0 * _ln(sigma)
    low = a
    excess = change * change - phi * phi - variance
    high = a - _TAU
    if excess > 0.0:
        high = _ln(excess)
    else:
        while _ends_at(high, change, variance, phi, a) < 0.0:
            high -= _TAU
    at_low = _ends_at(low, change, variance, phi, a)
    at_high = _ends_at(high, change, variance, phi, a)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = _ends_at(middle, change, variance, phi, a)
        if at_middle * at_high <= 0.0:
            low = high
            at_low = at_high
        else:
            at_low /= 2.0
        high = middle
        at_high = at_middle
    return arithmetic.exp(low / 2.0)


@export
def rate_game(player: Float64s, rating: float, score: float) -> None:
    """Change a player's values by one game.

    Args:
        player: float64[3], written: rating, deviation and volatility.
        rating: rating of the opponent.
        score: 1 for a win, 0 for a loss.
    """
    mu = (player[RATING] - _MIDDLE) / _SCALE
    phi = player[DEVIATION] / _SCALE
    expected = 1.0 / (1.0 + arithmetic.exp((rating - _MIDDLE) / _SCALE - mu))
    variance = 1.0 / (expected * (1.0 - expected))
    gain = score - expected
    sigma = _new_volatility(player[VOLATILITY], variance * gain, variance, phi)
    before = phi * phi + sigma * sigma
    phi = 1.0 / math.sqrt(1.0 / before + 1.0 / variance)
    player[RATING] = _SCALE * (mu + phi * phi * gain) + _MIDDLE
    player[DEVIATION] = _SCALE * phi
    player[VOLATILITY] = sigma
