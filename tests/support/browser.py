"""The browser that tests drive: Debian's chromium if it can be installed, else the one that Playwright brings.

``python -m tests.support.browser`` installs one if there is none. With ``debian`` it does so only by apt-get, which
needs no Playwright.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any, Final

SUSPEND_AUDIO: Final = """globalThis.AudioContext = class extends AudioContext {
    constructor() {
        super();
        void this.suspend();
    }
    resume() {
        return Promise.resolve();
    }
};"""
"""A script for a page in play: its sounds are created as usual, but not computed while it is open."""


def find_chromium() -> str | None:
    """The chromium on the PATH; the headless shell is preferred, because tests take two thirds of the time in it."""
    return next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)


_WITHOUT_COMPOSITING: Final = "acceleratedCompositingEnabled=false"
"""Removes compositing: half of the time of a page that changes its size."""
_MOUSE_POINTER: Final = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"
"""Playwright's own value of the same switch, of which the last one counts."""


def launch_options(*, painted: bool = True) -> dict[str, Any]:
    """Launch options of the browser for Playwright. Without ``painted``, a page is only styled and laid out."""
    args = ["--no-sandbox"] if os.geteuid() == 0 else []  # as root, chromium has no sandbox
    if not painted:
        args.append(f"--blink-settings={_MOUSE_POINTER},{_WITHOUT_COMPOSITING}")
    path = find_chromium()
    return {"args": args} | ({"executable_path": path} if path else {})


def apt_get(*command: str, check: bool = True) -> int:
    """Run apt-get silently and without questions; returns its exit status."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(["apt-get", "-qq", *command], env=env, check=check, stdout=subprocess.DEVNULL).returncode


def install(*, debian_only: bool = False) -> None:
    """Install a browser if there is none; with ``debian_only`` nothing if apt-get cannot do it."""
    if find_chromium():
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Debian's chromium", flush=True)
        apt_get("update")
        if apt_get("install", "-y", "--no-install-recommends", "chromium-headless-shell", check=False) != 0:
            apt_get("install", "-y", "--no-install-recommends", "chromium")
    elif not debian_only:
        print("Installing Playwright's chromium", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    install(debian_only=sys.argv[1:] == ["debian"])
