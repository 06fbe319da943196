"""The parallel commands of ``make test``: no failure is missed, and no output is lost."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE

import pytest

from support.parallel_commands import run


def python(script: str) -> str:
    """A command that runs a script."""
    return shlex.join([sys.executable, "-c", script])


MEET_SCRIPT = """
import pathlib, time
mine, other = pathlib.Path({mine!r}), pathlib.Path({other!r})
mine.touch()
while not other.exists(): time.sleep(0.01)
print({said!r})
"""
"""Waits until another one runs, too."""


def test_they_run_at_the_same_time(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each command waits for the other; their outputs are separate."""
    paths = [str(tmp_path / name) for name in ("a", "b")]
    commands = [
        python(MEET_SCRIPT.format(mine=mine, other=other, said=f"{said}\n{said}"))
        for mine, other, said in zip(paths, reversed(paths), ("first", "second"), strict=True)
    ]
    assert run(commands) == 0
    assert capfd.readouterr() == ("first\nfirst\nsecond\nsecond\n", "")


@pytest.mark.parametrize("statuses", [(0, 0), (3, 0), (0, 3), (0, 0, 1)])
def test_it_fails_where_one_fails(statuses: tuple[int, ...], capfd: pytest.CaptureFixture[str]) -> None:
    """The others run to their end, with all their output on both streams."""
    commands = [python(f"import sys; print({i}, file=sys.stderr); sys.exit({n})") for i, n in enumerate(statuses)]
    assert run(commands) == int(any(statuses))
    out, errors = capfd.readouterr()
    assert out.split() == [str(i) for i in range(1, len(statuses))]
    failed = [f"failed: {command}" for command, status in zip(commands, statuses, strict=True) if status]
    assert errors.splitlines() == ["0", *failed]


def test_none_is_left_behind(tmp_path: Path) -> None:
    """When it is terminated, it ends them, and shows their output until then."""
    there, gone = tmp_path / "there", tmp_path / "gone"
    waits = f"""
import pathlib, signal, sys, time
def end(*_):
    pathlib.Path({str(gone)!r}).touch()
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("so far", flush=True)
pathlib.Path({str(there)!r}).touch()
time.sleep(600)
"""
    commands = [python("import time; time.sleep(600)"), python(waits)]
    main = [sys.executable, "-m", "tests.support.parallel_commands", *commands]
    with subprocess.Popen(main, cwd=Path(__file__).parents[1], stdout=PIPE, stderr=PIPE, text=True) as process:
        while not there.exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
        out, errors = process.communicate()
    assert process.returncode == 128 + signal.SIGTERM
    assert gone.exists()
    assert out == "so far\n"
    assert errors == "".join(f"has not ended: {command}\n" for command in commands)
