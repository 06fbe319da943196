"""Names and notes of people: cleaned for display, and compared as people see them."""

from __future__ import annotations

import unicodedata
from typing import Final

NAME_CHARS: Final = 24
TEXT_CHARS: Final = 200
JOINERS: Final = "\u200c\u200d"  # valid inside scripts and emoji; all other invisible characters are removed
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u2d7f\u3164\uffa0\U00016fe4\U0001d159")
"""Invisible letters and marks."""
VARIATION_SELECTORS: Final = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E), 0x180F))
)
"""Variation selectors, as in emoji, Japanese names and Mongolian; invisible on their own."""
CONFUSABLES: Final = str.maketrans(
    # Cyrillic, Greek, and single strokes or circles
    "АВЕЅІЈКМНОРСТУХЗаеіјорсухѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν1I|ǀӀ0ı",
    "ABESlJKMHOPCTYX3aeijopcyxsdhqwABEZHlKMNOPTYXoaivllllloi",
)
_MAX_MARKS: Final = 3
"""Maximum number of accents stacked on one letter."""


def clean_text(text: str, length: int = TEXT_CHARS) -> str:
    """Return a typed text on one line: NFC, without control or bidirectional characters, cut to size; maybe empty."""
    chars: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[: 4 * length]):
        if char in _BLANK:
            continue
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zs", "Zl", "Zp") or char in "\t\n\r":
            chars.append(" ")
        elif marks <= _MAX_MARKS and (kind[0] != "C" or char in JOINERS):
            chars.append(char)
    return " ".join("".join(chars).split())[:length].strip(" " + JOINERS)


def clean_name(text: str) -> str:
    """Return a person's name for display; empty if nothing of it is visible."""
    name = clean_text(text, NAME_CHARS)
    return name if confusable_skeleton(name) else ""


def confusable_skeleton(name: str) -> str:
    """Return the confusable skeleton of a name; names that look alike have the same one."""
    plain = unicodedata.normalize("NFKC", name)
    seen = [char for char in plain if not char.isspace() and char not in VARIATION_SELECTORS and char not in JOINERS]
    return "".join(seen).translate(CONFUSABLES).replace("rn", "m").replace("vv", "w")


def fold_for_matching(text: str) -> str:
    """Return a text for word matching: without case, invisible characters, and marks beside its letters.

    A letter with an accent stays, because without it the word can be another. Other marks are removed, which neither
    splits nor joins words.
    """
    plain = unicodedata.normalize("NFC", text.casefold())
    return "".join(
        [
            char
            for char in plain
            if char not in JOINERS and char not in VARIATION_SELECTORS and unicodedata.category(char)[0] != "M"
        ]
    )
