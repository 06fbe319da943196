"""Device files for one test. A file that root writes below /dev would stay there for everybody."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

_MEMORY_DEVICES = 1
_FULL = 7


def full_device(folder: Path) -> Path:
    """A device in a folder that refuses writes as a full disk does; skips the test if none can be made."""
    path = folder / "full"
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(_MEMORY_DEVICES, _FULL))
        with path.open("wb", buffering=0) as device:
            device.write(b"x")
    except PermissionError:
        pytest.skip("no device can be made here")
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
    return path
