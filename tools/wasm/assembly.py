"""Converts LLVM bitcode to a WebAssembly module: ``python -m tools.wasm.assembly NAME... < bitcode > module``.

It is a separate program, because in a process that has used Numba, LLVM makes the same code half as large again.
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
"""Features of all browsers since 2023 and of all runtimes."""
_STACK_BYTES: Final = 1 << 18
_INLINE_THRESHOLD: Final = 225
"""LLVM's threshold; more makes the module larger and no faster."""
_NOT_INLINED: Final = (
    "lastcard.rules.effects.move_hands",
    "lastcard.rules.flow.end_deadlocked",
    "lastcard.ai.dense_layer.add_inputs",
    "lastcard.ai.policy_features.count_unseen",
    "lastcard.ai.policy_net.rate",
    "lastcard.ai.value_net.win_chance",
)
"""Functions that are not inlined: those of rules are rare and would slow down every move, the others take long."""
_BINARYEN: Final = Path(sys.prefix, "binaryen", "node_modules", "binaryen")
"""Path where ``make module`` installs this package: JavaScript, which gives the same result on every system."""
_PASSES: Final = ("-O3", "-O3", "--low-memory-unused", "--strip-target-features", "--strip-producers")
"""Binaryen's passes, twice, because the second finds a little more. The memory below the stack is unused."""


def make_machine() -> Any:
    """Returns LLVM's target machine."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu="generic", features=_FEATURES, opt=3, reloc="static", codemodel="default")


def assemble(bitcode: bytes, names: Collection[str]) -> bytes:
    """Returns the module of some bitcode with exported functions; refuses one that would import a function.

    The same sources and tools make the same bytes.
    """
    machine, whole = make_machine(), llvm.parse_bitcode(bitcode)
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"
    _prevent_inlining(whole)
    options = llvm.create_pipeline_tuning_options(3)
    options.inlining_threshold = _INLINE_THRESHOLD
    # Smaller, and no slower: loops here are short, and vector code is explicit.
    options.loop_unrolling = options.loop_vectorization = options.loop_interleaving = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    missing = [f.name for f in whole.functions if f.is_declaration and not f.name.startswith("llvm.")]
    if missing:
        raise RuntimeError(f"the kernel calls what a module does not have: {', '.join(missing)}")
    compiled = machine.emit_object(llvm.parse_assembly(_without_wrapping(_convert_as_signed(str(whole)))))
    return _optimize(_link(compiled, names))


def _prevent_inlining(whole: Any) -> None:
    """Mark the functions that must not be inlined; raises a RuntimeError if there is no such function."""
    for path in _NOT_INLINED:
        start = "_ZN" + "".join(f"{len(part)}{part}" for part in path.split("."))  # as Numba mangles names
        found = [function for function in whole.functions if function.name.startswith(f"{start}B")]
        if not found:
            raise RuntimeError(f"the kernel has no {path}")
        for function in found:
            if function.name.endswith(".value"):  # its variant of ``results.py``, which is called
                function.add_function_attribute("noinline")


def _convert_as_signed(text: str) -> str:
    """Returns LLVM's text with signed conversions of non-negative integers to floats, which have the same result.

    LLVM uses unsigned conversions, for which processors lack an instruction: wasmtime tests every number and branches.
    """
    return text.replace(" uitofp nneg i64 ", " sitofp i64 ")


def _without_wrapping(text: str) -> str:
    """Returns LLVM's text with address additions marked as not wrapping, which is true of all addresses of a module.

    The offsets then become part of loads and stores. Otherwise the addresses of fields would be computed before a
    loop, more of them than there are registers.
    """
    return re.sub(r" getelementptr i8, (ptr %[^,]+, i32 \d)", r" getelementptr inbounds nuw i8, \1", text)


def _link(compiled: bytes, names: Collection[str]) -> bytes:
    """Returns the linked module of an object file, with exports of some names."""
    with tempfile.TemporaryDirectory() as folder:
        taken, made = Path(folder, "kernel.o"), Path(folder, "kernel.wasm")
        taken.write_bytes(compiled)
        flags = ["--no-entry", "--strip-debug", "-O2", "--stack-first", "-z", f"stack-size={_STACK_BYTES}"]
        exports = [f"--export={name}" for name in ("__heap_base", "__stack_pointer", *names)]
        linker = [sys.executable, "-m", "ziglang", "wasm-ld"]
        subprocess.run([*linker, *flags, *exports, "-o", str(made), str(taken)], check=True)
        return made.read_bytes()


def _optimize(module: bytes) -> bytes:
    """Returns an equivalent smaller module, without names and linker sections; a RuntimeError without Binaryen."""
    if not _BINARYEN.exists():
        raise RuntimeError(f"no Binaryen in {_BINARYEN}: make module fetches it")
    with tempfile.TemporaryDirectory() as folder:
        taken, made = Path(folder, "taken.wasm"), Path(folder, "made.wasm")
        taken.write_bytes(module)
        node = shutil.which("node", path=str(Path(sys.executable).parent)) or "node"
        subprocess.run([node, str(_BINARYEN / "bin" / "wasm-opt"), *_PASSES, str(taken), "-o", str(made)], check=True)
        return made.read_bytes()


def add_origin(module: bytes, origin: Mapping[str, Any]) -> bytes:
    """Returns a module with a section about its origin, see ``lastcard.kernel.wasm_backend.read_origin``."""
    name = SECTION_NAME.encode()
    body = bytes([len(name)]) + name + json.dumps(origin, separators=(",", ":")).encode()
    return module + b"\0" + _leb128(len(body)) + body


def _leb128(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes((*written, value))


def tool_versions() -> str:
    """Returns the build tools with versions: the same sources and tools make the same bytes."""
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
