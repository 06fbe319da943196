"""Played rounds as rows of a Parquet file (needs the extra lab)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from lastcard.arena.deals import Deal, Luck, Plan
from lastcard.arena.journal import read_plan
from lastcard.arena.manifest import make_manifest
from lastcard.errors import UsageError, wrap_os_errors

PARQUET: Final = ".parquet"
_PLAN_KEY: Final = "lastcard arena"
_MANIFEST_KEY: Final = "lastcard manifest"


def check_parquet() -> None:
    """Raise a UsageError if pyarrow is missing."""
    if find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: install lastcard[lab]")


def write_rounds(path: Path, plan: Plan, deals: Iterable[Deal]) -> None:
    """Write one row for each round; the metadata of the schema describes the arena."""
    from pyarrow import parquet  # an extra

    metadata = {_PLAN_KEY: json.dumps(plan.as_dict()), _MANIFEST_KEY: json.dumps(make_manifest())}
    parquet.write_table(_make_table(plan, deals).replace_schema_metadata(metadata), path)


def read_rounds(path: Path, luck: Luck | None) -> tuple[Plan, dict[int, list[dict[str, Any]]]]:
    """Returns the plan of a file and its rows by the number of their deal.

    Args:
        path: the file.
        luck: measure of luck, if it was measured.

    Raises:
        UsageError: for a file that ``write_rounds`` did not write or whose deals this code would play differently, and
            without pyarrow.
    """
    check_parquet()
    import pyarrow as pa
    from pyarrow import parquet

    with wrap_os_errors(path, "cannot be read"):
        try:
            table = parquet.read_table(path)
            head = json.loads(table.schema.metadata[_PLAN_KEY.encode()])
            table = table.cast(_make_schema())
        except (pa.ArrowInvalid, LookupError, TypeError, ValueError):
            raise UsageError(f"{path}: has no rounds of an arena; name the file of an --out") from None
    rows = defaultdict(list)
    for row in table.to_pylist():
        rows[row["deal"]].append(row)
    return read_plan(path, head, luck), dict(rows)


def list_rows(plan: Plan, deal: Deal) -> list[dict[str, Any]]:
    """Returns the rows of a deal, as ``read_rounds`` would read them."""
    return _make_table(plan, [deal]).to_pylist()  # type: ignore[no-any-return]


def _make_table(plan: Plan, deals: Iterable[Deal]) -> Any:
    """A table of Arrow with the rounds of deals."""
    import pyarrow as pa

    rows = [
        {"deal": deal.number, "dealer": plan.dealer(deal.number), "seats": seating, "void": played.void}
        | played._asdict()
        for deal in deals
        for seating, played in deal.rounds
    ]
    return pa.Table.from_pylist(rows, schema=_make_schema())


def _make_schema() -> Any:
    """The columns of that table with their types."""
    import pyarrow as pa

    numbers = pa.list_(pa.int32())
    return pa.schema(
        {
            "deal": pa.int32(),
            "dealer": pa.int8(),
            "seats": pa.list_(pa.string()),
            "winner": pa.int8(),
            "void": pa.bool_(),
            "stuck": pa.bool_(),
            "plies": pa.int32(),
            "points": numbers,
            "drawn": numbers,
            "luck": pa.list_(pa.float32()),
        }
    )
