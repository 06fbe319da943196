"""Luck of a round: its attribution, and a mean of zero for every kind of player."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from lastcard.ai.opponent_mix import HEURISTIC
from lastcard.analysis.attribution import read_attribution
from lastcard.analysis.chances import estimate_chances
from lastcard.analysis.luck import LuckMeasure, measure_luck
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
def test_luck_of_heuristics_is_that_of_the_attribution(rules: str) -> None:
    match = play_match(rules, "sharp,random,casual", seed="luck")
    record = match.record()
    chances = estimate_chances(replay_rounds(record)[0], 1000, 1)
    moves = [parse_seat_move(text) for text in record.rounds[0].moves]
    dealt = Round.deal(ruleset(rules), 3, seed=match.seed, dealer=record.rounds[0].dealer, number=0)
    found = LuckMeasure(((HEURISTIC, 1000),))(dealt, moves)
    for seat in range(3):
        draws = read_attribution(chances.account(seat), Estimate()).draws
        assert found[seat] == pytest.approx(draws.value, abs=3 * draws.margin)


def test_bots_by_rules_of_thumb_are_known() -> None:
    """If all are, the policies of others do not matter."""
    match = play_match("classic", "sharp,heuristic", seed="known")
    record = match.record()
    moves = [parse_seat_move(text) for text in record.rounds[0].moves]

    def measure(policy: int, names: tuple[str, ...]) -> tuple[float, ...]:
        dealt = Round.deal(ruleset("classic"), 2, seed=match.seed, dealer=record.rounds[0].dealer, number=0)
        return LuckMeasure(((policy, 30),))(dealt, moves, names)

    assert measure(2, ("sharp", "heuristic")) == measure(HEURISTIC, ()) != measure(2, ("sharp", "casual"))
    assert measure_luck.name == "rollouts by heuristics 60, reference net 20, trained net 20"


@pytest.mark.parametrize(("bots", "scatter"), [("sharp,casual", 0.8), ("random,sharp", 0.95)])
def test_luck_has_mean_zero_and_explains_results(bots: str, scatter: float) -> None:
    """The mean is zero within 3.5 standard errors, and the adjusted result has a smaller variance."""
    measure = LuckMeasure(((HEURISTIC, 40), (2, 10)))
    plan = Plan.make("classic", 2, bots.split(","), "nothing")
    given, left, won = [], [], []
    for number in range(ROUNDS):
        seats = [plan.make_bot(name, number, seat) for seat, name in enumerate(plan.bots)]
        played = play_counted(plan.deal_round(number), seats, plan.bots, measure)
        given.append(played.luck[0])
        won.append(float(played.winner == 0))
        left.append(won[-1] - given[-1])
    assert abs(mean(given)) < 3.5 * stdev(given) / ROUNDS**0.5
    assert stdev(left) < scatter * stdev(won)
