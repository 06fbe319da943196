"""Texts of the screen: none is missing, none is unused, and each screen gets only its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import pytest

from lastcard.bundle.texts import TEXT_PARTS, screen_texts
from lastcard.text.locale import LANGUAGES, catalog

PACKAGE = Path(str(resources.files("lastcard")))
_CALL = re.compile(r"\b(?:t|has)\(")
_LITERAL = re.compile(r'"([^"\\\n]*)"|`((?:[^`\\$]|\$\{[^{}]*\})*)`')
_MENTION = re.compile(r"""["`](web\.(?:[\w.-]|\$?\{[^{}]*\})+)["`]""")
_PART = re.compile(r'\buseTexts\("(\w+)"\)')
_KEY = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+")


def first_argument(source: str, start: int) -> str:
    """The first argument of the call whose parenthesis was opened just before ``start``."""
    depth = 0
    for i in range(start, len(source)):
        if source[i] in "([{":
            depth += 1
        elif source[i] in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and source[i] == ","):
            return source[start:i]
    return source[start:]


def literals(source: str) -> Iterator[str]:
    """Texts and templates in a piece of JavaScript, with computed parts written as ``*``."""
    for text, template in _LITERAL.findall(source):
        yield text or re.sub(r"\$\{[^{}]*\}", "*", template)


def calls_in(source: str) -> Iterator[str]:
    """Every key that a module of the browser requests, with ``*`` for a computed part."""
    for call in _CALL.finditer(source):
        for text in literals(first_argument(source, call.end())):
            if _KEY.fullmatch(text.replace("*", "x")):
                yield text


def mentions_in(source: str) -> Iterator[str]:
    """Every key of the screen in a browser or Python file, with ``*`` for a computed part."""
    for key in _MENTION.findall(source):
        yield re.sub(r"\$?\{[^{}]*\}", "*", key)


def modules() -> list[Path]:
    """The modules of the browser."""
    return sorted((PACKAGE / "web").rglob("*.js"))


def all_of(find: Callable[[str], Iterable[str]], files: Iterable[Path]) -> set[str]:
    """The finds in all the files."""
    return {key for file in files for key in find(file.read_text(encoding="utf-8"))}


WORDING: Final = PACKAGE / "web" / "localtable" / "wording.js"
"""Messages of the table in a worker get their words there."""


@cache
def sent(language: str) -> dict[str, object]:
    """All texts available to the screen, by key."""
    parts = [json.loads(screen_texts(language, part)) for part in ("", *TEXT_PARTS)]
    return {key: text for part in parts for key, text in part.items()}


def as_pattern(key: str) -> re.Pattern[str]:
    """A pattern of all values of a key with computed parts."""
    return re.compile(re.escape(key).replace(r"\*", r"[A-Za-z0-9_.-]+"))


def test_the_search_finds_every_used_key() -> None:
    source = 'h("p", null, t(on ? "web.a.on" : "web.a.off", {n}), has(`web.b.${f(x)}.about`), stylesheet("web.css"))'
    assert list(calls_in(source)) == ["web.a.on", "web.a.off", "web.b.*.about"]
    assert len(all_of(calls_in, modules())) > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_requested_key_exists(language: str) -> None:
    """A missing key would be shown on the screen as it is."""
    asked = all_of(calls_in, modules())
    assert not {key for key in asked if not any(as_pattern(key).fullmatch(known) for known in sent(language))}


def test_every_text_of_the_screen_is_used() -> None:
    """An unused text would be translated for nothing."""
    patterns = [as_pattern(key) for key in all_of(mentions_in, [*modules(), *PACKAGE.rglob("*.py")])]
    written = [key for key in catalog("en").texts if key.startswith("web.")]
    assert not [key for key in written if not any(pattern.fullmatch(key) for pattern in patterns)]


@pytest.mark.parametrize("module", modules(), ids=lambda file: file.name)
def test_a_module_waits_for_its_texts(module: Path) -> None:
    """A text that is not in the first ones belongs to a part, and the module that shows it has requested the part."""
    source = module.read_text(encoding="utf-8")
    keys = all_of(calls_in, [module]) | all_of(mentions_in, [module])
    if module == WORDING:
        keys |= all_of(literals, module.parent.glob("*.js"))
    elif module.parent == WORDING.parent:
        return  # in the worker: it names texts, and the page puts them in words
    needed = {part for part, groups in TEXT_PARTS.items() if any(key.startswith(groups) for key in keys)}
    if module.name == "narrate.js":
        needed.remove("jackpot")  # `loadGame` requests them, for that game only
    assert set(_PART.findall(source)) == needed


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_what_a_screen_needs_is_sent(language: str) -> None:
    first = json.loads(screen_texts(language))
    groups = {key.partition(".")[0] for key in first}
    assert {"web", "card", "color", "event", "game"} <= groups
    needless = {
        "rules",
        "option",
        "refused",
        "command",
        "decision",
        "help",
        "play",
        "replay",
        "advice",
        "hint",
        "effect",
        "lever",
        "rulecard",
    }
    assert not groups & needless
    assert not [key for key in first if key.startswith("web.refused.")]
    assert not {key.partition(".")[0] for key in sent(language)} & {"command", "help", "replay"}
