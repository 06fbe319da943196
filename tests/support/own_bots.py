"""Bots as a user would write them; worker processes import them from here."""

from __future__ import annotations

from random import Random

from lastcard import Bot, Move, View


class Hasty(Bot):
    """Plays the first legal move."""

    def choose(self, view: View) -> Move:
        return view.legal[0]


class Dicer(Bot):
    """Plays a random legal move; remembers its moves, which no other deal must see."""

    def __init__(self, seed: bytes = b"") -> None:
        self.dice = Random(seed)
        self.moves = 0

    def choose(self, view: View) -> Move:
        self.moves += 1
        return self.dice.choice(view.legal) if self.moves % 2 else view.legal[-1]


class Broken(Bot):
    """Fails at once."""

    def choose(self, view: View) -> Move:
        raise ZeroDivisionError("no idea")


class Mute:
    """Lacks ``react``."""

    def choose(self, view: View) -> Move:
        return view.legal[0]
