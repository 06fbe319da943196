"""Self-play: a linear policy teaches itself with REINFORCE, in NumPy alone.

    python examples/envs/self_play.py classic --save policy.npy

Both seats of every table are played by the same policy. It begins by doing anything that is legal, drawing for no
reason included, and loses to play-if-you-can; half a minute later it wins more than half of its games.
"""

import argparse

import numpy as np

from lastcard.envs.tables import Tables, Terms

TABLES, WINDOW = 256, 64
DISCOUNT, RATE = 0.97, 100.0


def choose(weights, tables, rng):
    """An act for every table, drawn by the policy; with the chances of all, and what they follow from."""
    x = tables.rows / tables.features.scale
    logits = np.where(tables.masks, x @ weights, -1e9)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return (chances.cumsum(axis=1) > rng.random((len(x), 1))).argmax(axis=1), chances, x


def win_share(rules, weights, games, rng):
    """How much of its games the policy wins against play-if-you-can, every table one game."""
    tables = Tables(Terms(rules), games, seats=(None, "random"), at_once=False, seed=7)
    tables.begin()
    while not tables.over.all():
        chosen, _, _ = choose(weights, tables, rng)
        chosen[tables.over == 1] = -1  # leaves the table as it is
        tables.step(chosen, partly=True)
    return (tables.rewards[:, 0] > 0).mean()


def learn(weights, tables, rng):
    """Play a while, then make likelier what was done in games that were won."""
    played = []
    for _ in range(WINDOW):
        seats = tables.seats.copy()
        chosen, chances, x = choose(weights, tables, rng)
        tables.step(chosen)
        played.append((seats, chosen, chances, x, (tables.ended | tables.cut) == 1, tables.rewards.copy()))
    every = np.arange(TABLES)
    gains = np.zeros_like(tables.rewards)  # of every seat; nothing where the game goes on after the window
    gradient = np.zeros_like(weights)
    for seats, chosen, chances, x, over, rewards in reversed(played):
        gains = np.where(over[:, None], rewards, gains * DISCOUNT)
        chances[every, chosen] -= 1
        gradient -= x.T @ (chances * gains[every, seats, None])
    weights += RATE * gradient / (WINDOW * TABLES)


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="?", default="classic", help="a ruleset (default classic)")
    parser.add_argument("--steps", type=int, default=4000, help="acts at each of 256 tables (default 4000)")
    parser.add_argument("--games", type=int, default=1000, help="to see what it wins, before and after (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default 1)")
    parser.add_argument("--save", help="a file for the weights")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    tables = Tables(Terms(args.rules), TABLES, seed=args.seed)
    tables.begin()
    weights = np.zeros((tables.features.size, len(tables.actions)), np.float32)
    print(f"before: wins {win_share(args.rules, weights, args.games, rng):.1%} of {args.games} games", flush=True)
    for _ in range(args.steps // WINDOW):
        learn(weights, tables, rng)
    print(f"after {args.steps} steps: {win_share(args.rules, weights, args.games, rng):.1%}")
    if args.save:
        np.save(args.save, weights)


if __name__ == "__main__":
    main()
