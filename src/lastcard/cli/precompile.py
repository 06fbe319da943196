"""Compile native code ahead, so that nothing waits for it later."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from importlib import import_module
from typing import TYPE_CHECKING, Final

from lastcard.errors import UsageError

if TYPE_CHECKING:
    from lastcard.kernel.signatures import Export

EXAMPLES = ("lastcard precompile", "lastcard precompile rules bots")

_MODULES_OF_PART: Final = {
    "rules": ("rules.chance", "rules.exports", "rules.random_policy"),
    "bots": (
        "ai.decision",
        "ai.glicko",
        "ai.open_card_solver",
        "ai.opponent_mix",
        "ai.rollout",
        "ai.rounds",
        "ai.search",
    ),
    "reports": ("ai.evaluation", "ai.reasons", "ai.round_analysis"),
    "envs": ("envs.compiled.action_ids", "envs.compiled.features", "envs.compiled.tree", "envs.compiled.vector"),
    "training": (
        "training.compiled.duel",
        "training.compiled.habits",
        "training.compiled.position_data",
        "training.compiled.rollout_targets",
        "training.compiled.selfplay",
    ),
}
"""The modules that have the exports of each part."""


def part_exports(parts: Collection[str]) -> list[Export]:
    """Return the exports of some parts."""
    from lastcard.kernel.jit import EXPORTS

    modules = {f"lastcard.{module}" for part in parts for module in _MODULES_OF_PART[part]}
    for module in sorted(modules):
        import_module(module)
    return [export for export in EXPORTS.values() if export.function.__module__ in modules]


def native_code_state() -> str:
    """Return in words whether native code of all parts is compiled."""
    from lastcard.kernel.background_compile import missing_signatures
    from lastcard.kernel.cache import native_folder
    from lastcard.kernel.jit import has_native

    if not has_native():
        return "none; it needs Numba: install lastcard[native]"
    folder, exports = native_folder(), part_exports(_MODULES_OF_PART)
    lacking = exports if folder is None else {export.name for export, _ in missing_signatures(folder, exports)}
    if not lacking:
        return "compiled; batches of rounds and environments change to it as soon as it is loaded"
    return f"{len(exports) - len(lacking)} of {len(exports)} functions are compiled; lastcard precompile makes the rest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=f"{', '.join(_MODULES_OF_PART)}: what plays, thinks, analyzes, steps batches for learners, trains"
        " (default: all)",
    )


def run(args: argparse.Namespace) -> int:
    """Compile what is not compiled yet."""
    from lastcard.cli.progress_bar import open_progress
    from lastcard.errors import suggest
    from lastcard.kernel.background_compile import compile_exports
    from lastcard.kernel.cache import native_folder
    from lastcard.kernel.jit import has_native

    for part in args.parts:
        if part not in _MODULES_OF_PART:
            raise UsageError(
                f"there is no part {part!r}; there are {', '.join(_MODULES_OF_PART)}{suggest(part, _MODULES_OF_PART)}"
            )
    if not has_native():
        raise UsageError("native code needs Numba: install lastcard[native]")
    exports = part_exports(args.parts or _MODULES_OF_PART)
    with open_progress() as update:
        if not compile_exports(exports, lambda name, done, of: update("Compiling", done, of, name)):
            raise UsageError("native code cannot be kept: name a folder that can be written, as LASTCARD_CACHE=FOLDER")
    sys.stdout.write(f"native code of {len(exports)} exports is in {native_folder()}\n")
    return 0
