"""The module: its build is reproducible, it has no imports, and it is small."""

from __future__ import annotations

import gzip
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.kernel.cache import PACKAGE, open_folder, source_key
from lastcard.kernel.fingerprint import fingerprint
from lastcard.kernel.wasm_backend import MODULE_FILE, load_module, read_origin
from tools.wasm.exports import all_exports

MODULE = MODULE_FILE.read_bytes()
TOOLS = Path(__file__).parents[3] / "tools"
WEIGHTS = [*PACKAGE.glob("bots/*.npy"), PACKAGE / "bots" / "heuristic.json"]


def test_the_module_belongs_to_the_sources() -> None:
    """A section of the module has the fingerprint of that code, and names the tools of the build."""
    assert read_origin(MODULE)["key"] == fingerprint(all_exports()), "make module"
    assert "Numba" in read_origin(MODULE)["tools"]


def build_key(tools: str) -> str:
    """Returns a hash of all that the build reads, of its committed result, and of this test."""
    digest = hashlib.sha256(f"{source_key()} {tools} {np.__version__} {platform.machine()} ".encode() + MODULE)
    sources = (*PACKAGE.glob("kernel/*.py"), *TOOLS.glob("wasm/*.py"))
    for path in (MODULE_FILE.with_suffix(".json"), *sorted(sources), Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def test_made_anew_it_is_the_same(tmp_path: Path) -> None:
    """Another folder, another order of Python's sets, and sources with other texts give the same bytes.

    The build takes minutes of CPU time, so it is repeated only if something that it depends on has changed.
    """
    assembly = pytest.importorskip("tools.wasm.assembly")
    tools = assembly.tool_versions()
    if read_origin(MODULE)["tools"] != tools:
        pytest.skip(f"made with {read_origin(MODULE)['tools']}; here is {tools}")
    folder = open_folder("rebuilt")
    stamp = folder / build_key(tools) if folder else None
    if stamp is not None and stamp.exists():
        pytest.skip(f"the same sources and tools have made the same module; to repeat it, delete {stamp}")
    shutil.copytree(PACKAGE, tmp_path / "lastcard", ignore=shutil.ignore_patterns("__pycache__", "web", "*.wasm"))
    shutil.copytree(TOOLS, tmp_path / "tools")
    for source in (*tmp_path.glob("lastcard/rules/*.py"), *tmp_path.glob("lastcard/kernel/*.py")):
        source.write_text("# A comment moves every line.\n" + source.read_text(encoding="utf-8"), encoding="utf-8")
    options = tmp_path / "lastcard" / "game" / "options.py"
    message = options.read_text(encoding="utf-8").replace("contradict each other", "cannot be together")
    options.write_text(message, encoding="utf-8")
    made = tmp_path / "made.wasm"
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONHASHSEED": "7", "LASTCARD_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-m", "tools.wasm", str(made)], cwd=tmp_path, env=environment, check=True)
    assert made.read_bytes() == MODULE
    assert made.with_suffix(".json").read_bytes() == MODULE_FILE.with_suffix(".json").read_bytes()
    if stamp is not None:
        stamp.touch()


def test_a_missing_binaryen_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the command that downloads Binaryen."""
    assembly = pytest.importorskip("tools.wasm.assembly")
    monkeypatch.setattr(assembly, "_BINARYEN", tmp_path / "binaryen")
    assert assembly.tool_versions().endswith("Binaryen missing")
    with pytest.raises(RuntimeError, match="make module"):
        assembly._optimize(MODULE)


def test_preventing_inlining_needs_the_functions() -> None:
    """A renamed function is an error, and is not ignored."""
    assembly = pytest.importorskip("tools.wasm.assembly")
    with pytest.raises(RuntimeError, match="move_hands"):
        assembly._prevent_inlining(assembly.llvm.parse_assembly(""))


def test_the_module_imports_nothing() -> None:
    """The module imports no function and no memory; it exports functions, each under its name."""
    module = load_module()
    assert not list(module.imports)
    names = {entry.name for exported in all_exports() for entry in exported.signatures.values()}
    assert {export.name for export in module.exports} == names | {"memory", "__heap_base", "__stack_pointer"}


def test_it_starts_where_files_are_limited(tmp_path: Path) -> None:
    """It has no constant arrays, of which wasmtime makes a file (findings/wasmtime-data-segment-file-size-limit.sh)."""
    code = "from lastcard.kernel.wasm_backend import Instance; Instance()"
    command = ["bash", "-c", 'ulimit -f 2; exec "$@"', "bash", sys.executable, "-B", "-c", code]
    environment = os.environ | {"LASTCARD_CACHE": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_is_small() -> None:
    """The size fits beside its sources, and for a page that also fetches the networks.

    The analysis is part of the module, and no longer of the page's worker, which is 4 KB smaller. Searches that
    end early take 1.4 KB, ratings of solvers 1.3 KB, figures of rules and open hands 0.8 KB.
    """
    assert len(MODULE) <= 350_000
    assert sum(len(gzip.compress(data)) for data in (MODULE, *(file.read_bytes() for file in WEIGHTS))) <= 706_500


@given(st.binary(max_size=200))
def test_an_invalid_module_has_no_fingerprint(rubbish: bytes) -> None:
    """An invalid file is no module, and causes no other error."""
    assert read_origin(rubbish) == {}
    assert read_origin(MODULE[:8] + rubbish) == {}


@given(st.integers(0, len(MODULE) - 1))
def test_a_cut_module_has_no_fingerprint(size: int) -> None:
    """A file that was not written completely does not count as a module."""
    assert read_origin(MODULE[:size]) == {}
