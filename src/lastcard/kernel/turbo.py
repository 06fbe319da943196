"""Native code in place of the module, without waiting for it: compiled by a process of its own, loaded by a thread.

The process runs at the lowest priority and ends with the one that started it. What it has compiled is in the cache,
and of each entry of a door a marker says so, written when all else is: whoever is killed leaves nothing half done. Of
several processes one compiles, and the others find what it made.

    python -m lastcard.kernel.turbo MODULE:FUNCTION …  # is that process; its standard input is what holds it
"""

from __future__ import annotations

import atexit
import importlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from lastcard.kernel.cache import PACKAGE, locked, native_folder
from lastcard.kernel.functions import Door, Entry

if TYPE_CHECKING:
    from lastcard.kernel.native import NativeDoor, NativeKernel

State = Literal["compiling", "loading", "used", "failed"]

Tell = Callable[[str, int, int], object]
"""Called with the name of what is compiled next, how many entries of doors are done, and how many there are."""

_ATTEMPTS: Final = 2
"""The second is for code that was marked and is not there: the processor is another one, or files were deleted."""
_GATHER: Final = 1.0
"""Seconds in which further doors come together: modules are imported one after the other."""
_LEAVE: Final = 5.0
"""Seconds that the end of the program waits for the thread."""


def marker(folder: Path, entry: Entry) -> Path:
    """The file that says that an entry of a door is compiled."""
    return folder / f"{entry.name}.done"


def lacking(folder: Path, doors: Iterable[Door]) -> list[tuple[Door, Entry]]:
    """What of some doors is not compiled yet."""
    wanted = [(door, entry) for door in doors for entry in door.entries.values()]
    return [(door, entry) for door, entry in wanted if not marker(folder, entry).exists()]


class Turbo:
    """The way from the module to native code, in a thread of its own.

    Args:
        doors: that are to run as native code; there may come more.
        rest: the form of the kernel that goes on calling all others.
        take: called with the native form when every door is loaded, and again when more are.
        tell: called with every new state.
    """

    def __init__(
        self, doors: Collection[Door], rest: Any, take: Callable[[NativeKernel], None], tell: Callable[[State], object]
    ) -> None:
        self._doors, self._rest, self._take, self._tell = doors, rest, take, tell
        self._loaded: dict[str, NativeDoor] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._ended, self._called = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="turbo", daemon=True)
        self.state: State = "loading"

    def start(self) -> None:
        """Begin; the end of the program stops it."""
        atexit.register(self.stop)
        self._thread.start()

    def wake(self) -> None:
        """Look whether there are more doors by now."""
        self._called.set()

    def stop(self) -> None:
        """Give up, and wait for the thread: it must not be inside LLVM when the program ends."""
        self._ended.set()
        self._called.set()
        process = self._process
        if process is not None:
            process.kill()
        self._thread.join(_LEAVE)

    def _run(self) -> None:
        try:
            while self._find():
                self._called.wait()
                if self._ended.wait(_GATHER):
                    return
                self._called.clear()
        finally:
            if not self._ended.is_set():
                self._enter("failed")

    def _enter(self, state: State) -> None:
        self.state = state
        self._tell(state)

    def _find(self) -> bool:
        """Have all doors as native code; returns whether they could be had, and the program goes on."""
        doors = [door for door in list(self._doors) if door.name not in self._loaded]
        folder = native_folder()
        if not doors or folder is None:
            return folder is not None
        for _ in range(_ATTEMPTS):
            if lacking(folder, doors):
                self._enter("compiling")
                if not self._compile(doors) or lacking(folder, doors):
                    return False
            self._enter("loading")
            if self._load(folder, doors):
                from lastcard.kernel.native import NativeKernel

                self._take(NativeKernel(self._loaded, self._rest))
                self._enter("used")
                return True
            if self._ended.is_set():
                return False
        return False

    def _compile(self, doors: Sequence[Door]) -> bool:
        """Let the process compile; returns whether it came to its end."""
        names = [f"{door.function.__module__}:{door.function.__name__}" for door in doors]
        path = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH"))))
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
        # A session of its own keeps Ctrl-C at a prompt from it, and -P what lies in the folder we happen to be in.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path, "LASTCARD_KERNEL": "native"},
            start_new_session=True,
            creationflags=flags,
        )
        if self._ended.is_set():
            self._process.kill()
        with self._process:
            return self._process.wait() == 0

    def _load(self, folder: Path, doors: Sequence[Door]) -> bool:
        """Load doors, one after the other with rests between them, for they hold the interpreter lock.

        Returns:
            Whether all were there, and the program goes on.
        """
        from lastcard.kernel.native import NativeDoor

        for door in doors:
            native = NativeDoor(door)
            for entry in door.entries.values():
                began = time.perf_counter()
                if not native.load(entry):
                    marker(folder, entry).unlink(missing_ok=True)
                    return False
                if self._ended.wait(time.perf_counter() - began):
                    return False
            self._loaded[door.name] = native
        return True


# --- the process that compiles ----------------------------------------------------------------------------


def main(names: Iterable[str]) -> None:
    """Compile doors as far as that was not done, and mark them.

    Args:
        names: of doors, as ``MODULE:FUNCTION``.
    """
    if hasattr(os, "nice"):
        os.nice(19)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    parts = (name.split(":") for name in names)
    doors = [getattr(importlib.import_module(module), function) for module, function in parts]
    if not compile_doors(doors):
        raise SystemExit(1)


def compile_doors(doors: Collection[Door], tell: Tell = lambda name, done, of: None) -> bool:
    """Compile doors to native code as far as that was not done; where another process does so, wait for it.

    Args:
        doors: to be compiled.
        tell: what comes next.

    Returns:
        Whether there is a folder to keep it.
    """
    folder = native_folder()
    if folder is None:
        return False
    of = sum(len(door.entries) for door in doors)
    tell("", of - len(lacking(folder, doors)), of)
    with locked(folder / "compiling"):
        wanted = lacking(folder, doors)
        if wanted:
            from lastcard.kernel.native import NativeDoor

            native = {door.name: NativeDoor(door) for door, _ in wanted}
            for done, (door, entry) in enumerate(wanted, of - len(wanted)):
                tell(entry.name, done, of)
                native[door.name].compile(entry)
                marker(folder, entry).touch()
    tell("", of, of)
    return True


def _end_with_parent() -> None:
    """Wait until nobody holds the other end of standard input, and end at once."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
