"""Arenas, studies and data sets on a Ray cluster: ``make test-cluster`` installs Ray, which other tests do without."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.arena import ray_cluster
from lastcard.arena.arena import run_arena
from lastcard.arena.journal import read_played
from lastcard.arena.ray_cluster import RayCluster
from lastcard.arena.task_distribution import run_tasks
from lastcard.errors import IllegalMove, UsageError
from lastcard.match.round import Round

pytestmark = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs lastcard[cluster]")

ARENA = ("all-wild", 2, ["expert", "sharp"], 24)
"""Rules, seats, bots and deals; each takes long enough for a node to end while it is played."""


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of two nodes on loopback, with one core each."""
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()


@pytest.fixture
def joined(nodes: Any) -> Iterator[RayCluster]:
    """An executor of this cluster."""
    with RayCluster(nodes.address) as cluster:
        yield cluster


def plain(result: Any) -> dict[str, Any]:
    """What depends only on the seed of an arena."""
    return {name: value for name, value in result.as_dict().items() if name != "times"}


def test_a_node_may_end_in_the_middle_of_an_arena(nodes: Any, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    played = 0

    def end_a_node(verdict: object) -> None:
        nonlocal played
        played += 1
        if played == 4:
            nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)

    with RayCluster(nodes.address) as cluster:
        assert cluster.count_workers() == 2
        result = run_arena(*ARENA, seed=7, workers=2, executor=cluster, resume=file, progress=end_a_node)
    alone = run_arena(*ARENA, seed=7, workers=1)
    assert plain(result) == plain(alone) and result.deals[-1].number == 23
    _, lines = read_played(file, None)
    assert sorted(lines) == list(range(24)) and len(file.read_bytes().splitlines()) == 25


def begin_and_wait(task: tuple[Path, int]) -> int:
    """Note on which node and in which process a task has begun, and wait until it may go on."""
    import ray

    folder, number = task
    (folder / f"{number}-{ray.get_runtime_context().get_node_id()}-{os.getpid()}").touch()
    while not (folder / "go").exists():
        time.sleep(0.05)
    return number


def test_a_task_that_begins_twice_counts_once(nodes: Any, tmp_path: Path) -> None:
    node = next(iter(nodes.worker_nodes))

    def end_node() -> None:
        while not (begun := [*tmp_path.glob(f"*-{node.node_id}-*")]):
            time.sleep(0.05)
        nodes.remove_node(node, allow_graceful=False)
        worker = Path("/proc", begun[0].name.split("-")[-1])
        while worker.exists():  # it ends when it misses its node
            time.sleep(0.05)
        (tmp_path / "go").touch()

    tasks = [(tmp_path, number) for number in range(12)]
    with ThreadPoolExecutor(1) as thread, RayCluster(nodes.address) as cluster:
        ended = thread.submit(end_node)
        assert sorted(run_tasks(begin_and_wait, tasks, 2, executor=cluster)) == list(range(12))
        ended.result()
    assert len([*tmp_path.iterdir()]) == 14, "one task began twice, and there is the file that let them go on"


def change(array: Any) -> Any:
    array["value"][0] = 5
    return array


def play_on(game_round: Round) -> str:
    game_round.do(game_round.turn, game_round.legal(game_round.turn)[0])
    return game_round.position()


def test_workers_change_copies(joined: RayCluster) -> None:
    """Also large arrays, which Ray itself shares among the processes of a machine (2.60)."""
    array = np.zeros(100_000, [("value", np.int64)])
    first, second = (joined.submit(change, array).result() for _ in range(2))
    assert not array["value"].any() and first["value"].sum() == second["value"].sum() == 5
    first["value"][1] = 1
    game_round = Round.deal("classic", 2, seed=1)
    before = game_round.position()
    assert len({joined.submit(play_on, game_round).result() for _ in range(3)} - {before}) == 1
    assert game_round.position() == before


def refuse() -> None:
    Round.deal("classic", 2, seed=1).do(0, "draw")


def test_errors_arrive_whole(joined: RayCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IllegalMove) as refused:
        joined.submit(refuse).result()
    assert type(refused.value) is IllegalMove
    assert (refused.value.code, refused.value.clause) == ("not-your-turn", "CO-3")
    with pytest.raises(UsageError, match="a worker failed: ValueError: invalid literal"):
        list(run_tasks(int, ["1", "one"], 2, executor=joined))
    with pytest.raises(UsageError, match="a worker of the cluster ended"):
        list(run_tasks(os._exit, [3], 1, executor=joined))
    monkeypatch.setattr(ray_cluster, "read_code_key", lambda: "another")
    with pytest.raises(UsageError, match="other code of lastcard"):
        joined.submit(refuse).result()


def listening() -> set[str]:
    """The addresses and ports on which this machine listens, in hex as in ``/proc``."""
    found = set()
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            if state == "0A":
                found.add(local)
    return found


LOOPBACK = ("0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000")


@pytest.mark.skipif(not Path("/proc/net/tcp").is_file(), reason="asks Linux for open ports")
def test_a_local_cluster_listens_on_loopback_only() -> None:
    script = (
        "import sys; from lastcard.arena.ray_cluster import RayCluster\n"
        "with RayCluster('local'): print('up', flush=True); sys.stdin.read()"
    )
    before = listening()
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None and program.stdout.readline() == b"up\n"
        opened = listening() - before
        program.communicate(timeout=60)
    assert len(opened) > 3 and all(address.split(":")[0] in LOOPBACK for address in opened), opened


def run_command(*arguments: str) -> str:
    """The output of a command of lastcard."""
    command = [sys.executable, "-m", "lastcard", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_an_arena_gives_the_same_result_on_a_cluster() -> None:
    arena = ["arena", "--bots", "sharp,casual", "--rounds", "60", "--seed", "3", "--json"]
    alone, spread = (json.loads(run_command(*arena, *more)) for more in ([], ["--cluster", "local"]))
    for result in (alone, spread):
        del result["times"], result["manifest"]
    assert alone == spread


def test_a_study_gives_the_same_answer_on_a_cluster() -> None:
    study = ["study", "lever", "--rounds", "200"]
    assert run_command(*study) == run_command(*study, "--cluster", "local")


def test_a_data_set_has_the_same_bytes_on_a_cluster(tmp_path: Path) -> None:
    for folder, more in (("alone", []), ("spread", ["--cluster", "local"])):
        run_command("dataset", "classic", "--rounds", "300", "--seed", "3", "--out", str(tmp_path / folder), *more)
    alone, spread = (
        {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.parquet")} for name in ("alone", "spread")
    )
    assert alone and alone == spread


def test_a_missing_cluster_is_named() -> None:
    how = [sys.executable, "-m", "lastcard", "arena", "--cluster", "127.0.0.1:1"]
    refused = subprocess.run(how, capture_output=True, text=True)
    assert refused.returncode == 2 and "no Ray cluster answers at 127.0.0.1:1" in refused.stderr
