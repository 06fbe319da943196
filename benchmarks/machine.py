"""Description of the benchmark machine, and the path of results."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import llvmlite
import numba
import numpy as np

HERE: Final = Path(__file__).resolve().parent

Results = dict[str, Any]


def output_of(*command: str) -> str:
    """Returns the first line of a command's output, or an empty text if it fails."""
    if shutil.which(command[0]) is None:
        return ""
    ran = subprocess.run(command, capture_output=True, check=False, text=True, cwd=HERE)
    return ran.stdout.partition("\n")[0] if ran.returncode == 0 else ""


def describe_machine() -> Results:
    """Returns processor, versions and commit, without the name of the machine."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    changed = bool(output_of("git", "status", "--porcelain", "--", "../src", "."))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "commit": output_of("git", "rev-parse", "--short", "HEAD") + (" with changes" if changed else ""),
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "compiler": output_of("gcc", "--version") or output_of("clang", "--version"),
        },
    }
