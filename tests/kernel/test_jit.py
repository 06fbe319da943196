"""Compiled code is cached on disk and can never be stale."""

from __future__ import annotations

import ast
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path

import numba
import pytest

from lastcard.kernel import cache
from support.package_copies import PACKAGE, copy_package, run_script

SOURCES = sorted(
    {path.relative_to(PACKAGE).as_posix() for kind in cache.COMPILED_SOURCES for path in PACKAGE.glob(kind)}
)
COMPILED_SOURCES = [name for name in SOURCES if name not in cache.CALLING_SOURCES]

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

POINTS = """
import numpy as np
from lastcard.rules import exports, option_codes
from lastcard.rules.round_state import new_round_states
from lastcard.match.setup import fill_hand
tables, points = new_round_states(1), np.zeros(10, np.int64)
tables[0]["game"], tables[0]["players"] = option_codes.CLASSIC, 1
fill_hand(tables[0], 0, [9, 10, 13])
exports.count_points(tables, 0, points)
print(points[0])
"""
"""The points of a nine, a Skip and a Jackpot."""


@pytest.fixture
def package_copy(tmp_path: Path) -> Path:
    """A copy of the package that may be edited."""
    return copy_package(tmp_path / "copy")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package for all tests that do not change it."""
    return copy_package(tmp_path_factory.mktemp("shared"))


def edit(file: Path, old: str, new: str) -> None:
    """Edit one place of a source and nothing else: its size and times stay the same."""
    text, times = file.read_text(encoding="utf-8"), file.stat()
    assert text.count(old) == 1 and len(old) == len(new), f"{old!r} stands {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    Path(cache_from_source(file)).unlink(missing_ok=True)  # Python compares size and times


CACHE_HITS_SCRIPT = """
from lastcard.kernel.jit import backend
print(sum(backend().resolve(exports.count_points).stats.cache_hits.values()))
"""
MEETING_SCRIPT = """
import os, time
from pathlib import Path
here = Path({folder!r})
(here / str(os.getpid())).touch()
while len(list(here.iterdir())) < {count}:
    time.sleep(0.01)
"""


@pytest.fixture(scope="module")
def first_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """A cache, and the output of three processes that began at once when it was empty: points, and cache hits."""
    folder = tmp_path_factory.mktemp("first")
    package = copy_package(folder / "copy")
    (folder / "here").mkdir()
    imports, calls = POINTS.split("tables, points", 1)
    meeting = MEETING_SCRIPT.format(folder=str(folder / "here"), count=3)
    script = f"{imports}{meeting}tables, points{calls}{CACHE_HITS_SCRIPT}"
    with ThreadPoolExecutor() as pool:
        said = list(pool.map(lambda _: run_script(script, package, folder / "cache").split(), range(3)))
    return folder / "cache", said


@pytest.fixture
def cache_folder(first_runs: tuple[Path, list[list[str]]], tmp_path: Path) -> Path:
    """A cache of the test's own, with the code compiled from the unchanged sources."""
    shutil.copytree(first_runs[0], tmp_path / "cache")
    return tmp_path / "cache"


@compiled
def test_concurrent_processes_compile_once(first_runs: tuple[Path, list[list[str]]]) -> None:
    """The others wait for it and find its code."""
    assert sorted(first_runs[1]) == [["69", "0"], ["69", "1"], ["69", "1"]]


@compiled
def test_an_edited_source_is_compiled_anew(package_copy: Path, cache_folder: Path) -> None:
    """The points of a Skip, edited in a file that the compiled export only imports, change at once."""
    edit(package_copy / "rules" / "piles.py", "20 if face >= cards.SKIP", "30 if face >= cards.SKIP")
    assert run_script(POINTS, package_copy, cache_folder) == "79"
    edit(package_copy / "rules" / "piles.py", "30 if face >= cards.SKIP", "20 if face >= cards.SKIP")
    assert run_script(POINTS + CACHE_HITS_SCRIPT, package_copy, cache_folder).split() == ["69", "1"]


@compiled
def test_an_edited_constant_is_compiled_anew(package_copy: Path, cache_folder: Path) -> None:
    """A number in cards.py that is frozen into compiled code changes it."""
    edit(package_copy / "game" / "cards.py", "SKIP: Final = 10", "SKIP: Final =  9")
    assert run_script(POINTS, package_copy, cache_folder) == "80", "now the nine is worth 20"


@compiled
def test_compiled_code_is_found_again(package_copy: Path, cache_folder: Path) -> None:
    """A process with a copy of the sources in another folder compiles nothing."""
    assert run_script(POINTS + CACHE_HITS_SCRIPT, package_copy, cache_folder).split() == ["69", "1"]


@compiled
def test_a_cache_that_cannot_be_written(package_copy: Path, tmp_path: Path) -> None:
    """Code is compiled all the same."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert run_script(POINTS, package_copy, blocked / "cache") == "69"


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """LASTCARD_CACHE, else the user's own cache folder; never one that others could write."""
    monkeypatch.setenv("LASTCARD_CACHE", str(tmp_path / "named"))
    assert cache.cache_root() == tmp_path / "named"
    monkeypatch.delenv("LASTCARD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert cache.cache_root() == tmp_path / "user" / "lastcard"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.cache_root() == tmp_path / ".cache" / "lastcard"


def test_other_caches_stay_where_they_are() -> None:
    """Numba's own setting does not change: programs that use lastcard cache their compiled code elsewhere."""
    assert "lastcard" not in str(numba.config.CACHE_DIR)


@pytest.mark.parametrize("name", COMPILED_SOURCES)
def test_the_key_depends_on_every_source(shared: Path, name: str) -> None:
    """One more byte in any compiled or frozen source gives another folder; other files do not matter."""
    key = cache.source_key(shared)
    assert key == cache.source_key(shared)
    with (shared / "errors.py").open("a") as other:
        other.write("# not compiled\n")
    assert cache.source_key(shared) == key
    source = (shared / name).read_bytes()
    (shared / name).write_bytes(source + b" ")
    assert cache.source_key(shared) != key
    (shared / name).write_bytes(source)


def imported(path: Path) -> set[str]:
    """The modules of this package that a source imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            is_module = PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py").exists()
            found.add(name if is_module else name.rpartition(".")[0])
    return {name for name in found if name.startswith("lastcard.")}


def test_nothing_else_is_frozen() -> None:
    """Compiled code imports only sources that are in the key, and the errors, which no compiled code contains."""
    modules = {f"lastcard.{name[:-3].replace('/', '.')}" for name in SOURCES}
    for name in COMPILED_SOURCES:
        assert imported(PACKAGE / name) <= modules | {"lastcard.errors"}, name
