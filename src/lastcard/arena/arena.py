"""The arena: bots against each other over duplicate deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.arena.comparison import Comparison, StoppingRule, Verdict
from lastcard.arena.deals import Deal, Luck, Plan, RoundResult, Seating
from lastcard.arena.decision_times import TimeHistogram
from lastcard.arena.journal import Journal, find_seed
from lastcard.arena.share_chart import draw_shares
from lastcard.arena.standings import CrossTable, Entries, make_cross_table, make_entries
from lastcard.arena.task_distribution import MAX_WORKERS, count_cores, put_in_order
from lastcard.bots.base import ATTENTIVE, Behavior
from lastcard.bots.own_bots import BotSource
from lastcard.game.numbers import require_int
from lastcard.game.rulesets import Ruleset
from lastcard.game.seeds import Seed

MAX_ROUNDS: Final = 10_000_000
DEFAULT_ROUNDS: Final = 1000


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """The result of an arena: its deals in order, the statistics of every kind of bot, and of every pair."""

    plan: Plan
    deals: tuple[Deal, ...]
    entries: Entries
    """The statistics of each kind of bot by its name: the text ``name`` of the object or its class, if they have one,
    else the name of its class or function."""
    cross_table: CrossTable
    verdict: Verdict | None = None
    """The answer to the question of ``until``; None without it."""

    def _repr_svg_(self) -> str:
        return draw_shares({name: entry.wins for name, entry in self.entries.items()})

    def __repr__(self) -> str:
        shares = ", ".join(f"{name} {entry.wins.value:.1%}".replace("%", " %") for name, entry in self.entries.items())
        return f"<ArenaResult of {self.plan.rules}, {len(self.deals)} deals: {shares}>"

    def rounds(self) -> Iterator[tuple[Deal, Seating, RoundResult]]:
        """Every round, in order."""
        for deal in self.deals:
            for seating, played in deal.rounds:
                yield deal, seating, played

    def summarize(self) -> dict[str, float]:
        """The numbers of deals and rounds, of void and stuck rounds, and the moves in a round."""
        results = [played for _, _, played in self.rounds()]
        return {
            "deals": len(self.deals),
            "rounds": len(results),
            "void": sum(played.void for played in results),
            "stuck": sum(played.stuck for played in results),
            "mean_plies": round(sum(played.plies for played in results) / len(results), 3),
        }

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values; all but ``times`` depends only on the seed."""
        return {
            **self.plan.as_dict(),
            **self.summarize(),
            "entries": {name: entry.as_dict() for name, entry in self.entries.items()},
            "cross": {
                row: {column: cell and cell.as_dict() for column, cell in cells.items()}
                for row, cells in self.cross_table.items()
            },
            "times": {
                name: {"choose": _time_values(entry.times.choose), "react": _time_values(entry.times.react)}
                for name, entry in self.entries.items()
            },
            **({"verdict": self.verdict.as_dict()} if self.verdict else {}),
        }


def _time_values(times: TimeHistogram) -> dict[str, Any]:
    """Times as plain values, in milliseconds."""
    p50, p99 = (value and round(value, 4) for value in (times.quantile(0.5), times.quantile(0.99)))
    return {"count": times.count, "p50": p50, "p99": p99}


def run_arena(
    rules: Ruleset | str,
    players: int,
    bots: Sequence[BotSource],
    rounds: int | None = None,
    seed: Seed = None,
    *,
    until: StoppingRule | None = None,
    behavior: Behavior | None = ATTENTIVE,
    luck: Luck | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    resume: Path | str | None = None,
    progress: Callable[[Verdict | None], object] = lambda verdict: None,
) -> ArenaResult:
    """Let bots play duplicate deals. The same seed gives the same result for any number of workers.

    >>> run_arena("classic", 2, ["sharp", "random"], 100, seed=1, workers=1)
    <ArenaResult of classic, 100 deals: sharp 66.5 %, random 33.5 %>

    With more than one worker a script must guard its own code by ``if __name__ == "__main__"``, as always when Python
    starts processes.

    Args:
        bots: bots by name or of your own (``make_bot``), repeated in order until every seat has one. An object is
            copied for each round; worker processes import classes and functions from their modules.
        rounds: number of deals; each is played once for every seating. None for 1000, and with ``until`` for as many as
            the answer needs.
        seed: a seed for ``seeds.parse_seed``; None for that of ``resume``, else a fresh one.
        until: when to stop: as soon as it is certain whether the first bot is stronger, or how little the bots differ.
        behavior: behavior of all bots; None for each bot's own.
        luck: function that measures the luck of every round (``analysis.luck.measure_luck``), to adjust the shares.
        workers: number of processes; None for one on every core.
        executor: plays the deals in place of such processes, as an executor of ``concurrent.futures`` with so many
            ``workers`` (``RayCluster``).
        resume: file that stores each deal, and from which a stopped arena continues.
        progress: callback for every deal, in their order; it gets the verdict so far, None without ``until``.

    Raises:
        UsageError, RulesError: for invalid values, and for the file of another arena.
    """
    usual = DEFAULT_ROUNDS if until is None else MAX_ROUNDS
    rounds = require_int("the number of rounds", usual if rounds is None else rounds, 1, MAX_ROUNDS)
    workers = count_cores() if workers is None else require_int("the number of workers", workers, 1, MAX_WORKERS)
    file = None if resume is None else Path(resume)
    if seed is None and file is not None:
        seed = find_seed(file)
    plan = Plan.make(rules, players, bots, seed, behavior, luck)
    comparison = None if until is None else Comparison(plan, until)
    with nullcontext() if file is None else closing(Journal(file, plan)) as journal:
        stored = {} if journal is None else {n: deal for n, deal in journal.deals.items() if n < rounds}
        known = frozenset(stored)
        missing = (number for number in range(rounds) if number not in known)
        with closing(plan.play_all(missing, workers, executor)) as played:
            deals = tuple(_play_until(put_in_order(_save(played, journal), stored), comparison, progress))
    verdict = None if comparison is None else comparison.judge()
    return ArenaResult(plan, deals, make_entries(plan, deals), make_cross_table(plan, deals), verdict)


def _save(played: Iterator[Deal], journal: Journal | None) -> Iterator[tuple[int, Deal]]:
    """Yields deals with their numbers, saved if there is a journal."""
    for deal in played:
        if journal is not None:
            journal.add(deal)
        yield deal.number, deal


def _play_until(
    deals: Iterator[Deal], comparison: Comparison | None, progress: Callable[[Verdict | None], object]
) -> Iterator[Deal]:
    """Yields deals until the question is answered or the time is up."""
    start_s = time.monotonic()
    for deal in deals:
        yield deal
        if comparison is None:
            progress(None)
            continue
        verdict, budget_s = comparison.add(deal), comparison.rule.budget_s
        progress(verdict)
        if verdict.is_decided or (budget_s is not None and time.monotonic() - start_s > budget_s):
            return
