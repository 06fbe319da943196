"""A linear policy as a bot, evaluated in the arena against *random* and *sharp*.

    python examples/envs/self_play.py --save policy.npy
    python examples/envs/evaluate_in_arena.py --policy policy.npy

Without a policy it evaluates three heuristics, written as weights. Every deal is played in all seatings.
"""

import argparse
from pathlib import Path

import numpy as np

from lastcard.arena.arena import run_arena
from lastcard.bots.base import SeededBot
from lastcard.bots.registry import BOTS
from lastcard.envs.features import features
from lastcard.game.cards import card_color
from lastcard.game.rulesets import MAX_PLAYERS

RULES, PLAYERS = "classic", 2
LAYOUT = features(RULES, PLAYERS)


class FeatureBot(SeededBot):
    """Plays the best move of a linear policy. ``SeededBot`` makes its UNO calls and catches."""

    name = "policy"
    weights = np.zeros((LAYOUT.size, len(LAYOUT.action_space)), np.float32)

    def pick(self, view, moves, dice):
        """Returns one of the moves of this turn; ``view`` is all that a seat may know."""
        scores = LAYOUT.observe(view) / LAYOUT.scale @ self.weights
        return max(moves, key=lambda move: scores[LAYOUT.action_space.encode(move, view.seat, view.players)])


def write_heuristic(weights):
    """Write weights that lay expensive cards first, save wilds, name the most frequent color, and avoid draws."""
    hand, decision = LAYOUT.fields["hand"].start, LAYOUT.fields["decision"]
    for number in range(len(LAYOUT.action_space)):
        move = LAYOUT.action_space.decode(number, 0, MAX_PLAYERS)
        if move is None or move.verb in ("draw", "pass", "challenge"):
            weights[decision, number] = -100
        elif move.verb == "play":
            weights[decision, number] = -50 if move.card.is_wild else move.card.points
        if move is not None and move.color is not None:
            weights[[hand + i for i, card in enumerate(LAYOUT.cards) if card_color(card) == move.color], number] = 1


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", type=Path, help="weights that self_play.py has saved")
    parser.add_argument("--deals", type=int, default=300, help="for each opponent, played twice (default 300)")
    args = parser.parse_args()
    if args.policy is None:
        write_heuristic(FeatureBot.weights)
    else:  # trained with automatic UNO calls; calls and catches come after all other actions
        learned = np.load(args.policy)
        FeatureBot.weights[:, : learned.shape[1]] = learned
    BOTS[FeatureBot.name] = FeatureBot
    for foe in ("random", "sharp"):
        result = run_arena(RULES, PLAYERS, (FeatureBot.name, foe), args.deals, seed=1, workers=1)
        won = result.entries[FeatureBot.name].wins
        interval = "" if won.low is None else f" ({won.low:.1%} to {won.high:.1%})"
        print(f"against {foe}: {won.value:.1%} of {2 * args.deals} rounds won{interval}")


if __name__ == "__main__":
    main()
