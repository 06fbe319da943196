"""Names and chat of other people as quoted text, which cannot end its quotation."""

from __future__ import annotations

import json
from typing import Final

_ESCAPED: Final = frozenset('"\\<>&`[]|*_#')
"""Characters that end a quotation, or are markup in XML or Markdown."""


def quote(text: str) -> str:
    r"""Returns a text as a JSON string on one line, without markup, control characters or changes of direction.

    >>> print(quote('Bo" <b>'))
    "Bo\u0022 \u003cb\u003e"
    """
    return '"' + "".join(char if char.isprintable() and char not in _ESCAPED else _escape(char) for char in text) + '"'


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else json.dumps(char)[1:-1]
