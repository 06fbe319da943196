"""Networks in NumPy files: four rows of bytes, first the first byte of every number, then the second, and so on.

The last bytes of a network's numbers, with the exponent, resemble each other; the others do not. This order makes
``gzip`` files a sixth smaller. Plain float32 files of earlier versions can be read as well.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import IO, Any, Final

import numpy as np

_NUMBER_TYPE: Final = np.dtype("<f4")
_READ_LOCK: Final = Lock()


def write_network(file: Path, numbers: Any) -> None:
    """Write the parameters of a network, in one dimension, to a path that ends in ``.npy``."""
    np.save(
        file,
        np.ascontiguousarray(np.asarray(numbers, _NUMBER_TYPE).view(np.uint8).reshape(-1, _NUMBER_TYPE.itemsize).T),
    )


def read_network(file: Path | IO[bytes]) -> Any:
    """The parameters of a network, as float32, from a file of ``write_network`` or one with plain numbers."""
    stored = read_numbers(file)
    return stored if stored.dtype == _NUMBER_TYPE else np.ascontiguousarray(stored.T).view(_NUMBER_TYPE).ravel()


def read_numbers(file: Path | IO[bytes]) -> Any:
    """The array of a NumPy file; one thread reads at a time.

    NumPy parses the header as Python, and the parser of Python 3.11 counts its depth for all threads together. Two
    threads that read at once could raise a ``SystemError`` (python/cpython#106905).
    """
    with _READ_LOCK:
        return np.load(file)
