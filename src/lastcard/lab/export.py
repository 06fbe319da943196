"""The result of an arena for programs: JSON with all figures, Parquet with one row for each round."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from lastcard.errors import UsageError
from lastcard.lab.arena import Arena

JSON: Final = ".json"
PARQUET: Final = ".parquet"


def as_json(result: Arena) -> str:
    """All figures as JSON."""
    return json.dumps(result.as_dict(), indent=2) + "\n"


def check_out(path: Path) -> None:
    """See that a result can be written there, before it is played for.

    Raises:
        UsageError: where it cannot.
    """
    if path.suffix not in (JSON, PARQUET):
        raise UsageError(f"{path}: a result is written as {JSON} or {PARQUET}")
    if path.suffix == PARQUET and find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: pip install 'lastcard[lab]'")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"{path}: cannot be written there")


def write_result(path: Path, result: Arena) -> None:
    """Write a result in the form that the name asks for.

    Raises:
        UsageError: where the file cannot be written.
    """
    try:
        if path.suffix == JSON:
            path.write_text(as_json(result), encoding="utf-8")
        else:
            _write_parquet(path, result)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None


def _write_parquet(path: Path, result: Arena) -> None:
    """One row for each round; what the arena was stands in the metadata of the schema."""
    import pyarrow as pa  # an extra
    from pyarrow import parquet

    numbers = pa.list_(pa.int32())
    schema = pa.schema(
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
        },
        metadata={"lastcard arena": json.dumps(result.plan.as_dict())},
    )
    rows = [
        (
            deal.number,
            result.plan.dealer(deal.number),
            seating,
            played.winner,
            played.void,
            played.stuck,
            played.plies,
            played.points,
            played.drawn,
        )
        for deal, seating, played in result.rounds()
    ]
    parquet.write_table(pa.table([list(column) for column in zip(*rows, strict=True)], schema=schema), path)
