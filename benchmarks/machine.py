"""What the benchmarks share: descriptions of the machine and the command, and the writing of results."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
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


def command_line() -> str:
    """Returns the command of this benchmark with its arguments."""
    return " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])


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


def save_results(name: str, page: str, results: Results | None = None) -> None:
    """Writes a page to results/NAME-DATE.md, and its results to a JSON file beside it."""
    file = HERE / "results" / f"{name}-{datetime.now(UTC).date().isoformat()}"
    file.parent.mkdir(exist_ok=True)
    file.with_suffix(".md").write_text(page, encoding="utf-8")
    if results is not None:
        file.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def publish(name: str, page: str, results: Results | None = None, *, save: bool, as_json: bool = False) -> None:
    """Prints a page, or its results as JSON; with ``save`` writes both into results/, too."""
    print(json.dumps(results, indent=1) + "\n" if as_json else page, end="")
    if save:
        save_results(name, page, results)
