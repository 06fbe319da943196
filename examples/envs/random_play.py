"""Random play in the PettingZoo environment: prints win rates by seat, and the speed.

    python examples/envs/random_play.py classic --players 4 --episodes 200

Needs lastcard[envs].
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from lastcard.envs import pettingzoo


def play(env, rng: np.random.Generator) -> tuple[dict[str, float], int]:
    """Play one episode; returns the reward of each agent, and the number of moves."""
    given = dict.fromkeys(env.agents, 0.0)
    moves = 0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        given[agent] += reward
        if terminated or truncated:
            env.step(None)  # required for a terminated agent
            continue
        legal = seen["action_mask"].nonzero()[0]
        env.step(legal[int(rng.random() * len(legal))])
        moves += 1
    return given, moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="?", default="classic", help="a ruleset, such as classic+stacking=same")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    env = pettingzoo.env(asked.rules, asked.players)
    rng = np.random.default_rng(asked.seed)
    wins, moves = dict.fromkeys(env.possible_agents, 0), 0
    start = time.perf_counter()
    for episode in range(asked.episodes):
        env.reset(seed=asked.seed if episode == 0 else None)  # one seed for all episodes
        given, count = play(env, rng)
        moves += count
        for agent, reward in given.items():
            wins[agent] += reward > 0
    seconds = time.perf_counter() - start

    print(f"{asked.episodes} rounds of {asked.rules}, {moves} moves, {moves / seconds:,.0f} a second")
    for agent, won in wins.items():
        print(f"{agent}  {won / asked.episodes:6.1%}")


if __name__ == "__main__":
    main()
