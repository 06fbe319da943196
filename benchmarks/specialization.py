"""Benchmarks native code for one ruleset against general native code: many rounds, and decisions of *expert*.

python benchmarks/specialization.py [--save | --steps]
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

from backends import find_decisions
from machine import command_line, describe_machine, publish

from lastcard import envs
from lastcard.ai import decision, rounds, search
from lastcard.arena.compiled_rounds import CompiledRounds
from lastcard.bots.registry import make_bot
from lastcard.envs.batch import Batch
from lastcard.envs.compiled import vector
from lastcard.game.rulesets import ruleset
from lastcard.kernel import jit, specialize
from lastcard.kernel.native_backend import NativeBackend
from lastcard.kernel.signatures import Export

RULES: Final = ("classic", "all-wild", "wild-jackpot", "classic+stacking=same+seven_zero=true")
REPEATS: Final = 25
ROUNDS: Final = {"random": 2000, "sharp": 500}
VIEWS: Final = 6
BATCH_SIZES: Final = (1, 16, 64, 1024)
STEPS: Final = 20_000
"""Number of steps of one table in a run."""
Work = Callable[[], object]


def play_rounds(rules: str, bots: str) -> Work:
    """Returns work that plays rounds of four bots of a kind."""
    table = CompiledRounds(ruleset(rules), 4, bytes(32))
    kinds = [decision.BY_CHANCE if bots == "random" else decision.BY_HEURISTIC] * 4
    return lambda: table.play(0, ROUNDS[bots], kinds)


def decide(rules: str) -> Work:
    """Returns work that makes decisions of *expert* with two seats."""
    views = find_decisions(rules, 2, VIEWS)
    bot = make_bot("expert", bytes(32), 0)
    return lambda: [bot.choose(view) for view in views]


def compare(export: Any, work: Work) -> tuple[float, float]:
    """Returns the minimum CPU seconds of some work with general code of an export, and with specialized code."""
    native = cast(NativeBackend, jit.backend()).native_export(cast(Export, export))
    work()  # specializes at once
    for thread in threading.enumerate():
        if thread.name == "special":
            thread.join()
    calling = cast(specialize.SpecializedExport, native.compile(export.signatures[""]))
    forms: tuple[Callable[..., Any], ...] = (
        lambda *args: calling.general(*native._prepare(args)[1]),
        native.resolve(),
    )
    least = [float("inf")] * 2
    for _ in range(REPEATS):
        for i, call in enumerate(forms):
            export._call = call
            begun = time.thread_time()
            work()
            least[i] = min(least[i], time.thread_time() - begun)
    return least[0], least[1]


def compare_steps(rules: str, players: int, count: int) -> list[float]:
    """Returns the minimum CPU nanoseconds for one table's step, a random legal action included.

    Returns:
        With general code; as bound before specialization; with specialized code.
    """
    native, step = cast(NativeBackend, jit.backend()), cast(Export, vector.step)
    calling = cast(specialize.SpecializedExport, native.native_export(step).compile(step.signatures[""]))
    batches = [envs.batch(rules, players, count, dtype="uint8", seed=1) for _ in range(3)]
    for batch in batches:
        batch.reset()
    arguments = (*batches[0].kernel_arrays, batches[0].sample(), False)
    calling._specialized.pop(calling._ruleset_key(arguments), None)
    original_lookup, calling._load = calling._load, lambda fixed: None  # type: ignore[method-assign]
    steps = [_bind_general(calling, batches[0]), batches[1].bind_step(batches[1].sample()).call]
    calling._load = original_lookup  # type: ignore[method-assign]
    native.native_export(step).specialize(*arguments)
    steps.append(batches[2].bind_step(batches[2].sample()).call)
    runs, least = max(STEPS // count, 4), [float("inf")] * 3
    for _ in range(4 * REPEATS):
        for i, (batch, call) in enumerate(zip(batches, steps, strict=True)):
            begun = time.thread_time()
            for _ in range(runs):
                batch.sample()
                call()
            least[i] = min(least[i], (time.thread_time() - begun) / runs / count * 1e9)
    return least


def _bind_general(calling: specialize.SpecializedExport, batch: Batch) -> Callable[..., Any]:
    return partial(calling.general, *batch.kernel_arrays, batch.sample(), False)


def compare_all_steps() -> list[str]:
    """Returns the gain of tables of learning environments, as the lines of a table."""
    specialize.PAYS_AFTER_S = float("inf")  # so that time is still counted
    lines = [
        "| ruleset | players | tables | for all rulesets, ns | until that pays, ns | for this one, ns | faster |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for rules in RULES:
        for players in (2, 4):
            for count in BATCH_SIZES:
                general, counted, own = compare_steps(rules, players, count)
                figures = f"{general:,.0f} | {counted:,.0f} | {own:,.0f} | {general / own:.2f}"
                lines.append(f"| {rules} | {players} | {count:,} | {figures} |")
    return lines


def main() -> None:
    """Measure and print; with --save, write a page."""
    parser = argparse.ArgumentParser(description="Measure native code for one ruleset beside native code for all.")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/specialization-DATE.md")
    parser.add_argument("--steps", action="store_true", help="measure steps of tables for learners, nothing else")
    asked = parser.parse_args()
    jit.select_backend("native")
    if asked.steps:
        print("\n".join(compare_all_steps()))
        return
    specialize.PAYS_AFTER_S = 1e-9
    about = describe_machine()
    lines = [
        f"# Native code for one ruleset, {about['date']}",
        "",
        f"`{command_line()}`, {about['processor']}, Python"
        f" {about['versions']['python']}, Numba {about['versions']['numba']}, commit {about['commit']}. Processor time,"
        f" the least of {REPEATS} runs each, by turns; rounds of four, decisions at two seats.",
        "",
        "| ruleset | work | for all rulesets, ms | for this one, ms | faster |",
        "|---|---|--:|--:|--:|",
    ]
    for rules in RULES:
        works: list[tuple[str, Any, Work]] = [
            (f"{count:,} rounds of *{bots}*", rounds.play_rounds, play_rounds(rules, bots))
            for bots, count in ROUNDS.items()
        ]
        works.append((f"{VIEWS} decisions of *expert*", search.continue_search, decide(rules)))
        for name, export, work in works:
            general, own = compare(export, work)
            lines.append(f"| {rules} | {name} | {general * 1e3:.2f} | {own * 1e3:.2f} | {general / own:.2f} |")
    publish("specialization", "\n".join(lines) + "\n", save=asked.save)


if __name__ == "__main__":
    main()
