"""Tables on a GPU behave like ``Batch``, and wrong use is reported.

Numba's simulator of a GPU must be chosen before Numba is loaded, so the tests run this file as a program: once for
everything on the simulator. On a machine with a GPU, the same is played on it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from lastcard.envs.batch import Batch, EnvConfig
from lastcard.errors import UsageError

PARTS: Final = (
    "_states", "_episode_states", "_known_cards", "_discard_counts", "observations", "action_mask", "rewards",
    "terminated", "truncated", "final_observations",
)  # fmt: skip
"""The whole state of a table, and all its outputs."""
CASES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "all-wild": ({"players": 2, "reward": "rank", "max_steps": 60}, "uint8"),
    "classic": ({"players": 4, "reward": "points", "episode": "match", "max_steps": 60}, "float32"),
    "wild-jackpot": ({"players": 3, "calls": "decisions", "max_steps": 60}, "float32"),
}
STEPS: Final = 90
SEED: Final = 11
SIMULATOR: Final = ("NUMBA_ENABLE_CUDASIM", "NUMBA_DISABLE_JIT")


def run(*arguments: object, switches: tuple[str, ...] = SIMULATOR) -> str:
    """The output of this file as a program."""
    pytest.importorskip("numba_cuda")
    command = [sys.executable, __file__, *map(str, arguments)]
    environment = os.environ | dict.fromkeys(SIMULATOR, "0") | dict.fromkeys(switches, "1")
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def gpu() -> bool:
    """Whether there is a usable GPU."""
    pytest.importorskip("numba_cuda")
    from numba import cuda

    return bool(cuda.is_available())


def compare(rules: str, count: int, steps: int, path: Path) -> None:
    """Replay on the CPU a run on a GPU: everything is equal after every step."""
    terms, dtype = CASES[rules]
    tables, over = Batch(EnvConfig(rules, **terms), count, dtype=dtype, seed=SEED), 0
    tables.reset()
    with np.load(path) as played:
        shown = {name: played[name] for name in played.files}
    assert len(shown["chosen"]) == steps
    for k, chosen in enumerate(shown["chosen"]):
        tables.step(chosen)
        over += int(tables.terminated.sum() + tables.truncated.sum())
        assert (shown["seats"][k] == tables.current_player).all(), (k, "seats")
        for name in PARTS:
            assert shown[name][k].tobytes() == getattr(tables, name).tobytes(), (k, name)
    assert over >= count


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of results: two tables of every case and wrong use, in one process on the simulator."""
    folder = tmp_path_factory.mktemp("simulated")
    run("simulate", folder)
    return folder


@pytest.mark.parametrize("rules", CASES)
def test_a_batch_on_the_simulator_equals_one_on_a_cpu(rules: str, simulated: Path) -> None:
    compare(rules, 2, STEPS, simulated / f"{rules}.npz")


@pytest.mark.parametrize("rules", CASES)
def test_a_batch_on_a_gpu_equals_one_on_a_cpu(rules: str, gpu: bool, tmp_path: Path) -> None:
    if not gpu:
        pytest.skip("there is no GPU here")
    run("play", rules, 1000, 300, tmp_path / "played.npz", switches=())
    compare(rules, 1000, 300, tmp_path / "played.npz")


def test_wrong_use_is_reported_and_changes_nothing(simulated: Path) -> None:
    said = json.loads((simulated / "misuse.json").read_text(encoding="utf-8"))
    assert "int64 of shape (4,), not int32(4,)" in said["type"]
    assert "not int64(3,)" in said["shape"] and "not list" in said["list"]
    assert "action 999 is not legal for seat" in said["number"] and "at table 0; it may do" in said["number"]
    assert "at table 2; it may do" in said["illegal"] and "action -1 is not legal" in said["left"]
    assert "uint8, float32" in said["dtype"] and "from 1 on" in said["count"]
    assert said["nothing"] and said["one"]


