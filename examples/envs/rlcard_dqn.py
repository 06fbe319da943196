"""RLCard's DQN learns classic in lastcard's environment, against RLCard's random agent.

    pip install '.[envs,learn]'
    python examples/envs/rlcard_dqn.py --episodes 8000

In five minutes on one core its win rate rises from 50 % to more than 60 %. ``classic`` has its exact rules except one:
players draw only if they cannot lay a card. Otherwise the random agent would draw at every fourth move, its
games would last for a thousand moves, and any policy that lays matching cards would beat it.
"""

import argparse
import contextlib
import io
import random
import sys
import warnings

import numpy as np

from lastcard.envs import rlcard

warnings.simplefilter("ignore", DeprecationWarning)  # RLCard's agents import distutils
try:
    import torch
    from rlcard.agents import DQNAgent, RandomAgent
    from rlcard.utils import reorganize
except ImportError:
    print("This example trains with PyTorch: pip install '.[envs,learn]'")
    sys.exit(0)

RULES = "classic+voluntary_draw=only_if_no_playable"


def win_share(env, games):
    """Returns the win rate of the agent at the first seat in percent."""
    return 100 * sum(env.run(is_training=False)[1][0] > 0 for _ in range(games)) / games


def train(env, agent, episodes):
    """Train the agent at the first seat on its games."""
    with contextlib.redirect_stdout(io.StringIO()):  # it prints every step
        for _ in range(episodes):
            trajectories, payoffs = env.run(is_training=True)
            for transition in reorganize(trajectories, payoffs)[0]:
                agent.feed(transition)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=200, help="games to learn from (default 200, a first look)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default 1)")
    args = parser.parse_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # such small networks gain nothing from more
    env, trial = rlcard.make(RULES, seed=args.seed), rlcard.make(RULES, seed=args.seed + 1)
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[64, 64],
        replay_memory_size=150_000,
        replay_memory_init_size=1000,
        train_every=16,
        batch_size=256,
        learning_rate=0.0005,
        epsilon_decay_steps=30_000,
        update_target_estimator_every=200,
        device=torch.device("cpu"),
    )
    for table in (env, trial):
        table.set_agents([agent, RandomAgent(env.num_actions)])
    games = min(1000, args.episodes)
    print(f"before: {win_share(trial, games):.1f} % of {games} games won against random", flush=True)
    train(env, agent, args.episodes)
    print(f"after {args.episodes} games: {win_share(trial, games):.1f} %")


if __name__ == "__main__":
    main()
