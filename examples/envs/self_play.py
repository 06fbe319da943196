"""Self-play: a linear policy trained by REINFORCE, in NumPy only.

    python examples/envs/self_play.py classic --save policy.npy

The same policy plays both seats of every table. It starts with random legal actions, voluntary draws
included, and loses to play-if-you-can; half a minute later it wins more than half of its games.
"""

import argparse

import numpy as np

from lastcard.envs.batch import Batch, EnvConfig

BATCH_SIZE, WINDOW = 256, 64
DISCOUNT, RATE = 0.97, 100.0


def choose(weights, batch, rng):
    """Sample an action for every table; returns them with all probabilities, and the features."""
    x = batch.observations / batch.features.scale
    logits = np.where(batch.action_mask, x @ weights, -1e9)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return (chances.cumsum(axis=1) > rng.random((len(x), 1))).argmax(axis=1), chances, x


def win_share(rules, weights, games, rng):
    """Returns the win rate of the policy against play-if-you-can, with one game at every table."""
    batch = Batch(EnvConfig(rules), games, seats=(None, "random"), autoreset=False, seed=7)
    batch.reset()
    while not batch.is_done.all():
        chosen, _, _ = choose(weights, batch, rng)
        chosen[batch.is_done == 1] = -1  # does not change the table
        batch.step(chosen, masked=True)
    return (batch.rewards[:, 0] > 0).mean()


def learn(weights, batch, rng):
    """Play for a while, then reinforce the actions of won games."""
    played = []
    for _ in range(WINDOW):
        seats = batch.current_player.copy()
        chosen, chances, x = choose(weights, batch, rng)
        batch.step(chosen)
        played.append((seats, chosen, chances, x, (batch.terminated | batch.truncated) == 1, batch.rewards.copy()))
    every = np.arange(BATCH_SIZE)
    gains = np.zeros_like(batch.rewards)  # by seat; 0 if the game continues after the window
    gradient = np.zeros_like(weights)
    for seats, chosen, chances, x, over, rewards in reversed(played):
        gains = np.where(over[:, None], rewards, gains * DISCOUNT)
        chances[every, chosen] -= 1
        gradient -= x.T @ (chances * gains[every, seats, None])
    weights += RATE * gradient / (WINDOW * BATCH_SIZE)


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="?", default="classic", help="a ruleset (default classic)")
    parser.add_argument("--steps", type=int, default=4000, help="moves at each of 256 tables (default 4000)")
    parser.add_argument("--games", type=int, default=1000, help="to see what it wins, before and after (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default 1)")
    parser.add_argument("--save", help="a file for the weights")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    batch = Batch(EnvConfig(args.rules), BATCH_SIZE, seed=args.seed)
    batch.reset()
    weights = np.zeros((batch.features.size, len(batch.action_space)), np.float32)
    print(f"before: wins {win_share(args.rules, weights, args.games, rng):.1%} of {args.games} games", flush=True)
    for _ in range(args.steps // WINDOW):
        learn(weights, batch, rng)
    print(f"after {args.steps} steps: {win_share(args.rules, weights, args.games, rng):.1%}")
    if args.save:
        np.save(args.save, weights)


if __name__ == "__main__":
    main()
