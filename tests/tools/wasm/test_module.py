"""The module: made anew it is the same, it asks for nothing, and it is small."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.kernel.cache import PACKAGE
from lastcard.kernel.fingerprint import fingerprint
from lastcard.kernel.wasm_backend import MODULE_FILE, load_module, read_origin
from tools.wasm.exports import all_exports

MODULE = MODULE_FILE.read_bytes()
TOOLS = Path(__file__).parents[3] / "tools"
WEIGHTS = [*PACKAGE.glob("bots/*.npy"), PACKAGE / "bots" / "heuristic.json"]


def test_it_is_made_from_the_code_beside_it() -> None:
    """Its section has the key of that code, and names the tools that made it."""
    assert read_origin(MODULE)["key"] == fingerprint(all_exports()), "make module"
    assert "Numba" in read_origin(MODULE)["tools"]


def test_made_anew_it_is_the_same(tmp_path: Path) -> None:
    """Another folder, another order of Python's sets, and sources of another text give the same bytes."""
    assembly = pytest.importorskip("tools.wasm.assembly")
    tools = assembly.tool_versions()
    if read_origin(MODULE)["tools"] != tools:
        pytest.skip(f"made with {read_origin(MODULE)['tools']}; here is {tools}")
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


def test_without_binaryen_it_says_what_fetches_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those who make the module have it, and the module says who made it."""
    assembly = pytest.importorskip("tools.wasm.assembly")
    monkeypatch.setattr(assembly, "_BINARYEN", tmp_path / "binaryen")
    assert assembly.tool_versions().endswith("Binaryen missing")
    with pytest.raises(RuntimeError, match="make module"):
        assembly._optimize(MODULE)


def test_what_stays_apart_is_there() -> None:
    """A function that has another name by now is missed, not forgotten."""
    assembly = pytest.importorskip("tools.wasm.assembly")
    with pytest.raises(RuntimeError, match="move_hands"):
        assembly._prevent_inlining(assembly.llvm.parse_assembly(""))


def test_it_needs_nothing() -> None:
    """It imports no function and no memory; what it gives is its doors, each under its name."""
    module = load_module()
    assert not list(module.imports)
    names = {entry.name for exported in all_exports() for entry in exported.signatures.values()}
    assert {export.name for export in module.exports} == names | {"memory", "__heap_base", "__stack_pointer"}


def test_it_is_small() -> None:
    """So that it can be kept beside its sources, and fetched by a page with all that bots have learned."""
    assert len(MODULE) <= 350_000
    assert sum(len(gzip.compress(data)) for data in (MODULE, *(file.read_bytes() for file in WEIGHTS))) <= 700_000


@given(st.binary(max_size=200))
def test_rubbish_has_no_origin(rubbish: bytes) -> None:
    """Whatever lies in place of the module, it is only found not to be one."""
    assert read_origin(rubbish) == {}
    assert read_origin(MODULE[:8] + rubbish) == {}


@given(st.integers(0, len(MODULE) - 1))
def test_part_of_it_has_no_origin(size: int) -> None:
    """A file that was not written to its end is not taken for a module."""
    assert read_origin(MODULE[:size]) == {}
