"""What of a table never changes while it is played, marked in LLVM's text, so that a door can be made for one ruleset.

A read of such a field is lowered as a read that carries its name. In the text of a door, with all that it calls, each
of them is then replaced by the number that a table holds, before LLVM optimizes anything, and branches for other
rulesets go away. The general form of the door is compiled from the very same text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core.imputils import lower_getattr

from lastcard.engine.table import TABLE, Tables
from lastcard.game.options import OPTIONS

FIXED: Final = ("game", "players", "taping", *OPTIONS)
"""The fields, in the order they have in a table. No compiled function writes one."""

_FIELDS: Final[Any] = TABLE.fields
_VALUES: Final = np.dtype([(name, _FIELDS[name][0]) for name in FIXED])
_INT64: Final = ir.IntType(64)


def _mark(name: str) -> None:
    """Have every read of a field carry its name: as the type of what is read (TBAA), which LLVM keeps with a read."""

    @lower_getattr(numba.from_dtype(TABLE), name)  # type: ignore[untyped-decorator]
    def read(context: Any, builder: Any, kind: Any, record: Any) -> Any:
        place = cgutils.get_record_member(
            builder, record, kind.offset(name), context.get_data_type(kind.typeof(name))
        )
        value = builder.load(place)
        module, start = builder.module, ir.Constant(_INT64, 0)
        root = module.add_metadata([ir.MetaDataString(module, "lastcard")])
        named = module.add_metadata([ir.MetaDataString(module, name), root, start])
        value.set_metadata("tbaa", module.add_metadata([named, named, start]))
        return value


for _name in FIXED:
    _mark(_name)


def _stretches() -> list[slice]:
    """The bytes of a table that hold the fields, side by side ones together."""
    found: list[slice] = []
    for name in FIXED:
        kind, at = _FIELDS[name][:2]
        if found and found[-1].stop == at:
            found[-1] = slice(found[-1].start, at + kind.itemsize)
        else:
            found.append(slice(at, at + kind.itemsize))
    return found


_STRETCHES: Final = _stretches()


def read_fixed(tables: Tables) -> bytes:
    """What the first of some tables holds in these fields."""
    table = tables[:1].tobytes()
    return b"".join([table[stretch] for stretch in _STRETCHES])


def values_of(fixed: bytes) -> dict[str, int]:
    """The same as numbers, by name."""
    return dict(zip(FIXED, np.frombuffer(fixed, _VALUES)[0].item(), strict=True))


_READ: Final = re.compile(r"= load (i\d+), [^,]+, align \d+, !tbaa (!\d+)")
_TAG: Final = re.compile(r"^(!\d+) = !\{(!\d+), !\d+, i64 0\}", re.MULTILINE)
_NAMED: Final = re.compile(r'^(!\d+) = !\{!"(\w+)", !\d+, i64 0\}', re.MULTILINE)


def fix(text: str, values: Mapping[str, int]) -> str:
    """A door's LLVM text with numbers in place of reads.

    Args:
        text: of the door and all it calls, before anything is optimized.
        values: the number of every field.
    """
    names = dict(_NAMED.findall(text))
    fields = {tag: names[named] for tag, named in _TAG.findall(text) if named in names}
    return _READ.sub(lambda read: f"= add {read[1]} {values[fields[read[2]]]}, 0", text)
