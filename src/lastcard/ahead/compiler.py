"""From doors to a WebAssembly module: Numba makes LLVM's text of them, all of it becomes one piece, and is optimized.

The text is that of a processor without special instructions, not yet optimized: what becomes of it is the business of
the processor it is compiled for. Every door brings a copy of all it calls; linked into one, equal ones are one. Of a
door, a thin function of our own is exported: a pointer and the sizes for an array, a number for a number.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numba

from lastcard.engine.cache import source_key
from lastcard.engine.functions import Door, Entry
from lastcard.engine.linkage import texts
from lastcard.engine.module import SECTION
from lastcard.engine.native import compile_kernel, entry_types
from lastcard.engine.records import ArrayOf

_TRIPLE: Final = "wasm32-unknown-unknown"
_FEATURES: Final = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What every browser since 2021 and every runtime can do."""
_STACK: Final = 1 << 18
"""Bytes for what functions keep in memory while they run."""


def build_module(doors: Iterable[Door]) -> bytes:
    """The module of some doors: the same bytes for the same sources and tools.

    Args:
        doors: compiled in this order.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(_TRIPLE)
    machine = target.create_target_machine(
        cpu="generic", features=_FEATURES, opt=3, reloc="static", codemodel="default"
    )
    entries = [(door, entry) for door in doors for entry in door.entries.values()]
    whole = _link(entries, str(machine.target_data))
    names = [entry.name for _, entry in entries]
    # Read back, for what was linked from many parts is optimized worse than the same module when it is read.
    whole = llvm.parse_bitcode(whole.as_bitcode())
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(3)
    # Smaller, and no slower: loops here are short, and what can be vectors is written as vectors.
    options.loop_unrolling = options.loop_vectorization = options.loop_interleaving = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    missing = [f.name for f in whole.functions if f.is_declaration and not f.name.startswith("llvm.")]
    if missing:
        raise RuntimeError(f"the kernel calls what a module does not have: {', '.join(missing)}")
    return _finish(_join(machine.emit_object(whole), names))


def _compile(door: Door, entry: Entry) -> Iterator[str]:
    """LLVM's texts of a door and of all it calls, and that of the function that is exported."""
    dispatcher = compile_kernel(door.function, inline=False)
    signature = entry_types(entry)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    own, *others = texts(compiled.library)
    yield own
    yield from others
    name = compiled.fndesc.llvm_func_name
    taken = llvm.parse_assembly(own).get_function(name).arguments
    yield _export(entry, name, [str(argument.type) for argument in taken])


def _export(entry: Entry, name: str, taken: list[str]) -> str:
    """LLVM's text of an exported function, which calls a compiled one in Numba's way.

    That takes where its result and an exception go, and for an array six things and more: its owner and the Python
    object (none), how many items, of what size, where they lie, the shape and the strides.

    Args:
        entry: what is exported.
        name: of the compiled function.
        taken: LLVM's types of what that takes.
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


def _link(entries: Iterable[tuple[Door, Entry]], layout: str) -> Any:
    """All doors and what they call, each function once, as one LLVM module for WebAssembly."""
    head = f'target triple = "{_TRIPLE}"\ntarget datalayout = "{layout}"\n'
    whole = llvm.parse_assembly(head)
    seen = set()
    for door, entry in entries:
        for text in _compile(door, entry):
            if text not in seen:
                seen.add(text)
                plain = re.sub(r'^target (triple|datalayout) = ".*"$', "", text, flags=re.MULTILINE)
                # An object file for WebAssembly has no common globals.
                whole.link_in(llvm.parse_assembly(head + plain.replace(" = common ", " = linkonce_odr ")))
    return whole


def _join(compiled: bytes, names: Iterable[str]) -> bytes:
    """The module of an object file: its functions at their places, with those of some names to be called."""
    with tempfile.TemporaryDirectory() as folder:
        taken, made = Path(folder, "kernel.o"), Path(folder, "kernel.wasm")
        taken.write_bytes(compiled)
        flags = ["--no-entry", "--strip-all", "-O2", "--stack-first", "-z", f"stack-size={_STACK}"]
        exports = [f"--export={name}" for name in ("__heap_base", *names)]
        linker = [sys.executable, "-m", "ziglang", "wasm-ld"]
        subprocess.run([*linker, *flags, *exports, "-o", str(made), str(taken)], check=True)
        return made.read_bytes()


def _finish(module: bytes) -> bytes:
    """A module with a section that says what it was made from."""
    said = json.dumps({"sources": source_key(), "tools": tools()}, separators=(",", ":")).encode()
    name = SECTION.encode()
    body = bytes([len(name)]) + name + said
    return module + b"\0" + _number(len(body)) + body


def _number(value: int) -> bytes:
    """A number as a module writes it (LEB128)."""
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes((*written, value))


def tools() -> str:
    """What makes a module, with versions: the same sources and tools make the same bytes."""
    linker = subprocess.run(
        [sys.executable, "-m", "ziglang", "wasm-ld", "--version"], check=True, capture_output=True, text=True
    )
    python = ".".join(platform.python_version_tuple()[:2])
    versions = f"Python {python}, Numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    return f"{versions}, {linker.stdout.strip()}"
