"""Networks in files: what is written comes back to the last bit, from every file there ever was, and packs well."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from lastcard.bots.learned import adviser
from lastcard.bots.networks import read_network, write_network

NUMBERS: Final = st.integers(1, 50).flatmap(lambda count: arrays.arrays(np.float32, count))


@given(numbers=NUMBERS)
def test_a_network_comes_back(tmp_path_factory: pytest.TempPathFactory, numbers: Any) -> None:
    """Every number is the same bits, whether that file or one of plain numbers is read."""
    folder = tmp_path_factory.mktemp("network")
    write_network(folder / "now.npy", numbers)
    np.save(folder / "before.npy", numbers)
    for name in ("now", "before"):
        found = read_network(folder / f"{name}.npy")
        assert (found.dtype, found.shape, found.tobytes()) == (np.float32, numbers.shape, numbers.tobytes())
        assert found.flags.c_contiguous


def test_it_packs_smaller_than_plain_numbers(tmp_path: Path) -> None:
    """By a fifth, for the largest of those that ship: what a page fetches."""
    numbers = adviser("classic")
    write_network(tmp_path / "network.npy", numbers)
    np.save(tmp_path / "plain.npy", np.asarray(numbers))
    packed, plain = (len(gzip.compress((tmp_path / f"{name}.npy").read_bytes())) for name in ("network", "plain"))
    assert packed < 0.8 * plain
