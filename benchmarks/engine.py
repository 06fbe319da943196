"""Benchmarks the engine against a C program of the same games. ``make bench`` runs it; see README.md.

python benchmarks/engine.py [--quick] [--json] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Final, cast

import numpy as np
from machine import HERE, Results, command_line, describe_machine, publish

from lastcard.game import action_codes
from lastcard.kernel import jit
from lastcard.kernel.native_backend import NativeBackend
from lastcard.kernel.signatures import Export
from lastcard.kernel.specialize import SpecializedExport
from lastcard.match.round import Round
from lastcard.rules import chance, exports, layout, random_policy

GAMES: Final = ("all-wild", "classic", "wild-jackpot")
SEATS: Final = (2, 4, 8)
SEED: Final = 12345
FLAGS: Final = ("-O3", "-march=native")
THREADS: Final = 2
NO_LIMIT: Final = 1 << 40


def rules_of(game: str) -> str:
    """Returns the default options with automatic calls."""
    return f"{game}+uno_window=automatic_call"


def clock(work: Callable[[], object]) -> float:
    """Returns the seconds that ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# --- the kernel and the C program --------------------------------------------------------------------


class Bench:
    """One round state of the kernel with the dice of its policy, seeded as in the C program."""

    def __init__(self, game: str, seats: int) -> None:
        self.states: Any = Round.deal(rules_of(game), seats, seed=SEED.to_bytes(32, "little")).states()
        self.out = np.zeros(layout.MAX_ACTIONS + layout.DICE, np.int64)
        self.tally = np.zeros(random_policy.TALLY_NUMBERS, np.int64)

    def specialize(self) -> SpecializedExport | None:
        """Returns the specialized native ``random_policy.play_rounds`` for this ruleset; None for the module."""
        native, export = jit.backend(), cast(Export, random_policy.play_rounds)
        if not isinstance(native, NativeBackend):
            return None
        specialized = native.native_export(export).compile(export.signatures[""])
        assert isinstance(specialized, SpecializedExport)
        specialized.specialize((self.states, 0, 0, self.out, self.tally, NO_LIMIT))
        return specialized

    def play(self, rounds: int, play: Callable[..., Any] = random_policy.play_rounds) -> None:
        """Play whole rounds by a version of the export; the results are in ``tally``."""
        dice = self.out[-layout.DICE :]
        dice[:] = SEED & 0xFFFFFFFF, SEED >> 32, 0x9E3779B9, 1
        roll = getattr(chance.roll, "py_func", chance.roll)
        for _ in range(12):
            roll(dice)
        self.tally[:] = 0
        play(self.states, 0, rounds, self.out, self.tally, NO_LIMIT)


def build_reference(folder: Path) -> list[str] | None:
    """Compile the C program; returns its command, or None without a suitable compiler."""
    for compiler in ("gcc", "clang", "cc"):
        if shutil.which(compiler):
            program = folder / "yardstick"
            command = [compiler, *FLAGS, "-o", str(program), str(HERE / "yardstick.c")]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                return [str(program)]
    return None


def run_reference(program: list[str], game: str, seats: int, rounds: int) -> Results:
    """Returns the results of the C program for the same rounds."""
    command = [*program, game, str(seats), str(rounds), "chacha", str(SEED)]
    result: Results = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return result


def check_same(bench: Bench, result: Results) -> None:
    """Check that both have played the same rounds."""
    wins = bench.tally[random_policy.TALLY_WINS : random_policy.TALLY_WINS + result["seats"]].tolist()
    mine = [*bench.tally[: random_policy.TALLY_LONGEST + 1].tolist(), wins]
    theirs = [result["plies"], result["void_rounds"], result["longest_round"], result["wins"]]
    if mine != theirs:
        raise SystemExit(f"kernel and yardstick differ at {result['game']}, {result['seats']} seats: {mine}, {theirs}")


