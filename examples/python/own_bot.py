"""A bot that gets rid of its most valuable card, and its rating."""

from lastcard import Bot, Move, View, run_arena


class Frugal(Bot):
    def choose(self, view: View) -> Move:
        return max(view.legal, key=lambda move: move.card.points if move.card else -1)


if __name__ == "__main__":  # the arena starts worker processes, which import this file
    for name, entry in run_arena("classic", 2, [Frugal, "sharp"], 50, seed=1).entries.items():
        rating = entry.rating.text() if entry.rating else "none"
        print(f"{name} won {entry.wins.value:.0%} of its rounds; rating {rating} Elo points")
