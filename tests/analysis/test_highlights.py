"""Highlights of a match, as soon as it is over."""

from __future__ import annotations

from functools import partial

import pytest

from lastcard.analysis import highlights as analysis
from lastcard.analysis.highlights import find_highlights
from lastcard.analysis.report import make_report
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.bots.search import SearchConfig
from lastcard.match.match import Match
from support import report_samples
from support.situations import reach

SEARCH_EFFORT, MEASURE_EFFORT = (
    SearchConfig(rollouts=120, deals=24, burn=40, thin=3),
    SearchConfig(deals=6, burn=20, thin=2),
)
"""Smaller than usual."""


def is_over(match: Match) -> bool:
    """Whether the match is won."""
    return match.over


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure in less time."""
    monkeypatch.setattr(analysis, "MoveEvaluator", lambda: MoveEvaluator(SEARCH_EFFORT, MEASURE_EFFORT))
    monkeypatch.setattr(analysis, "ROLLOUTS", 120)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("rules", ["all-wild", "classic+winning_score=100", "wild-jackpot+winning_score=100"])
def test_costs_come_first_and_the_win_is_listed(rules: str) -> None:
    """Costs are in descending order, one for a seat; then come one or two lines about the winner, always the same."""
    match = reach(rules, 4, is_over).match
    found = find_highlights(match, range(4))
    costs = [moment for moment in found if moment.kind == "cost"]
    assert found[: len(costs)] == costs == sorted(costs, key=lambda moment: -moment.points)
    assert len({moment.seat for moment in costs}) == len(costs)
    assert all((moment.card is not None) == (moment.verb == "play") for moment in costs)
    win = found[len(costs) :]
    assert win and {moment.seat for moment in win} == {match.round.winner}
    assert win[-1].kind in ("comeback", "lead") and all(1 <= moment.points <= 100 for moment in found)
    assert find_highlights(match, range(4)) == found
    assert [moment for moment in find_highlights(match, [1]) if moment.kind == "cost"] == [
        moment for moment in costs if moment.seat == 1
    ]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "rules", ["all-wild", "classic+stacking=same+winning_score=100", "wild-jackpot+winning_score=100"]
)
def test_the_worst_decision_is_that_of_the_report(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both name the same decision with the same figure, or none."""
    monkeypatch.setattr(analysis, "COSTLY", 0.0)
    verbs = set()
    for seed in range(2):
        match = report_samples.play_match(rules, "casual,learner,sharp,casual", rounds=99, seed=seed)
        report = make_report(match, rollouts=2, search_config=SEARCH_EFFORT, measure_config=MEASURE_EFFORT, threads=1)
        worst: dict[int, tuple[int, int | None, int]] = {}
        for one in report.worst(1):
            worst.setdefault(one.seat, (one.round, one.ply, round(100 * one.loss.value)))
        costs = [moment for moment in find_highlights(match, range(4)) if moment.kind == "cost"]
        assert {moment.seat: (moment.round, moment.ply, moment.points) for moment in costs} == worst, seed
        verbs |= {moment.verb for moment in costs}
    assert "play" in verbs


@pytest.mark.usefixtures("quick")
def test_luck_is_listed_only_for_winners_who_needed_it() -> None:
    """It is listed if it was below one half; a winner with more would have won anyway."""
    find = partial(report_samples.play_match, "all-wild", "casual,learner,sharp,casual", rounds=99)
    found = [moment for seed in range(20) for moment in find_highlights(find(seed=seed), ())]
    luck = [moment.points for moment in found if moment.kind == "luck"]
    assert luck and max(luck) < 50
