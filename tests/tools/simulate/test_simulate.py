"""The simulation finds nothing wrong, and finds what is made wrong; a seed repeats a world exactly."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from support.package_copies import PACKAGE
from tools.simulate.__main__ import explain, main
from tools.simulate.checks import Checks
from tools.simulate.faults import FAULTS, Faults
from tools.simulate.runs import run_scenario, run_seed, run_worlds
from tools.simulate.scenario import CALM_S, DURATION_S, Step, draw_scenario
from tools.simulate.shrink import read_script, script_lines, shrink
from tools.simulate.world import World

ROOT: Final = Path(__file__).parents[3]
FIXED_CPU_S: Final = 60.0
RANDOM_CPU_S: Final = 10.0
PLANTED_CPU_S: Final = 60.0
"""CPU seconds in which a planted fault must be found."""
PLANTED: Final = {
    "an acknowledgement that is lost": (
        "server/table/live_table.py",
        "if ply is not None and isinstance(message, commands.MakeMove | commands.TakeBack):",
        "if False and ply is not None:",
        ("unanswered", "stuck"),
    ),
    "a move that is acknowledged and lost": (
        "server/table/session_storage.py",
        "        appended, _ = await self._store.append(row)\n",
        "        try:\n            appended, _ = await self._store.append(row)\n"
        "        except Exception:\n            appended = Appended.COMMITTED\n",
        ("shown", "session", "lost"),
    ),
    "a timer that is not renewed": (
        "server/game/timers.py",
        "        if later:\n            self._arm(min(later))\n",
        "",
        ("timer", "stuck", "unanswered"),
    ),
    "a card that is shown to spectators": (
        "server/wire/messages.py",
        "    return tuple([happening(event.seen_by(viewer), match) for event in events])\n",
        "    return tuple([happening(e if viewer is None else e.seen_by(viewer), match) for e in events])\n",
        ("secret",),
    ),
}
"""Faults: file, text, the text that replaces it, and the kinds of failures that show it."""


def test_nothing_is_wrong_from_a_fixed_seed() -> None:
    runs = run_worlds(0, FIXED_CPU_S)
    assert runs[-1].outcome.failure is None, explain(draw_scenario(runs[-1].seed), runs[-1].outcome)
    counts = sum((run.outcome.counts for run in runs), runs[0].outcome.counts.__class__())
    assert counts["acknowledgments"] > counts["worlds"] and counts["answers of the store lost"]


def test_nothing_is_wrong_from_a_random_seed() -> None:
    """Other worlds each time, so that the fixed seed hides nothing; a failure names its seed."""
    first = random.SystemRandom().randrange(1 << 40)
    print(f"seed {first}")
    runs = run_worlds(first, RANDOM_CPU_S)
    assert runs[-1].outcome.failure is None, explain(draw_scenario(runs[-1].seed), runs[-1].outcome)


def test_people_leave_for_good_with_all_their_tabs() -> None:
    """Where a tab of theirs stayed open, the table would wait for them, as it should."""
    scenario = draw_scenario(2)
    people = sum(table.people + table.watchers for table in scenario.tables)
    tabs = (Step(DURATION_S - CALM_S - 0.1, "open another tab", who, 0.5) for who in range(people))
    assert run_scenario(scenario._replace(steps=(*scenario.steps, *tabs))).outcome.failure is None


def test_a_seed_repeats_a_world() -> None:
    """The same messages at the same times, also in a process with other hashes."""
    outcome = run_seed(16).outcome
    script = "from tools.simulate.runs import run_seed; print(run_seed(16).outcome.checksum)"
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": f"{PACKAGE.parent}{os.pathsep}{ROOT}"}
    found = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert int(found.stdout) == outcome.checksum == run_seed(16).outcome.checksum


def test_worlds_run_in_several_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--minutes", "0.01", "--seed", "16", "--processes", "2", "--days", "1"]) == 0
    assert "| failures | 0 |" in capsys.readouterr().out


def test_a_failure_is_shrunk_to_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the step that causes a failure is left, and the script repeats it."""
    crash = FAULTS["worker crashed"]
    scenario = draw_scenario(16)
    assert any(step.what == "worker crashed" for step in scenario.steps)

    def lose_acknowledged_rows(faults: Faults, step: Step) -> float:
        for truth in checks_of[0].matches.values():
            truth.rows.clear()
        return crash(faults, step)

    made, checks_of = Checks.__init__, list[Checks]()

    def remember(checks: Checks, *args: Any) -> None:
        made(checks, *args)
        checks_of[:] = [checks]

    monkeypatch.setattr(Checks, "__init__", remember)
    monkeypatch.setitem(FAULTS, "worker crashed", lose_acknowledged_rows)
    failure = World(scenario).run().failure
    assert failure is not None
    fewer, again = shrink(scenario, failure, 60)
    assert again.kind == failure.kind and len(fewer.steps) <= 12 < len(scenario.steps)
    assert read_script([*script_lines(fewer)]) == [*fewer.steps]
    assert World(fewer).run().failure == again
    monkeypatch.setitem(FAULTS, "worker crashed", crash)
    assert World(fewer).run().failure is None


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str, tmp_path: Path) -> None:
    """In a copy of the package with a small change, a minute of CPU time is enough."""
    file, before, after, kinds = PLANTED[fault]
    shutil.copytree(PACKAGE, tmp_path / "lastcard", ignore=shutil.ignore_patterns("web"))
    source = tmp_path / "lastcard" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(before) == 1
    source.write_text(text.replace(before, after), encoding="utf-8")
    script = (
        f"import lastcard\nassert lastcard.__file__.startswith({str(tmp_path)!r})\n"
        "from tools.simulate.runs import run_worlds\n"
        f"print(run_worlds(0, {PLANTED_CPU_S})[-1].outcome.failure)"
    )
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    found = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split(": ")[1] in kinds, found.stdout
