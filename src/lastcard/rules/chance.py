"""All randomness of the game: ChaCha8 streams from one 32-byte seed.

The key of the cipher is the seed. The four words of its counter and nonce are

    (block counter, purpose, round number, index)

so every purpose below has streams of its own, which are independent: the k-th card of a deal depends
only on seed, round and k, not on the players, the lever or the rule cards. Words of a block are taken
in order and mapped to unbiased bounded integers by Lemire's method.

``Dice`` (four int64) is a separate small generator, sfc32, for policies and rollouts.

Sources: D. J. Bernstein, "ChaCha, a variant of Salsa20" (2008), 8 rounds; D. Lemire, "Fast Random
Integer Generation in an Interval" (2019); C. Doty-Humphrey, PractRand (sfc32).
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lastcard.kernel import blocks
from lastcard.kernel.jit import export, inlined, kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import forced_chance, layout
from lastcard.rules.round_state import RoundState

# Purposes of a stream.
DEAL: Final = 1
RESHUFFLE: Final = 2
LEVER: Final = 3
RULES: Final = 4
BLIND: Final = 5
DEALER: Final = 6
DECK: Final = 7

_MASK: Final = 0xFFFFFFFF
_WARM_UP: Final = 8


def seed_words(seed: bytes) -> NDArray[np.int64]:
    """Returns the key of a seed's streams: eight little-endian 32-bit words as int64."""
    return np.frombuffer(seed, "<u4").astype(np.int64)


@kernel
def open_stream(t: RoundState, purpose: int, index: int) -> None:
    """Set the draw stream of a state to the start of (purpose, round, index)."""
    t.purpose = purpose
    t.index = index
    t.counter = 0
    t.word = layout.BLOCK_WORDS


@kernel
def refill(t: RoundState) -> None:
    """Compute the next words of the draw stream; one word, for the next card, if chance is forced."""
    if t.forced_outcomes > 0:
        forced = forced_chance.next_forced(t, forced_chance.OF_PILE, layout.NOTHING)
        if forced != layout.NOTHING:
            t.word = layout.BLOCK_WORDS - 1
            t.block[t.word] = forced_chance.word_for(forced, t.pile_n)
            return
    blocks.fill_blocks(t.key, t.counter, t.purpose, t.number, t.index, t.block)
    t.counter += blocks.BLOCKS
    t.word = 0


@inlined
def _next_word(t: RoundState) -> int:
    if t.word == layout.BLOCK_WORDS:
        refill(t)
    at = t.word & (layout.BLOCK_WORDS - 1)  # & shows the compiler that the index is not negative
    t.word = at + 1
    return int(t.block[at])


@kernel
def _unbiased(t: RoundState, n: int, product: int) -> int:
    """``next_below`` for a word that may be rejected."""
    threshold = 0x100000000 % n
    while product & _MASK < threshold:
        product = _next_word(t) * n
    return product >> 32


@inlined
def next_below(t: RoundState, n: int) -> int:
    """Returns the next integer of the draw stream in ``range(n)``, unbiased; n from 1 to 2**31."""
    product = _next_word(t) * n
    return product >> 32 if product & _MASK >= n else _unbiased(t, n, product)


@kernel
def first_below(t: RoundState, purpose: int, index: int, n: int) -> int:
    """Returns the first integer in ``range(n)`` of the stream (purpose, round, index), unbiased."""
    kind = purpose - LEVER
    at = index & (blocks.BLOCKS - 1)
    if t.first_words_end[kind] != index - at + blocks.BLOCKS:
        t.first_words_end[kind] = index - at + blocks.BLOCKS
        blocks.fill_first_words(t.key, purpose, t.number, index - at, t.first_words[kind])
    product = int(t.first_words[kind, at]) * n
    return product >> 32 if product & _MASK >= n else _unbiased_first(t, purpose, index, n)


