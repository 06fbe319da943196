"""Networks in files of NumPy: four rows of bytes, the first of every number, the second of every number, and so on.

Numbers of a network are alike in their last bytes, which hold the exponent, and in nothing else: in that order ``gzip``
makes a sixth less of them. Files of plain float32, as versions before this order wrote them, are read as well.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import IO, Any, Final

import numpy as np

_NUMBER: Final = np.dtype("<f4")
_READING: Final = Lock()


def write_network(file: Path, numbers: Any) -> None:
    """Keep the parameters of a network.

    Args:
        file: whose name ends in ``.npy``.
        numbers: the parameters, in one row.
    """
    np.save(file, np.ascontiguousarray(np.asarray(numbers, _NUMBER).view(np.uint8).reshape(-1, _NUMBER.itemsize).T))


def read_network(file: Path | IO[bytes]) -> Any:
    """The parameters of a network, as float32.

    Args:
        file: that was written by ``write_network``, or holds the numbers as they are.
    """
    kept = read_numbers(file)
    return kept if kept.dtype == _NUMBER else np.ascontiguousarray(kept.T).view(_NUMBER).ravel()


def read_numbers(file: Path | IO[bytes]) -> Any:
    """An array of a file of NumPy, one thread at a time.

    NumPy parses the head of a file as Python, and the parser of Python 3.11 counts its depth for all threads together:
    two that read at once could end in a ``SystemError`` (python/cpython#106905).

    Args:
        file: whose name ends in ``.npy``.
    """
    with _READING:
        return np.load(file)
