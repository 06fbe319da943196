"""Play 1,000 rounds and draw how long they are."""

import numpy as np

from lastcard import simulate

rounds = simulate("classic", players=4, rounds=1000, bots=["heuristic", "random"], seed=1)
counts, lengths = np.histogram(rounds.plies, bins=10)
for count, length in zip(counts, lengths, strict=False):
    print(f"from {length:5.1f} moves {'#' * int(60 * count / counts.max())} {count}")
print("won by seat:", *rounds.wins)
