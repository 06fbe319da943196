"""Processes of this machine as an executor of ``concurrent.futures``."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, Final

from lastcard.interrupts import delay_interrupts

if TYPE_CHECKING:
    Pipe = Connection[Any, Any]

_END_WAIT_S: Final = 5
"""Time for the exit code of a worker that has closed its pipe."""


class WorkerProcesses(Executor):
    """Processes that run functions, each with a thread that waits for its answers.

    Unlike those of ``ProcessPoolExecutor`` they abandon a running function at ``shutdown`` and when this process ends,
    ignore Ctrl-C, and give their exit code if they end by themselves. The functions return their errors, and have no
    keyword arguments.
    """

    def __init__(self, count: int) -> None:
        self._context = get_context("spawn")
        self._workers: list[BaseProcess] = []
        self._ended = False
        self._lock = threading.Lock()
        self._own = threading.local()
        self._threads = ThreadPoolExecutor(count, initializer=self._start_worker)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function in the next free process."""
        if kwargs:
            raise TypeError("worker processes take no keyword arguments")
        return self._threads.submit(self._run, function, args)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, whatever they do."""
        with self._lock:
            self._ended = True
            for worker in self._workers:
                worker.terminate()
        self._threads.shutdown(wait, cancel_futures=True)
        for worker in self._workers:
            worker.join()

    def _start_worker(self) -> None:
        """Start the process of the current thread."""
        self._own.pipe, worker_end = self._context.Pipe()
        self._own.worker = self._context.Process(target=_run_worker, args=(worker_end,), daemon=True)
        with self._lock:
            if not self._ended:
                with _block_interrupts():
                    self._own.worker.start()
                self._workers.append(self._own.worker)
        worker_end.close()

    def _run(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """The answer of the current thread's process; raises BrokenExecutor if that has ended."""
        try:
            self._own.pipe.send((function, args))
            return self._own.pipe.recv()
        except (EOFError, OSError):
            raise BrokenExecutor(f"a worker ended{_explain_end(self._own.worker)}") from None


def _explain_end(worker: BaseProcess) -> str:
    """How a worker ended that has closed its pipe."""
    worker.join(_END_WAIT_S)
    code = worker.exitcode or 0
    return f" by signal {-code}" if code < 0 else f" with exit code {code}" if code else ""


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C meanwhile: processes started here never get it, and the first process ends them.

    It also completes a start that would leave a worker without its task: the signal is delivered afterwards.
    """
    with delay_interrupts():
        if not hasattr(signal, "pthread_sigmask"):  # on Windows a worker ignores it by itself
            yield
            return
        resource_tracker.ensure_running()  # its start in the block would unblock the signal
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _end_with_parent() -> None:
    """End at once when the parent process has ended for any reason, because a task may take long."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_worker(pipe: Pipe) -> None:
    """Answer until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            function, args = pipe.recv()
            pipe.send(function(*args))
