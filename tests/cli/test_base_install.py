"""The base install without Numba: everything but training and compilation works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.bots.registry import LEVELS

WITHOUT_NUMBA = """if True:
    import sys
    sys.modules.update(dict.fromkeys(("numba", "llvmlite")))  # as if they were not installed
    from lastcard.cli.main import main
    if sys.argv[1] == "report":
        from functools import partial
        from lastcard.analysis import report
        from lastcard.bots.search import SearchConfig
        little = {"rollouts": 20, "search_config": SearchConfig(20, deals=8), "measure_config": SearchConfig(deals=4)}
        report.make_report = partial(report.make_report, **little)
    sys.exit(main(sys.argv[1:]))
    """


def run_without_numba(*args: str, stdin: str = "") -> str:
    """The output of a command without Numba."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA, *args],
        env={**os.environ, "LASTCARD_KERNEL": "auto"},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match played in the terminal, with a hint at the first turn."""
    path = tmp_path_factory.mktemp("match") / "match.toml"
    text = run_without_numba(
        "play", "--rules", "all-wild", "--seed", "1", "--save", str(path), stdin="hint\n" + "1\n" * 400
    )
    assert "±" in text
    return path


def test_the_backend_is_named() -> None:
    assert "kernel: module\n" in run_without_numba("version")


def test_a_record_is_replayed_proved_and_judged(record: Path) -> None:
    assert run_without_numba("replay", str(record), "--check").startswith("ok: 1 round, ")
    assert run_without_numba("verify", str(record))
    assert run_without_numba("report", str(record))


def test_bots_of_all_levels_play() -> None:
    levels = ",".join(LEVELS)
    assert "master" in run_without_numba(
        "simulate", "--players", str(len(LEVELS)), "--bots", levels, "--rounds", "1", "--seed", "1"
    )
    assert "sharp" in run_without_numba(
        "arena", "--bots", "sharp,random", "--rounds", "4", "--seed", "1", "--workers", "1"
    )


ENVIRONMENTS = {"gpu": "gpu", "gymnasium": "envs", "pettingzoo": "envs", "rlcard": "envs", "openspiel": "openspiel"}
"""The extra that each needs."""
IMPORT_ALL = """
import sys
from importlib import import_module
sys.modules.update(dict.fromkeys(("numba", "llvmlite", "numba_cuda", "gymnasium", "pettingzoo", "rlcard", "pyspiel")))
for name in sys.argv[1:]:
    try:
        import_module(f"lastcard.envs.{name}")
    except Exception as error:
        print(name, error)
"""


def test_an_environment_says_which_extra_it_needs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *ENVIRONMENTS], capture_output=True, text=True, timeout=200
    )
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert said.keys() == ENVIRONMENTS.keys(), done.stderr
    assert all(f"lastcard[{extra}]" in said[name] for name, extra in ENVIRONMENTS.items())
