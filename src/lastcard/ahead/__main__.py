"""Write the module anew: ``python -m lastcard.ahead [FILE]``, ``engine/lastcard.wasm`` where no file is named.

Its description is written beside it, as JSON.
"""

from __future__ import annotations

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
    if any(os.environ.get(name) != value for name, value in _PLAIN.items()):
        again = [sys.executable, "-m", "lastcard.ahead", *sys.argv[1:]]
        sys.exit(subprocess.run(again, env=os.environ | _PLAIN, check=False).returncode)
    from lastcard.ahead import description
    from lastcard.ahead.doors import all_doors
    from lastcard.ahead.lowering import lower
    from lastcard.engine.module import FILE

    doors = all_doors()
    names = [entry.name for door in doors for entry in door.entries.values()]
    assembler = [sys.executable, "-m", "lastcard.ahead.assembly", *names]
    module = subprocess.run(assembler, input=lower(doors), stdout=subprocess.PIPE, check=True).stdout
    file = Path(sys.argv[1]) if sys.argv[1:] else FILE
    file.write_bytes(module)
    sys.stdout.write(f"{file}: {len(module):,} bytes\n")
    described = file.with_suffix(".json")
    sys.stdout.write(f"{described}: {len(description.write(described)):,} letters\n")


if __name__ == "__main__":
    main()
