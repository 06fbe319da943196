"""Data sets of decisions as Parquet files, with a data card (docs/datasets.md; needs the extra lab).

Chunks of rounds are stored as they come, so that a data set that was stopped goes on. At the end they are joined into
one file for each split, and deleted.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.arena.code_key import DATASET_CODE, read_code_key
from lastcard.arena.deals import Plan
from lastcard.arena.round_rows import PARQUET, check_parquet
from lastcard.arena.task_distribution import MAX_WORKERS, count_cores, run_tasks
from lastcard.envs.features import VERSION, features
from lastcard.errors import UsageError, wrap_os_errors
from lastcard.game.cards import CARD_NAMES
from lastcard.game.numbers import require_int
from lastcard.game.text_files import atomic_write, read_text
from lastcard.training.decision_rows import ROLLOUTS, DecisionRow, record_decisions

METADATA_KEY: Final = "lastcard dataset"
"""The key of the description in the metadata of every file."""
CARD_FILE: Final = "README.md"
MAX_ROUNDS: Final = 10_000_000
_SPLITS: Final = {"train": 8, "validation": 1, "test": 1}
"""The splits, each with its tenths of the rounds."""
_CHUNK_ROUNDS: Final = 20
_MEASURED_CHUNK_ROUNDS: Final = 1
"""Number of rounds in a chunk, and with chances: what is lost if the work is stopped."""
_ROW_GROUP_ROWS: Final = 8192
"""Number of rows from which a row group is written: 10 MB of memory."""
_CHUNK_FOLDER: Final = "unfinished"
_PLAN_FILE: Final = "plan.json"


def split_of(seed: bytes, number: int) -> str:
    """Returns the split of a round: all its rows are in one, by chance and independent of dealer and seats."""
    tenth = hashlib.sha256(b"lastcard split" + seed + number.to_bytes(8, "big")).digest()[0] * 10 // 256
    for name, tenths in _SPLITS.items():
        tenth -= tenths
        if tenth < 0:
            return name
    raise AssertionError("the splits have all tenths")


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set: it depends only on these values.

    Args:
        plan: rules, bots and seed.
        rounds: number of rounds; each is played once.
        measures_chances: whether rows have every seat's chance to win and the chance lost by the choice.
    """

    plan: Plan
    rounds: int
    measures_chances: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "rounds", require_int("the number of rounds", self.rounds, 1, MAX_ROUNDS))

    def describe(self) -> dict[str, Any]:
        """Everything that the rows depend on, and what their numbers mean, as plain values."""
        layout = features(self.plan.rules, self.plan.players)
        return {
            **self.plan.as_dict(),
            "code": read_code_key(DATASET_CODE),
            "rounds": self.rounds,
            "rollouts": ROLLOUTS if self.measures_chances else 0,
            "observation_version": VERSION,
            "observation": {name: [at.start, at.stop] for name, at in layout.fields.items()},
            "cards": [CARD_NAMES[card] for card in layout.cards],
            "actions": list(layout.action_space.names),
        }

    def chunks(self) -> list[range]:
        """The numbers of the rounds of every chunk."""
        size = _MEASURED_CHUNK_ROUNDS if self.measures_chances else _CHUNK_ROUNDS
        return [range(first, min(first + size, self.rounds)) for first in range(0, self.rounds, size)]

    def record_chunk(self, numbers: range) -> tuple[range, bytes]:
        """Play the rounds of a chunk; returns their numbers, and their rows as a Parquet file."""
        import pyarrow as pa
        from pyarrow import parquet

        rows = (record_decisions(self.plan, number, measures_chances=self.measures_chances) for number in numbers)
        table = _make_table(self, [row for of_round in rows for row in of_round])
        sink = pa.BufferOutputStream()
        parquet.write_table(table, sink, compression="zstd")
        return numbers, sink.getvalue().to_pybytes()

    def make_schema(self) -> Any:
        """The columns of all files with their types."""
        import pyarrow as pa

        layout = features(self.plan.rules, self.plan.players)
        players, byte = self.plan.players, pa.uint8()
        measured = {"chances": pa.list_(pa.float32(), players), "chance_lost": pa.float32()}
        return pa.schema(
            {
                "round": pa.int64(),
                "ply": pa.int32(),
                "seat": pa.int8(),
                "bot": pa.string(),
                "is_reaction": pa.bool_(),
                "observation": pa.list_(byte, layout.size),
                "action_mask": pa.list_(byte, len(layout.action_space)),
                "action": pa.int16(),
                "with_call": pa.bool_(),
                "hidden_hands": pa.list_(byte, (players - 1) * len(layout.cards)),
                "is_last": pa.bool_(),
                "won": pa.bool_(),
                "points": pa.int32(),
                **(measured if self.measures_chances else {}),
            },
            metadata={METADATA_KEY: json.dumps(self.describe())},
        )


@dataclass(slots=True)
class DatasetSize:
    """The number of rounds and rows of each split."""

    rounds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SPLITS, 0))
    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SPLITS, 0))


def find_seed(folder: Path) -> str | None:
    """The seed of an unfinished data set in a folder; None if there is none. Raises a UsageError if it is damaged."""
    file = folder / _CHUNK_FOLDER / _PLAN_FILE
    return str(_read_plan(file)["seed"]) if file.exists() else None


