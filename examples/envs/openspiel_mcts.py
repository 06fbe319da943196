"""OpenSpiel's tree searches in lastcard, against a random player and lastcard's heuristics.

Run: python examples/envs/openspiel_mcts.py [--rounds 6] [--simulations 50]
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import lastcard.envs.openspiel  # noqa: F401 - registers the games
from lastcard.bots.registry import make_bot
from lastcard.envs.openspiel.policies import OpenSpielBot

DECK = " ".join(f"{color}{face}*2" for color in "RYGB" for face in "123") + " R+2 Y+2 Gs Bs W*3"
"""A short deck, so that rounds are short enough for a search in plain Python."""


def play(game: pyspiel.Game, bots: list[pyspiel.Bot], rng: random.Random) -> list[float]:
    """Play a round; returns the return of each seat."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            events, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(events, shares)[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6, help="of each pair, half of them at each seat")
    parser.add_argument("--simulations", type=int, default=50, help="for each decision")
    options = parser.parse_args()
    game = pyspiel.load_game("python_lastcard_classic", {"deck": DECK, "hand_size": 4, "max_steps": 60})
    dice = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, dice)
    searchers = {
        "ISMCTS": ismcts.ISMCTSBot(game, evaluator, 1.4, options.simulations, random_state=dice),
        "MCTS, which sees all cards,": mcts.MCTSBot(game, 1.4, options.simulations, evaluator, random_state=dice),
    }
    for searcher, bot in searchers.items():
        for opponent in ("random", "sharp"):
            began, won, rng = time.perf_counter(), 0.0, random.Random(2)
            for number in range(options.rounds):
                seat = number % 2
                bots = [bot, bot]
                bots[1 - seat] = OpenSpielBot(make_bot(opponent, b"", 1 - seat))
                won += play(game, bots, rng)[seat]
            seconds = time.perf_counter() - began
            print(f"{searcher} against {opponent}: {won:+.0f} in {options.rounds} rounds, {seconds:.1f} s")


if __name__ == "__main__":
    main()
