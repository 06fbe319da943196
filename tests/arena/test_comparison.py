"""An arena that stops when its question is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard.analysis.luck import measure_luck
from lastcard.arena.arena import run_arena
from lastcard.arena.comparison import Comparison, StoppingRule, Verdict
from lastcard.arena.deals import Deal, Plan, RoundResult
from lastcard.arena.decision_times import DecisionTimes
from lastcard.bots.base import ATTENTIVE
from lastcard.bots.statistics import Estimate
from lastcard.errors import UsageError
from lastcard.game.rulesets import ruleset


def verdict(low: float, high: float, others: tuple[str, ...] = ("expert",)) -> Verdict:
    share = Estimate((low + high) / 2, (high - low) / 2)
    return Verdict("master", others, 100, share, 0.5, StoppingRule(margin=2))


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.501, 0.6), "master is stronger"),
        ((0.4, 0.499), "expert is stronger"),
        ((0.4801, 0.5199), "no difference of 2 points"),
        ((0.47, 0.51), "not decided yet"),
    ],
)
def test_verdicts(ends: tuple[float, float], said: str) -> None:
    found = verdict(*ends)
    assert found.text() == found.as_dict()["answer"] == said
    assert found.is_decided == (said != "not decided yet")


def test_several_others_are_not_named() -> None:
    assert verdict(0.4, 0.49, ("a", "b")).text() == "master is weaker than the others"


def test_the_stopping_point_does_not_depend_on_the_workers(tmp_path: Path) -> None:
    """Deals count in their order, in one process, in two, and after an interruption."""
    rule, file = StoppingRule(), tmp_path / "deals.jsonl"
    alone = run_arena("classic", 2, ["sharp", "random"], seed="stop", until=rule, workers=1)
    assert alone.verdict is not None
    assert alone.verdict.text() == "sharp is stronger" and 5 < len(alone.deals) == alone.verdict.deals < 1000
    run_arena("classic", 2, ["sharp", "random"], 9, "stop", workers=1, resume=file)
    shared = run_arena("classic", 2, ["sharp", "random"], until=rule, workers=2, resume=file)
    again = run_arena("classic", 2, ["sharp", "random"], until=rule, workers=1, resume=file)
    for result in (shared, again):
        assert [deal.rounds for deal in result.deals] == [deal.rounds for deal in alone.deals]
        assert result.verdict == alone.verdict


def test_equal_bots_stop_within_the_margin() -> None:
    seen: list[Verdict | None] = []
    rule = StoppingRule(margin=5)
    result = run_arena("classic", 2, ["sharp", "heuristic"], seed=1, until=rule, workers=1, progress=seen.append)
    assert result.verdict is not None
    assert result.verdict.text() == "no difference of 5 points"
    assert result.as_dict()["verdict"]["share"]["value"] == 0.5
    widths = [one.share.margin for one in seen if one]
    assert len(widths) == len(result.deals) and widths == sorted(widths, reverse=True)


def test_a_budget_ends_it_undecided() -> None:
    result = run_arena("classic", 2, ["sharp", "casual"], seed=1, until=StoppingRule(budget_s=0), workers=1)
    assert len(result.deals) == 1
    assert result.verdict is not None
    assert result.verdict.text() == "not decided yet"


def test_adjusted_results_are_compared() -> None:
    """The interval is around the adjusted share, and there is none for a few deals."""
    plan = Plan(ruleset("classic"), ("a", "b"), b"", ATTENTIVE, measure_luck)
    comparison = Comparison(plan, StoppingRule())
    for number in range(200):
        won = 0 if number % 4 else 1
        luck = 0.25 if won == 0 else -0.75
        rounds = tuple((plan.bots, RoundResult(won, False, 9, (0, 0), (0, 0), (0, 0), 0, (luck, -luck))) for _ in "ab")
        seen = comparison.add(Deal(number, rounds, {name: DecisionTimes() for name in plan.kinds}))
        assert seen.share.has_interval == (number >= 49)
    assert seen.share.value == pytest.approx(0.75) and seen.share.margin < 0.01
    assert seen.text() == "a is stronger"


def test_void_rounds_count_as_divided_equally() -> None:
    plan = Plan(ruleset("classic"), ("a", "b", "b", "b"), b"", ATTENTIVE)
    comparison = Comparison(plan, StoppingRule())
    nothing = RoundResult(None, False, 9, (0,) * 4, (0,) * 4, (0,) * 4, 0)
    seen = comparison.add(Deal(0, ((plan.bots, nothing),), {}))
    assert seen.share.value == seen.equal_share == 0.25


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(UsageError, match="sharp cannot be compared with itself"):
        run_arena("classic", 2, ["sharp"], until=StoppingRule())
    for wrong in ({"confidence": 1.0}, {"confidence": 0.1}, {"margin": 0}, {"budget_s": -1}):
        with pytest.raises(UsageError):
            StoppingRule(**wrong)