def measure_kernel(program: list[str] | None, rounds: int, repeats: int) -> list[Results]:
    """Returns plies a second of every game and number of seats, in the fastest of many runs; kernel and C alternate.

    Native code is measured specialized for the ruleset and, separately, in its general version.
    """
    cases = [(game, seats) for game in GAMES for seats in SEATS]
    benches = {case: Bench(*case) for case in cases}
    benches[cases[0]].play(1)  # compiles
    special = {case: bench.specialize() for case, bench in benches.items()}
    mine: dict[tuple[str, int], list[float]] = {case: [] for case in cases}
    general: dict[tuple[str, int], list[float]] = {case: [] for case in cases}
    theirs: dict[tuple[str, int], list[float]] = {case: [] for case in cases}
    chacha = ""
    for _ in range(repeats):
        for case, bench in benches.items():
            mine[case].append(clock(lambda bench=bench: bench.play(rounds)))  # type: ignore[misc]
            specialized = special[case]
            if specialized is not None:
                general[case].append(clock(lambda bench=bench, play=specialized.general: bench.play(rounds, play)))  # type: ignore[misc]
            if program is not None:
                result = run_reference(program, *case, rounds)
                check_same(bench, result)
                theirs[case].append(result["seconds"])
                chacha = result["chacha"]
    rows = []
    for case, bench in benches.items():
        plies, seconds = int(bench.tally[random_policy.TALLY_PLIES]), min(mine[case])
        row = {
            "game": case[0],
            "seats": case[1],
            "plies_per_second": plies / seconds,
            "rounds_per_second": rounds / seconds,
            "plies_per_round": plies / rounds,
        }
        if general[case]:
            row["general"] = plies / min(general[case])
        if program is not None:
            row["c_plies_per_second"] = plies / min(theirs[case])
            row["ratio"] = min(theirs[case]) / seconds
            row["chacha"] = chacha
        rows.append(row)
    return rows


