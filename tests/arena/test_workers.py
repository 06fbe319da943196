"""Work shared among processes: every task is done once, and every error is reported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lastcard.arena.process_pool import run_tasks
from lastcard.errors import UsageError


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


def test_a_worker_that_ends_gives_its_exit_code() -> None:
    with pytest.raises(UsageError, match="a worker ended with exit code 3, perhaps for lack of memory"):
        list(run_tasks(os._exit, [3, 3], 2))


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks Linux for a process's children")
def test_no_worker_outlives_the_process_that_started_it() -> None:
    """However it ends, workers abandon even a long task."""
    script = (
        "from lastcard.arena.process_pool import run_tasks; import time; list(run_tasks(time.sleep, [600, 600], 2))"
    )
    boss = subprocess.Popen([sys.executable, "-c", script], start_new_session=True)
    children = Path(f"/proc/{boss.pid}/task/{boss.pid}/children")
    try:
        _await(lambda: sum(_is_worker(int(pid)) for pid in children.read_text().split()) == 2)
        workers = [int(pid) for pid in children.read_text().split() if _is_worker(int(pid))]
    finally:
        boss.kill()
        boss.wait()
    _await(lambda: not any(map(_is_worker, workers)))


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
    script = "from lastcard.arena.process_pool import run_tasks; import time; list(run_tasks(time.sleep, [60, 60], 2))"
    boss = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, start_new_session=True)
    children = Path(f"/proc/{boss.pid}/task/{boss.pid}/children")
    deadline = time.monotonic() + 60
    try:
        while len(young := children.read_text().split()) < 3:  # the two, and the one that multiprocessing starts first
            assert time.monotonic() < deadline and boss.poll() is None
        for pid in young:
            status = dict(line.split(":\t") for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            assert (int(status["SigBlk"], 16) | int(status["SigIgn"], 16)) & 1 << signal.SIGINT - 1
    finally:
        os.killpg(boss.pid, signal.SIGINT)
        _, said = boss.communicate(timeout=60)
    assert said.count("Traceback") == 1 and said.endswith("KeyboardInterrupt\n"), said  # of the first process alone
