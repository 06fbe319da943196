"""Luck of a round: its attribution, and a mean of zero for every kind of player."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from lastcard.analysis import luck
from lastcard.analysis.attribution import read_attribution
from lastcard.analysis.chances import estimate_chances
from lastcard.analysis.luck import measure_luck
from lastcard.analysis.replayed_round import replay_rounds
from lastcard.arena.deals import Plan, play_counted
from lastcard.bots.statistics import Estimate
from lastcard.game.moves import parse_seat_move
from lastcard.game.rulesets import ruleset
from lastcard.match.round import Round
from support.report_samples import play_match

RULES = ("classic", "all-wild", "wild-jackpot")
ROUNDS = 80


@pytest.mark.parametrize("rules", RULES)
def test_luck_is_that_of_the_attribution(rules: str) -> None:
    match = play_match(rules, "sharp,random,casual", seed="luck")
    record = match.record()
    chances = estimate_chances(replay_rounds(record)[0], 1000, 1)
    moves = [parse_seat_move(text) for text in record.rounds[0].moves]
    found = measure_luck(
        Round.deal(ruleset(rules), 3, seed=match.seed, dealer=record.rounds[0].dealer, number=0), moves
    )
    for seat in range(3):
        draws = read_attribution(chances.account(seat), Estimate()).draws
        assert found[seat] == pytest.approx(draws.value, abs=3 * draws.margin)


@pytest.mark.parametrize(("bots", "scatter"), [("sharp,casual", 0.8), ("random,sharp", 0.95)])
def test_luck_has_mean_zero_and_explains_results(bots: str, scatter: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean is zero within 3.5 standard errors, and the adjusted result has a smaller variance."""
    monkeypatch.setattr(luck, "ROLLOUTS", 60)
    plan = Plan.make("classic", 2, bots.split(","), "nothing")
    given, left, won = [], [], []
    for number in range(ROUNDS):
        seats = [plan.make_bot(name, number, seat) for seat, name in enumerate(plan.bots)]
        played = play_counted(plan.deal_round(number), seats, plan.bots, measure_luck)
        given.append(played.luck[0])
        won.append(float(played.winner == 0))
        left.append(won[-1] - given[-1])
    assert abs(mean(given)) < 3.5 * stdev(given) / ROUNDS**0.5
    assert stdev(left) < scatter * stdev(won)
