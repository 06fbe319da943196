"""sb3-contrib's MaskablePPO learns classic against *sharp*, and is evaluated with masks.

pip install '.[sb3]'
python examples/envs/frameworks/sb3_maskable_ppo.py --steps 200000
"""

import argparse

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from lastcard import envs
from lastcard.envs.sb3 import TablesVecEnv

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=4096)
tables = VecMonitor(TablesVecEnv(envs.vector("classic", players=2, n=64, bots=("sharp",), seed=1)))
model = MaskablePPO("MlpPolicy", tables, n_steps=64, batch_size=1024, n_epochs=4, seed=1, device="cpu")
model.learn(parser.parse_args().steps)
mean, deviation = evaluate_policy(model, tables, n_eval_episodes=100)
print(f"reward of a round, from -1 to 1: {mean:.2f}, standard deviation {deviation:.2f}")
