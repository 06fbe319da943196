"""Text of strangers for a terminal: what would move the cursor or turn the line around is shown and not done."""

from __future__ import annotations

import unicodedata
from typing import Final

_UNESCAPED: Final = "\n\t\u200c\u200d"


def escape_control_characters(text: str) -> str:
    """A text in which control and direction characters are spelled out."""
    if text.isprintable():
        return text
    return "".join(
        char if char in _UNESCAPED or unicodedata.category(char)[0] != "C" else _escape(char) for char in text
    )


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
