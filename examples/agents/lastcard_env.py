"""Lets a model play by verifiers: its task set, environment and harness, under a name that ``eval lastcard-env`` finds.

    pip install '.[verifiers]'
    python lastcard_env.py http://127.0.0.1:8000/v1 my-model

Two seats are the model's and one is a bot's. Each trace has the reward of one seat.
"""

import asyncio
import sys

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import load_environment

from lastcard.agents.verifiers_env import LastcardEnv, LastcardEnvConfig, LastcardHarness, LastcardTaskset

__all__ = ["LastcardEnv", "LastcardHarness", "LastcardTaskset"]


async def main(url: str, model: str, rounds: int = 3) -> None:
    """Play rounds, and print the rewards of every seat of the model."""
    taskset = {"id": "lastcard-env", "rules": "all-wild", "bots": ["", "sharp", ""], "seed": "porch"}
    env = load_environment(LastcardEnvConfig.model_validate({"taskset": taskset}))
    context = vf.ModelContext(model=model, client=vf.EvalClientConfig(base_url=url, api_key_var="LASTCARD_API_KEY"))
    async with env.serving():
        for task in env.taskset.take(rounds):
            episode = await env.run_slot(*env.slots(task), context)
            for trace in sorted(episode.traces, key=lambda trace: trace.agent.name):
                won, adjusted = trace.rewards["won"].score, trace.metrics["adjusted"]
                print(f"{task.data.name}, {trace.agent.name}: won {won:.0f}, without luck {adjusted:.2f}")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
