"""Writing TOML that a person likes to read. Reading it back is ``tomllib``'s work."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_ROW: Final = 100
"""How long a row of a list may grow."""


def toml_key(key: str) -> str:
    """A key, quoted where it has to be."""
    return key if _BARE_KEY.fullmatch(key) else toml_text(key)


def toml_text(text: str) -> str:
    """A basic string; its escapes are those of JSON, and DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_value(value: Any) -> str:
    """A value as TOML, on one line.

    Raises:
        TypeError: for a value TOML has no form for.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(key)} = {toml_value(member)}" for key, member in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    raise TypeError(f"TOML has no form for {type(value).__name__}")


def toml_rows(values: Iterable[Any], width: int = _ROW) -> str:
    """A list over as many rows as it needs, or on one line where it fits."""
    words = [toml_value(value) for value in values]
    if sum(len(word) + 2 for word in words) <= width:
        return "[" + ", ".join(words) + "]"
    rows: list[str] = []
    row = ""
    for word in words:
        if row and len(row) + len(word) + 2 > width:
            rows.append(row)
            row = ""
        row += (" " if row else "") + word + ","
    return "[\n" + "".join(f"  {row}\n" for row in [*rows, row]) + "]"


def toml_lines(table: Mapping[str, Any]) -> str:
    """A table as ``key = value`` lines."""
    return "".join(f"{toml_key(key)} = {toml_value(value)}\n" for key, value in table.items())
