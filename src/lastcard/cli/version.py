"""Print the version."""

from __future__ import annotations

import argparse

EXAMPLES = ("lastcard version",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command takes none."""


def run(args: argparse.Namespace) -> int:
    """Print which version is installed."""
    from importlib.metadata import version

    print(f"lastcard {version('lastcard')}")
    return 0
