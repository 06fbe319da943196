"""Untrusted text for a terminal: characters that would control cursor or text direction are escaped."""

from __future__ import annotations

import unicodedata
from typing import Final

_UNESCAPED: Final = "\n\t\u200c\u200d"


def escape_control_characters(text: str) -> str:
    """Returns a text with control and direction characters spelled out."""
    if text.isprintable():
        return text
    return "".join(
        char if char in _UNESCAPED or unicodedata.category(char)[0] != "C" else _escape(char) for char in text
    )


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