def test_a_missing_gpu_is_reported(gpu: bool) -> None:
    assert "NUMBA_DISABLE_JIT=1" in run("make", switches=SIMULATOR[:1])
    assert run("make", switches=()).startswith("there is no GPU") != gpu


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    monkeypatch.delitem(sys.modules, "lastcard.envs.gpu", raising=False)
    with pytest.raises(UsageError, match=r"install lastcard\[gpu\]"):
        import lastcard.envs.gpu  # noqa: F401


# --- the program ----------------------------------------------------------------------------------------


def play(rules: str, count: int, steps: int, path: Path) -> None:
    """Play at random on a GPU, and write everything after every step into a file."""
    from lastcard.envs.gpu import GpuBatch

    terms, dtype = CASES[rules]
    tables = GpuBatch(EnvConfig(rules, **terms), count, dtype=dtype, seed=SEED)
    shown: dict[str, list[Any]] = {name: [] for name in ("chosen", "seats", *PARTS)}
    tables.reset()
    for k in range(steps):
        chosen = tables.sample()
        shown["chosen"].append(chosen.copy_to_host())
        tables.step(chosen if k % 2 else shown["chosen"][-1])  # from the GPU, and from the CPU
        shown["seats"].append(tables.current_player.copy_to_host())
        host = tables.copy_to_host()
        for name in PARTS:
            shown[name].append(np.frombuffer(getattr(host, name).tobytes(), np.uint8))
    stacked: dict[str, Any] = {name: np.stack(values) for name, values in shown.items()}
    np.savez(path, **stacked)


def refusal(use: Callable[[], object]) -> str:
    """The error of a wrong use; empty if it was accepted."""
    try:
        use()
    except UsageError as error:
        return str(error)
    return ""


def misuse() -> dict[str, object]:
    """Wrong use of every kind, its error, and whether it changed anything."""
    from lastcard.envs.gpu import GpuBatch

    count: Any = np.uint8(4)
    tables = GpuBatch(EnvConfig("classic", 2), count, seed=SEED)
    assert type(tables.count) is int
    tables.reset()
    before = [table.tobytes() for table in tables.copy_to_host()._states]
    legal = tables.sample().copy_to_host()
    wrong = tables.copy_to_host().action_mask.argmin(1)
    left = np.array([-1, legal[1], -1, -1])
    uses: dict[str, Callable[[], object]] = {
        "type": lambda: tables.step(np.zeros(4, np.int32)),
        "shape": lambda: tables.step(np.zeros(3, np.int64)),
        "list": lambda: tables.step([0, 0, 0, 0]),
        "number": lambda: tables.step(np.full(4, 999)),
        "illegal": lambda: tables.step(np.array([legal[0], legal[1], wrong[2], wrong[3]])),
        "left": lambda: tables.step(left),
        "dtype": lambda: GpuBatch(EnvConfig("classic", 2), 4, dtype="int8"),
        "count": lambda: GpuBatch(EnvConfig("classic", 2), 0),
    }
    said: dict[str, object] = {name: refusal(use) for name, use in uses.items()}
    said["nothing"] = [table.tobytes() for table in tables.copy_to_host()._states] == before
    tables.step(left, masked=True)  # now it is right, and one table goes on alone
    same = [table.tobytes() == old for table, old in zip(tables.copy_to_host()._states, before, strict=True)]
    said["one"] = same == [True, False, True, True]
    return said


def make() -> str:
    """The error of creating tables."""
    from lastcard.envs.gpu import GpuBatch

    return refusal(lambda: GpuBatch(EnvConfig("classic", 2), 1))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", rules, count, steps, path]:
            play(rules, int(count), int(steps), Path(path))
        case ["simulate", folder]:
            for rules in CASES:
                play(rules, 2, STEPS, Path(folder) / f"{rules}.npz")
            (Path(folder) / "misuse.json").write_text(json.dumps(misuse()), encoding="utf-8")
        case _:
            print(make())
