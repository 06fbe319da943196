"""From LLVM's bitcode to a WebAssembly module: ``python -m tools.wasm.assembly NAME... < bitcode > module``.

A program of its own: in a process that has compiled with Numba before, LLVM makes the same code half as large again.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numba

from lastcard.kernel.wasm_backend import SECTION_NAME

TRIPLE: Final = "wasm32-unknown-unknown"
_FEATURES: Final = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What every browser since 2023 and every runtime can do."""
_STACK_BYTES: Final = 1 << 18
"""Bytes for what functions keep in memory while they run."""
_INLINE_THRESHOLD: Final = 225
"""LLVM's threshold; more makes the module larger and no faster."""
_NOT_INLINED: Final = ("lastcard.rules.effects.move_hands", "lastcard.rules.flow.end_deadlocked")
"""What LLVM does not put in place of a call: rare functions, which in the midst of every act slow down all of it."""
_BINARYEN: Final = Path(sys.prefix, "binaryen", "node_modules", "binaryen")
"""Where ``make module`` puts the package of that name: JavaScript, which does the same on every system."""
_PASSES: Final = ("-O3", "-O3", "--low-memory-unused", "--strip-target-features", "--strip-producers")
"""What Binaryen does, twice, as the second round finds a little more. Below the stack lies nothing."""


def make_machine() -> Any:
    """LLVM's target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu="generic", features=_FEATURES, opt=3, reloc="static", codemodel="default")


def assemble(bitcode: bytes, names: Collection[str]) -> bytes:
    """The module of some bitcode: the same bytes for the same sources and tools.

    Args:
        bitcode: of ``lowering.lower``.
        names: of the functions that are exported.

    Raises:
        RuntimeError: where something is called that a module does not have.
    """
    machine, whole = make_machine(), llvm.parse_bitcode(bitcode)
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"
    _prevent_inlining(whole)
    options = llvm.create_pipeline_tuning_options(3)
    options.inlining_threshold = _INLINE_THRESHOLD
    # Smaller, and no slower: loops here are short, and what can be vectors is written as vectors.
    options.loop_unrolling = options.loop_vectorization = options.loop_interleaving = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    missing = [f.name for f in whole.functions if f.is_declaration and not f.name.startswith("llvm.")]
    if missing:
        raise RuntimeError(f"the kernel calls what a module does not have: {', '.join(missing)}")
    compiled = machine.emit_object(llvm.parse_assembly(_without_wrapping(_convert_as_signed(str(whole)))))
    return _optimize(_link(compiled, names))


def _prevent_inlining(whole: Any) -> None:
    """Have what is to stay apart stay so.

    Raises:
        RuntimeError: where there is no such function.
    """
    for path in _NOT_INLINED:
        start = "_ZN" + "".join(f"{len(part)}{part}" for part in path.split("."))  # as Numba writes names
        found = [function for function in whole.functions if function.name.startswith(f"{start}B")]
        if not found:
            raise RuntimeError(f"the kernel has no {path}")
        for function in found:
            if function.name.endswith(".value"):  # its twin, which is what is called
                function.add_function_attribute("noinline")


def _convert_as_signed(text: str) -> str:
    """LLVM's text, where an integer that is not negative becomes a float as one with a sign: the same number.

    LLVM takes it for one without, which processors have one instruction less for: wasmtime looks at every number and
    branches.
    """
    return text.replace(" uitofp nneg i64 ", " sitofp i64 ")


def _without_wrapping(text: str) -> str:
    """LLVM's text, where adding to an address says that it does not begin at 0 again: no address of a module does.

    What is added then becomes part of loads and stores. The address of every field of a table that is not the first of
    several was computed before a loop, more of them than there are registers.
    """
    return re.sub(r" getelementptr i8, (ptr %[^,]+, i32 \d)", r" getelementptr inbounds nuw i8, \1", text)


def _link(compiled: bytes, names: Collection[str]) -> bytes:
    """The module of an object file: its functions at their places, with those of some names to be called."""
    with tempfile.TemporaryDirectory() as folder:
        taken, made = Path(folder, "kernel.o"), Path(folder, "kernel.wasm")
        taken.write_bytes(compiled)
        flags = ["--no-entry", "--strip-debug", "-O2", "--stack-first", "-z", f"stack-size={_STACK_BYTES}"]
        exports = [f"--export={name}" for name in ("__heap_base", "__stack_pointer", *names)]
        linker = [sys.executable, "-m", "ziglang", "wasm-ld"]
        subprocess.run([*linker, *flags, *exports, "-o", str(made), str(taken)], check=True)
        return made.read_bytes()


def _optimize(module: bytes) -> bytes:
    """A module that does the same in less code, without names and what linkers note.

    Raises:
        RuntimeError: where Binaryen was not fetched.
    """
    if not _BINARYEN.exists():
        raise RuntimeError(f"no Binaryen in {_BINARYEN}: make module fetches it")
    with tempfile.TemporaryDirectory() as folder:
        taken, made = Path(folder, "taken.wasm"), Path(folder, "made.wasm")
        taken.write_bytes(module)
        node = shutil.which("node", path=str(Path(sys.executable).parent)) or "node"
        subprocess.run([node, str(_BINARYEN / "bin" / "wasm-opt"), *_PASSES, str(taken), "-o", str(made)], check=True)
        return made.read_bytes()


def add_origin(module: bytes, origin: Mapping[str, Any]) -> bytes:
    """A module with a section that says what it was made from, see ``lastcard.kernel.wasm_backend.read_origin``."""
    name = SECTION_NAME.encode()
    body = bytes([len(name)]) + name + json.dumps(origin, separators=(",", ":")).encode()
    return module + b"\0" + _leb128(len(body)) + body


def _leb128(value: int) -> bytes:
    """A number as a module writes it (LEB128)."""
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes((*written, value))


def tool_versions() -> str:
    """What makes a module, with versions: the same sources and tools make the same bytes."""
    linker = subprocess.run(
        [sys.executable, "-m", "ziglang", "wasm-ld", "--version"], check=True, capture_output=True, text=True
    )
    python = ".".join(platform.python_version_tuple()[:2])
    versions = f"Python {python}, Numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    package = _BINARYEN / "package.json"
    binaryen = json.loads(package.read_text(encoding="utf-8"))["version"] if package.exists() else "missing"
    return f"{versions}, {linker.stdout.strip()}, Binaryen {binaryen}"


if __name__ == "__main__":
    sys.stdout.buffer.write(assemble(sys.stdin.buffer.read(), sys.argv[1:]))
