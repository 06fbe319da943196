"""Rounds without end on both sides, in several processes."""

from __future__ import annotations

import itertools
import multiprocessing
import sys
import time
import traceback
from collections.abc import Iterator
from multiprocessing.pool import AsyncResult

from tools.differential.backends import play_both
from tools.differential.pair import Tally, play_pair

BATCH = 40
EVERY = 10
LIMIT = 2_000
"""Rounds a worker plays between two reports; at one in how many plies lists are compared; when a round is given up."""


def play_batch(seeds: range, twice: bool = False) -> tuple[Tally, str]:
    """Play the rounds of these seeds, with ``twice`` on both forms; the first failure in words, or nothing."""
    tally = Tally()
    for seed in seeds:
        try:
            if twice:
                play_both(seed, LIMIT, EVERY, tally)
            else:
                play_pair(seed, limit=LIMIT, every=EVERY, tally=tally)
        except Exception:
            return tally, f"seed {seed}\n{traceback.format_exc()}"
    return tally, ""


def batches(first: int) -> Iterator[range]:
    """Ranges of seeds without end."""
    return (range(seed, seed + BATCH) for seed in itertools.count(first, BATCH))


def hunt(plies: int, first: int, workers: int, show: bool, *, twice: bool = False) -> tuple[Tally, str]:
    """Play rounds from a first seed on.

    Args:
        plies: after which to stop.
        first: the first seed.
        workers: processes.
        show: keep a line of progress on standard error up to date; else a line a minute.
        twice: module and native code play against each other, and no referee.

    Returns:
        What was seen, and the first failure in words or nothing.
    """
    total, start = Tally(), time.monotonic()
    told = start
    # Workers start afresh: a fork would copy the threads of the compiler.
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        # One batch ahead for each worker, so that the endless seeds are not all asked for at once.
        source, waiting = batches(first), list[AsyncResult[tuple[Tally, str]]]()
        while total.plies < plies:
            while len(waiting) < 2 * workers:
                waiting.append(pool.apply_async(play_batch, (next(source), twice)))
            tally, failure = waiting.pop(0).get()
            total.add(tally)
            now = time.monotonic()
            if now >= told + (0.5 if show else 60):
                told, rate = now, total.plies / (now - start)
                line = f"{total.plies:,} of {plies:,} plies, {rate:,.0f} a second"
                print(line, end=" \r" if show else "\n", file=sys.stderr, flush=True)
            if failure:
                return total, failure
    return total, ""
