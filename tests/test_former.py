"""Programs that import modules by the names they had before the house was rebuilt go on working."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from lastcard import former


@pytest.mark.parametrize("name", former._NAMES)
def test_a_former_name_is_the_module_itself(name: str) -> None:
    if name.endswith("openspiel_bots"):
        pytest.importorskip("pyspiel")
    module = import_module(former._NAMES[name])
    sys.modules.pop(name, None)
    with pytest.warns(DeprecationWarning, match=f"{name} is now {module.__name__}"):
        assert import_module(name) is module
    assert module.__spec__ is not None and module.__spec__.name == module.__name__


def test_as_a_program_writes_it() -> None:
    """In a process of its own, where Python tells the programmer of it."""
    program = "import lastcard.cards; from lastcard.features import features; print(lastcard.cards.card_name(5))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "R5\n" and "lastcard.features is now lastcard.envs.features" in done.stderr


def test_other_names_stay_unknown() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("lastcard.card")
