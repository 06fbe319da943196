"""What is said of a match as soon as it is over."""

from __future__ import annotations

import pytest

from lastcard.analysis.moments import moments
from lastcard.play.match import Match
from support.situations import reach


def over(match: Match) -> bool:
    """The match is won."""
    return match.over


@pytest.mark.parametrize("rules", ["all-wild", "classic+winning_score=100", "wild-jackpot+winning_score=100"])
def test_costs_come_first_and_the_win_is_told(rules: str) -> None:
    """Costs from the highest down, each with the card; then one or two lines about who won; always the same ones."""
    match = reach(rules, 4, over).match
    found = moments(match)
    costs = [moment for moment in found if moment.kind == "cost"]
    assert found[: len(costs)] == costs == sorted(costs, key=lambda moment: -moment.points)
    assert all(moment.card is not None for moment in costs)
    win = found[len(costs) :]
    assert win and {moment.seat for moment in win} == {match.round.winner}
    assert win[-1].kind in ("comeback", "lead") and all(1 <= moment.points <= 100 for moment in found)
    assert moments(match) == found
