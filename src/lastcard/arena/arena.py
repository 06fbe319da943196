"""The arena: bots against each other over duplicate deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.arena.clocks import Times
from lastcard.arena.journal import Journal, find_seed
from lastcard.arena.playing import Deal, Luck, Plan, Played, Seating
from lastcard.arena.standings import Cross, Entry, make_cross, make_entries
from lastcard.arena.workers import MOST_WORKERS, count_cores, work
from lastcard.bots.base import ATTENTIVE, Manners
from lastcard.game.numbers import as_int
from lastcard.game.rulesets import Ruleset
from lastcard.game.seeds import Seed

MOST_ROUNDS: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Arena:
    """What came of an arena.

    Args:
        plan: what was played.
        deals: in order.
        entries: of every kind of bot.
        cross: each against each, see ``standings.make_cross``.
    """

    plan: Plan
    deals: tuple[Deal, ...]
    entries: dict[str, Entry]
    cross: Cross

    def rounds(self) -> Iterator[tuple[Deal, Seating, Played]]:
        """Every round, in order."""
        for deal in self.deals:
            for seating, played in deal.rounds:
                yield deal, seating, played

    def count(self) -> dict[str, float]:
        """How many deals and rounds there were, void ones and those given up, and the acts in a round."""
        results = [played for _, _, played in self.rounds()]
        return {
            "deals": len(self.deals),
            "rounds": len(results),
            "void": sum(played.void for played in results),
            "stuck": sum(played.stuck for played in results),
            "mean_plies": round(sum(played.plies for played in results) / len(results), 3),
        }

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values; all but ``times`` follows from the seed."""
        return {
            **self.plan.as_dict(),
            **self.count(),
            "entries": {name: entry.as_dict() for name, entry in self.entries.items()},
            "cross": {
                row: {column: cell and cell.as_dict() for column, cell in cells.items()}
                for row, cells in self.cross.items()
            },
            "times": {
                name: {"choose": _time_values(entry.clock.choose), "react": _time_values(entry.clock.react)}
                for name, entry in self.entries.items()
            },
        }


def _time_values(times: Times) -> dict[str, Any]:
    """Times as plain values, in milliseconds."""
    p50, p99 = (value and round(value, 4) for value in (times.quantile(0.5), times.quantile(0.99)))
    return {"count": times.count, "p50": p50, "p99": p99}


def arena(
    rules: Ruleset | str,
    players: int,
    bots: Sequence[str],
    rounds: int = 1000,
    seed: Seed = None,
    *,
    manners: Manners | None = ATTENTIVE,
    luck: Luck | None = None,
    workers: int | None = None,
    resume: Path | str | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Arena:
    """Let bots play duplicate deals. The same seed gives the same result, whoever plays how much of it.

    With more than one worker a script must keep its own doings behind ``if __name__ == "__main__"``, as always where
    Python starts processes.

    Args:
        rules: a ruleset or its name.
        players: how many seats.
        bots: kinds or levels by name, repeated in order until every seat has one.
        rounds: how many deals; each is played once for every seating.
        seed: as ``seeds.parse_seed`` reads it; None for that of ``resume``, else a fresh one.
        manners: how all bots behave; None for each bot's own manners.
        luck: measures that of every round (``analysis.luck.measure_luck``), so that it can be taken out of the shares.
        workers: how many processes; None for one on every core.
        resume: a file that keeps each deal, and from which an arena that was stopped goes on.
        progress: called for every deal.

    Raises:
        UsageError, RulesError: for what makes no sense, and for the file of another arena.
    """
    rounds = as_int("the number of rounds", rounds, 1, MOST_ROUNDS)
    workers = count_cores() if workers is None else as_int("the number of workers", workers, 1, MOST_WORKERS)
    file = None if resume is None else Path(resume)
    if seed is None and file is not None:
        seed = find_seed(file)
    plan = Plan.make(rules, players, bots, seed, manners, luck)
    with nullcontext() if file is None else closing(Journal(file, plan)) as journal:
        deals = {} if journal is None else {n: deal for n, deal in journal.deals.items() if n < rounds}
        for _ in deals:
            progress()
        todo = [number for number in range(rounds) if number not in deals]
        with closing(work(plan.play, todo, workers, plan.warm_up)) as played:
            for deal in played:
                deals[deal.number] = deal
                if journal is not None:
                    journal.add(deal)
                progress()
    ordered = tuple(deals[number] for number in range(rounds))
    return Arena(plan, ordered, make_entries(plan, ordered), make_cross(plan, ordered))
