"""Copies of the package in another folder, and programs that run on one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import lastcard

PACKAGE = Path(lastcard.__file__).parent


def copy_package(folder: Path) -> Path:
    """A copy of the package in a new folder that may be edited, with its compiled Python files."""
    target = folder / "lastcard"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("catalog", "web"))
    return target


def make_environment(package: Path, cache: Path | str, backend: str) -> dict[str, str]:
    """The environment of a program that runs on a copy of the package, with a cache of compiled code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment |= {"PYTHONPATH": str(package.parent), "LASTCARD_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    return environment | {"LASTCARD_KERNEL": backend}


def run_script(script: str, package: Path, cache: Path | str, backend: str = "native") -> str:
    """The output of a script that runs on a copy of the package, in a process of its own."""
    script = f"import lastcard\nassert lastcard.__file__.startswith({str(package)!r})\n{script}"
    process = subprocess.run(
        [sys.executable, "-c", script],
        env=make_environment(package, cache, backend),
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()
