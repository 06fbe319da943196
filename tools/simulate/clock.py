"""An event loop in virtual time for several processes, and the sources of time and randomness that a seed decides."""

from __future__ import annotations

import asyncio
import random
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager
from contextvars import Context, ContextVar, copy_context
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, TypeVar
from unittest.mock import patch

import structlog

from lastcard.server.security import logs, security
from lastcard.server.store import rows
from lastcard.server.table import moderation, table_registry

T = TypeVar("T")

_START_S: Final = 1000.0
_TICK_S: Final = 1e-9
"""Seconds that pass with every timer, because real time never stops."""
_MAX_CALLS_PER_S: Final = 200_000
"""Callbacks in a virtual second, beyond which they cause each other without end."""
EPOCH_S: Final = 1.8e9
"""Seconds since 1970 at the start of every world."""


class Process:
    """A process: while it is frozen its callbacks wait, and after its end its timers never fire."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.has_ended = False
        self.is_frozen = False
        self.clock_error_s = 0.0
        """Seconds by which its wall clock is wrong."""
        self.waiting: deque[_Callback] = deque()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.context = copy_context()
        self.context.run(_PROCESS.set, self)


_PROCESS: Final[ContextVar[Process | None]] = ContextVar("process", default=None)
OUTSIDE: Final = Context()
"""The context of callbacks that belong to no process: of the network, the database, and people."""


class _Callback:
    """A callback with its context, which also decides its process; the event loop's handle of it."""

    __slots__ = ("arguments", "call", "context", "is_cancelled", "process")

    def __init__(self, call: Callable[..., object], arguments: tuple[Any, ...], context: Context | None) -> None:
        self.call = call
        self.arguments = arguments
        self.context = copy_context() if context is None else context
        self.process = self.context.get(_PROCESS)
        self.is_cancelled = False

    def cancel(self) -> None:
        """Never run it."""
        self.is_cancelled = True


class Loop(asyncio.AbstractEventLoop):
    """An event loop whose time passes at once. It stops at the first error that nobody catches."""

    def __init__(self) -> None:
        self._now = _START_S
        self._ready: deque[_Callback] = deque()
        self._timers: list[tuple[float, int, _Callback]] = []
        self._numbers = count()
        self.is_stopped = False
        self.is_livelocked = False
        self._second_ends = _START_S
        self._calls = 0
        """Callbacks in the present second."""

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def run(self, until: float) -> None:
        """Run all callbacks up to a time, or until the loop is stopped."""
        events._set_running_loop(self)
        try:
            while not self.is_stopped and (self._ready or self._timers):
                if not self._ready:
                    when, _, timer = self._timers[0]
                    if when > until:
                        break
                    heappop(self._timers)
                    if timer.is_cancelled or (timer.process is not None and timer.process.has_ended):
                        continue
                    self._now = max(self._now + _TICK_S, when)
                    self._ready.append(timer)
                self._count_call()
                callback = self._ready.popleft()
                process = callback.process
                if process is not None and process.is_frozen:
                    process.waiting.append(callback)
                elif not callback.is_cancelled:
                    callback.context.run(callback.call, *callback.arguments)
        finally:
            events._set_running_loop(None)

    def _count_call(self) -> None:
        """Stop if callbacks cause each other without end."""
        if self._now >= self._second_ends:
            self._second_ends, self._calls = self._now + 1.0, 0
        self._calls += 1
        if self._calls > _MAX_CALLS_PER_S:
            self.is_livelocked = self.is_stopped = True

    def thaw(self, process: Process) -> None:
        """Let a frozen process go on."""
        process.is_frozen = False
        self._ready.extend(process.waiting)
        process.waiting.clear()

    def end(self, process: Process) -> None:
        """End a process. Its tasks are canceled, so that their memory is freed; the caller has cut it off before."""
        process.has_ended = True
        self.thaw(process)
        for task in tuple(process.tasks):  # after its first step, or what it would have awaited is never awaited
            self.call_soon(task.cancel, context=OUTSIDE)

    # --- the interface of an event loop -----------------------------------------------------------------

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> Any:  # type: ignore[override]
        """Run a callback at the present time, after those before it."""
        made = _Callback(callback, args, context)
        self._ready.append(made)
        return made

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> Any:  # type: ignore[override]
        """Run a callback at a time."""
        made = _Callback(callback, args, context)
        heappush(self._timers, (when, next(self._numbers), made))
        return made

    def call_later(self, delay: float, callback: Any, *args: Any, context: Context | None = None) -> Any:  # type: ignore[override]
        """Run a callback after some seconds."""
        made = _Callback(callback, args, context)
        heappush(self._timers, (self._now + delay, next(self._numbers), made))
        return made

    def create_future(self) -> asyncio.Future[Any]:
        """Return a new future."""
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[T]:
        """Run a coroutine as a task of its process."""
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        process = (context or copy_context()).get(_PROCESS)
        if process is not None:
            process.tasks.add(task)
            task.add_done_callback(process.tasks.discard)
        return task

    def get_debug(self) -> bool:
        """Return False."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Raise the error of a task that nobody has caught."""
        raise context.get("exception") or RuntimeError(context["message"])


class _Clock:
    """What the server uses of the module ``time``. Each process has a wall clock of its own, which may jump."""

    def __init__(self, loop: Loop) -> None:
        self.monotonic = loop.time

    def time(self) -> float:
        """Return the seconds since 1970 by the clock of the present process."""
        process = _PROCESS.get()
        return EPOCH_S + self.monotonic() + (0.0 if process is None else process.clock_error_s)

    def time_ns(self) -> int:
        """Return the same in nanoseconds."""
        return int(self.time() * 1e9)


class _Secrets:
    """What the server uses of the module ``secrets``, from a seed."""

    def __init__(self, rng: random.Random) -> None:
        self.choice = rng.choice
        self._rng = rng

    def token_hex(self, size: int) -> str:
        """Return random bytes as hex."""
        return self._rng.randbytes(size).hex()

    def token_urlsafe(self, size: int) -> str:
        """Return another random text."""
        return self.token_hex(size)


@contextmanager
def replaced_sources(loop: Loop, rng: random.Random, report_fault: Callable[[str], None]) -> Iterator[None]:
    """Give the server virtual time and seeded randomness, and report errors that it logs as faults."""

    def follow_log(logger: object, name: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
        if event["event"] == "fault":
            report_fault(f"{event['where']}: {event['exc_info']!r}")
        raise structlog.DropEvent

    before = structlog.get_config()
    clock, secrets = _Clock(loop), _Secrets(rng)
    with ExitStack() as stack:
        for module in (security, rows, moderation, table_registry):
            stack.enter_context(patch.object(module, "time", clock))
        for other in (security, table_registry, logs):
            stack.enter_context(patch.object(other, "secrets", secrets))
        structlog.configure(processors=[follow_log], wrapper_class=structlog.make_filtering_bound_logger(40))
        try:
            yield
        finally:
            structlog.configure(**before)
