"""Print the version."""

from __future__ import annotations

import argparse

EXAMPLES = ("lastcard version",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command takes none."""


def installed() -> str:
    """Which version is installed; 0 for a source tree that was not."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("lastcard")
    except PackageNotFoundError:
        return "0"


def run(args: argparse.Namespace) -> int:
    """Print which version is installed."""
    print(f"lastcard {installed()}")
    return 0
