"""Write the module anew, in a process that compiles for no special processor."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PLAIN = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0", "PYTHONHASHSEED": "0"} | {
    "LASTCARD_KERNEL": "native"
}


def main() -> None:
    """Write ``engine/lastcard.wasm``, or another file that is named."""
    if any(os.environ.get(name) != value for name, value in PLAIN.items()):
        os.execve(sys.executable, [sys.executable, "-m", "lastcard.ahead", *sys.argv[1:]], os.environ | PLAIN)
    from lastcard.ahead.compiler import build_module
    from lastcard.ahead.doors import all_doors
    from lastcard.engine.module import FILE

    module = build_module(all_doors())
    file = Path(sys.argv[1]) if sys.argv[1:] else FILE
    file.write_bytes(module)
    sys.stdout.write(f"{file}: {len(module):,} bytes\n")


if __name__ == "__main__":
    main()
