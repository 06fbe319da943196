"""The browser that tests drive: Debian's chromium where it is or can be installed, else the one Playwright brings.

``python -m tests.browser`` sees to it that there is one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any


def find_chromium() -> str | None:
    """The chromium on the PATH."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def launch_options() -> dict[str, Any]:
    """How Playwright starts the browser. As root, chromium has no sandbox to offer."""
    options: dict[str, Any] = {"args": ["--no-sandbox"] if os.geteuid() == 0 else []}
    path = find_chromium()
    return options | ({"executable_path": path} if path else {})


def install() -> None:
    """Install a browser where there is none."""
    if find_chromium():
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
            print("Installing chromium: apt-get", command[0], flush=True)
            subprocess.run(["apt-get", "-qq", *command], env=env, check=True, stdout=subprocess.DEVNULL)
    else:
        print("Installing Playwright's chromium", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    install()
