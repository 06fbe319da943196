"""Dice for bots: the small generator of ``engine.chance`` (sfc32), rolled in plain Python.

A bot's chance is a function of its own seed and of what it sees, nothing else. So the same view gets
the same move, and a match that was saved goes on as if it had never stopped.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lastcard.play.view import View

_MASK: Final = 0xFFFFFFFF
_WARM_UP: Final = 12


class Dice:
    """sfc32, as ``engine.chance.roll``.

    Args:
        seed: any bytes.
    """

    __slots__ = ("_a", "_b", "_c", "_counter")

    def __init__(self, seed: bytes) -> None:
        digest = hashlib.blake2b(seed, digest_size=12).digest()
        self._a, self._b, self._c = (int.from_bytes(digest[i : i + 4], "little") for i in (0, 4, 8))
        self._counter = 1
        for _ in range(_WARM_UP):
            self._roll()

    def _roll(self) -> int:
        word = (self._a + self._b + self._counter) & _MASK
        self._counter = (self._counter + 1) & _MASK
        self._a = self._b ^ (self._b >> 9)
        self._b = (self._c + (self._c << 3)) & _MASK
        self._c = ((((self._c << 21) | (self._c >> 11)) & _MASK) + word) & _MASK
        return word

    def below(self, n: int) -> int:
        """An integer in ``range(n)``, unbiased; n from 1 to 2**32."""
        product = self._roll() * n
        if product & _MASK < n:
            threshold = (_MASK + 1) % n
            while product & _MASK < threshold:
                product = self._roll() * n
        return product >> 32

    def chance(self, percent: int) -> bool:
        """True so many times in a hundred."""
        return percent >= 100 or (percent > 0 and self.below(100) < percent)


def view_dice(seed: bytes, view: View) -> Dice:
    """The dice with which a bot decides on a view.

    Args:
        seed: the bot's own.
        view: what it sees.
    """
    seen = (
        view.seat,
        view.decision,
        view.turn,
        view.direction,
        view.top,
        view.color,
        view.hand,
        view.counts,
        view.draw_count,
        len(view.discard),
        view.pending,
        sorted(view.exposed),
        view.drawn,
        view.rule,
        len(view.legal),
    )
    return Dice(seed + repr(seen).encode())
