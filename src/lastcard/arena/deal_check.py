"""Plays a random sample of the deals in a file again, which must give the same bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from lastcard.arena.deals import Deal, Luck
from lastcard.arena.journal import encode_rounds, read_played
from lastcard.arena.round_rows import PARQUET, list_rows, read_rounds
from lastcard.arena.task_distribution import count_cores
from lastcard.game.numbers import require_int

DEFAULT_SAMPLE: Final = 20


@dataclass(frozen=True, slots=True)
class DealCheck:
    """The result of a check."""

    deals: int
    """Number of deals in the file."""
    played: tuple[int, ...]
    """Numbers of the deals played again."""
    different: tuple[int, ...]
    """Numbers of those that were different."""


def check_deals(
    path: Path,
    sample: int = DEFAULT_SAMPLE,
    *,
    luck: Luck | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[], object] = lambda: None,
) -> DealCheck:
    """Play deals of an arena again.

    Args:
        path: file of ``run_arena(resume=…)``, or one with rounds as ``write_result`` wrote it.
        sample: number of deals, chosen at random; all if there are fewer.
        luck: measure of luck, if the arena was adjusted.
        workers: number of processes; None for one on every core.
        executor: plays the deals in place of such processes.
        progress: callback for every deal.

    Raises:
        UsageError: for a file that is no such file or was written by other code, and if its bots are not known by name.
    """
    sample = require_int("the number of deals", sample, 1)
    stored: Mapping[int, object]
    if path.suffix == PARQUET:
        plan, stored = read_rounds(path, luck)
        encode: Callable[[Deal], object] = partial(list_rows, plan)
    else:
        plan, stored = read_played(path, luck)
        encode = encode_rounds
    chosen = sorted(random.SystemRandom().sample(sorted(stored), min(sample, len(stored))))
    different = []
    with closing(plan.play_all(chosen, workers or count_cores(), executor)) as played:
        for deal in played:
            progress()
            if stored[deal.number] != encode(deal):
                different.append(deal.number)
    return DealCheck(len(stored), tuple(chosen), tuple(sorted(different)))
