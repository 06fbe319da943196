"""How a result was made, as plain values: besides its plan and seed, what somebody else needs to make it again."""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from lastcard import __version__


def make_manifest() -> dict[str, Any]:
    """Returns the version, the hash of the kernel's code, the command without folders, and the processors."""
    command = [Path(sys.argv[0]).name, *sys.argv[1:]]
    return {
        "version": __version__,
        "kernel": json.loads(files("lastcard.kernel").joinpath("lastcard.json").read_bytes())["key"],
        "command": shlex.join(command),
        "python": platform.python_version(),
        "processor": platform.machine(),
        "processors": os.cpu_count(),
    }
