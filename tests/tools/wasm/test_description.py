"""The description of the module: it belongs to these sources, is true, and complete."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np

from lastcard.kernel.wasm_backend import MODULE_FILE as MODULE
from lastcard.kernel.wasm_backend import load_module, read_origin
from lastcard.rules.round_state import ROUND_STATE
from tools.wasm import description
from tools.wasm.exports import all_exports

TEXT = description.FILE.read_text(encoding="utf-8")
DESCRIBED: dict[str, Any] = json.loads(TEXT)


def test_made_anew_it_is_the_same() -> None:
    """The file is equal to the letter; ``make module`` writes it together with the module."""
    assert description.as_text(description.describe()) == TEXT, "make module"


def test_the_description_belongs_to_the_module() -> None:
    assert DESCRIBED["key"] == read_origin(MODULE.read_bytes())["key"]


def test_the_description_lists_every_export() -> None:
    """The parameters of an export have as many words as the module's function: one a number, more an array."""
    exported = {export.name: export.type for export in load_module().exports}
    assert set(DESCRIBED["exports"]) == {
        entry.name for exported in all_exports() for entry in exported.signatures.values()
    }
    for name, export in DESCRIBED["exports"].items():
        kinds = []
        for part in export["takes"]:
            kinds += (
                ["i64"] * (1 + part["dimensions"]) if "array" in part else ["f64" if part["type"] == "float" else "i64"]
            )
        kind: Any = exported[name]
        assert [str(word) for word in kind.params] == kinds, name
        assert export["about"], f"{name} does not say what it does"


def test_records_have_the_described_layout() -> None:
    """A table of random bytes reads the same by NumPy's type and by the description."""
    written = np.random.default_rng(1).integers(0, 256, ROUND_STATE.itemsize, np.uint8).tobytes()
    known = np.frombuffer(written, ROUND_STATE)[0]
    record = DESCRIBED["records"]["ROUND_STATE"]
    assert record["bytes"] == ROUND_STATE.itemsize
    assert set(record["fields"]) == set(ROUND_STATE.names or ())
    for name, field in record["fields"].items():
        size = int(np.prod(field["shape"], initial=1)) * np.dtype(field["type"]).itemsize
        assert known[name].tobytes() == written[field["at"] : field["at"] + size], name


def test_types_of_arrays_are_known() -> None:
    for export in DESCRIBED["exports"].values():
        for part in export["takes"]:
            assert "array" not in part or part["array"] in DESCRIBED["records"] or np.dtype(part["array"]).names is None


def test_it_is_small() -> None:
    """A page fetches it before the first card."""
    assert len(gzip.compress(TEXT.encode())) <= 16_000
