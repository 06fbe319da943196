"""The page inside a chat has the texts that its modules name, and an answer to everything that they request."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode

import pytest

from lastcard.bundle.chat_page import make_chat_page
from lastcard.bundle.texts import TEXT_PARTS, screen_texts

ANSWERED = {"matches", "rules"}
"""First parts of the paths that ``chat/chatscreen.js`` answers."""
NEVER_REQUESTED = {"reports", "tables"}
"""The place in a server's queue of reports, without which the panel says that it works; and a new table, from home."""
UNUSED_TEXTS = re.compile(r"web\.home\.daily|web\.page\.(again|failed|home|skip)|decision\.choose")
"""Texts of daily deals and of the site's own pages, and an expression that looks like the key of a text."""


@pytest.fixture(scope="module")
def script() -> str:
    """All modules of the page."""
    found = re.search(r'<script type="module">(.*?)</script>', make_chat_page(), re.DOTALL)
    assert found is not None
    return found[1]


def test_requests_have_answers(script: str) -> None:
    assert set(re.findall(r"""["'`]/api/(\w+)""", script)) == ANSWERED | NEVER_REQUESTED


def test_texts_are_in_the_page(script: str) -> None:
    found = re.search(r"const \$texts = (\{.*\});\n", script)
    assert found is not None
    files = json.loads(found[1])
    for name, body in re.findall(r'data-file="(texts/[^"]+)">([^<]+)<', make_chat_page()):
        files[name] = json.loads(zlib.decompress(b64decode(body)))
    every = {key for part in ("", *TEXT_PARTS) for key in json.loads(screen_texts("en", part))}
    named = every.intersection(re.findall(r'["`]([\w-]+(?:\.[\w-]+)+)["`]', script))
    for language in ("en", "pl"):
        texts = {key for name, keys in files.items() if name.startswith(f"texts/{language}") for key in keys}
        assert not [key for key in sorted(named - texts) if not UNUSED_TEXTS.fullmatch(key)]
