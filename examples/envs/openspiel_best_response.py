"""Exploitability of bots on a reduced deck, where a best response can be computed by a traversal of the game tree.

Run: python examples/envs/openspiel_best_response.py [--bots random,sharp,trained]
"""

from __future__ import annotations

import argparse
import time

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import lastcard.envs.openspiel  # noqa: F401 - registers the games
from lastcard.bots.registry import make_bots
from lastcard.envs.openspiel.policies import BotPolicy

GAMES = (
    "python_lastcard_classic(deck=R1 R2 B1 B2 W,hand_size=2,max_steps={})",
    "python_lastcard_all_wild(deck=W*3 Ws W+2 Wx,hand_size=2,max_steps={})",
)
"""Rounds are truncated after a few moves, without a winner."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", default="random,sharp,trained", help="kinds or levels, as for lastcard arena")
    parser.add_argument("--max-steps", type=int, default=5, help="plies after which a round is cut off")
    options = parser.parse_args()
    for name in (game.format(options.max_steps) for game in GAMES):
        game = pyspiel.load_game(name)
        print(f"{name}\n  {'bot':10} exploitability")
        policies = {bot: BotPolicy(game, make_bots([bot] * 2, b"")) for bot in options.bots.split(",")}
        for bot, played in ({"uniform": policy.UniformRandomPolicy(game)} | policies).items():
            began = time.perf_counter()
            gap = exploitability.nash_conv(game, played) / 2
            print(f"  {bot:10} {gap:.4f}   ({time.perf_counter() - began:.1f} s)")


if __name__ == "__main__":
    main()
