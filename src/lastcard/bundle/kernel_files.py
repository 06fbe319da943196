"""Files with which a page runs the rules itself: the module, its description, and the weights of the bots."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]


def read_kernel_files() -> dict[str, bytes]:
    """Returns these files, by their names in a version of the web client."""
    kernel, bots = _PACKAGE / "kernel", _PACKAGE / "bots"
    bot_files = [bots / "heuristic.json", bots / "styles.json"]
    nets = [path for path in sorted(bots.glob("*.npy")) if not path.name.startswith("reference")]  # no bot uses those
    paths = [kernel / "lastcard.wasm", kernel / "lastcard.json", *bot_files, *nets]
    return {f"kernel/{path.name}": path.read_bytes() for path in paths}
