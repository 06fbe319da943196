"""Endless rounds on both sides, in several processes."""

from __future__ import annotations

import itertools
import multiprocessing
import sys
import time
import traceback
from collections.abc import Iterator
from multiprocessing.pool import AsyncResult

from tools.differential.backends import play_both
from tools.differential.pair import Statistics, play_pair

ROUNDS_PER_BATCH = 40
PLIES_PER_FULL_CHECK = 10
MAX_PLIES = 2_000
"""Rounds of a worker between two reports; interval of full comparisons in plies; maximum length of a round."""


def play_batch(seeds: range, compares_backends: bool = False) -> tuple[Statistics, str]:
    """Play the rounds of these seeds, with ``compares_backends`` on both backends; returns the first failure, too."""
    tally = Statistics()
    for seed in seeds:
        try:
            if compares_backends:
                play_both(seed, MAX_PLIES, PLIES_PER_FULL_CHECK, tally)
            else:
                play_pair(seed, limit=MAX_PLIES, every=PLIES_PER_FULL_CHECK, tally=tally)
        except Exception:
            return tally, f"seed {seed}\n{traceback.format_exc()}"
    return tally, ""


def batches(first: int) -> Iterator[range]:
    """Yields endless ranges of seeds."""
    return (range(seed, seed + ROUNDS_PER_BATCH) for seed in itertools.count(first, ROUNDS_PER_BATCH))


def run_differential(
    plies: int, first: int, workers: int, is_terminal: bool, *, compares_backends: bool = False
) -> tuple[Statistics, str]:
    """Play rounds from a first seed on; returns the statistics, and the first failure in words or an empty text.

    Args:
        plies: number of plies after which to stop.
        workers: number of processes.
        is_terminal: whether to update one line of progress on standard error; else a line a minute.
        compares_backends: whether to compare module and native code instead of the referee.
    """
    total, start = Statistics(), time.monotonic()
    last_report = start
    # Workers are spawned: a fork would copy the threads of the compiler.
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        # One batch ahead for each worker, because the seeds are endless.
        source, waiting = batches(first), list[AsyncResult[tuple[Statistics, str]]]()
        while total.plies < plies:
            while len(waiting) < 2 * workers:
                waiting.append(pool.apply_async(play_batch, (next(source), compares_backends)))
            tally, failure = waiting.pop(0).get()
            total.add(tally)
            now = time.monotonic()
            if now >= last_report + (0.5 if is_terminal else 60):
                last_report, rate = now, total.plies / (now - start)
                line = f"{total.plies:,} of {plies:,} plies, {rate:,.0f} a second"
                print(line, end=" \r" if is_terminal else "\n", file=sys.stderr, flush=True)
            if failure:
                return total, failure
    return total, ""
