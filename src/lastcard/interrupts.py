"""Signals that end a program, while it starts a child process: one of which nobody knows would outlive the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

SIGNAL_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_delayed: Final[list[int]] = []
"""Signals that have been delayed."""
_handlers: Final[dict[int, Any]] = {}
"""The usual handlers, while signals are delayed."""
_blocks = 0
"""How many blocks delay them at the moment; several tasks of one event loop may."""


@contextmanager
def delay_interrupts() -> Iterator[None]:
    """Delay until the end of a block what signals raise, as Ctrl-C raises ``KeyboardInterrupt``.

    Python runs handlers of signals in the main thread, so there is nothing to delay in any other. A signal that is
    ignored, or ends the program at once, does so in the block too.
    """
    global _blocks
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _blocks += 1
    try:
        if _blocks == 1:
            for name in SIGNAL_NAMES:
                number = getattr(signal, name, None)
                if number is not None and callable(handler := signal.getsignal(number)):
                    _handlers[number] = handler
                    signal.signal(number, lambda number, _: _delayed.append(number))
        yield
    finally:
        _blocks -= 1
        if not _blocks:
            _deliver()


def _deliver() -> None:
    """Set the usual handlers again, and let them have the signals that came."""
    for number, handler in _handlers.items():
        signal.signal(number, handler)
    delayed = [*_delayed]
    _delayed.clear()
    _handlers.clear()
    for number in delayed:
        signal.raise_signal(number)
