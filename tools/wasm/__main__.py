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

_BUILD_ENVIRONMENT: Final = {
    "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0",
    "PYTHONHASHSEED": "0", "LASTCARD_KERNEL": "native",
}  # fmt: skip
"""What a process is started with that lowers for no special processor, and optimizes nothing."""


def main() -> None:
    """Lower all doors, have another process assemble them, and write what comes of it and what describes it."""
    parser = argparse.ArgumentParser(prog="python -m tools.wasm", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="the module to write (default: the one of the package)")
    file = parser.parse_args().file
    if any(os.environ.get(name) != value for name, value in _BUILD_ENVIRONMENT.items()):
        again = [sys.executable, "-m", "tools.wasm", *sys.argv[1:]]
        sys.exit(subprocess.run(again, env=os.environ | _BUILD_ENVIRONMENT, check=False).returncode)
    from lastcard.kernel.fingerprint import fingerprint
    from lastcard.kernel.wasm_backend import MODULE_FILE
    from tools.wasm import description
    from tools.wasm.assembly import add_origin, tool_versions
    from tools.wasm.exports import all_exports
    from tools.wasm.lowering import lower

    exports = all_exports()
    names = [entry.name for export in exports for entry in export.signatures.values()]
    assembler = [sys.executable, "-m", "tools.wasm.assembly", *names]
    module = subprocess.run(assembler, input=lower(exports), stdout=subprocess.PIPE, check=True).stdout
    file = file or MODULE_FILE
    modules = sorted({export.function.__module__ for export in exports})
    module = add_origin(module, {"key": fingerprint(exports), "exports": modules, "tools": tool_versions()})
    file.write_bytes(module)
    sys.stdout.write(f"{file}: {len(module):,} bytes\n")
    description_file = file.with_suffix(".json")
    sys.stdout.write(f"{description_file}: {len(description.write(description_file)):,} letters\n")


if __name__ == "__main__":
    main()
