"""Train a small policy, weights for three features of a card, by trial and error against random moves."""

import numpy as np

from lastcard import Bot, Move, View, simulate


class Weighted(Bot):
    weights = np.zeros(3)

    def choose(self, view: View) -> Move:
        plays = [move for move in view.legal if move.card is not None]
        moves = plays or view.legal
        cards = np.array([move.card or 0 for move in moves])
        return moves[int(np.argmax(self.weights @ [cards >= 64, cards % 16 > 9, cards % 16]))]


best, rng = 0, np.random.default_rng(1)
for _ in range(8):
    before, Weighted.weights = Weighted.weights, Weighted.weights + rng.normal(size=3)
    wins = simulate("classic", players=2, rounds=30, bots=[Weighted, "random"], seed=1).wins[0]
    best, Weighted.weights = max(best, wins), Weighted.weights if wins > best else before
print(f"It won {best} of 30 rounds with the weights {Weighted.weights.round(2)}.")
