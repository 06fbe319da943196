"""ChaCha8 and the draws made of it, in plain Python from docs/fairness.md: an oracle for rules/chance.py."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

MASK = 0xFFFFFFFF
DEAL, RESHUFFLE, LEVER, RULES, BLIND, DEALER, DECK = 1, 2, 3, 4, 5, 6, 7
_ROUNDS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip


@lru_cache(maxsize=4096)
def block(key: bytes, w12: int, w13: int, w14: int, w15: int, rounds: int = 8) -> tuple[int, ...]:
    """The 16 words of one block. The game uses 8 rounds; other numbers are for checking this code."""
    start = (*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), w12, w13, w14, w15)
    x = list(start)
    for _ in range(rounds // 2):
        for a, b, c, d in _ROUNDS:
            for left, right, into, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[left] = (x[left] + x[right]) & MASK
                mixed = x[into] ^ x[left]
                x[into] = (mixed << turn | mixed >> (32 - turn)) & MASK
    return tuple((a + b) & MASK for a, b in zip(x, start, strict=True))


class Stream:
    """Bounded integers of the stream (purpose, round, index)."""

    def __init__(self, key: bytes, purpose: int, number: int, index: int) -> None:
        self.position = (key, purpose, number, index)
        self.counter = 0
        self.words: list[int] = []

    def below(self, n: int) -> int:
        """The next unbiased integer in ``range(n)``."""
        while True:
            if not self.words:
                key, *rest = self.position
                self.words = list(block(key, self.counter, *rest))[::-1]
                self.counter += 1
            product = self.words.pop() * n
            if product & MASK >= (1 << 32) % n:
                return product >> 32


def draw_card(pool: list[int], stream: Stream) -> int:
    """Take a card of the pool: an index below its length; the last card moves into the gap."""
    i = stream.below(len(pool))
    card = pool[i]
    pool[i] = pool[-1]
    pool.pop()
    return card


def shuffle(cards: Sequence[int], stream: Stream) -> list[int]:
    """All cards in the order in which they are taken."""
    pool = list(cards)
    return [draw_card(pool, stream) for _ in range(len(pool))]
