"""Plays rounds on an OpenEnv server: two seats of a model, which answers both, and one of a bot.

pip install '.[openenv]'
uvicorn --factory lastcard.agents.openenv_server:create_app --port 8000
python openenv_rounds.py http://127.0.0.1:8000 http://127.0.0.1:9000/v1 my-model
"""

import sys

from lastcard.agents.benchmark.model_client import ModelClient
from lastcard.agents.openenv_server import LastcardAction, LastcardClient


def main(server: str, url: str, model: str, rounds: int = 3) -> None:
    """Play rounds with seeds from 0, and print the rewards of every seat."""
    client = ModelClient(url, model)
    with LastcardClient(base_url=server).sync() as env:
        for seed in range(rounds):
            result = env.reset(seed=seed, rules="all-wild", bots=["", "sharp", ""])
            system = {"role": "system", "content": result.observation.system}
            while not result.done:
                seen = result.observation
                prompt = f"{seen.refused}\n\n{seen.prompt}".lstrip()
                answer = client.ask([system, {"role": "user", "content": prompt}]).text
                result = env.step(LastcardAction(text=answer))
            seen = result.observation
            print(f"seed {seed}: won {seen.rewards}, without luck {[round(each, 2) for each in seen.adjusted]}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
