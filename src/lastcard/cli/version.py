"""Print the version, and which form of the kernel runs."""

from __future__ import annotations

import argparse

from lastcard.errors import LastcardError

EXAMPLES = ("lastcard version", "LASTCARD_KERNEL=native lastcard version")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command takes none."""


def installed(package: str = "lastcard") -> str | None:
    """Which version of a package is installed; None where none is."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def run(args: argparse.Namespace) -> int:
    """Print which version is installed, and the kernel with what runs or compiles it."""
    from lastcard.kernel.jit import form

    try:
        kernel = form().name
    except LastcardError as error:
        kernel = f"none, for {error}"
    print(f"lastcard {installed() or '0'}")
    print(f"kernel: {kernel}")
    print(f"wasmtime: {installed('wasmtime') or 'not installed'}")
    print(f"Numba: {installed('numba') or 'not installed'}")
    return 0
