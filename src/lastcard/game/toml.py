"""TOML: reads tables key by key and collects all faults; writes readable text."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeVar

from lastcard.errors import LastcardError, NotationError
from lastcard.game.text_files import TEXT_LIMIT_BYTES, normalize_text

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_MAX_DOTS: Final = 256
"""Maximum number of dots in a text, above that of any record."""
_MAX_NUMBER_BITS: Final = 14_000
"""Maximum size of a number, a little below Python's limit for its text."""
_TOO_LARGE: Final = "a number in it has too many digits"
_WORD_BITS: Final = 63
"""Maximum size of a valid number, without its sign."""
_ROW_WIDTH_CHARS: Final = 100
"""Maximum width of a row of a list."""


def toml_key(key: str) -> str:
    """Returns a key, quoted if necessary."""
    return key if _BARE_KEY.fullmatch(key) else toml_text(key)


def toml_text(text: str) -> str:
    """Returns a basic string; its escapes are those of JSON, and DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_value(value: Any) -> str:
    """Returns a value as TOML, on one line; raises a TypeError for a value that TOML cannot represent."""
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


def toml_rows(values: Iterable[Any], width: int = _ROW_WIDTH_CHARS) -> str:
    """Returns a list in several rows, or on one line if it fits."""
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
    """Returns a table as ``key = value`` lines."""
    return "".join(f"{toml_key(key)} = {toml_value(value)}\n" for key, value in table.items())


def parse_toml(text: str) -> dict[str, Any]:
    """Returns the document of an untrusted text with any line ends (``normalize_text``).

    Raises:
        NotationError: if it is no TOML, exceeds the size limit, or has keys of so many parts that they take minutes
            to parse, or a number that is too large for a message.
    """
    import tomllib  # its patterns take long, and most programs read no file

    if len(text) > TEXT_LIMIT_BYTES:
        raise NotationError(f"it has {len(text):,} characters; at most {TEXT_LIMIT_BYTES:,} are read")
    text = normalize_text(text)
    for number, line in enumerate(text.split("\n"), start=1):
        dots = max(part.count(".") for part in line.split("="))
        if dots > _MAX_DOTS and not line.lstrip().startswith("#"):
            raise NotationError(f"line {number} has too many dots")
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotationError(str(error)) from None
    except ValueError:
        raise NotationError(_TOO_LARGE) from None
    if any(isinstance(value, int) and value.bit_length() > _MAX_NUMBER_BITS for value in _leaves(document)):
        raise NotationError(_TOO_LARGE)  # Python parses 0x… of any length
    return document


def _leaves(document: Mapping[str, Any]) -> Iterable[Any]:
    """Yields every value in a document that is neither a list nor a table."""
    waiting: list[Any] = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        else:
            yield value


# --- reading ----------------------------------------------------------------------------------------


_T = TypeVar("_T")


class Fields:
    """Reader of a TOML table, which collects all faults in ``faults`` instead of stopping at the first.

    Args:
        allowed: keys that it may have; any other is a fault.
        prefix: prefix of every fault, such as ``expect.``.
        allow_private: whether keys that start with ``_`` are allowed; they are in ``extra``.
    """

    def __init__(
        self, mapping: Mapping[str, Any], allowed: Collection[str], prefix: str = "", allow_private: bool = False
    ) -> None:
        self.mapping = mapping
        self.prefix = prefix
        self.faults: list[str] = []
        self.unreadable: set[str] = set()
        self.extra = {key: value for key, value in mapping.items() if allow_private and key.startswith("_")}
        for key in mapping:
            if key not in allowed and key not in self.extra:
                self.fault(key, f"unknown key; the keys are {', '.join(allowed)}")

    def __contains__(self, key: str) -> bool:
        return key in self.mapping

    def fault(self, key: str, message: object) -> None:
        """Append a fault of a key."""
        self.faults.append(f"{self.prefix}{key}: {message}")

    def read(self, key: str, parse: Callable[[Any], _T], default: _T, required: bool = False) -> _T:
        """Returns the parsed value of a key, or the default if it is absent or faulty."""
        if key not in self.mapping:
            if required:
                self._mark_unreadable(key, "missing")
            return default
        try:
            return parse(self.mapping[key])
        except LastcardError as error:
            self._mark_unreadable(key, error)
            return default

    def read_each(self, key: str, parse: Callable[[Any], _T], required: bool = False) -> tuple[_T, ...]:
        """Returns the parsed members of a list; a fault names the index of the member."""
        nothing: list[Any] = []
        value = self.read(key, expect_list, nothing, required)
        members: list[_T] = []
        for i, member in enumerate(value):
            try:
                members.append(parse(member))
            except LastcardError as error:
                self._mark_unreadable(key, error, f"{key}[{i}]")
        return tuple(members)

    def _mark_unreadable(self, key: str, message: object, place: str | None = None) -> None:
        self.unreadable.add(key)
        self.fault(place or key, message)


def faults_text(faults: list[str]) -> str:
    """Returns faults as the message of one error: one fault alone, or their number and one a line."""
    return faults[0] if len(faults) == 1 else "\n".join([f"{len(faults)} faults:", *(f"  {f}" for f in faults)])


def describe_type(value: object) -> str:
    """Returns the type of a value, in the terms of TOML."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "a table"}
    shown = repr(value)
    return f"{shown if len(shown) <= 40 else shown[:39] + '…'} is {kinds.get(type(value), type(value).__name__)}"


def expect_text(value: object) -> str:
    """Returns the value if it is text.

    Raises:
        NotationError: if it is not text; the other ``expect`` functions raise it for values of a wrong type, too.
    """
    if not isinstance(value, str):
        raise NotationError(f"{describe_type(value)}; expected text")
    return value


def expect_number(value: object) -> int:
    """Returns the value if it is an integer."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"{describe_type(value)}; expected a whole number")
    if value.bit_length() > _WORD_BITS:
        raise NotationError("the number is too large; expected one of at most 64 bits")
    return value


def expect_bool(value: object) -> bool:
    """Returns the value if it is a boolean."""
    if not isinstance(value, bool):
        raise NotationError(f"{describe_type(value)}; expected true or false")
    return value


def expect_list(value: object) -> list[Any]:
    """Returns the value if it is a list."""
    if not isinstance(value, list | tuple):
        raise NotationError(f"{describe_type(value)}; expected a list")
    return list(value)


def expect_table(value: object) -> dict[str, Any]:
    """Returns the value if it is a table."""
    if not isinstance(value, Mapping):
        raise NotationError(f"{describe_type(value)}; expected a table")
    return dict(value)


def expect_numbers(value: object) -> tuple[int, ...]:
    """Returns the value if it is a list of integers."""
    return tuple(map(expect_number, expect_list(value)))
