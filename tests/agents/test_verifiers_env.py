"""Rounds as verifiers plays them, with a scripted model on loopback.

Needs the extra ``verifiers``: ``make test-extras EXTRAS=verifiers``.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers", reason="the extra verifiers is tested in an environment of its own")

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import load_environment

from lastcard.agents.verifiers_env import LastcardEnvConfig
from lastcard.errors import UsageError
from support.adapter_runs import OPPONENT, RULES, play_known
from support.model_servers import play_like, serve_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "agents" / "lastcard_env.py"


@pytest.fixture(autouse=True)
def importable_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLE.parent)


def run_episodes(url: str, rounds: int, roles: dict[str, Any] | None = None, **taskset: Any) -> list[Any]:
    """The episodes of the first rounds of a task set."""
    settings = {"taskset": {"id": "lastcard-env", "rules": RULES, **taskset}, **(roles or {})}
    config = LastcardEnvConfig.model_validate(settings)
    env = load_environment(config)
    context = vf.ModelContext(model="m", client=vf.EvalClientConfig(base_url=url, api_key_var="LASTCARD_API_KEY"))

    async def run() -> list[Any]:
        async with env.serving():
            return [await env.run_slot(env.slots(task)[0], context) for task in env.taskset.take(rounds)]

    return asyncio.run(run())


@pytest.mark.parametrize("bot", ["sharp", "random"])
@pytest.mark.parametrize("bots", [("", OPPONENT), ("", OPPONENT, "")])
def test_rewards_are_those_of_the_bot_that_the_model_plays_like(bot: str, bots: tuple[str, ...]) -> None:
    with play_like(bot) as script, serve_model(script) as server:
        episodes = run_episodes(server.url, 2 * len(bots), bots=bots)
    for episode in episodes:
        data = episode.task.data
        known = play_known(bot, data.bots, data.seed)
        assert episode.ok, episode.errors
        traces = {int(trace.agent.name[-1]): trace for trace in episode.traces}
        assert set(traces) == {seat for seat, name in enumerate(data.bots) if not name}
        for seat, trace in traces.items():
            assert trace.rewards["won"].score == known.rewards()[seat]
            assert -2 < trace.metrics["adjusted"] < 3 and trace.metrics["illegal"] == 0
    assert len({episode.task.data.seed for episode in episodes}) == 2
    assert len({episode.task.data.bots for episode in episodes}) == len(bots)


def test_bad_answers_are_explained_and_the_result_without_luck_is_the_reward() -> None:
    with serve_model(lambda messages: "B1") as server:
        (episode,) = run_episodes(server.url, 1, bots=("", OPPONENT), adjusts=True)
    (trace,) = episode.traces
    assert trace.metrics["illegal"] == 3 * trace.metrics["fallbacks"] > 0
    assert set(trace.rewards) == {"adjusted"} and trace.metrics["won"] in (0, 1)
    assert any("Not possible" in message["content"] for message in server.requests[1]["messages"])
    assert "rules" in server.requests[0]["messages"][0]["content"]


def test_a_round_that_a_model_leaves_is_not_won() -> None:
    with serve_model(lambda messages: "1") as server:
        (episode,) = run_episodes(server.url, 1, {"seat0": {"max_turns": 1}}, bots=("", OPPONENT))
    assert episode.traces[0].rewards["won"].score == 0


@pytest.mark.parametrize("bots", [("sharp", "sharp"), ("",) * 5])
def test_tables_without_a_role_for_a_model_are_refused(bots: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="an empty text"):
        run_episodes("http://127.0.0.1:1", 1, bots=bots)


def test_the_example_is_short_and_runs() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40
    with serve_model(lambda messages: '{"move": 1}') as server:
        command = [sys.executable, str(EXAMPLE), server.url, "m"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ}, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("without luck") == 6
