"""Compile native code ahead, so that nothing waits for it later."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Final

from lastcard.errors import UsageError

EXAMPLES = ("lastcard warm", "lastcard warm rules bots")

_ROOMS: Final = {
    "rules": ("rules.chance", "rules.doors", "rules.batch"),
    "bots": ("ai.chances", "ai.decision", "ai.hindsight", "ai.mixed", "ai.rounds", "ai.search"),
    "envs": ("envs.compiled.acts", "envs.compiled.features", "envs.compiled.forks", "envs.compiled.vector"),
    "learning": (
        "training.compiled.drills",
        "training.compiled.duel",
        "training.compiled.habits",
        "training.compiled.lessons",
        "training.compiled.selfplay",
    ),
}
"""The modules that have the doors of each part."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=f"{', '.join(_ROOMS)}: what plays, thinks, steps many tables for learners, trains (default: all)",
    )


def run(args: argparse.Namespace) -> int:
    """Compile what is not compiled yet."""
    from lastcard.cli.bar import open_bar
    from lastcard.errors import suggest
    from lastcard.kernel.cache import native_folder
    from lastcard.kernel.jit import DOORS, has_native
    from lastcard.kernel.turbo import compile_doors

    for part in args.parts:
        if part not in _ROOMS:
            raise UsageError(f"there is no part {part!r}; there are {', '.join(_ROOMS)}{suggest(part, _ROOMS)}")
    if not has_native():
        raise UsageError("native code needs Numba: pip install lastcard[native]")
    rooms = {f"lastcard.{room}" for part in args.parts or _ROOMS for room in _ROOMS[part]}
    for room in sorted(rooms):
        import_module(room)
    doors = [door for door in DOORS.values() if door.function.__module__ in rooms]
    with open_bar() as tell:
        if not compile_doors(doors, lambda name, done, of: tell("Compiling", done, of, name)):
            raise UsageError("native code cannot be kept: name a folder that can be written, as LASTCARD_CACHE=FOLDER")
    sys.stdout.write(f"native code of {len(doors)} doors is in {native_folder()}\n")
    return 0