def check_folder(folder: Path) -> None:
    """Raise a UsageError if the folder has a whole data set, or is a file, or if pyarrow is missing."""
    check_parquet()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is no folder; name another one")
    if any((folder / f"{name}{PARQUET}").exists() for name in _SPLITS) and not (folder / _CHUNK_FOLDER).exists():
        raise UsageError(f"{folder}: has a data set already; name another folder")


def write_dataset(
    dataset: Dataset,
    folder: Path,
    make_card: Callable[[DatasetSize], str],
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], object] = lambda rounds: None,
) -> DatasetSize:
    """Play the rounds and write the files; returns their size. What an earlier call has stored is not played again.

    The same data set has the same bytes for any number of workers.

    Args:
        folder: folder of the files; made if it is missing.
        make_card: makes the text of the data card.
        workers: number of processes; None for one on every core.
        executor: plays the rounds in place of such processes, with so many ``workers``.
        progress: callback for the number of rounds stored since its last call.

    Raises:
        UsageError: for a folder with another data set, files that cannot be written, and without pyarrow.
    """
    check_folder(folder)
    workers = count_cores() if workers is None else require_int("the number of workers", workers, 1, MAX_WORKERS)
    chunk_folder = folder / _CHUNK_FOLDER
    with wrap_os_errors(folder, "cannot be written"):
        chunk_folder.mkdir(parents=True, exist_ok=True)
        _claim_folder(chunk_folder / _PLAN_FILE, dataset.describe())
        chunks = dataset.chunks()
        stored = {i: numbers for i, numbers in enumerate(chunks) if _chunk_file(chunk_folder, numbers).exists()}
        missing = [numbers for i, numbers in enumerate(chunks) if i not in stored]
        progress(sum(map(len, stored.values())))
        with closing(
            run_tasks(dataset.record_chunk, missing, workers, dataset.plan.warm_up, executor=executor)
        ) as made:
            for numbers, content in made:
                with atomic_write(_chunk_file(chunk_folder, numbers)) as draft:
                    draft.write_bytes(content)
                progress(len(numbers))
        size = _join_chunks(dataset, folder, [_chunk_file(chunk_folder, numbers) for numbers in chunks])
        with atomic_write(folder / CARD_FILE) as draft:
            draft.write_text(make_card(size), encoding="utf-8")
        shutil.rmtree(chunk_folder)
    return size


def _chunk_file(folder: Path, numbers: range) -> Path:
    return folder / f"{numbers.start:09}{PARQUET}"


def _read_plan(file: Path) -> dict[str, Any]:
    """The description in an unfinished folder; a UsageError if it is damaged."""
    try:
        found: dict[str, Any] = json.loads(read_text(file, UsageError))
        found["seed"]
    except (ValueError, TypeError, LookupError):
        raise UsageError(f"{file}: is damaged; delete its folder, and the same command begins again") from None
    return found


def _claim_folder(file: Path, description: dict[str, Any]) -> None:
    """Write what a folder is for; raises a UsageError if it is for another data set."""
    if file.exists():
        found = _read_plan(file)
        other = [name for name in description if found.get(name) != description[name]]
        if other:
            raise UsageError(
                f"{file.parent}: belongs to an unfinished data set with another {', '.join(other)}; name another folder"
            )
    with atomic_write(file) as draft:
        draft.write_text(json.dumps(description), encoding="utf-8")


def _make_table(dataset: Dataset, rows: list[DecisionRow]) -> Any:
    """A table of Arrow with rows."""
    import pyarrow as pa

    columns = []
    for column in dataset.make_schema():
        values = [getattr(row, column.name) for row in rows]
        if pa.types.is_fixed_size_list(column.type):
            flat = np.concatenate(values) if values else np.zeros(0)
            columns.append(pa.FixedSizeListArray.from_arrays(pa.array(flat, column.type.value_type), type=column.type))
        else:
            columns.append(pa.array(values, column.type))
    return pa.table(columns, schema=dataset.make_schema())


def _join_chunks(dataset: Dataset, folder: Path, files: Iterable[Path]) -> DatasetSize:
    """Write the file of every split from those of all chunks, in their order; returns the size."""
    from pyarrow import parquet

    size, seed = DatasetSize(), dataset.plan.seed
    for number in range(dataset.rounds):
        size.rounds[split_of(seed, number)] += 1
    with ExitStack() as stack:
        groups = {}
        for name in _SPLITS:
            draft = stack.enter_context(atomic_write(folder / f"{name}{PARQUET}"))
            writer = stack.enter_context(parquet.ParquetWriter(draft, dataset.make_schema(), compression="zstd"))
            groups[name] = _RowGroups(writer)
        for file in files:
            table = parquet.read_table(file)
            split = [split_of(seed, number) for number in table["round"].to_pylist()]
            for name, group in groups.items():
                chosen = table.filter([each == name for each in split])
                size.rows[name] += len(chosen)
                group.add(chosen)
        for group in groups.values():
            group.write()
    return size


class _RowGroups:
    """Collects tables until they make a row group of a file."""

    def __init__(self, writer: Any) -> None:
        self._writer, self._tables, self._rows = writer, list[Any](), 0

    def add(self, table: Any) -> None:
        """Add a table; write a row group if it is large enough."""
        self._tables.append(table)
        self._rows += len(table)
        if self._rows >= _ROW_GROUP_ROWS:
            self.write()

    def write(self) -> None:
        """Write what has been collected as one row group."""
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(pa.concat_tables(self._tables), row_group_size=self._rows)
        self._tables, self._rows = [], 0
