"""No feature newer than a phone of three years: Safari 16.4 and Firefox 115 are the oldest to run all this.

Newer methods of JavaScript itself are refused by ``tsc``, which knows ES2022.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from support.mock_site import WEB


def _without_comments(file: Path) -> str:
    return re.sub(r"/\*.*?\*/|^\s*//.*?$", "", file.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


FILES: Final = {
    file.relative_to(WEB).as_posix(): _without_comments(file)
    for file in WEB.rglob("*")
    if file.suffix in (".js", ".css")
}
TOO_NEW: Final = {
    r":has\(": "Firefox 121",
    r"@starting-style|@scope": "Safari 17.4, Firefox 128 or later",  # @property too, but it only improves speed
    r"light-dark\(|field-sizing|interpolate-size": "Safari 17.5, Firefox 120 or later",
    r"^ +&[^&]|^ +@media": "nesting: Safari 16.5, Firefox 117",
    r"anchor-name|position-anchor|startViewTransition": "Safari 18, Firefox 144 or later",
    r"\.(show|hide|toggle)Popover\(|popovertarget": "Safari 17, Firefox 125",
    r"\.checkVisibility\(": "Safari 17.4",
    r"AbortSignal\.any|URL\.(canParse|parse)\(": "Safari 17, Firefox 124 or later",
    r"scrollend|requestIdleCallback|closedby": "Safari 26 or later, or never",
}
"""Features that are not used, and the browsers that introduced them."""


@pytest.mark.parametrize("pattern", TOO_NEW)
def test_no_feature_is_newer_than_the_phones(pattern: str) -> None:
    found = {name for name, text in FILES.items() if re.search(pattern, text, flags=re.MULTILINE)}
    assert not found, TOO_NEW[pattern]


def test_no_module_waits_at_its_top() -> None:
    # WebKit bug 242740: a second importer finds a module with top-level await empty. `need` declares what to wait for.
    top = re.compile(r"^(?!.*\basync\b)(?=\S).*\bawait ", re.MULTILINE)
    waiting = {name for name, text in FILES.items() if top.search(text)}
    assert not waiting


def test_modules_are_loaded_with_what_they_need() -> None:
    naked = {
        (name, found)
        for name, text in FILES.items()
        if name != "pages/main.js"  # whose pages the router loads
        for found in re.findall(r'(?<!load\()(?<!later\(\(\) => )\bimport\("\.[^"]+"\)', text)
    }
    # The module that starts a worker with the rules needs no texts, and the first card waits for it. Cards wait for the
    # clear faces and their style sheet themselves: `load` waits for the cards.
    assert naked == {
        ("pages/home.js", 'import("../localtable/workerpool.js")'),
        ("cards/art.js", 'import("./clearfaces.js")'),
    }
