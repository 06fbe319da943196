"""The results of engine.py as a page of Markdown, and what they were measured on."""

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


def said_by(*command: str) -> str:
    """The first line that a command prints, or nothing where it fails."""
    if shutil.which(command[0]) is None:
        return ""
    ran = subprocess.run(command, capture_output=True, check=False, text=True, cwd=HERE)
    return ran.stdout.partition("\n")[0] if ran.returncode == 0 else ""


def describe_machine() -> Results:
    """Processor, versions and commit; nothing that names the machine."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    changed = bool(said_by("git", "status", "--porcelain", "--", "../src", "."))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "commit": said_by("git", "rev-parse", "--short", "HEAD") + (" with changes" if changed else ""),
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "compiler": said_by("gcc", "--version") or said_by("clang", "--version"),
        },
    }


def report(results: Results) -> str:
    """The results as a page of Markdown."""
    about, calls, starts = results["about"], results["calls"], results["starts"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    lines = [
        f"# Engine, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores, {about['system']}; {versions}; commit {about['commit']}.",
        f"Command: `{results['command']}`. Medians of {results['repeats']} interleaved runs.",
        "",
        "Whole rounds with deals by *play-if-you-can*, default options, calls automatic, one core. C is `yardstick.c`"
        " with the same generator: it played the very same rounds.",
        "",
        "| game | seats | M plies/s | rounds/s | plies/round | C, M plies/s | kernel : C |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in results["kernel"]:
        c = f"{row['c_plies_per_second'] / 1e6:.1f} | {row['ratio']:.2f}" if "ratio" in row else "– | –"
        lines.append(
            f"| {row['game']} | {row['seats']} | {row['plies_per_second'] / 1e6:.1f} | {row['rounds_per_second']:,.0f}"
            f" | {row['plies_per_round']:.1f} | {c} |"
        )
    lines += [
        "",
        "| game, 4 seats | legal() and do(), plies/s | do() alone, plies/s | two threads : one |",
        "|---|--:|--:|--:|",
    ]
    for face, row in zip(results["face"], results["threads"], strict=True):
        lines.append(f"| {face['game']} | {face['legal_and_do']:,.0f} | {face['do']:,.0f} | {row['gain']:.2f} |")
    lines += [
        "",
        f"- Copying a table in the kernel: {calls['clone_ns']:.0f} ns ({calls['table_bytes']} bytes);"
        f" a call of the kernel from Python: {calls['call_ns']:.0f} ns.",
        f"- `lastcard play`, from the command to the first move: {starts['cold']:.1f} s with an empty cache,"
        f" {starts['warm']:.2f} s afterwards; `lastcard --help`: {starts['help']:.2f} s.",
    ]
    return "\n".join(lines) + "\n"
