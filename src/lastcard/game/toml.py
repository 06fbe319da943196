"""Tables of TOML: reading them key by key, every fault remembered, and writing what a person likes to read."""

from __future__ import annotations

import datetime
import json
import math
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeVar

from lastcard.errors import LastcardError, NotationError
from lastcard.game.text_files import TEXT_LIMIT_BYTES, normalize_text

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_MAX_DOTS: Final = 256
"""More than the longest texts in a record have."""
_MAX_NUMBER_BITS: Final = 14_000
"""Of a number: a little less than Python writes as text."""
_TOO_LARGE: Final = "a number in it has too many digits"
_WORD_BITS: Final = 63
"""Of a number that means something, its sign aside."""
_ROW_WIDTH_CHARS: Final = 100
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


def toml_rows(values: Iterable[Any], width: int = _ROW_WIDTH_CHARS) -> str:
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


def parse_toml(text: str) -> dict[str, Any]:
    """The document in a text that anybody may have written, with whatever line ends (``normalize_text``).

    Raises:
        NotationError: where it is no TOML, is longer than any file that is read, or has keys put together of so many
            that to read them takes minutes, or a number that no message could quote.
    """
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
        raise NotationError(_TOO_LARGE)  # 0x… is read at any length
    return document


def _leaves(document: Mapping[str, Any]) -> Iterable[Any]:
    """Every value in a document that is neither a list nor a table."""
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
    """A TOML table being read; faults are collected in ``faults`` instead of stopping at the first.

    Args:
        mapping: the table.
        allowed: the keys it may have; any other is a fault.
        prefix: what stands in front of every fault, such as ``expect.``.
        allow_private: whether keys that start with ``_`` are let through; ``extra`` gives them.
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
        """Remember that something is wrong with a key."""
        self.faults.append(f"{self.prefix}{key}: {message}")

    def read(self, key: str, parse: Callable[[Any], _T], default: _T, required: bool = False) -> _T:
        """The parsed value of a key, or the default where it is absent or faulty."""
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
        """The parsed members of a list; a fault names which of them, from 0."""
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
    """Faults as the message of one error: alone on its line, or counted and one a line."""
    return faults[0] if len(faults) == 1 else "\n".join([f"{len(faults)} faults:", *(f"  {f}" for f in faults)])


def describe_type(value: object) -> str:
    """What a value is, in the words of TOML."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "a table"}
    shown = repr(value)
    return f"{shown if len(shown) <= 40 else shown[:39] + '…'} is {kinds.get(type(value), type(value).__name__)}"


def expect_text(value: object) -> str:
    """The value, if it is text.

    Raises:
        NotationError: where it is not; so do all functions here.
    """
    if not isinstance(value, str):
        raise NotationError(f"{describe_type(value)}; expected text")
    return value


def expect_number(value: object) -> int:
    """The value, if it is a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"{describe_type(value)}; expected a whole number")
    if value.bit_length() > _WORD_BITS:
        raise NotationError("the number is too large; expected one of at most 64 bits")
    return value


def expect_bool(value: object) -> bool:
    """The value, if it is true or false."""
    if not isinstance(value, bool):
        raise NotationError(f"{describe_type(value)}; expected true or false")
    return value


def expect_list(value: object) -> list[Any]:
    """The value, if it is a list."""
    if not isinstance(value, list | tuple):
        raise NotationError(f"{describe_type(value)}; expected a list")
    return list(value)


def expect_table(value: object) -> dict[str, Any]:
    """The value, if it is a table."""
    if not isinstance(value, Mapping):
        raise NotationError(f"{describe_type(value)}; expected a table")
    return dict(value)


def expect_numbers(value: object) -> tuple[int, ...]:
    """The value, if it is a list of whole numbers."""
    return tuple(map(expect_number, expect_list(value)))
