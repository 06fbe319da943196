"""Blocks of ChaCha8, the stream cipher that generates all random numbers.

Source: D. J. Bernstein, "ChaCha, a variant of Salsa20" (2008), 8 rounds.
"""

from typing import Any, Final

from lastcard.kernel.records import Int64s, Uint32s
from lastcard.kernel.signatures import inlined, kernel

BLOCKS: Final = 4
"""Number of blocks computed at a time."""
_MASK: Final = 0xFFFFFFFF


@inlined
def _quarter_round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a = (a + b) & _MASK
    d ^= a
    d = ((d << 16) | (d >> 16)) & _MASK
    c = (c + d) & _MASK
    b ^= c
    b = ((b << 12) | (b >> 20)) & _MASK
    a = (a + b) & _MASK
    d ^= a
    d = ((d << 8) | (d >> 24)) & _MASK
    c = (c + d) & _MASK
    b ^= c
    b = ((b << 7) | (b >> 25)) & _MASK
    return a, b, c, d


@kernel
def fill_block(key: Int64s, w12: int, w13: int, w14: int, w15: int, out: Any) -> None:
    """Write one ChaCha8 block, 16 words, to ``out``, from an 8-word key and the four last state words."""
    k0, k1, k2, k3 = int(key[0]), int(key[1]), int(key[2]), int(key[3])
    k4, k5, k6, k7 = int(key[4]), int(key[5]), int(key[6]), int(key[7])
    a0, a1, a2, a3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    b0, b1, b2, b3, c0, c1, c2, c3 = k0, k1, k2, k3, k4, k5, k6, k7
    d0, d1, d2, d3 = w12, w13, w14, w15
    for _ in range(4):
        a0, b0, c0, d0 = _quarter_round(a0, b0, c0, d0)
        a1, b1, c1, d1 = _quarter_round(a1, b1, c1, d1)
        a2, b2, c2, d2 = _quarter_round(a2, b2, c2, d2)
        a3, b3, c3, d3 = _quarter_round(a3, b3, c3, d3)
        a0, b1, c2, d3 = _quarter_round(a0, b1, c2, d3)
        a1, b2, c3, d0 = _quarter_round(a1, b2, c3, d0)
        a2, b3, c0, d1 = _quarter_round(a2, b3, c0, d1)
        a3, b0, c1, d2 = _quarter_round(a3, b0, c1, d2)
    out[0] = (a0 + 0x61707865) & _MASK
    out[1] = (a1 + 0x3320646E) & _MASK
    out[2] = (a2 + 0x79622D32) & _MASK
    out[3] = (a3 + 0x6B206574) & _MASK
    out[4] = (b0 + k0) & _MASK
    out[5] = (b1 + k1) & _MASK
    out[6] = (b2 + k2) & _MASK
    out[7] = (b3 + k3) & _MASK
    out[8] = (c0 + k4) & _MASK
    out[9] = (c1 + k5) & _MASK
    out[10] = (c2 + k6) & _MASK
    out[11] = (c3 + k7) & _MASK
    out[12] = (d0 + w12) & _MASK
    out[13] = (d1 + w13) & _MASK
    out[14] = (d2 + w14) & _MASK
    out[15] = (d3 + w15) & _MASK


def fill_blocks(key: Int64s, counter: int, purpose: int, number: int, index: int, out: Uint32s) -> None:
    """Write four successive ChaCha8 blocks to ``out`` (64 uint32); compiled, as vectors (``intrinsics.py``)."""
    for i in range(BLOCKS):
        fill_block(key, counter + i, purpose, number, index, out[16 * i : 16 * i + 16])


def fill_first_words(key: Int64s, purpose: int, number: int, index: int, out: Uint32s) -> None:
    """Write the first word of each of four streams with successive indices to ``out`` (4 uint32); likewise."""
    block = [0] * 16
    for i in range(BLOCKS):
        fill_block(key, 0, purpose, number, index + i, block)
        out[i] = block[0]
