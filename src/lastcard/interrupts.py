"""Delays signals while a program starts a child process, so that no unregistered child outlives the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

SIGNAL_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_delayed: Final[list[int]] = []
"""Delayed signals."""
_handlers: Final[dict[int, Any]] = {}
"""The usual handlers, while signals are delayed."""
_delay_count = 0
"""Number of nested or concurrent blocks that delay signals now."""


@contextmanager
def delay_interrupts() -> Iterator[None]:
    """Delay exceptions of signals, such as ``KeyboardInterrupt`` by Ctrl-C, until the end of a block.

    Python runs signal handlers in the main thread, so other threads have nothing to delay. A signal that is ignored,
    or that ends the program at once, is not delayed.
    """
    global _delay_count
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _delay_count += 1
    try:
        if _delay_count == 1:
            for name in SIGNAL_NAMES:
                number = getattr(signal, name, None)
                if number is not None and callable(handler := signal.getsignal(number)):
                    _handlers[number] = handler
                    signal.signal(number, lambda number, _: _delayed.append(number))
        yield
    finally:
        _delay_count -= 1
        if not _delay_count:
            _deliver()


def _deliver() -> None:
    """Restore the usual handlers, and deliver the delayed signals."""
    for number, handler in _handlers.items():
        signal.signal(number, handler)
    delayed = [*_delayed]
    _delayed.clear()
    _handlers.clear()
    for number in delayed:
        signal.raise_signal(number)
