"""The texts of the screen: none is missing, none is left over, and only those a screen needs are sent to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from lastcard.locale import LANGUAGES, catalog
from lastcard.server.words import screen_texts

PACKAGE = Path(str(resources.files("lastcard")))
_CALL = re.compile(r"\b(?:t|has)\(")
_LITERAL = re.compile(r'"([^"\\\n]*)"|`((?:[^`\\$]|\$\{[^{}]*\})*)`')
_MENTION = re.compile(r"""["`](web\.(?:[\w.-]|\$?\{[^{}]*\})+)["`]""")
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
    """Texts and templates in a piece of JavaScript, what is computed written as ``*``."""
    for text, template in _LITERAL.findall(source):
        yield text or re.sub(r"\$\{[^{}]*\}", "*", template)


@cache
def browser_calls() -> frozenset[str]:
    """Every key that a module of the browser asks for, with ``*`` where a part is computed."""
    found = set()
    for file in sorted((PACKAGE / "web").glob("*.js")):
        source = file.read_text(encoding="utf-8")
        for call in _CALL.finditer(source):
            for text in literals(first_argument(source, call.end())):
                if _KEY.fullmatch(text.replace("*", "x")):
                    found.add(text)
    return frozenset(found)


@cache
def mentions() -> frozenset[str]:
    """Every key of the screen in a browser or Python file, with ``*`` where a part is computed."""
    found = set()
    for file in sorted([*(PACKAGE / "web").glob("*.js"), *PACKAGE.rglob("*.py")]):
        for key in _MENTION.findall(file.read_text(encoding="utf-8")):
            found.add(re.sub(r"\$?\{[^{}]*\}", "*", key))
    return frozenset(found)


def as_pattern(key: str) -> re.Pattern[str]:
    """What a key with computed parts can be."""
    return re.compile(re.escape(key).replace(r"\*", r"[A-Za-z0-9_.-]+"))


def test_the_search_finds_what_it_looks_for() -> None:
    source = 'h("p", null, t(on ? "web.a.on" : "web.a.off", {n}), has(`web.b.${f(x)}.about`), stylesheet("web.css"))'
    calls = [first_argument(source, call.end()) for call in _CALL.finditer(source)]
    assert [list(literals(call)) for call in calls] == [["web.a.on", "web.a.off"], ["web.b.*.about"]]
    assert len(browser_calls()) > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_the_screen_asks_for_is_there(language: str) -> None:
    """Issue 3, part 3: a language test fails on a missing key."""
    sent = json.loads(screen_texts(language).body)
    missing = {key for key in browser_calls() if not any(as_pattern(key).fullmatch(known) for known in sent)}
    assert not missing


def test_every_text_of_the_screen_is_used() -> None:
    """Issue 3, part 3: a language test fails on an unused key."""
    patterns = [as_pattern(key) for key in mentions()]
    written = [key for key in catalog("en").texts if key.startswith("web.")]
    assert not [key for key in written if not any(pattern.fullmatch(key) for pattern in patterns)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_what_a_screen_needs_is_sent(language: str) -> None:
    sent = json.loads(screen_texts(language).body)
    groups = {key.partition(".")[0] for key in sent}
    assert {"web", "card", "color", "event", "effect", "lever", "rulecard", "game"} <= groups
    assert not groups & {"rules", "option", "command", "help", "play"}
    assert sent == {key: text for key, text in catalog(language).texts.items() if key.partition(".")[0] in groups}
