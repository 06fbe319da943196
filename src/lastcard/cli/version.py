"""Print the version, and which form of the kernel runs."""

from __future__ import annotations

import argparse

from lastcard import __version__
from lastcard.errors import LastcardError

EXAMPLES = ("lastcard version", "LASTCARD_KERNEL=native lastcard version")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def installed_version(package: str) -> str | None:
    """Return the installed version of a package; None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def run(args: argparse.Namespace) -> int:
    """Print the installed version, the backend of the kernel, and whether native code can replace it."""
    from lastcard.cli.precompile import native_code_state
    from lastcard.kernel.jit import backend

    try:
        kernel = backend().name
    except LastcardError as error:
        kernel = f"none, for {error}"
    print(f"lastcard {__version__}")
    print(f"kernel: {kernel}")
    print(f"native code: {native_code_state()}")
    print(f"wasmtime: {installed_version('wasmtime') or 'not installed'}")
    print(f"Numba: {installed_version('numba') or 'not installed'}")
    return 0
