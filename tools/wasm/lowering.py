"""Lowers exports to LLVM: Numba lowers them and all they call, each function once, into one module.

The code is for a generic processor and not optimized, because later steps know the target. For each signature, a thin
wrapper is exported, which takes a pointer and the sizes for an array, and a number for a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import llvmlite.binding as llvm

from lastcard.kernel.linkage import llvm_texts
from lastcard.kernel.native_backend import dispatcher_of, gc_paused, numba_types
from lastcard.kernel.records import ArrayOf
from lastcard.kernel.signatures import Export, Signature
from tools.wasm.assembly import TRIPLE, make_machine
from tools.wasm.results import return_results


@gc_paused()
def lower(exports: Iterable[Export]) -> bytes:
    """Returns LLVM's bitcode of some exports in their order, with an exported function for every signature."""
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{make_machine().target_data}"\n'
    whole = llvm.parse_assembly(head)
    seen = set()
    for export in exports:
        for entry in export.signatures.values():
            for text in _lowered_texts(export, entry):
                if text not in seen:
                    seen.add(text)
                    plain = re.sub(r'^target (triple|datalayout) = ".*"$', "", text, flags=re.MULTILINE)
                    # An object file for WebAssembly has no common globals, and no C library: it has an instruction.
                    plain = plain.replace(" = common ", " = linkonce_odr ").replace("@sqrt(", "@llvm.sqrt.f64(")
                    whole.link_in(llvm.parse_assembly(head + plain))
    written: bytes = llvm.parse_assembly(return_results(str(whole))).as_bitcode()
    return written


def _lowered_texts(export: Export, entry: Signature) -> Iterator[str]:
    """Yields LLVM's texts of an export and of all it calls, and that of its wrapper."""
    dispatcher = dispatcher_of(export.function, inline=False)
    signature = numba_types(entry)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    own, *others = llvm_texts(compiled.library)
    yield own
    yield from others
    name = compiled.fndesc.llvm_func_name
    taken = llvm.parse_assembly(own).get_function(name).arguments
    yield _export_text(entry, name, [str(argument.type) for argument in taken])


def _export_text(entry: Signature, name: str, taken: list[str]) -> str:
    """Returns LLVM's text of an exported wrapper, which calls a compiled function by Numba's convention.

    That takes pointers for its result and an exception, and for an array at least seven arguments: its owner and the
    Python object (none), the number of items, their size, their address, the shape and the strides. ``taken`` has
    LLVM's types of these parameters.
    """
    words: list[str] = []
    lines = ["%result = alloca i64", "%exception = alloca ptr", "store i64 0, ptr %result"]
    passed = ["ptr %result", "ptr %exception"]

    def word(kind: str = "i64") -> str:
        words.append(f"{kind} %w{len(words)}")
        return f"%w{len(words) - 1}"

    for parameter in entry.parameters:
        if isinstance(parameter.kind, ArrayOf):
            address = word()
            sizes = [word() for _ in range(parameter.kind.dimensions)]
            at, count, stride = f"%at{len(words)}", sizes[0], str(parameter.kind.kind.itemsize)
            lines.append(f"{at} = inttoptr i64 {address} to ptr")
            strides = [stride]
            for i, size in enumerate(reversed(sizes[1:])):
                lines.append(f"{at}s{i} = mul i64 {strides[0]}, {size}")
                strides.insert(0, f"{at}s{i}")
                lines.append(f"{at}n{i} = mul i64 {count}, {size}")
                count = f"{at}n{i}"
            numbers = [count, stride]
            passed += ["ptr null", "ptr null", *(f"i64 {n}" for n in numbers), f"ptr {at}"]
            passed += [f"i64 {n}" for n in (*sizes, *strides)]
        elif parameter.kind is float:
            passed.append(f"double {word('double')}")
        elif parameter.kind is bool:
            kind, value = taken[len(passed)], word()
            lines.append(f"{value}b = trunc i64 {value} to {kind}")
            passed.append(f"{kind} {value}b")
        else:
            passed.append(f"i64 {word()}")
    kinds = [value.split()[0] for value in passed]
    if kinds != taken:
        raise RuntimeError(f"{entry.name} takes {taken}, not {kinds}")
    result = "double" if entry.result is float else "i64"
    return "\n".join(
        [
            f'declare i32 @"{name}"({", ".join(kinds)})',
            f'define {result} @"{entry.name}"({", ".join(words)}) {{',
            *lines,
            f'call i32 @"{name}"({", ".join(passed)})',
            f"%answer = load {result}, ptr %result",
            f"ret {result} %answer",
            "}",
        ]
    )