def play_together(benches: list[Bench], rounds: int) -> None:
    """Play all benches in parallel: a thread each, pinned to a core of its own if possible."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []

    def work(seat: int) -> None:
        if cores:
            os.sched_setaffinity(0, {cores[seat % len(cores)]})  # 0 is this thread
        benches[seat].play(rounds)

    threads = [threading.Thread(target=work, args=(seat,)) for seat in range(len(benches))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure_threads(rounds: int, repeats: int) -> list[Results]:
    """Returns the speedup of ``THREADS`` threads, each with its own round state."""
    rows = []
    for game in GAMES:
        benches = [Bench(game, 4) for _ in range(THREADS)]
        gains = []
        for _ in range(repeats):
            start = time.perf_counter()
            play_together(benches[:1], rounds)
            middle = time.perf_counter()
            play_together(benches, rounds)
            gains.append(THREADS * (middle - start) / (time.perf_counter() - middle))
        rows.append({"game": game, "threads": THREADS, "gain": median(gains)})
    return rows


def measure_calls(repeats: int) -> Results:
    """Returns nanoseconds for copying a round state inside the kernel, and for one call of the kernel from Python."""
    tables = np.concatenate([Bench("classic", 4).states, Bench("classic", 4).states])
    clones, calls = 200_000, 20_000
    random_policy.clone_state(tables, 0, 1, 1)
    exports.check_action(tables, 0, 0, action_codes.DRAW)

    def call() -> None:
        for _ in range(calls):
            exports.check_action(tables, 0, 0, action_codes.DRAW)

    return {
        "clone_ns": median(clock(lambda: random_policy.clone_state(tables, 0, 1, clones)) for _ in range(repeats))
        / clones
        * 1e9,
        "table_bytes": tables.itemsize,
        "call_ns": median(clock(call) for _ in range(repeats)) / calls * 1e9,
    }


# --- the Python interface -----------------------------------------------------------------------------


def play_checked(game: str, plies: int) -> list[tuple[Round, list[tuple[int, Any]]]]:
    """Returns rounds by *play-if-you-can* through ``legal`` and ``do``: each as dealt, with its moves."""
    rng, done = random.Random(SEED), 0
    games: list[tuple[Round, list[tuple[int, Any]]]] = []
    while done < plies:
        table = Round.deal(rules_of(game), 4, seed=SEED, number=len(games))
        dealt, moves_done = table.copy(), []
        while not table.over:
            seat, moves = table.turn, table.legal()
            if table.decision == "play":
                moves = [move for move in moves if move.verb == "play"] or [m for m in moves if m.verb == "draw"]
            moves_done.append((seat, rng.choice([move for move in moves if move.verb not in ("uno", "catch")])))
            table.do(*moves_done[-1])
        done += len(moves_done)
        games.append((dealt, moves_done))
    return games


def measure_checked(plies: int, repeats: int) -> list[Results]:
    """Returns plies a second from Python: for ``legal`` and ``do``, and for ``do`` alone."""
    rows = []
    for game in GAMES:
        play_checked(game, 1)
        legal_and_do, do_only = [], []
        for _ in range(repeats):
            start = time.perf_counter()
            games = play_checked(game, plies)
            legal_and_do.append((time.perf_counter() - start) / sum(len(moves) for _, moves in games))
            start = time.perf_counter()
            for table, acts in games:
                for seat, move in acts:
                    table.do(seat, move)
            do_only.append((time.perf_counter() - start) / sum(len(acts) for _, acts in games))
        rows.append({"game": game, "legal_and_do": 1 / median(legal_and_do), "do": 1 / median(do_only)})
    return rows


# --- start ----------------------------------------------------------------------------------------------


def measure_starts(repeats: int) -> Results:
    """Returns seconds from the command to the first move: with an empty cache, with a full one, and for ``--help``."""
    with tempfile.TemporaryDirectory() as folder:
        usual = {name: value for name, value in os.environ.items() if name != jit.ENV_VARIABLE}
        environment = {**usual, "LASTCARD_CACHE": str(Path(folder) / "cache")}
        play = ["play", "--rules", "wild-jackpot", "--seed", "1", "--save", str(Path(folder) / "match")]

        def run(*words: str) -> float:
            command = [sys.executable, "-m", "lastcard", *words]
            given: dict[str, Any] = {"input": "draw\n", "text": True, "env": environment}
            return clock(lambda: subprocess.run(command, capture_output=True, check=True, **given))

        def first_move() -> float:
            Path(play[-1]).unlink(missing_ok=True)
            return run(*play)

        return {
            "cold": first_move(),
            "warm": median(first_move() for _ in range(repeats)),
            "help": median(run("--help") for _ in range(repeats)),
        }


# --- all of it ----------------------------------------------------------------------------------------


def _built(rows: list[Results]) -> str:
    """Returns how the C program was built, if it was."""
    return f", `{' '.join(FLAGS)}`, ChaCha8 in {rows[0]['chacha']}" if "chacha" in rows[0] else ""


def make_page(results: Results) -> str:
    """Returns the results as a page of Markdown."""
    about, calls, starts = results["about"], results["calls"], results["starts"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    lines = [
        f"# Engine, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores, {about['system']}; {versions}; commit {about['commit']}.",
        f"Command: `{results['command']}`.",
        "",
        f"The kernel as {results['form']} code, in the form for each ruleset and number of seats and in that for all."
        " Whole rounds with deals by *play-if-you-can*, default options, calls automatic, one core. C is `yardstick.c`"
        f" with the same generator{_built(results['kernel'])}: it played the very same rounds. The fastest of"
        f" {results['alternating']} alternating runs; all other figures are medians of {results['repeats']}.",
        "",
        "| game | seats | M plies/s | form for all, M plies/s | rounds/s | plies/round | C, M plies/s | kernel : C |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in results["kernel"]:
        c = f"{row['c_plies_per_second'] / 1e6:.1f} | {row['ratio']:.2f}" if "ratio" in row else "– | –"
        general = f"{row['general'] / 1e6:.1f}" if "general" in row else "–"
        lines.append(
            f"| {row['game']} | {row['seats']} | {row['plies_per_second'] / 1e6:.1f} | {general}"
            f" | {row['rounds_per_second']:,.0f} | {row['plies_per_round']:.1f} | {c} |"
        )
    lines += [
        "",
        "| game, 4 seats | legal() and do(), plies/s | do() alone, plies/s | two threads : one |",
        "|---|--:|--:|--:|",
    ]
    for face, row in zip(results["face"], results["threads"], strict=True):
        lines.append(f"| {face['game']} | {face['legal_and_do']:,.0f} | {face['do']:,.0f} | {row['gain']:.2f} |")
    lines += [
        "",
        f"- Copying a table in the kernel: {calls['clone_ns']:.0f} ns ({calls['table_bytes']} bytes);"
        f" a call of the kernel from Python: {calls['call_ns']:.0f} ns.",
        f"- `lastcard play`, from the command to the first move: {starts['cold']:.1f} s with an empty cache,"
        f" {starts['warm']:.2f} s afterwards; `lastcard --help`: {starts['help']:.2f} s.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description="Measure the engine, beside a C program where a compiler is there.")
    parser.add_argument("--quick", action="store_true", help="less of everything: a glance, not a measurement")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/engine-DATE.md and .json too")
    asked = parser.parse_args()
    os.environ.setdefault(jit.ENV_VARIABLE, "native")  # backends.py measures the module
    rounds, repeats, plies = (2_000, 2, 1_000) if asked.quick else (50_000, 7, 10_000)
    short, many = (2_000, 2) if asked.quick else (5_000, 60)
    with tempfile.TemporaryDirectory() as folder:
        kernel = measure_kernel(build_reference(Path(folder)), short, many)
    results: Results = {
        "about": describe_machine(),
        "command": command_line(),
        "form": jit.backend().name,
        "repeats": repeats,
        "alternating": many,
        "kernel": kernel,
        "threads": measure_threads(4 * rounds, repeats),
        "face": measure_checked(plies, repeats),
        "calls": measure_calls(repeats),
        "starts": measure_starts(min(repeats, 5)),
    }
    publish("engine", make_page(results), results, save=asked.save, as_json=asked.json)


if __name__ == "__main__":
    main()
