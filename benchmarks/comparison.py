"""Comparison of this checkout with another one, by processes of both in turns."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from machine import HERE

BACKENDS: Final = ("module", "native")
Figures = dict[str, float]


def read_options(about: str, subject: str, pairs: int) -> argparse.Namespace:
    """Returns the options of a script that compares checkouts.

    Args:
        about: description of the script.
        subject: what ``--measure`` names, for which the script prints the figures of the library that it imports.
        pairs: default number of runs of each checkout.
    """
    parser = argparse.ArgumentParser(description=about)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--before", type=Path, help="another checkout")
    what.add_argument("--measure", metavar=subject, help="print the figures of the library that is imported, as JSON")
    parser.add_argument("--backend", default=",".join(BACKENDS), help="module, native or both (default %(default)s)")
    parser.add_argument("--pairs", type=int, default=pairs, help="runs of each checkout (default %(default)s)")
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    return parser.parse_args()


def run_pairs(asked: argparse.Namespace, subject: str, backend: str) -> list[tuple[Figures, Figures]]:
    """Returns the figures of the other checkout and of this one, by pair of runs."""
    checkouts = asked.before.resolve(), HERE.parent
    return [(run(checkouts[0], subject, backend), run(checkouts[1], subject, backend)) for _ in range(asked.pairs)]


def run(checkout: Path, subject: str, backend: str) -> Figures:
    """Returns what this script prints with ``--measure``, importing the library of a checkout."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "LASTCARD_KERNEL": backend}
    command = [sys.executable, sys.argv[0], "--measure", subject]
    figures: Figures = json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    return figures


def commit_of(checkout: Path) -> str:
    """Returns the short commit of a checkout."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True).stdout.strip()
