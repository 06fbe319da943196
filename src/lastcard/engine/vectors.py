"""ChaCha8 as vectors: a row of four blocks is one LLVM value, a quarter round of all of them a few instructions."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_WORD: Final = ir.IntType(32)
_ROW: Final = ir.VectorType(_WORD, 16)
_PART: Final = ir.VectorType(_WORD, 4)
_CONSTANTS: Final = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)


def _vector(numbers: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_WORD, len(numbers)), [ir.Constant(_WORD, n) for n in numbers])


def _rotate_words(b: Any, row: Any, by: int) -> Any:
    """Every block's four words of a row, moved round by ``by`` places."""
    return b.shuffle_vector(row, row, _vector([i // 4 * 4 + (i + by) % 4 for i in range(16)]))


def _rotate_bits(b: Any, row: Any, by: int) -> Any:
    return b.or_(b.shl(row, _vector([by] * 16)), b.lshr(row, _vector([32 - by] * 16)))


def _quarter_rounds(b: Any, rows: list[Any]) -> list[Any]:
    """Sixteen quarter rounds side by side."""
    x, y, z, w = rows
    for first, second in ((16, 12), (8, 7)):
        x = b.add(x, y)
        w = _rotate_bits(b, b.xor(w, x), first)
        z = b.add(z, w)
        y = _rotate_bits(b, b.xor(y, z), second)
    return [x, y, z, w]


def _spread(b: Any, words: list[Any]) -> Any:
    """Four words as the same row of all four blocks."""
    row = ir.Constant(_ROW, ir.Undefined)
    for i, word in enumerate(words):
        row = b.insert_element(row, b.trunc(word, _WORD), ir.Constant(_WORD, i))
    return b.shuffle_vector(row, row, _vector([i % 4 for i in range(16)]))


@intrinsic
def four_blocks(typing_context: Any, key: Any, counter: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    """Four successive ChaCha8 blocks into ``out`` (64 uint32), as ``chance.fill_blocks`` without the JIT."""

    def generate(context: Any, b: Any, signature: Any, args: Any) -> Any:
        def element(place: int, i: int) -> Any:
            array = context.make_array(signature.args[place])(context, b, args[place])
            return b.gep(array.data, [ir.Constant(ir.IntType(64), i)])

        words = [b.load(element(0, i)) for i in range(8)]
        start = [_vector(list(_CONSTANTS) * 4), *(_spread(b, part) for part in (words[:4], words[4:], args[1:5]))]
        start[3] = b.add(start[3], _vector([i // 4 if i % 4 == 0 else 0 for i in range(16)]))
        rows = start
        for _ in range(4):
            for turns in ((0, 1, 2, 3), (0, 3, 2, 1)):
                rows = [_rotate_words(b, row, by) for row, by in zip(_quarter_rounds(b, rows), turns, strict=True)]
        rows = [b.add(row, first) for row, first in zip(rows, start, strict=True)]
        for i in range(16):
            part = b.shuffle_vector(rows[i % 4], rows[i % 4], _vector([i // 4 * 4 + j for j in range(4)]))
            b.store(part, b.bitcast(element(5, 4 * i), _PART.as_pointer())).align = 4
        return context.get_dummy_value()

    return types.void(key, types.int64, types.int64, types.int64, types.int64, out), generate
