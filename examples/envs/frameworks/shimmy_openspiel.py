"""Shimmy plays random legal actions in the OpenSpiel game of three seats, as a PettingZoo environment.

    pip install '.[openspiel,shimmy]'
    python examples/envs/frameworks/shimmy_openspiel.py

Shimmy loads the game again with every ``reset``: parameters are kept as ``config``, not in the game's name.
"""

import numpy as np
from shimmy import OpenSpielCompatibilityV0

from lastcard.envs import openspiel  # noqa: F401  (registers the games)

env = OpenSpielCompatibilityV0(game_name="python_lastcard_classic", config={"players": 3, "hand_size": 3})
env.reset(seed=1)
rng, moves = np.random.default_rng(1), 0
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(f"{agent}: {reward:+.1f} after {moves} moves")
        env.step(None)
    else:
        env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        moves += 1
