"""The benchmark that trains baselines: several at once, and on from where it was interrupted."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = """
import argparse, json
import numpy as np
from pathlib import Path
from lastcard.envs.batch import EnvConfig
from lastcard.envs.batch_policies import NetworkPolicy
parser = argparse.ArgumentParser()
for name in ("players", "seed", "minutes", "save", "rules", "levels", "threads"):
    parser.add_argument("--" + name, required=True)
args = parser.parse_args()
assert (args.rules, args.levels, args.threads) == ("classic", "", "1")
config = EnvConfig(args.rules, int(args.players))
count, size = len(config.features.action_space), config.features.size
layers = [(np.zeros((count, size)), -np.arange(count))]
NetworkPolicy(str(config.ruleset), config.players, layers).save(args.save)
with Path(__file__).with_name("log").open("a") as log:
    log.write(args.seed)
print(json.dumps({"steps": 1000 * int(args.seed)}))
"""
"""A training of no time: the policy plays its first legal action."""


@pytest.fixture
def baselines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The module of the benchmark, with a training of no time and two levels."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    module = importlib.import_module("baselines")
    program = tmp_path / "ppo.py"
    program.write_text(PROGRAM)
    monkeypatch.setattr(module, "PPO", program)
    monkeypatch.setattr(module, "LEVELS", ("random", "sharp"))
    return module


def list_runs(module: Any, *words: str) -> list[Any]:
    """The runs of a command line with few deals at two seats."""
    runs: list[Any] = module.list_runs(module.parse_arguments(["--deals=2", "--players=2", "--seeds=1,2", *words]))
    return runs


def test_runs_are_trained_and_compared_in_order(baselines: Any, tmp_path: Path) -> None:
    results = baselines.finish_all(list_runs(baselines), tmp_path / "runs", jobs=2)
    assert [one["settings"]["seed"] for one in results] == [1, 2]
    assert [one["training"]["steps"] for one in results] == [1000, 2000]
    for one in results:
        assert list(one["shares"]) == ["random", "sharp"]
        assert 0 <= one["shares"]["sharp"]["played"]["value"] <= 1
    machine = {"commit": "0", "processor": "a processor", "versions": {"python": "3"}}
    page = baselines.make_page(machine, results, baselines.parse_arguments(["--deals=2"]))
    assert "| 2 | 2 | 2,000 | *sharp* |" in page
    assert "inf" not in page
    assert "nan" not in page


def test_an_interrupted_benchmark_goes_on(baselines: Any, tmp_path: Path) -> None:
    runs, folder = list_runs(baselines), tmp_path / "runs"
    first = baselines.finish_all(runs[:1], folder, jobs=1)
    complete = baselines.finish_all(runs, folder, jobs=1)
    assert complete[0] == first[0]
    assert (tmp_path / "log").read_text() == "12"  # each policy is trained once
    file = folder / "ppo-2-1.json"
    stopped = json.loads(file.read_text())
    del stopped["shares"]["sharp"]  # as after an interruption between two comparisons
    stopped["shares"]["random"]["played"]["value"] = 0.125
    file.write_text(json.dumps(stopped))
    one, _ = baselines.finish_all(runs, folder, jobs=1)
    assert one["shares"]["random"]["played"]["value"] == 0.125  # not played again
    assert one["shares"]["sharp"] == first[0]["shares"]["sharp"]
    assert json.loads(file.read_text()) == one
    assert (tmp_path / "log").read_text() == "12"


def test_runs_with_other_settings_are_not_mixed(baselines: Any, tmp_path: Path) -> None:
    (run, _), folder = list_runs(baselines), tmp_path / "runs"
    baselines.finish_all([run], folder, jobs=1)
    with pytest.raises(SystemExit, match="another minutes: choose another --folder"):
        baselines.finish_all([replace(run, minutes=1.0)], folder, jobs=1)
    with pytest.raises(SystemExit, match="another deals and another program"):
        baselines.finish_all([replace(run, deals=3, program="0")], folder, jobs=1)


def test_arguments(baselines: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(baselines.list_runs(baselines.parse_arguments([]))) == 6
    with pytest.raises(SystemExit):
        baselines.parse_arguments(["--jobs=0"])
    assert "--jobs is 1 or more, not 0" in capsys.readouterr().err


def test_a_share_as_text(baselines: Any) -> None:
    assert baselines.write_share({"value": 0.5, "low": 0.45, "high": 0.55}) == "50.0% (45.0% to 55.0%)"
    assert baselines.write_share({"value": 0.5, "low": None, "high": None}) == "50.0%"
    assert baselines.write_share(None) == ""