@kernel
def _unbiased_first(t: RoundState, purpose: int, index: int, n: int) -> int:
    """``first_below`` for a first word that may be rejected."""
    counter = 0
    while True:
        blocks.fill_block(t.key, counter, purpose, t.number, index, t.scratch)
        for i in range(layout.BLOCK_WORDS // blocks.BLOCKS):
            product = int(t.scratch[i]) * n
            low = product & _MASK
            if low >= n or low >= 0x100000000 % n:
                return product >> 32
        counter += 1


@kernel
def reset_first_words(t: RoundState) -> None:
    """Invalidate the cached words of ``first_below`` because key or round have changed."""
    for kind in range(layout.FIRST_WORD_PURPOSES):
        t.first_words_end[kind] = 0


@kernel
def shuffle(key: Int64s, purpose: int, number: int, index: int, cards: Any, scratch: Any) -> None:
    """Put ``cards`` (integer array) into the order in which the stream draws them, first drawn first.

    It is the same permutation as when cards are drawn one by one: an index below the number of cards left
    is drawn, that card taken, and the last one moved into its place.
    """
    counter = 0
    word = 16
    n = cards.size
    # Taken cards collect at the end in reverse order, which is reversed below.
    while n > 0:
        low = 0
        threshold = 1
        product = 0
        while low < threshold:
            if word == 16:
                blocks.fill_block(key, counter, purpose, number, index, scratch)
                counter += 1
                word = 0
            product = int(scratch[word]) * n
            word += 1
            low = product & _MASK
            threshold = 0x100000000 % n
            if threshold == 0:
                break
        i = product >> 32
        n -= 1
        taken = cards[i]
        cards[i] = cards[n]
        cards[n] = taken
    size = cards.size
    for i in range(size // 2):
        swapped = cards[i]
        cards[i] = cards[size - 1 - i]
        cards[size - 1 - i] = swapped


@export
def shuffle_cards(key: Int64s, purpose: int, number: int, index: int, cards: Int64s, scratch: Int64s) -> None:
    """``shuffle`` for callers in Python."""
    shuffle(key, purpose, number, index, cards, scratch)


@export
def chacha8_block(key: Int64s, w12: int, w13: int, w14: int, w15: int, out: Int64s) -> None:
    """``fill_block`` for callers in Python."""
    blocks.fill_block(key, w12, w13, w14, w15, out)


# --- dice of policies and rollouts -------------------------------------------------------------


@inlined
def roll(dice: Int64s) -> int:
    """Returns the next 32-bit word of a Dice (sfc32)."""
    a, b, c = dice[0], dice[1], dice[2]
    word = (a + b + dice[3]) & _MASK
    dice[3] = (dice[3] + 1) & _MASK
    dice[0] = b ^ (b >> 9)
    dice[1] = (c + (c << 3)) & _MASK
    dice[2] = ((((c << 21) | (c >> 11)) & _MASK) + word) & _MASK
    return int(word)


@inlined
def roll_below(dice: Int64s, n: int) -> int:
    """Returns an integer in ``range(n)`` from a Dice, unbiased."""
    product = roll(dice) * n
    low = product & _MASK
    if low < n:
        threshold = 0x100000000 % n
        while low < threshold:
            product = roll(dice) * n
            low = product & _MASK
    return product >> 32


@kernel
def seed_dice(dice: Int64s, seed: int, number: int) -> None:
    """Seed a Dice from a seed and a number."""
    dice[0] = seed & _MASK
    dice[1] = number
    dice[2] = 0x9E3779B9
    dice[3] = 1
    for _ in range(_WARM_UP):
        roll(dice)


@kernel
def reseed_chance(t: RoundState, dice: Int64s) -> None:
    """Randomize all future chance: the order of the piles, the lever, the rule cards. Hands do not change."""
    for i in range(8):
        t.key[i] = roll(dice)
    t.ordered_n = 0
    t.dispenser_ordered_n = 0
    t.lever_script_n = 0
    reset_first_words(t)
    open_stream(t, DEAL, 0)
