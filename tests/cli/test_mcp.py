"""``lastcard mcp`` without the extra says how to install it."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

WITHOUT_SDK: Final = """
import sys
sys.modules.update(dict.fromkeys(("mcp",)))  # as if it were not installed
from lastcard.cli.main import main
sys.exit(main(["mcp"]))
"""


def test_the_error_names_the_extra() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_SDK], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "install lastcard[mcp]" in done.stderr
