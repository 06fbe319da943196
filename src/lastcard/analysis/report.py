"""The report of a match: chances, luck and skill, the best and the worst decisions (``docs/insight.md``)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import partial
from typing import Any, Final

from lastcard.ai import round_analysis
from lastcard.analysis.adjusted import MixedPlayEvaluator, find_heuristic_seats
from lastcard.analysis.attribution import read_attribution
from lastcard.analysis.chances import WinChances, estimate_chances, new_rollout_scratch
from lastcard.analysis.open_card_solver import find_winning_line
from lastcard.analysis.replayed_round import ReplayedMove, ReplayedRound, replay_rounds
from lastcard.analysis.report_model import (
    ChanceReport,
    Decision,
    MissedCallLoss,
    Report,
    RoundChances,
    RoundReport,
    Step,
)
from lastcard.bots.evaluation import MEASURE_CONFIG, SEARCH_CONFIG, Evaluation, MoveEvaluator
from lastcard.bots.search import SearchConfig
from lastcard.bots.statistics import Estimate, read_estimate, read_estimates, rollout_total, total
from lastcard.game.numbers import require_int
from lastcard.game.seeds import Seed, parse_seed
from lastcard.match.match import Match
from lastcard.match.record import Record

ROLLOUTS: Final = 2500
"""Number of rollouts from each state."""
FIRST_ROLLOUTS: Final = 120
"""Number of rollouts from each state for the chances that are shown before the report is ready."""
SEED: Final = 0
"""Default seed of a report."""
MIN_ROLLOUTS: Final = 2
"""Number of rollouts below which their scatter is unknown."""

_BEFORE: Final = round_analysis.PARTS.index("before")

Progress = Callable[[int, int], None]
"""Callback for the finished and the total amount of work."""


class _ThreadWorkspace(threading.local):
    """The searches of each thread, because they write into their own memory."""

    def __init__(self, search_config: SearchConfig, measure_config: SearchConfig) -> None:
        self.evaluator = MoveEvaluator(search_config, measure_config)
        self.scratch = new_rollout_scratch()
        self.mixed_play = MixedPlayEvaluator(self.evaluator)


class _RoundAnalysis:
    """A round under analysis.

    Args:
        replayed: a replayed round.
        heuristic_seats: seats assumed to follow rules of thumb (``fair``).
        rollouts: number of rollouts from each state.
        seed: seed of the report.
    """

    def __init__(self, replayed: ReplayedRound, heuristic_seats: frozenset[int], rollouts: int, seed: bytes) -> None:
        self.replayed = replayed
        self._heuristic_seats = heuristic_seats
        self._seed = seed
        self.chances = WinChances(replayed, rollouts)
        self._evaluations: dict[int, Evaluation] = {}
        self._mixed_play_before: tuple[Estimate, ...] = ()
        """Chance of every seat before the deal in mixed play, with its changes by calls."""
        self._mixed_play: dict[int, tuple[Any, float]] = {}
        """Changes by decisions in mixed play, by ply."""

    def tasks(self, workspace: _ThreadWorkspace) -> Iterator[Callable[[], None]]:
        """The tasks of the round, which may run in parallel."""
        for first in self.chances.parts():
            yield partial(self._run_part, workspace, first)
        yield partial(self._evaluate_deal, workspace)
        for i, played in enumerate(self.replayed.moves):
            if played.view is not None:
                yield partial(self._evaluate_move, workspace, i, played)

    def _run_part(self, workspace: _ThreadWorkspace, first: int) -> None:
        self.chances.run_part(first, self._derive_seed(), workspace.scratch)

    def _evaluate_deal(self, workspace: _ThreadWorkspace) -> None:
        rollouts = max(MIN_ROLLOUTS, self.chances.rollouts // 2)  # its variance is small beside that of the moves
        self._mixed_play_before = workspace.mixed_play.evaluate_deal(
            self.replayed, self._heuristic_seats, rollouts, self._derive_seed()
        )

    def _evaluate_move(self, workspace: _ThreadWorkspace, i: int, played: ReplayedMove) -> None:
        assert played.view is not None
        seed = self._derive_seed(i + 1)
        self._evaluations[i] = workspace.evaluator.evaluate(
            played.view, played.choices, played.without_call, played.heuristic_move, seed
        )
        changes = workspace.mixed_play.evaluate_move(self.replayed, self._heuristic_seats, i, seed)
        if changes is not None:
            self._mixed_play[i] = changes

    def _derive_seed(self, part: int = 0) -> int:
        """A seed of 32 bits for a part of the round."""
        return self.replayed.derive_seed(self._seed, part)

    def finish(self) -> RoundReport:
        """The report of the round, once all tasks are done."""
        chances = self.chances
        evaluations = dict(sorted(self._evaluations.items()))
        chances.attribute(evaluations)
        accounts = map(chances.account, range(self.replayed.players))
        return RoundReport(
            **_chances_of(chances),
            accounts=tuple(
                read_attribution(account, self._mixed_play_result(seat)) for seat, account in enumerate(accounts)
            ),
            decisions=tuple(self._decision(i, evaluation) for i, evaluation in evaluations.items()),
            calls=tuple(map(self._call, chances.missed_calls)),
        )

    def _mixed_play_result(self, seat: int) -> Estimate:
        changes = [(each[:, seat], step) for _, (each, step) in sorted(self._mixed_play.items())]
        return total((self._mixed_play_before[seat], rollout_total(changes)))

    def _decision(self, i: int, evaluation: Evaluation) -> Decision:
        played, ply = self.replayed.moves[i], self.replayed.plies[i]
        is_mistake = ply["kind"] == round_analysis.MISTAKE
        was_lost = not self.chances.account(played.seat)["result"]
        return Decision(
            round=self.replayed.number,
            ply=i + 1,
            seat=played.seat,
            made=played.without_call,
            best=evaluation.best,
            usual=played.heuristic_move,
            chance=evaluation.chance,
            loss=evaluation.loss,
            agreed=evaluation.prior_agrees,
            skill=evaluation.changes[played.seat],
            line=find_winning_line(self.replayed, i) if is_mistake and was_lost else (),
            topic=round_analysis.TOPICS[ply["topic"]],
            grade=list(round_analysis.GRADES)[ply["grade"]] if is_mistake else None,
        )

    def _call(self, call: Any) -> MissedCallLoss:
        by = None if call["by"] < 0 else int(call["by"])
        return MissedCallLoss(
            self.replayed.number, int(call["ply"]) + 1, int(call["seat"]), by, read_estimate(call["price"])
        )


def _chances_of(chances: WinChances) -> dict[str, Any]:
    """The fields of RoundChances, once the chances are attributed."""
    replayed = chances.replayed
    seats = range(replayed.players)
    return {
        "number": replayed.number,
        "dealer": replayed.dealer,
        "winner": replayed.winner,
        "before": tuple(read_estimate(chances.account(seat)["parts"][_BEFORE]) for seat in seats),
        "dealt": tuple(read_estimate(chances.account(seat)["dealt"]) for seat in seats),
        "steps": tuple(_step(replayed, i, played) for i, played in enumerate(replayed.moves)),
    }


def _step(replayed: ReplayedRound, i: int, played: ReplayedMove) -> Step:
    ply, seats = replayed.plies[i], replayed.players
    chances, choice, luck = (read_estimates(ply[name][:seats]) for name in ("chances", "choice", "luck"))
    return Step(played.seat, played.move, played.chance, chances, choice, luck)


def estimate_match_chances(
    source: Match | Record, *, seed: Seed = SEED, rollouts: int = FIRST_ROLLOUTS
) -> ChanceReport:
    """The chances in a match, in much less time than its report, and with wider intervals.

    Args:
        source, seed, rollouts: as for ``make_report``.

    Raises:
        RecordError, UsageError: as ``make_report``.
    """
    record, secret = _record_of(source), parse_seed(seed)
    rollouts = require_int("the number of rollouts", rollouts, MIN_ROLLOUTS)
    estimated = [estimate_chances(each, rollouts, each.derive_seed(secret)) for each in replay_rounds(record)]
    rounds = tuple(RoundChances(**_chances_of(each)) for each in estimated)
    return ChanceReport(str(record.rules), record.players, record.winners is not None, rounds, rollouts, secret.hex())


def _record_of(source: Match | Record) -> Record:
    return source.record() if isinstance(source, Match) else source


def make_report(
    source: Match | Record,
    *,
    seed: Seed = SEED,
    rollouts: int = ROLLOUTS,
    search_config: SearchConfig = SEARCH_CONFIG,
    measure_config: SearchConfig = MEASURE_CONFIG,
    threads: int = 2,
    progress: Progress = lambda done, whole: None,
) -> Report:
    """The report of a match: its luck and its skill. The same seed gives the same report.

    >>> report(play(Match("all-wild", ["Ann", "Bo"], seed=1), "sharp"), rollouts=10)
    <Report of all-wild: Ann, Bo; rounds: 1>

    It covers finished rounds only: an unfinished one would reveal hands.

    Args:
        source: a match, or its record with the seed.
        seed: seed of all chance in the report, for ``seeds.parse_seed``.
        rollouts: number of rollouts from each state.
        search_config: effort of the search for the best move of a decision.
        measure_config: number of deals that measure it.
        threads: number of threads, at least 1; they change nothing but the time.
        progress: callback for the progress.

    Raises:
        RecordError: if the record is not true, or its seed is left out.
        UsageError: if no round is over; for too few rollouts or threads.
    """
    rollouts = require_int("the number of rollouts", rollouts, MIN_ROLLOUTS)
    threads = require_int("the number of threads", threads, 1)
    record = _record_of(source)
    secret = parse_seed(seed)
    replayed_rounds = replay_rounds(record)
    analyses = [
        _RoundAnalysis(*inputs, rollouts, secret)
        for inputs in zip(replayed_rounds, find_heuristic_seats(replayed_rounds), strict=True)
    ]
    workspace = _ThreadWorkspace(search_config, measure_config)
    tasks = [task for draft in analyses for task in draft.tasks(workspace)]
    _run_tasks(tasks, threads, progress)
    return Report(
        rules=str(record.rules),
        players=record.players,
        over=record.winners is not None,
        rounds=tuple(draft.finish() for draft in analyses),
        rollouts=rollouts,
        seed=secret.hex(),
    )


def _run_tasks(tasks: list[Callable[[], None]], threads: int, progress: Progress) -> None:
    """Do all tasks, in parallel if there are threads, and report the progress."""
    if threads == 1:
        for done, task in enumerate(tasks, start=1):
            task()
            progress(done, len(tasks))
        return
    pool = ThreadPoolExecutor(threads, "report")
    try:
        futures: list[Future[None]] = [pool.submit(task) for task in tasks]
        for done, future in enumerate(as_completed(futures), start=1):
            future.result()
            progress(done, len(tasks))
    finally:
        pool.shutdown(cancel_futures=True)
