"""Benchmarks the kernel as a module against native code, alternating in one process.

    python benchmarks/backends.py [--quick] [--save]

``--save`` writes the page to results/.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from machine import command_line, describe_machine, publish

from lastcard.bots.registry import make_bot
from lastcard.kernel import arrays, jit, specialize
from lastcard.kernel.cache import PACKAGE
from lastcard.kernel.native_backend import NativeBackend
from lastcard.kernel.wasm_backend import MODULE_FILE, WasmBackend
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.rules import layout, random_policy

GAMES: Final = ("all-wild", "classic", "wild-jackpot")
MAX_PLIES: Final = 5_000
"""Number of plies after which a round is aborted."""

Measure = Callable[[], float]


def time_rounds(game: str, seats: int, rounds: int) -> Measure:
    """Returns a measure of CPU seconds for whole rounds in compiled code."""
    states = Round.deal(game, seats, seed=1).states(record_events=True)
    out = arrays.zeros(layout.MAX_ACTIONS + layout.DICE, np.int64)
    tally = arrays.zeros(random_policy.TALLY_NUMBERS, np.int64)
    out[-layout.DICE :] = range(1, layout.DICE + 1)
    random_policy.play_rounds(states, 0, 100, out, tally, MAX_PLIES)

    def measure() -> float:
        begun = time.thread_time()
        random_policy.play_rounds(states, 0, rounds, out, tally, MAX_PLIES)
        return time.thread_time() - begun

    return measure


def time_moves(game: str, count: int) -> Measure:
    """Returns a measure of CPU seconds for a number of moves through ``Round.do``, with legal moves listed before."""
    script: list[tuple[Round, list[tuple[int, Any]]]] = []
    left, seed = count, 0
    while left > 0:
        table, moves = Round.deal(game, 4, seed=seed), []
        while not table.over and len(moves) < left:
            moves.append((table.turn, table.legal()[0]))
            table.do(*moves[-1])
        script.append((Round.deal(game, 4, seed=seed), moves))
        left, seed = left - len(moves), seed + 1

    def measure() -> float:
        spent = 0.0
        for first, moves in script:
            table = first.copy()
            begun = time.thread_time()
            for seat, move in moves:
                table.do(seat, move)
            spent += time.thread_time() - begun
        return spent

    return measure


def find_decisions(rules: str, seats: int, count: int) -> list[View]:
    """Returns views of seats that choose from more than two moves."""
    views: list[View] = []
    table = Round.deal(rules, seats, seed=3)
    while len(views) < count:
        if table.over:
            table = Round.deal(rules, seats, seed=3 + len(views))
        if len(table.legal()) > 2:
            views.append(table.view(table.turn))
        table.do(table.turn, table.legal()[-1])
    return views


def time_decisions(level: str, decisions: int) -> Measure:
    """Returns a measure of CPU seconds for decisions of a level."""
    views = find_decisions("classic", 4, decisions)
    bot = make_bot(level, b"", 0)
    bot.choose(views[0])

    def measure() -> float:
        begun = time.thread_time()
        for view in views:
            bot.choose(view)
        return time.thread_time() - begun

    return measure


def compare(measure: Measure, backends: tuple[jit.Backend, ...], repeats: int) -> list[float]:
    """Returns the minimum CPU seconds of each backend, alternating; the first run of each is not counted."""
    best = [float("inf")] * len(backends)
    for turn in range(repeats + 1):
        for i, backend in enumerate(backends):
            jit.switch_backend(backend)
            spent = measure()
            best[i] = min(best[i], spent) if turn else best[i]
    return best


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description="Measure the kernel as a module beside the kernel as native code.")
    parser.add_argument("--quick", action="store_true", help="less of everything: a glance, not a measurement")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/backends-DATE.md too")
    asked = parser.parse_args()
    rounds, moves, decisions, repeats = (3_000, 500, 3, 3) if asked.quick else (10_000, 3_000, 10, 25)
    specialize.PAYS_AFTER_S = float("inf")  # specialization.py measures specialized code
    native, module_kernel = NativeBackend(), WasmBackend()
    rows: list[tuple[str, Callable[[], Measure]]] = [
        (f"rounds in compiled code, {game}, {seats} seats", lambda g=game, s=seats: time_rounds(g, s, rounds))
        for game in GAMES
        for seats in (2, 4, 8)
    ]
    rows += [(f"checked moves, `Round.do`, {game}", lambda g=game: time_moves(g, moves)) for game in GAMES]
    rows += [
        (f"decisions of *{level}*", lambda level=level: time_decisions(level, decisions))
        for level in ("sharp", "trained", "expert", "master")
    ]
    about = describe_machine()
    module = MODULE_FILE.read_bytes()
    weights = sum(len(gzip.compress(file.read_bytes())) for file in (PACKAGE / "bots").glob("*.npy"))
    heuristic = (PACKAGE / "bots" / "heuristic.json").read_bytes()
    packed = len(gzip.compress(module)) + weights + len(gzip.compress(heuristic))
    lines = [
        f"# The kernel as a module and as native code, {about['date']}",
        "",
        f"`{command_line()}`, commit {about['commit']}, "
        f"{about['processor']}, Python {about['versions']['python']}, Numba {about['versions']['numba']}. Processor "
        f"time, the least of {repeats} runs each, alternating in one process; native code for all rulesets.",
        "",
        f"The module: {len(module):,} bytes; compressed with the weights of all bots {packed:,}.",
        "",
        "| | native, s | module, s | native : module |",
        "|---|--:|--:|--:|",
    ]
    for name, make in (row for row in rows if asked.only in row[0]):
        jit.switch_backend(module_kernel)  # all arrays lie in its memory, which native code can use too
        spent, longer = compare(make(), (native, module_kernel), repeats)
        lines.append(f"| {name} | {spent:.4f} | {longer:.4f} | {spent / longer:.2f} |")
        print(lines[-1], flush=True)
    publish("backends", "\n".join(lines) + "\n", save=asked.save)


if __name__ == "__main__":
    main()
