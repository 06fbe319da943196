"""Elementary functions of a C library in plain operations: exact enough, and equal in every backend."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from lastcard.ai import arithmetic
from support.compiled import compiled


@compiled
def _exp(x: float) -> float:
    return arithmetic.exp(x)


@compiled
def _nearest(x: float) -> float:
    return arithmetic.nearest(x)


@compiled
def _power_of_two(n: int) -> float:
    return arithmetic.power_of_two(n)


def test_exp_is_exact_to_the_last_bits() -> None:
    """At most two last bits of a float64, a hundred times less than the precision of a network's float32."""
    rng = random.Random(5)
    for _ in range(20_000):
        x = rng.choice([rng.uniform(-1, 1), rng.uniform(-30, 30), rng.uniform(-700, 700)])
        assert _exp(x) == pytest.approx(math.exp(x), rel=4e-16, abs=0)
    assert _exp(0.0) == 1.0 and _exp(-1e9) == _exp(-700.0) > 0 and _exp(1e9) == _exp(700.0) < math.inf


def test_exp_is_the_same_in_plain_python() -> None:
    """Results are equal to the last bit; exp of a float32, as in networks, is computed in float64."""
    xs = np.random.default_rng(5).uniform(-20, 20, 500).astype(np.float32)
    script = (
        "import numpy as np; from lastcard.ai.arithmetic import exp; "
        "print(*(exp(x).hex() for x in np.random.default_rng(5).uniform(-20, 20, 500).astype(np.float32)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    plain = [float.fromhex(word) for word in done.stdout.split()]
    assert plain == [_exp(x) for x in xs] == [_exp(float(x)) for x in xs]


def test_halves_round_to_even() -> None:
    """The kernel rounds like Python."""
    rng = random.Random(5)
    for x in [0.5, 1.5, 2.5, -0.5, -1.5, 65535.5, *(rng.uniform(-70_000, 70_000) for _ in range(2000))]:
        assert _nearest(x) == round(x)


def test_powers_of_two() -> None:
    """Powers of two are exact over the whole range of a float64."""
    for n in range(-1022, 1024):
        assert _power_of_two(n) == math.ldexp(1.0, n)
