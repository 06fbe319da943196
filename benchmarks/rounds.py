"""Benchmarks rounds a second of `lastcard.simulate` and the arena, on both backends of the kernel.

python benchmarks/rounds.py [--rounds N] [--save]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Final

from machine import command_line, describe_machine, save_results

import lastcard
from lastcard.arena.deals import Plan
from lastcard.kernel import jit
from lastcard.kernel.native_backend import NativeBackend
from lastcard.kernel.wasm_backend import WasmBackend

GAMES: Final = ("classic", "all-wild", "wild-jackpot")
DEALS: Final = 40


def clock(work: Callable[[], object], repeats: int) -> float:
    """Returns the minimum CPU time of several runs, in seconds."""
    least = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least


def arena_rate(plan: Plan, *, quick: bool, first: int) -> float:
    """Returns rounds a second of an arena of two bots."""
    deals = 20 * DEALS if quick else DEALS

    def play() -> None:
        for number in range(first, first + deals):
            if quick:
                plan.play(number)
            else:
                for seating in plan.seatings(number):
                    plan.play_in_python(number, seating, plan.new_times())

    return deals * plan.players / clock(play, 2)


def main() -> None:
    """Measure and print; with --save, write a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000, help="how many at once (default %(default)s)")
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    asked = parser.parse_args()
    about = describe_machine()
    lines = [
        f"# Many rounds, {about['date']}",
        "",
        f"`{command_line()}`, commit {about['commit']}, "
        f"{about['processor']}, Python {about['versions']['python']}. Rounds a second of processor time, the best of "
        "three goes, one thread.",
        "",
        "## `lastcard.simulate`, four seats",
        "",
        "| | module | native |",
        "|---|--:|--:|",
    ]
    backends = WasmBackend(), NativeBackend()
    for bots in ("random", "sharp", "sharp,random"):
        for game in GAMES:
            rates = []
            for backend in backends:
                jit.switch_backend(backend)

                def play(n: int, game: str = game, bots: str = bots) -> None:
                    lastcard.simulate(game, rounds=n, bots=bots.split(","), seed=1, threads=1)

                play(100)
                rates.append(asked.rounds / clock(lambda: play(asked.rounds), 3))
            lines.append(f"| {bots}, {game} | {rates[0]:,.0f} | {rates[1]:,.0f} |")
            print(lines[-1], flush=True)
    lines += [
        "",
        "## The arena, `sharp,random`, two seats",
        "",
        "| | a decision at a time | rounds at once |",
        "|---|--:|--:|",
    ]
    jit.switch_backend(backends[0])
    for game in GAMES:
        plan = Plan.make(game, 2, ["sharp", "random"], 1)
        plan.play(0)
        slow, quick = (arena_rate(plan, quick=quick, first=1000) for quick in (False, True))
        lines.append(f"| {game}, module | {slow:,.0f} | {quick:,.0f} |")
        print(lines[-1], flush=True)
    if asked.save:
        save_results("rounds", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
