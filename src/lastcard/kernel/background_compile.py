"""Replaces the module by native code in the background: a child process compiles it, and a thread loads it.

The process runs at the lowest priority and ends with its parent. It writes the code to the cache, and last a marker
for each signature of an export, so a killed process leaves no signature half done. If several processes want the same
code, one compiles it and the others load it.

    python -m lastcard.kernel.background_compile MODULE:FUNCTION …  # this process; it ends when its standard input does
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
from lastcard.kernel.signatures import Export, Signature

if TYPE_CHECKING:
    from lastcard.kernel.native_backend import NativeBackend, NativeExport

State = Literal["compiling", "loading", "used", "failed"]

Progress = Callable[[str, int, int], object]
"""Called with the name of the signature compiled next, the number of signatures done, and their total."""

_ATTEMPTS: Final = 2
"""The second is for code that is marked but missing: the processor is another one, or files were deleted."""
_GATHER_S: Final = 1.0
"""Seconds in which further exports are collected: modules are imported one after the other."""
_JOIN_TIMEOUT_S: Final = 5.0
"""Seconds that the program waits for the thread at its end."""


def marker(folder: Path, signature: Signature) -> Path:
    """Returns the path of the file that marks a signature as compiled."""
    return folder / f"{signature.name}.done"


def missing_signatures(folder: Path, exports: Iterable[Export]) -> list[tuple[Export, Signature]]:
    """Returns the signatures that are not compiled yet, each with its export."""
    wanted = [(export, signature) for export in exports for signature in export.signatures.values()]
    return [(export, entry) for export, entry in wanted if not marker(folder, entry).exists()]


class BackgroundCompiler:
    """Compiles and loads native code in a thread of its own, then switches to it.

    Args:
        exports: exports to run as native code; the collection may grow.
        switch: called with the native backend when every export is loaded, and again when more are.
        on_state: called with every new state.
    """

    def __init__(
        self,
        exports: Collection[Export],
        fallback: Any,
        switch: Callable[[NativeBackend], None],
        on_state: Callable[[State], object],
    ) -> None:
        self._exports, self._fallback, self._switch, self._on_state = exports, fallback, switch, on_state
        self._loaded: dict[str, NativeExport] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped, self._woken = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="turbo", daemon=True)
        self.state: State = "loading"

    def start(self) -> None:
        """Start the thread; the end of the program stops it."""
        atexit.register(self.stop)
        self._thread.start()

    def wake(self) -> None:
        """Make the thread check for new exports."""
        self._woken.set()

    def stop(self) -> None:
        """Stop, and wait for the thread: it must not be inside LLVM when the program ends."""
        self._stopped.set()
        self._woken.set()
        process = self._process
        if process is not None:
            process.kill()
        self._thread.join(_JOIN_TIMEOUT_S)

    def _run(self) -> None:
        try:
            while self._compile_and_load():
                self._woken.wait()
                if self._stopped.wait(_GATHER_S):
                    return
                self._woken.clear()
        finally:
            if not self._stopped.is_set():
                self._set_state("failed")

    def _set_state(self, state: State) -> None:
        self.state = state
        self._on_state(state)

    def _compile_and_load(self) -> bool:
        """Compile and load all exports; returns False if that failed or the program ends."""
        exports = [export for export in list(self._exports) if export.name not in self._loaded]
        folder = native_folder()
        if not exports or folder is None:
            return folder is not None
        for _ in range(_ATTEMPTS):
            if missing_signatures(folder, exports):
                self._set_state("compiling")
                if not self._compile(exports) or missing_signatures(folder, exports):
                    return False
            self._set_state("loading")
            if self._load(folder, exports):
                from lastcard.kernel.native_backend import NativeBackend

                self._switch(NativeBackend(self._loaded, self._fallback))
                self._set_state("used")
                return True
            if self._stopped.is_set():
                return False
        return False

    def _compile(self, exports: Sequence[Export]) -> bool:
        """Compile in a child process; returns whether it succeeded."""
        names = [f"{export.function.__module__}:{export.function.__name__}" for export in exports]
        path = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH"))))
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
        # A session of its own shields it from Ctrl-C at a prompt, and -P from modules in the current folder.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path, "LASTCARD_KERNEL": "native"},
            start_new_session=True,
            creationflags=flags,
        )
        if self._stopped.is_set():
            self._process.kill()
        with self._process:
            return self._process.wait() == 0

    def _load(self, folder: Path, exports: Sequence[Export]) -> bool:
        """Load exports one after the other, with pauses, because loading holds the interpreter lock.

        Returns False if code is missing or the program ends.
        """
        from lastcard.kernel.native_backend import NativeExport

        for export in exports:
            native = NativeExport(export)
            for signature in export.signatures.values():
                began = time.perf_counter()
                if not native.load(signature):
                    marker(folder, signature).unlink(missing_ok=True)
                    return False
                if self._stopped.wait(time.perf_counter() - began):
                    return False
            self._loaded[export.name] = native
        return True


# --- the child process that compiles ----------------------------------------------------------------------


def main(names: Iterable[str]) -> None:
    """Compile the exports (``MODULE:FUNCTION``) that are not compiled yet, and mark them."""
    if hasattr(os, "nice"):
        os.nice(19)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    parts = (name.split(":") for name in names)
    exports = [getattr(importlib.import_module(module), function) for module, function in parts]
    if not compile_exports(exports):
        raise SystemExit(1)


def compile_exports(exports: Collection[Export], on_progress: Progress = lambda name, done, total: None) -> bool:
    """Compile exports to native code if that is not done; if another process is doing so, wait for it.

    Returns whether there is a folder to store the code in.
    """
    folder = native_folder()
    if folder is None:
        return False
    of = sum(len(export.signatures) for export in exports)
    on_progress("", of - len(missing_signatures(folder, exports)), of)
    with locked(folder / "compiling"):
        wanted = missing_signatures(folder, exports)
        if wanted:
            from lastcard.kernel.native_backend import NativeExport

            native = {export.name: NativeExport(export) for export, _ in wanted}
            for done, (export, signature) in enumerate(wanted, of - len(wanted)):
                on_progress(signature.name, done, of)
                native[export.name].compile(signature)
                marker(folder, signature).touch()
    on_progress("", of, of)
    return True


def _end_with_parent() -> None:
    """Wait until standard input is closed, then exit at once."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
