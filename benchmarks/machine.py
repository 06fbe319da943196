"""Description of the benchmark machine, and the path of results."""

from __future__ import annotations

import json
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


def save_results(name: str, page: str, results: Results | None = None) -> None:
    """Writes a page to results/NAME-DATE.md, and its results to a JSON file beside it."""
    file = HERE / "results" / f"{name}-{datetime.now(UTC).date().isoformat()}"
    file.parent.mkdir(exist_ok=True)
    file.with_suffix(".md").write_text(page, encoding="utf-8")
    if results is not None:
        file.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def publish(name: str, page: str, results: Results | None = None, *, save: bool) -> None:
    """Prints a page; with ``save`` writes it and its results into results/, too."""
    print(page, end="")
    if save:
        save_results(name, page, results)
