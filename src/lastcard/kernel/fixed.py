"""What of a table never changes while it is played, marked in LLVM's text, so that a door can be made for one ruleset.

A read of such a field is lowered as a read that carries its name. In the text of a door, with all that it calls, each
of them is then replaced by the number that a table holds, before LLVM optimizes anything, and branches for other
rulesets go away. The general form of the door is compiled from the very same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.imputils import lower_getattr
from numba.np.arrayobj import record_getattr

from lastcard.game.options import OPTIONS
from lastcard.kernel.intrinsics import SPECIAL
from lastcard.kernel.records import Records

FIXED: Final = ("game", "players", "taping", "foreign", *OPTIONS)
"""The fields, in the order they have in a table. No compiled function writes one."""

_INT64: Final = ir.IntType(64)


def is_table(fields: Iterable[str]) -> bool:
    """Whether a record with some fields is a table, which alone has all of these."""
    return not set(FIXED).difference(fields)


def _mark(name: str) -> None:
    """Have every read of a field carry its name: as the type of what is read (TBAA), which LLVM keeps with a read."""

    @lower_getattr(types.Record, name)
    def read(context: Any, builder: Any, kind: Any, record: Any) -> Any:
        value = record_getattr(context, builder, kind, record, name)
        if is_table(kind.fields):
            module, start = builder.module, ir.Constant(_INT64, 0)
            root = module.add_metadata([ir.MetaDataString(module, "lastcard")])
            named = module.add_metadata([ir.MetaDataString(module, name), root, start])
            value.set_metadata("tbaa", module.add_metadata([named, named, start]))
        return value


for _name in FIXED:
    _mark(_name)


class FixedFields:
    """Where tables hold these fields.

    Args:
        kind: NumPy's type of a table.
    """

    def __init__(self, kind: Any) -> None:
        self._values = np.dtype([(name, kind.fields[name][0]) for name in FIXED])
        self._stretches: list[slice] = []
        for name in FIXED:
            field, at = kind.fields[name][:2]
            begin = self._stretches.pop().start if self._stretches and self._stretches[-1].stop == at else at
            self._stretches.append(slice(begin, at + field.itemsize))

    def read(self, tables: Records) -> bytes:
        """What the first of some tables holds in them."""
        table = tables[:1].tobytes()
        return b"".join([table[stretch] for stretch in self._stretches])

    def values(self, fixed: bytes) -> dict[str, int]:
        """The same as numbers, by name."""
        return dict(zip(FIXED, np.frombuffer(fixed, self._values)[0].item(), strict=True))


_SPECIAL: Final = re.compile(rf"(@{re.escape(SPECIAL)}\(\)[^}}]*ret i1 )false")
_READ: Final = re.compile(r"= load (i\d+), [^,]+, align \d+, !tbaa (!\d+)")
_TAG: Final = re.compile(r"^(!\d+) = !\{(!\d+), !\d+, i64 0\}", re.MULTILINE)
_NAMED: Final = re.compile(r'^(!\d+) = !\{!"(\w+)", !\d+, i64 0\}', re.MULTILINE)


def fix(text: str, values: Mapping[str, int]) -> str:
    """A door's LLVM text with numbers in place of reads; it says that it is for one ruleset (``known.py``).

    Args:
        text: of the door and all it calls, before anything is optimized.
        values: the number of every field.
    """
    names = dict(_NAMED.findall(text))
    fields = {tag: names[named] for tag, named in _TAG.findall(text) if named in names}
    text = _SPECIAL.sub(r"\1true", text)
    return _READ.sub(lambda read: f"= add {read[1]} {values[fields[read[2]]]}, 0", text)
