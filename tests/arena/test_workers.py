"""Work shared among processes: every task is done once, and every error is reported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import pytest

from lastcard.arena.task_distribution import run_tasks
from lastcard.errors import UsageError

SLEEP: Final = (
    "from lastcard.arena.task_distribution import run_tasks; import time; list(run_tasks(time.sleep, [{}] * 2, 2))"
)
"""A program whose two workers sleep for some seconds."""


@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_done_once(workers: int) -> None:
    assert sorted(run_tasks(abs, range(-5, 0), workers)) == [1, 2, 3, 4, 5]
    assert list(run_tasks(abs, [], workers)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_unusable_files_are_named(workers: int) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        list(run_tasks(os.listdir, ["/nowhere"] * 3, workers))


def test_the_error_of_a_worker_is_named() -> None:
    with pytest.raises(UsageError, match="a worker failed: ValueError: invalid literal") as failed:
        list(run_tasks(int, ["1", "one"], 2))
    assert "Traceback" in str(failed.value)


@pytest.mark.parametrize("chunk_size", [1, 3])
def test_any_executor_does_them(chunk_size: int) -> None:
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, get_context("spawn")) as processes:
        for executor in (threads, processes):
            results = run_tasks(abs, range(-8, 0), 2, executor=executor, chunk_size=chunk_size)
            assert sorted(results) == list(range(1, 9))
        with pytest.raises(UsageError, match="a worker failed: ValueError: invalid literal"):
            list(run_tasks(int, ["1", "one"], 2, executor=processes))
        with pytest.raises(UsageError, match="try fewer --workers"):
            list(run_tasks(os._exit, [3, 3], 2, executor=processes))


def test_an_executor_gets_no_more_tasks_than_its_workers_need() -> None:
    """Tasks may be without an end."""
    with ThreadPoolExecutor(2) as threads, closing(run_tasks(abs, count(), 2, executor=threads)) as results:
        assert sorted(islice(results, 10))[:3] == [0, 1, 2]


def test_a_worker_that_ends_gives_its_exit_code() -> None:
    with pytest.raises(UsageError, match="a worker ended with exit code 3, perhaps for lack of memory"):
        list(run_tasks(os._exit, [3, 3], 2))


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks Linux for a process's children")
def test_no_worker_outlives_the_process_that_started_it() -> None:
    """However it ends, workers abandon even a long task."""
    script = SLEEP.format(600)
    boss = subprocess.Popen([sys.executable, "-c", script], start_new_session=True)
    try:
        _await(lambda: sum(map(_is_worker, _children(boss.pid))) == 2)
        workers = [*filter(_is_worker, _children(boss.pid))]
    finally:
        boss.kill()
        boss.wait()
    _await(lambda: not any(map(_is_worker, workers)))


def _children(pid: int) -> list[int]:
    """The processes that any thread of a process has started."""
    return [int(child) for file in Path(f"/proc/{pid}/task").glob("*/children") for child in file.read_text().split()]


def _is_worker(pid: int) -> bool:
    """Whether a process exists and has begun to wait for its parent."""
    try:
        return (
            len([*Path(f"/proc/{pid}/task").iterdir()]) > 1
            and b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        )
    except OSError:
        return False


def _await(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks Linux for a process's children")
def test_a_worker_ignores_ctrl_c() -> None:
    """The signal goes to the whole group, also to workers that have only just started."""
    boss = subprocess.Popen(
        [sys.executable, "-c", SLEEP.format(600)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    try:
        while len(young := _children(boss.pid)) < 3:  # the two, and the one that multiprocessing starts first
            assert time.monotonic() < deadline and boss.poll() is None
            time.sleep(0.005)  # leaves the processor to the processes that start
        for pid in young:
            status = dict(line.split(":\t") for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            assert (int(status["SigBlk"], 16) | int(status["SigIgn"], 16)) & 1 << signal.SIGINT - 1
    finally:
        os.killpg(boss.pid, signal.SIGINT)
        _, said = boss.communicate(timeout=120)
    assert said.count("Traceback") == 1 and said.endswith("KeyboardInterrupt\n"), said  # of the first process alone
