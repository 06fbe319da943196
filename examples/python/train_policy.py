"""Train a small policy, weights for three features of a card, by trial and error against random moves."""

import numpy as np

from lastcard import Bot, Move, View, simulate


class Weighted(Bot):
    weights = np.zeros(3)

    def choose(self, view: View) -> Move:
        plays = [move for move in view.legal if move.card]
        features = np.array([(card.is_wild, card.is_action, card.points) for move in plays if (card := move.card)])
        return plays[int(np.argmax(features @ self.weights))] if plays else view.legal[0]


best, rng = 0, np.random.default_rng(1)
for _ in range(8):
    before, Weighted.weights = Weighted.weights, Weighted.weights + rng.normal(size=3)
    wins = simulate("classic", players=2, rounds=30, bots=[Weighted, "random"], seed=1).wins[0]
    best, Weighted.weights = max(best, wins), Weighted.weights if wins > best else before
print(f"It won {best} of 30 rounds with the weights {Weighted.weights.round(2)}.")
