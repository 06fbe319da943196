"""Network files: numbers survive to the last bit, all older formats can be read, and files compress well."""

from __future__ import annotations

import gc
import gzip
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from lastcard.bots.network_files import read_network, write_network
from lastcard.bots.weights import load_prior_net

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBERS: Final = st.integers(1, 50).flatmap(lambda count: arrays.arrays(np.float32, count))


@given(numbers=NUMBERS)
def test_a_network_comes_back(tmp_path_factory: pytest.TempPathFactory, numbers: Any) -> None:
    """Every number has the same bits, whether from the new format or from one of plain numbers."""
    folder = tmp_path_factory.mktemp("network")
    write_network(folder / "now.npy", numbers)
    np.save(folder / "before.npy", numbers)
    for name in ("now", "before"):
        found = read_network(folder / f"{name}.npy")
        assert (found.dtype, found.shape, found.tobytes()) == (np.float32, numbers.shape, numbers.tobytes())
        assert found.flags.c_contiguous


def test_the_format_packs_smaller_than_plain_numbers(tmp_path: Path) -> None:
    """The file of the largest net is a fifth smaller, which a page fetches."""
    numbers = load_prior_net("classic")
    write_network(tmp_path / "network.npy", numbers)
    np.save(tmp_path / "plain.npy", np.asarray(numbers))
    packed, plain = (len(gzip.compress((tmp_path / f"{name}.npy").read_bytes())) for name in ("network", "plain"))
    assert packed < 0.8 * plain


class Ring:
    """Cyclic garbage whose finalizer takes long enough for another thread to run."""

    def __init__(self) -> None:
        self.ring = self

    def __del__(self) -> None:
        for _ in range(50):
            pass


@contextmanager
def threads_that_get_mixed() -> Iterator[None]:
    """Switch threads and collect garbage as often as possible."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(5)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)


def test_threads_read_at_once(tmp_path: Path) -> None:
    """Reports and simulations load networks in several threads (python/cpython#106905)."""
    numbers = np.arange(3, dtype=np.float32)
    write_network(tmp_path / "network.npy", numbers)

    def read(_: int) -> Any:
        Ring()
        return read_network(tmp_path / "network.npy")

    with threads_that_get_mixed(), ThreadPoolExecutor(4) as threads:
        found = list(threads.map(read, range(400)))
    assert all(np.array_equal(one, numbers) for one in found)
