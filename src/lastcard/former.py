"""Modules under the names they had before the house was rebuilt, so that programs written for those go on working.

``import lastcard.cards`` gives ``lastcard.game.cards`` itself, with a ``DeprecationWarning`` that names it.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, cast

_NEW_HOMES: Final = {
    "game": "actions cards options rulecards rulesets seeds",
    "play": "events match round view",
    "words": "explain locale narrate",
    "envs": "action_space features",
    "bots": "advice",
}
_NAMES: Final = {
    **{f"lastcard.{name}": f"lastcard.{home}.{name}" for home, names in _NEW_HOMES.items() for name in names.split()},
    "lastcard.notation.moves": "lastcard.game.actions",
    "lastcard.notation.position": "lastcard.game.position",
    "lastcard.envs.openspiel_bots": "lastcard.envs.openspiel.bots",
    "lastcard.server.keepsakes": "lastcard.server.game.record_import",
}
"""Former names of what was written about, and where it is now."""


class Former:
    """Finds modules by their former names, and loads them under both."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Where a former name leads; None for any other."""
        if name not in _NAMES:
            return None
        warnings.warn(f"{name} is now {_NAMES[name]}", DeprecationWarning, stacklevel=2)
        return ModuleSpec(name, cast(Any, Former()))

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module of the new name."""
        module = import_module(_NAMES[spec.name])
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run under its new name; what it says of itself stays what that says."""
        module.__spec__ = self._spec


def keep_names() -> None:
    """Let former names be found, after all that are there."""
    sys.meta_path.append(Former)
