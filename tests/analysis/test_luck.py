"""Luck of a round: its attribution, and a mean of zero for every kind of player."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, stdev, variance

import pytest

from lastcard.ai.opponent_mix import HEURISTIC
from lastcard.analysis.attribution import read_attribution
from lastcard.analysis.chances import estimate_chances
from lastcard.analysis.luck import LuckMeasure, measure_luck
from lastcard.analysis.replayed_round import replay_rounds
from lastcard.arena.deals import Plan
from lastcard.bots.statistics import Estimate, adjust
from lastcard.game.moves import Move, parse_seat_move
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
    assert measure_luck.name == "rollouts by heuristics 100, trained net 15"


@pytest.mark.parametrize(("bots", "scatter"), [("sharp,casual", 0.8), ("random,sharp", 0.9)])
def test_luck_has_mean_zero_and_explains_results(bots: str, scatter: float) -> None:
    """The mean is zero within 3.5 standard errors, and the adjusted result has a smaller variance."""
    plan = Plan.make("classic", 2, bots.split(","), "nothing", luck=LuckMeasure(((HEURISTIC, 40), (2, 10))))
    played = [plan.play_in_python(number, plan.bots, plan.new_times()) for number in range(ROUNDS)]
    given = [one.luck[0] for one in played]
    won = [float(one.winner == 0) for one in played]
    assert abs(mean(given)) < 3.5 * stdev(given) / ROUNDS**0.5
    assert stdev([a - b for a, b in zip(won, given, strict=True)]) < scatter * stdev(won)


def test_the_dice_of_bots_are_luck() -> None:
    """Random choices have a mean of zero too, and without them a result says more."""
    plan = Plan.make("classic", 2, ["random", "casual"], "dice", luck=LuckMeasure(((HEURISTIC, 40),)))
    unknown = Plan.make("classic", 2, ["random", "casual"], "dice", luck=measure_draws)
    all_luck, draws, won = [], [], []
    for number in range(ROUNDS):
        played, same = (one.play_in_python(number, one.bots, one.new_times()) for one in (plan, unknown))
        assert played._replace(luck=()) == same._replace(luck=())
        all_luck.append(played.luck[0])
        draws.append(same.luck[0])
        won.append(float(played.winner == 0))
    dice = [a - b for a, b in zip(all_luck, draws, strict=True)]
    assert stdev(dice) > 0.1
    assert abs(mean(dice)) < 3.5 * stdev(dice) / ROUNDS**0.5
    assert variance(adjust(won, all_luck)) < 0.95 * variance(adjust(won, draws))


def measure_draws(dealt: Round, moves: Sequence[tuple[int, Move]], *ignored: object) -> tuple[float, ...]:
    """Luck without the choices of bots."""
    return LuckMeasure(((HEURISTIC, 40),))(dealt, moves)
