"""Counterfactual regret minimization on a tiny deck, with the exploitability of the average strategy.

Run: python examples/envs/openspiel_cfr.py [--iterations 10] [--max-steps 4]
"""

from __future__ import annotations

import argparse

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability

import lastcard.envs.openspiel  # noqa: F401 - registers the games

GAME = "python_lastcard_classic(deck=R1 R2 B1 B2 R+2,hand_size=2,max_steps={})"
"""Rounds are truncated after a few moves, without a winner."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--max-steps", type=int, default=4, help="plies after which a round is cut off")
    options = parser.parse_args()
    game = pyspiel.load_game(GAME.format(options.max_steps))
    print(game)
    gap = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    print(f"uniform play: a best response at each seat wins {gap:.4f} more")
    solver = cfr.CFRPlusSolver(game)
    for iteration in range(1, options.iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration % 2 == 0:
            gap = exploitability.nash_conv(game, solver.average_policy())
            print(f"after {iteration:3} iterations: {gap:.4f}")


if __name__ == "__main__":
    main()
