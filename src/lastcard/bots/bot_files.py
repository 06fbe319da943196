"""Bots in Python files, which the command line names as ``FILE.py:Class``.

``registry.make_bot`` reads no file for a name: names also come from result files, saved matches and other people.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from lastcard.bots.base import Bot
from lastcard.bots.own_bots import make_own_bot
from lastcard.errors import UsageError, suggest, wrap_os_errors

_BOT_FILE: Final = re.compile(r"(?P<file>.+\.py)(:(?P<class>[^:]*)(:(?P<settings>.*))?)?")


@dataclass(frozen=True)
class BotFile:
    """A bot's class or function in a Python file, called like the class itself; worker processes load the file again.

    Args:
        name: the text that names it, such as ``attacker.py:Attacker``.
        path: absolute path of the file.
        class_name: name of the class or function; may be empty, which ``load`` refuses.
        settings: argument ``settings`` of the class or function.
    """

    name: str
    path: Path
    class_name: str
    settings: str = ""

    def __call__(self, seed: bytes) -> Bot:
        """Returns a new bot; raises a UsageError if the file has no such class, or it makes no bot."""
        return make_own_bot(self.load(), seed, self.settings)

    def load(self) -> Any:
        """Returns the class or function.

        Raises:
            UsageError: if the file cannot be read as Python, or has no such class.
        """
        module = _load_module(self.path)
        found = getattr(module, self.class_name, None)
        if callable(found):
            return found
        names = [name for name, each in vars(module).items() if _is_bot_class(each, module)]
        there = f"its bots are {', '.join(names)}" if names else "it has no class with choose(view)"
        missing = f"has no bot {self.class_name!r}" if self.class_name else "needs the name of a class"
        such_as = f"; write {self.path.name}:{names[0]}" if len(names) == 1 else suggest(self.class_name, names)
        raise UsageError(f"{self.path.name} {missing}; {there}{such_as}")


@cache
def read_bot_file(text: str) -> BotFile | None:
    """Returns the bot that a text such as ``FILE.py:Class`` names, None for the name of another; loads nothing."""
    found = _BOT_FILE.fullmatch(text)
    if found is None:
        return None
    return BotFile(text, Path(found["file"]).absolute(), found["class"] or "", found["settings"] or "")


def _is_bot_class(value: object, module: ModuleType) -> bool:
    """Whether a module defines a value as a class with ``choose``."""
    return isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "choose")


@cache
def _load_module(path: Path) -> ModuleType:
    """Returns the module of a file; like a script it can import modules of its folder.

    Raises:
        UsageError: if it cannot be read, or is not Python; other errors of its code pass.
    """
    name = f"lastcard bot {path}"  # no other module has such a name
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # data classes and ``inspect`` find their module there
    sys.path.append(str(path.parent))
    try:
        with wrap_os_errors(path, "cannot be read"):
            spec.loader.exec_module(module)
    except (SyntaxError, ImportError) as error:
        raise UsageError(f"{path} is no Python module that can be loaded: {error}") from error
    return module
