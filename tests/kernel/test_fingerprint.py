"""The fingerprint of compiled code: constants and code change it, text does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from lastcard.kernel import cache
from lastcard.kernel.fingerprint import fingerprint
from lastcard.kernel.signatures import Export
from lastcard.kernel.wasm_backend import MODULE_FILE, read_origin
from support.package_copies import PACKAGE, copy_package, run_script

ORIGIN = read_origin(MODULE_FILE.read_bytes())
COMPILED = sorted(
    {path.relative_to(PACKAGE).as_posix() for kind in cache.COMPILED_SOURCES for path in PACKAGE.glob(kind)}
)
SCRIPT = f"""
from importlib import import_module
from lastcard.kernel.fingerprint import fingerprint
from lastcard.kernel.jit import EXPORTS
names = [import_module(name).__name__ for name in {ORIGIN["exports"]}]
print(fingerprint(export for export in EXPORTS.values() if export.function.__module__ in names))
"""


@pytest.fixture
def key(tmp_path: Path) -> Callable[..., str]:
    """The fingerprint of a copy of the package with edits, each a file, an old text and a new one."""
    copy = copy_package(tmp_path / "copy")

    def find(*edits: tuple[str, str, str]) -> str:
        for name, old, new in edits:
            text = (copy / name).read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
            (copy / name).write_text(text.replace(old, new), encoding="utf-8")
        return run_script(SCRIPT, copy, tmp_path / "cache", "plain")

    return find


def test_text_changes_no_key(tmp_path: Path, key: Callable[..., str]) -> None:
    """Edited messages, docstrings, and comments that move every line of every compiled file."""
    for name in COMPILED:
        file = tmp_path / "copy" / "lastcard" / name
        file.write_text("# A comment.\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    edits = [
        ("game/options.py", "needs a value, such as", "takes a value, such as"),
        ("rules/piles.py", "Add ``count``, which may be negative, to", "Change"),
        ("kernel/intrinsics.py", "# whole bytes are shuffled", "# bytes are shuffled"),
    ]
    assert key(*edits) == ORIGIN["key"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("rules/piles.py", "20 if face >= cards.SKIP", "30 if face >= cards.SKIP"),
        ("rules/layout.py", "MAX_STALLED_TURNS: Final = 200", "MAX_STALLED_TURNS: Final = 201"),
        ("rules/round_state.py", "    topless: int", "    topless_: int\n    topless: int"),
        ("game/options.py", '"off", "same", "cross", "equal_or_higher"', '"off", "cross", "same", "equal_or_higher"'),
        ("kernel/intrinsics.py", "for _ in range(4):", "for _ in range(5):"),
        ("kernel/blocks.py", "BLOCKS: Final = 4", "BLOCKS: Final = 8"),
    ],
)
def test_code_and_constants_change_the_key(key: Callable[..., str], name: str, old: str, new: str) -> None:
    """A number, an operator, a field of a record, the order of an option's values, the result of an intrinsic."""
    assert key((name, old, new)) != ORIGIN["key"]


ODD: Final[dict[str, int]] = {}


def read_odd(number: int) -> int:
    """A function that reads a value that cannot be compiled."""
    return number + len(ODD)


def test_a_value_without_a_key_is_refused() -> None:
    """If it were left out, its changes would go unnoticed."""
    with pytest.raises(TypeError, match="ODD is"):
        fingerprint([Export(read_odd, False, lambda export: read_odd)])
