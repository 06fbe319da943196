"""Reuse of objects that nothing refers to any more: new memory takes longer than to overwrite old."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final


def is_unused(objects: Sequence[Any], i: int) -> bool:
    """Returns whether nothing but a list refers to one of its objects, no view of an array either."""
    return _count_references(objects, i) == _UNUSED


def _count_references(objects: Sequence[Any], i: int) -> int:
    return sys.getrefcount(objects[i])


_UNUSED: Final = _count_references([object()], 0)
"""The count of an object to which only a list refers; versions of Python count differently."""
