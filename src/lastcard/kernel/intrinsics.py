"""Compiled replacements of a few instructions: bits of masks, and copies, sums of floats and ChaCha8 as vectors.

One row of four ChaCha8 blocks is one LLVM value. A quarter round of all blocks takes a few instructions.
"""

from __future__ import annotations

from typing import Any, Final

import llvmlite.binding
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from lastcard.kernel import bits, blocks, bytes16, floats16


def _has_pdep() -> bool:
    """Returns whether this processor has PDEP; compiled code is cached by processor."""
    try:
        features = llvmlite.binding.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this processor
        return False
    return not config.CPU_NAME and bool(features.get("bmi2"))


_HAS_PDEP = _has_pdep()
_PARALLEL_BLOCKS: Final = 2 if config.CPU_NAME else 4
"""Number of ChaCha8 blocks that fit into the registers of a generic processor, and of this one."""


@intrinsic
def _ctpop(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def _pdep(typing_context: Any, source: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function_type = ir.FunctionType(word, [word, word])
        pdep = cgutils.get_or_insert_function(builder.module, function_type, "llvm.x86.bmi.pdep.64")
        return builder.call(pdep, args)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _clear_lowest_bits(typing_context: Any, mask: Any, n: Any) -> Any:
    """Clears the lowest n set bits of a mask, n below 8. It avoids branches: n is random, so they mispredict."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask, n = args
        one, none = (ir.Constant(mask.type, number) for number in (1, 0))
        for count in (4, 2, 1):
            less = mask
            for _ in range(count):
                less = builder.and_(less, builder.sub(less, one))
            asked = builder.icmp_unsigned("!=", builder.and_(n, ir.Constant(n.type, count)), none)
            mask = builder.select(asked, less, mask)
        return mask

    return types.int64(types.int64, types.int64), generate


@overload(bits.popcount)
def _popcount(mask: Any) -> Any:
    def compiled(mask: Any) -> Any:
        return _ctpop(mask)

    return compiled


@overload(bits.lowest_bit)
def _lowest_bit(mask: Any) -> Any:
    def compiled(mask: Any) -> Any:
        return _cttz(mask)

    return compiled


@overload(bits.nth_bit)
def _nth_bit(mask: Any, n: Any) -> Any:
    def deposited(mask: Any, n: Any) -> Any:
        return _cttz(_pdep(1 << n, mask))

    def counted(mask: Any, n: Any) -> Any:
        while n >= 8:
            mask = _clear_lowest_bits(mask, 7)
            mask &= mask - 1
            n -= 8
        return _cttz(_clear_lowest_bits(mask, n))

    return deposited if _HAS_PDEP else counted


_BYTES: Final = ir.VectorType(ir.IntType(8), bytes16.WIDTH_BYTES)
_FLOATS: Final = ir.VectorType(ir.FloatType(), floats16.FLOATS)
_TWO_TO_23_BYTES: Final = ir.Constant(_BYTES, [0, 0x4B] + [0] * 14)
"""The bytes of float32 2**23 that are zero, and its highest."""
_ZEROS: Final = ir.Constant(_FLOATS, [0.0] * floats16.FLOATS)


def _part_pointer(context: Any, builder: Any, kind: Any, row: Any, at: Any) -> Any:
    """Returns the address of sixteen bytes or floats of an array."""
    data = context.make_array(kind)(context, builder, row).data
    part = _FLOATS if kind.dtype == types.float32 else _BYTES
    return builder.bitcast(builder.gep(data, [at]), part.as_pointer())


@intrinsic
def _copy_part(typing_context: Any, target: Any, to: Any, source: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, origin = (_part_pointer(context, builder, signature.args[i], *args[i : i + 2]) for i in (0, 2))
        builder.store(builder.load(origin, align=1), place, align=1)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@intrinsic
def _copy_bytes(typing_context: Any, target: Any, source: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, origin = (_part_pointer(context, builder, signature.args[i], args[i], args[2]) for i in (0, 1))
        # WebAssembly converts no bytes: LLVM would convert one at a time. A byte becomes the lowest of the four of a
        # float of 2**23, whose unit is 1.
        row, four = builder.load(origin, align=1), ir.VectorType(ir.FloatType(), 4)
        first = builder.bitcast(place, four.as_pointer())
        for part in range(floats16.FLOATS // 4):
            chosen = [index for i in range(4) for index in (4 * part + i, 16, 16, 17)]
            raised = builder.bitcast(builder.shuffle_vector(row, _TWO_TO_23_BYTES, _vector(chosen)), four)
            offset = builder.gep(first, [ir.Constant(ir.IntType(64), part)])
            builder.store(builder.fsub(raised, ir.Constant(four, [2.0**23] * 4)), offset, align=4)
        return context.get_dummy_value()

    return types.void(target, source, types.int64), generate


@overload(floats16.copy_bytes, strict=False)
def _overload_copy_bytes(target: Any, source: Any, at: Any) -> Any:
    return lambda target, source, at: _copy_bytes(target, source, at)


@intrinsic
def _clear_part(typing_context: Any, target: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _part_pointer(context, builder, signature.args[0], *args)
        builder.store(ir.Constant(_BYTES, [0] * bytes16.WIDTH_BYTES), place, align=1)
        return context.get_dummy_value()

    return types.void(target, types.int64), generate


@overload(bytes16.clear_part, strict=False)
def _overload_clear(target: Any, at: Any) -> Any:
    return lambda target, at: _clear_part(target, at)


@intrinsic
def _swap_part(typing_context: Any, one: Any, other: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = [_part_pointer(context, builder, signature.args[i], args[i], args[2]) for i in (0, 1)]
        held = [builder.load(place, align=1) for place in places]
        for place, part in zip(places, reversed(held), strict=True):
            builder.store(part, place, align=1)
        return context.get_dummy_value()

    return types.void(one, other, types.int64), generate


@overload(floats16.copy_part, strict=False)
@overload(bytes16.copy_part, strict=False)
def _overload_copy(target: Any, to: Any, source: Any, at: Any) -> Any:
    return lambda target, to, source, at: _copy_part(target, to, source, at)


@overload(bytes16.swap_part, strict=False)
def _overload_swap(one: Any, other: Any, at: Any) -> Any:
    return lambda one, other, at: _swap_part(one, other, at)


@intrinsic
def _add_scaled(typing_context: Any, target: Any, to: Any, scale: Any, source: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, origin = (_part_pointer(context, builder, signature.args[i], *args[i : i + 2]) for i in (0, 3))
        added = _scale_part(builder, args[2], origin)
        builder.store(builder.fadd(builder.load(place, align=4), added), place, align=4)
        return context.get_dummy_value()

    return types.void(target, types.int64, types.float32, source, types.int64), generate


def _scale_part(builder: Any, scale: Any, origin: Any) -> Any:
    """Returns sixteen floats times a number."""
    first = builder.insert_element(ir.Constant(_FLOATS, ir.Undefined), scale, ir.Constant(_WORD, 0))
    scales = builder.shuffle_vector(first, first, _vector([0] * floats16.FLOATS))
    return builder.fmul(scales, builder.load(origin, align=4))


@intrinsic
def _add_two_rows(typing_context: Any, target: Any, to: Any, scales: Any, i: Any, k: Any, rows: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        units, factors = (context.make_array(signature.args[n])(context, builder, args[n]) for n in (0, 2))
        place = _part_pointer(context, builder, signature.args[0], *args[:2])
        total = builder.load(place, align=4)
        for row in args[3:5]:
            at = builder.add(builder.mul(row, units.nitems), args[1])
            origin = _part_pointer(context, builder, signature.args[5], args[5], at)
            scale = builder.load(builder.gep(factors.data, [row]))
            total = builder.fadd(total, _scale_part(builder, scale, origin))
        builder.store(total, place, align=4)
        return context.get_dummy_value()

    return types.void(target, types.int64, scales, types.int64, types.int64, rows), generate


@intrinsic
def _rectify(typing_context: Any, target: Any, weights: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, factors = (_part_pointer(context, builder, signature.args[i], args[i], args[2]) for i in (0, 1))
        values = builder.load(place, align=4)
        positive = builder.select(builder.fcmp_ordered(">", values, _ZEROS), values, _ZEROS)
        builder.store(builder.fmul(positive, builder.load(factors, align=4)), place, align=4)
        return context.get_dummy_value()

    return types.void(target, weights, types.int64), generate


@intrinsic
def _find_nonzero(typing_context: Any, numbers: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values = builder.load(_part_pointer(context, builder, signature.args[0], *args), align=4)
        found = builder.fcmp_unordered("!=", values, _ZEROS)
        return builder.zext(builder.bitcast(found, ir.IntType(floats16.FLOATS)), ir.IntType(64))

    return types.int64(numbers, types.int64), generate


@overload(floats16.add_scaled, strict=False)
def _overload_add(target: Any, to: Any, scale: Any, source: Any, at: Any) -> Any:
    return lambda target, to, scale, source, at: _add_scaled(target, to, scale, source, at)


@overload(floats16.add_two_rows, strict=False)
def _overload_add_rows(target: Any, to: Any, scales: Any, i: Any, k: Any, rows: Any) -> Any:
    return lambda target, to, scales, i, k, rows: _add_two_rows(target, to, scales, i, k, rows)


@overload(floats16.rectify, strict=False)
def _overload_rectify(target: Any, weights: Any, at: Any) -> Any:
    return lambda target, weights, at: _rectify(target, weights, at)


@overload(floats16.find_nonzero, strict=False)
def _overload_find(numbers: Any, at: Any) -> Any:
    return lambda numbers, at: _find_nonzero(numbers, at)


_WORD: Final = ir.IntType(32)
_BYTE: Final = ir.IntType(8)
_PART: Final = ir.VectorType(_WORD, 4)
_CONSTANTS: Final = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)


def _vector(numbers: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_WORD, len(numbers)), [ir.Constant(_WORD, n) for n in numbers])


def _rotate_words(b: Any, row: Any, by: int) -> Any:
    """Rotates the four words of a row by ``by`` places, in every block."""
    return b.shuffle_vector(row, row, _vector([i // 4 * 4 + (i + by) % 4 for i in range(row.type.count)]))


def _rotate_bits(b: Any, row: Any, by: int) -> Any:
    size = row.type.count
    if by % 8 == 0:  # whole bytes are shuffled in one instruction instead of three
        cells = b.bitcast(row, ir.VectorType(_BYTE, 4 * size))
        places = [i // 4 * 4 + (i - by // 8) % 4 for i in range(4 * size)]
        return b.bitcast(b.shuffle_vector(cells, cells, _vector(places)), row.type)
    return b.or_(b.shl(row, _vector([by] * size)), b.lshr(row, _vector([32 - by] * size)))


def _quarter_rounds(b: Any, rows: list[Any]) -> list[Any]:
    """Computes four quarter rounds of every block in parallel."""
    x, y, z, w = rows
    for first, second in ((16, 12), (8, 7)):
        x = b.add(x, y)
        w = _rotate_bits(b, b.xor(w, x), first)
        z = b.add(z, w)
        y = _rotate_bits(b, b.xor(y, z), second)
    return [x, y, z, w]


def _broadcast_words(b: Any, words: list[Any], size: int) -> Any:
    """Returns four words as the same row of all blocks."""
    row = ir.Constant(ir.VectorType(_WORD, size), ir.Undefined)
    for i, word in enumerate(words):
        row = b.insert_element(row, b.trunc(word, _WORD), ir.Constant(_WORD, i))
    return b.shuffle_vector(row, row, _vector([i % 4 for i in range(size)]))


def _element_pointer(b: Any, context: Any, kind: Any, array: Any, i: int) -> Any:
    """Returns the address of an element of an array."""
    return b.gep(context.make_array(kind)(context, b, array).data, [ir.Constant(ir.IntType(64), i)])


def _make_blocks(b: Any, key: list[Any], place: list[Any], counting_word: int, first: int) -> list[Any]:
    """Returns the rows of ``_PARALLEL_BLOCKS`` ChaCha8 blocks.

    Args:
        place: four words that identify a stream and a block of it.
        counting_word: index of the word of ``place`` that counts up from block to block.
        first: offset of that word in the first block.
    """
    size = 4 * _PARALLEL_BLOCKS
    start = [
        _vector(list(_CONSTANTS) * _PARALLEL_BLOCKS),
        *(_broadcast_words(b, part, size) for part in (key[:4], key[4:], place)),
    ]
    start[3] = b.add(start[3], _vector([first + i // 4 if i % 4 == counting_word else 0 for i in range(size)]))
    rows = start
    for _ in range(4):
        for turns in ((0, 1, 2, 3), (0, 3, 2, 1)):
            rows = [_rotate_words(b, row, by) for row, by in zip(_quarter_rounds(b, rows), turns, strict=True)]
    return [b.add(row, begun) for row, begun in zip(rows, start, strict=True)]


@intrinsic
def four_blocks(typing_context: Any, key: Any, counter: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    """Write four successive ChaCha8 blocks to ``out`` (64 uint32)."""

    def generate(context: Any, b: Any, signature: Any, args: Any) -> Any:
        words = [b.load(_element_pointer(b, context, key, args[0], i)) for i in range(8)]
        for first in range(0, blocks.BLOCKS, _PARALLEL_BLOCKS):
            rows = _make_blocks(b, words, args[1:5], 0, first)
            for i in range(4 * _PARALLEL_BLOCKS):
                part = b.shuffle_vector(rows[i % 4], rows[i % 4], _vector([i // 4 * 4 + j for j in range(4)]))
                target = _element_pointer(b, context, out, args[5], 16 * first + 4 * i)
                b.store(part, b.bitcast(target, _PART.as_pointer())).align = 4
        return context.get_dummy_value()

    return types.void(key, types.int64, types.int64, types.int64, types.int64, out), generate


@intrinsic
def first_words(typing_context: Any, key: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    """Write the first word of each of four streams with successive indices to ``out`` (4 uint32)."""

    def generate(context: Any, b: Any, signature: Any, args: Any) -> Any:
        words = [b.load(_element_pointer(b, context, key, args[0], i)) for i in range(8)]
        place = [context.get_constant(types.int64, 0), *args[1:4]]
        for first in range(0, blocks.BLOCKS, _PARALLEL_BLOCKS):
            row = _make_blocks(b, words, place, 3, first)[0]
            for i in range(_PARALLEL_BLOCKS):
                word = b.extract_element(row, ir.Constant(_WORD, 4 * i))
                b.store(word, _element_pointer(b, context, out, args[4], first + i))
        return context.get_dummy_value()

    return types.void(key, types.int64, types.int64, types.int64, out), generate


@overload(blocks.fill_blocks, strict=False)
def _fill_blocks(key: Any, counter: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    return lambda key, counter, purpose, number, index, out: four_blocks(key, counter, purpose, number, index, out)


@overload(blocks.fill_first_words, strict=False)
def _fill_firsts(key: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    return lambda key, purpose, number, index, out: first_words(key, purpose, number, index, out)
