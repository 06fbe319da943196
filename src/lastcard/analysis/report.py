"""The report of a match: chances, luck and skill, the best and the worst decisions (``docs/insight.md``)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from typing import Final

from lastcard.analysis.accounts import settle
from lastcard.analysis.calls import Missed, missed_calls, possible_catch, price_calls
from lastcard.analysis.chances import Chances, new_bench, plan_chances
from lastcard.analysis.fair import Umpire, find_followers
from lastcard.analysis.findings import Decision, Report, RoundReport, Step
from lastcard.analysis.hindsight import find_line
from lastcard.analysis.story import Ply, Story, tell
from lastcard.bots.judge import FINDING, MEASURING, Judge, Verdict
from lastcard.bots.search import Effort
from lastcard.bots.statistics import Estimate, total
from lastcard.game.numbers import as_int
from lastcard.game.seeds import Seed, parse_seed
from lastcard.match.match import Match
from lastcard.match.record import Record

ROLLOUTS: Final = 2500
"""How often each moment is played to its end."""
SEED: Final = 0
"""Of all chance in a report, unless another is asked for."""
FEWEST: Final = 2
"""From fewer nothing is known of how they scatter."""

Progress = Callable[[int, int], None]
"""Is told how much of the work is done, and how much there is."""


class _Room(threading.local):
    """What each thread works with: searches of its own, for they write into their memory."""

    def __init__(self, finding: Effort, measuring: Effort) -> None:
        self.judge = Judge(finding, measuring)
        self.bench = new_bench()
        self.umpire = Umpire(measuring)


class _Draft:
    """The report of a round while it is worked on.

    Args:
        story: the round.
        followers: the seats that are taken to follow rules of thumb (``fair``).
        rollouts: how often each moment is played to its end.
        seed: of the report.
    """

    def __init__(self, story: Story, followers: frozenset[int], rollouts: int, seed: bytes) -> None:
        self.story = story
        self._followers = followers
        self._seed = seed
        self._missed: list[Missed] = list(missed_calls(story))
        catches = [possible_catch(story, missed) for missed in self._missed if missed.by is None]
        self.chances = Chances(story, plan_chances(story, catches), rollouts)
        self._verdicts: dict[int, Verdict] = {}
        self._fair: dict[int, tuple[Estimate, ...]] = {}
        """What decisions changed for every seat in mixed play, by ply; under -1 the chance before the deal, calls."""

    def tasks(self, room: _Room) -> Iterator[Callable[[], None]]:
        """What there is to do, in parts that may be done side by side."""
        for first in self.chances.parts():
            yield partial(self._play, room, first)
        yield partial(self._begin, room)
        for i, ply in enumerate(self.story.plies):
            if ply.view is not None:
                yield partial(self._judge, room, i, ply)

    def _play(self, room: _Room, first: int) -> None:
        self.chances.play(first, self._number(), room.bench)

    def _begin(self, room: _Room) -> None:
        self._fair[-1] = room.umpire.begin(self.story, self._followers, self.chances.rollouts, self._number())

    def _judge(self, room: _Room, i: int, ply: Ply) -> None:
        assert ply.view is not None
        seed = self._number(i + 1)
        self._verdicts[i] = room.judge.judge(ply.view, ply.moves, ply.plain, ply.usual, seed)
        self._fair[i] = room.umpire.weigh(self.story, self._followers, i, seed)

    def _number(self, part: int = 0) -> int:
        """A seed of 32 bits for a part of the round."""
        return self.story.number_of(self._seed, part)

    def finish(self) -> RoundReport:
        """The report of the round, once all tasks are done."""
        story, chances = self.story, self.chances
        seats = range(story.players)
        verdicts = dict(sorted(self._verdicts.items()))
        return RoundReport(
            number=story.number,
            dealer=story.dealer,
            winner=story.winner,
            before=tuple(chances.chance(0, seat) for seat in seats),
            dealt=tuple(chances.chance(1, seat) for seat in seats),
            steps=tuple(self._step(i, ply) for i, ply in enumerate(story.plies)),
            accounts=tuple(settle(chances, verdicts, seat, self._total(seat)) for seat in seats),
            decisions=tuple(self._decision(i, verdict) for i, verdict in verdicts.items()),
            calls=tuple(price_calls(chances, self._missed)),
        )

    def _total(self, seat: int) -> Estimate:
        return total(changes[seat] for _, changes in sorted(self._fair.items()))

    def _step(self, i: int, ply: Ply) -> Step:
        chances, link = self.chances, self.chances.plan.links[i]
        seats = range(self.story.players)
        last = i == len(self.story.plies) - 1
        return Step(
            seat=ply.seat,
            move=ply.move,
            chance=ply.chance,
            chances=tuple(Estimate(chances.result(s)) if last else chances.chance(link.after, s) for s in seats),
            choice=tuple(chances.change(link.before, link.chosen, seat) for seat in seats),
            luck=tuple(chances.change(link.chosen, link.after, seat) for seat in seats),
        )

    def _decision(self, i: int, verdict: Verdict) -> Decision:
        ply = self.story.plies[i]
        decision = Decision(
            round=self.story.number,
            ply=i + 1,
            seat=ply.seat,
            made=ply.plain,
            best=verdict.best,
            usual=ply.usual,
            chance=verdict.chance,
            loss=verdict.loss,
            agreed=verdict.agreed,
            skill=verdict.changes[ply.seat],
        )
        if decision.kind == "mistake" and not self.chances.result(ply.seat):
            return replace(decision, line=find_line(self.story, i))
        return decision


def report(
    source: Match | Record,
    *,
    seed: Seed = SEED,
    rollouts: int = ROLLOUTS,
    finding: Effort = FINDING,
    measuring: Effort = MEASURING,
    threads: int = 2,
    progress: Progress = lambda done, whole: None,
) -> Report:
    """Report a match: what was luck and what was skill. The same seed gives the same report.

    Rounds that are over are reported, one that is going on is not: it would tell what others hold.

    Args:
        source: a match, or its record with the seed.
        seed: of all chance in the report, as ``seeds.parse_seed`` reads it.
        rollouts: how often each moment is played to its end.
        finding: how hard the best move of a decision is searched for.
        measuring: how many deals measure it.
        threads: how many work side by side, at least 1; they change nothing but the time.
        progress: is told how far the work is.

    Raises:
        RecordError: where the record is not true, or its seed is left out.
        UsageError: where no round is over; for too few rollouts or threads.
    """
    rollouts = as_int("the number of rollouts", rollouts, FEWEST)
    threads = as_int("the number of threads", threads, 1)
    record = source.record() if isinstance(source, Match) else source
    secret = parse_seed(seed)
    stories = tell(record)
    drafts = [_Draft(*told, rollouts, secret) for told in zip(stories, find_followers(stories), strict=True)]
    room = _Room(finding, measuring)
    tasks = [task for draft in drafts for task in draft.tasks(room)]
    _work(tasks, threads, progress)
    return Report(
        rules=str(record.rules),
        players=record.players,
        over=record.winners is not None,
        rounds=tuple(draft.finish() for draft in drafts),
        rollouts=rollouts,
        seed=secret.hex(),
    )


def _work(tasks: list[Callable[[], None]], threads: int, progress: Progress) -> None:
    """Do all tasks, side by side where there are threads, and tell how far the work is."""
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
