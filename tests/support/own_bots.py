"""Bots as a user would write them; worker processes import them from here."""

from __future__ import annotations

from random import Random

from lastcard import Bot, Move, View


class Hasty(Bot):
    """Plays the first legal move that is no call, which would end no turn."""

    def choose(self, view: View) -> Move:
        return next(move for move in view.legal if move.verb != "uno")


class Dicer(Bot):
    """Plays a random legal move that is no call; remembers its moves, which no other deal must see."""

    def __init__(self, seed: bytes = b"") -> None:
        self.dice = Random(seed)
        self.moves = 0

    def choose(self, view: View) -> Move:
        self.moves += 1
        moves = [move for move in view.legal if move.verb != "uno"]
        return self.dice.choice(moves) if self.moves % 2 else moves[-1]


class Broken(Bot):
    """Fails at once."""

    def choose(self, view: View) -> Move:
        raise ZeroDivisionError("no idea")


class Named(Hasty):
    """Has a name of its own."""

    name = "hurry"


class Absent(Bot):
    """Lacks ``choose``."""


class Silent(Bot):
    """Chooses no move."""

    def choose(self, view: View) -> Move:
        return None  # type: ignore[return-value]


class Wrong(Hasty):
    """Chooses a move that is not legal."""

    def choose(self, view: View) -> Move:
        return Move("done")


class Mute:
    """Lacks ``react``."""

    def choose(self, view: View) -> Move:
        return view.legal[0]
