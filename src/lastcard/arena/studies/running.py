"""Runs a study: its samples on workers, each stored when it is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from lastcard.arena.code_key import STUDY_CODE, read_code_key
from lastcard.arena.line_file import LineFile, encode_values
from lastcard.arena.studies.all_studies import STUDIES
from lastcard.arena.studies.design import Sample, Study
from lastcard.arena.studies.inference import Moments, Sums, add_sums
from lastcard.arena.task_distribution import MAX_WORKERS, count_cores, put_in_order, run_tasks
from lastcard.game.numbers import require_int
from lastcard.game.seeds import Seed, parse_seed

MIN_ROUNDS: Final = 100
MAX_ROUNDS: Final = 10_000_000
DEFAULT_SEED: Final = "studies"
Task = tuple[str, int, Sample]
"""The name of a study, the number of a sample, and the sample."""
Measured = tuple[int, Sums]


class _Line(msgspec.Struct):
    """The measures of a sample as they are stored."""

    sample: int
    sums: dict[str, tuple[int, float, float, float]]


def run_study(
    study: Study,
    rounds: int | None = None,
    seed: Seed = DEFAULT_SEED,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    resume: Path | None = None,
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> Sums:
    """Returns the measures of a study, which are the same for the same seed and any number of workers.

    Args:
        study: one of ``STUDIES``.
        rounds: number of rounds of each cell, 100 at least; None for that of the study.
        seed: a seed for ``seeds.parse_seed``.
        workers: number of processes; None for one on every core.
        executor: measures in place of such processes, with so many ``workers``.
        resume: file that stores each sample, and from which a stopped study continues.
        progress: callback for the numbers of samples measured and of all.

    Raises:
        UsageError: for invalid numbers, and for the file of another study.
    """
    rounds = require_int("the number of rounds", study.rounds if rounds is None else rounds, MIN_ROUNDS, MAX_ROUNDS)
    workers = count_cores() if workers is None else require_int("the number of workers", workers, 1, MAX_WORKERS)
    secret = parse_seed(seed)
    samples = study.samples(rounds, secret)
    head = {"code": read_code_key(STUDY_CODE), "study": study.name, "rounds": rounds, "seed": secret.hex()}
    file = None if resume is None else LineFile(resume, "study", head, _parse_line)
    stored = dict(file.items) if file else {}
    tasks = [(study.name, number, sample) for number, sample in enumerate(samples) if number not in stored]
    sums: Sums = {}
    done = len(stored)
    progress(done, len(samples))

    def count(measured: Iterator[Measured]) -> Iterator[Measured]:
        nonlocal done
        for number, found in measured:
            if file:
                file.add(_encode_line(number, found))
            done += 1
            progress(done, len(samples))
            yield number, found

    try:
        with closing(run_tasks(_measure_sample, tasks, workers, executor=executor)) as measured:
            for found in put_in_order(count(measured), stored):  # so that sums are rounded in the same order
                add_sums(sums, found)
    finally:
        if file:
            file.close()
    return sums


def _measure_sample(task: Task) -> Measured:
    """Measure a sample, in any process."""
    name, number, sample = task
    return number, {key: found for key, found in STUDIES[name].measure(sample).items() if found.count}


def _encode_line(number: int, sums: Sums) -> bytes:
    stored = {key: (each.count, each.total, each.squares, each.most) for key, each in sums.items()}
    return encode_values({"sample": number, "sums": stored})


def _parse_line(text: bytes) -> Measured:
    """A line as ``_encode_line`` wrote it; raises one of ``line_file.DECODE_ERRORS`` if it is invalid."""
    line = msgspec.json.decode(text, type=_Line)
    return line.sample, {key: Moments(*values) for key, values in line.sums.items()}
