"""Compares kernel and referee, or two backends of the kernel, on random rules for a number of plies or until they
differ.

``python -m tools.differential --plies 20000000 --workers 2``; ``make differential`` calls it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time

from lastcard.kernel import jit
from tools.differential.rounds import run_differential


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 1 if a difference was found."""
    parser = argparse.ArgumentParser(prog="python -m tools.differential", description=__doc__)
    parser.add_argument("--plies", type=int, default=1_000_000, help="after which to stop (default 1000000)")
    parser.add_argument("--seed", type=int, help="the first seed, to repeat a hunt (default: a new one)")
    parser.add_argument(
        "--workers", type=int, default=multiprocessing.cpu_count(), help="processes (default: all cores)"
    )
    parser.add_argument(
        "--kernel",
        choices=("module", "native", "both"),
        default="module",
        help="the form that plays against the referee (default module), or both against each other, byte for byte",
    )
    args = parser.parse_args(arguments)
    compares_backends = args.kernel == "both"
    jit.select_backend("module" if compares_backends else args.kernel)
    first = random.SystemRandom().randrange(1 << 40) if args.seed is None else args.seed
    print(f"hunt from seed {first}, {args.workers} workers")
    start = time.monotonic()
    tally, failure = run_differential(
        args.plies, first, args.workers, sys.stderr.isatty(), compares_backends=compares_backends
    )
    seconds = time.monotonic() - start
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{tally.plies:,} plies in {tally.rounds:,} rounds, {seconds:,.0f} s, {tally.plies / seconds:,.0f} plies/s")
    print(f"longest {tally.longest:,} plies (seed {tally.longest_seed}), {tally.void:,} void, {tally.stuck:,} given up")
    print("seen: " + ", ".join(f"{name or 'accepted'} {n:,}" for name, n in tally.seen.most_common()))
    print(f"DIFFERENCE at {failure}" if failure else "no difference")
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(main())
