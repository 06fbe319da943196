"""Measures scripted models that play like *sharp* and *random*, by ``lastcard eval`` and both environments for models.

    python benchmarks/models.py eval [--rounds 200] [--bot sharp]  with the base install
    python benchmarks/models.py verifiers                                   where lastcard[verifiers] is installed
    python benchmarks/models.py openenv                                     where lastcard[openenv] is installed

A model is a server on loopback whose answers are the moves of a bot. It plays classic with two seats, *sharp* against
*casual* and *random* against *sharp*. Its share of rounds is compared with that of the bot itself in the arena.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "agents"))
from lastcard.arena.arena import run_arena
from lastcard.arena.confidence_sequences import BettingSequence
from support.model_servers import play_like, serve_model

PAIRS: Final = (("sharp", "casual"), ("random", "sharp"))
RULES: Final = "classic"
ARENA_DEALS: Final = 4000
CONFIDENCE: Final = 0.95


def play_eval(url: str, opponent: str, rounds: int) -> list[float]:
    """Returns the parts of rounds that a model won by ``lastcard eval``."""
    from lastcard.agents.benchmark.eval_agents import open_agent
    from lastcard.agents.benchmark.eval_rounds import play_deal
    from lastcard.agents.benchmark.eval_run import make_folder
    from lastcard.agents.benchmark.eval_suite import Cell

    with tempfile.TemporaryDirectory() as name, open_agent(f"openai:{url}#scripted", Path(name)) as agent:
        make_folder(Path(name))
        cell = Cell(RULES, 2, opponent)
        deals = [play_deal(agent, cell, deal, Path(name)) for deal in range(rounds // 2)]
    return [played.won for deal in deals for played in deal]


def play_verifiers(url: str, opponent: str, rounds: int) -> list[float]:
    """Returns the same by verifiers."""
    import verifiers.v1 as vf
    from verifiers.v1.utils.loaders import load_environment

    from lastcard.agents.verifiers_env import LastcardEnvConfig

    taskset = {"id": "lastcard-env", "bots": ["", opponent], "seed": "models"}
    env = load_environment(LastcardEnvConfig.model_validate({"taskset": taskset}))
    context = vf.ModelContext(model="m", client=vf.EvalClientConfig(base_url=url, api_key_var="LASTCARD_API_KEY"))

    async def run() -> list[float]:
        async with env.serving():
            episodes = [await env.run_slot(env.slots(task)[0], context) for task in env.taskset.take(rounds)]
        return [trace.rewards["won"].score for episode in episodes for trace in episode.traces]

    return asyncio.run(run())


def play_openenv(url: str, opponent: str, rounds: int) -> list[float]:
    """Returns the same by an OpenEnv server and its client."""
    import uvicorn

    from lastcard.agents.benchmark.model_client import ModelClient
    from lastcard.agents.openenv_server import LastcardAction, LastcardClient, create_app

    server, model, won = uvicorn.Server(uvicorn.Config(create_app(), log_level="warning")), ModelClient(url, "m"), []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        with LastcardClient(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}").sync() as client:
            for number in range(rounds):
                bots = ["", opponent] if number % 2 == 0 else [opponent, ""]
                result = client.reset(seed=number // 2, rules=RULES, bots=bots)
                while not result.done:
                    answer = model.ask([{"role": "user", "content": result.observation.prompt}])
                    result = client.step(LastcardAction(text=answer.text))
                won.append(result.observation.rewards[number % 2])
        server.should_exit = True
        thread.join()
    return won


ADAPTERS: Final[dict[str, Callable[[str, str, int], list[float]]]] = {
    "eval": play_eval,
    "verifiers": play_verifiers,
    "openenv": play_openenv,
}


def main() -> None:
    """Measure both models, and print a row of a table for each."""
    parser = argparse.ArgumentParser(
        description="Strengths of scripted models, beside those of the bots they play like."
    )
    parser.add_argument("adapter", choices=ADAPTERS)
    parser.add_argument("--rounds", type=int, default=200, help="rounds of each model (default %(default)s)")
    parser.add_argument("--bot", choices=[bot for bot, _ in PAIRS], help="one model only")
    args = parser.parse_args()
    for bot, opponent in PAIRS:
        if args.bot not in (None, bot):
            continue
        with play_like(bot) as script, serve_model(script) as server:
            won = ADAPTERS[args.adapter](server.url, opponent, args.rounds)
        sequence = BettingSequence(CONFIDENCE)
        for part in won:
            sequence.add(part)
        low, high = sequence.interval()
        known = run_arena(RULES, 2, [bot, opponent], ARENA_DEALS, seed=1, workers=1).entries[bot].wins
        agrees = "yes" if known.high >= low and known.low <= high else "no"
        shares = [f"{100 * one:.1f} % ({100 * a:.1f} to {100 * b:.1f})" for one, a, b in
                  ((sum(won) / len(won), low, high), (known.value, known.low, known.high))]  # fmt: skip
        print(f"| {args.adapter} | {bot} | {opponent} | {len(won)} | {shares[0]} | {shares[1]} | {agrees} |")


if __name__ == "__main__":
    main()
