"""Write the module anew: ``python -m tools.wasm [FILE]``, ``kernel/lastcard.wasm`` where no file is named.

Its description is written beside it, as JSON.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

_PLAIN: Final = {
    "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0",
    "PYTHONHASHSEED": "0", "LASTCARD_KERNEL": "native",
}  # fmt: skip
"""What a process is started with that lowers for no special processor, and optimizes nothing."""


def main() -> None:
    """Lower all doors, have another process assemble them, and write what comes of it and what describes it."""
    parser = argparse.ArgumentParser(prog="python -m tools.wasm", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="the module to write (default: the one of the package)")
    file = parser.parse_args().file
    if any(os.environ.get(name) != value for name, value in _PLAIN.items()):
        again = [sys.executable, "-m", "tools.wasm", *sys.argv[1:]]
        sys.exit(subprocess.run(again, env=os.environ | _PLAIN, check=False).returncode)
    from lastcard.kernel.fingerprint import fingerprint
    from lastcard.kernel.module import FILE
    from tools.wasm import description
    from tools.wasm.assembly import add_origin, tools
    from tools.wasm.doors import all_doors
    from tools.wasm.lowering import lower

    doors = all_doors()
    names = [entry.name for door in doors for entry in door.entries.values()]
    assembler = [sys.executable, "-m", "tools.wasm.assembly", *names]
    module = subprocess.run(assembler, input=lower(doors), stdout=subprocess.PIPE, check=True).stdout
    file = file or FILE
    exports = sorted({door.function.__module__ for door in doors})
    module = add_origin(module, {"key": fingerprint(doors), "exports": exports, "tools": tools()})
    file.write_bytes(module)
    sys.stdout.write(f"{file}: {len(module):,} bytes\n")
    described = file.with_suffix(".json")
    sys.stdout.write(f"{described}: {len(description.write(described)):,} letters\n")


if __name__ == "__main__":
    main()
