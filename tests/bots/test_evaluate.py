"""Measured moves: calibrated intervals, the strongest level's search, and advice that states its uncertainty."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lastcard.ai.evaluation import CHAINS
from lastcard.analysis.adjusted import new_mixture
from lastcard.analysis.replayed_round import replay_rounds
from lastcard.bots import advice
from lastcard.bots.base import list_turn_moves
from lastcard.bots.evaluation import MEASURE_CONFIG, SEARCH_CONFIG, MoveEvaluator
from lastcard.bots.registry import LEVELS
from lastcard.bots.search import Search, SearchConfig
from lastcard.formats.replay import start_match
from lastcard.game.moves import parse_move, parse_seat_move
from lastcard.game.position import parse_position
from lastcard.match.round import Round
from lastcard.match.view import View
from support.report_samples import play_match

SEEDS = 48


def view_mid_round(rules: str, players: int) -> View:
    """The view of the seat on turn in the middle of a round, where it has a choice."""
    match = play_match(rules, ",".join(["sharp"] * players), seed=f"judge {rules}")
    again = start_match(match.record())
    for text in match.record().rounds[0].moves[:9]:
        seat, move = parse_seat_move(text)
        again.do(seat, move)
    while len(list_turn_moves(again.round.view(again.round.turn))) < 3:
        again.do(again.round.turn, again.round.legal()[0])
    return again.round.view(again.round.turn)


@pytest.mark.parametrize(("rules", "players"), [("classic", 2), ("all-wild", 3), ("wild-jackpot", 4)])
def test_intervals_hold(rules: str, players: int) -> None:
    """Of 95 % intervals measured with many seeds, 93 of 100 contain the mean of all."""
    view = view_mid_round(rules, players)
    evaluator = MoveEvaluator(SearchConfig(rollouts=100), replace(MEASURE_CONFIG, deals=12, burn=100))
    moves = list_turn_moves(view)[:3]
    seat, held = view.turn, []
    for move in moves[1:]:
        measured = [evaluator.evaluate(view, moves, move, moves[0], 1000 * seed) for seed in range(SEEDS)]
        for figures in ([one.chance for one in measured], [one.changes[seat] for one in measured]):
            truth = np.mean([figure.value for figure in figures])
            held += [abs(figure.value - truth) <= figure.margin for figure in figures]
    assert np.mean(held) >= 0.93


def measure_shares(rules: str, players: int) -> Any:
    """float64[chain, move, seat]: the shares of deals won by three moves."""
    view, evaluator = view_mid_round(rules, players), MoveEvaluator(measure_config=replace(MEASURE_CONFIG, deals=8))
    ranked = evaluator.rank_moves(view, list_turn_moves(view)[:3], 5)
    assert [move.rollouts for move in ranked] == [8 * CHAINS] * 3
    return evaluator.shares[:, :, :players]


def test_somebody_wins_every_deal() -> None:
    """Shares of wins after a move add up to all deals but void ones."""
    shares = measure_shares("classic", 3)
    assert shares.shape == (CHAINS, 3, 3)
    assert (shares.sum(axis=2) > 0.9).all() and (shares.sum(axis=2) <= 1 + 1e-9).all()


def test_partners_win_together() -> None:
    """In team play (6.8) a seat has its partner's wins."""
    won = measure_shares("classic+team_play", 4)
    assert (won[:, :, :2] == won[:, :, 2:]).all()
    assert (won[:, :, :2].sum(axis=2) <= 1 + 1e-9).all()


def test_mixed_play_uses_the_deals_of_an_evaluation_again() -> None:
    """All of them are those that it would sample itself, a part is not."""
    view = view_mid_round("classic", 3)
    moves, mixture = list_turn_moves(view)[:2], new_mixture("classic", 3)
    evaluator = MoveEvaluator(SearchConfig(rollouts=100), replace(MEASURE_CONFIG, deals=24))
    sampled = [evaluator.play_mixed(view, moves, 5, mixture, deals) for deals in (24, 6)]
    evaluator.evaluate(view, moves, moves[1], moves[0], 5)
    again = [evaluator.play_mixed(view, moves, 5, mixture, deals) for deals in (24, 6)]
    assert (again[0] == sampled[0]).all() and (again[1] != sampled[1]).any()
    assert (evaluator.play_mixed(view, moves, 6, mixture, 24) != sampled[0]).any()


def test_the_evaluator_is_the_strongest_level() -> None:
    level = list(LEVELS)[-1]
    assert LEVELS[level].settings["config"] == SEARCH_CONFIG
    assert (MEASURE_CONFIG.rationality, MEASURE_CONFIG.deviation) == (
        SEARCH_CONFIG.rationality,
        SEARCH_CONFIG.deviation,
    )


def test_a_mistake_is_one_for_the_prior_net_too() -> None:
    """The search alone is not enough: both must rate the best move higher."""
    position = {"rules": "classic", "hands": ["R5", "G1 G2 G3"], "discard": "R9", "draw": "Y1 Y2 Y3 Y4", "called": [0]}
    view = Round.from_position(parse_position(position)).view(0)
    won, drawn = parse_move("R5"), parse_move("draw")
    verdict = MoveEvaluator().evaluate(view, [won, drawn], drawn, won, 1)
    assert verdict.best == won and verdict.loss.is_positive and verdict.prior_agrees
    found = {choice.move: choice.prior for choice in Search(SEARCH_CONFIG).rank_moves(view, [won, drawn], 1)}
    assert found[won] > found[drawn]
    assert MoveEvaluator().evaluate(view, [won, drawn], won, won, 1).loss.value == 0


@pytest.mark.parametrize("rules", ["classic", "all-wild"])
def test_a_mistake_is_found_as_in_an_evaluation(rules: str) -> None:
    """Though decisions on which the prior net agrees are not searched."""
    search_config = replace(SEARCH_CONFIG, rollouts=100, deals=24, burn=40)
    evaluator = MoveEvaluator(search_config, replace(MEASURE_CONFIG, deals=6, burn=20))
    replayed = replay_rounds(play_match(rules, "random,learner,casual", seed=3).record())[0]
    losses = []
    for i, ply in enumerate(replayed.moves):
        if ply.view is not None:
            whole = evaluator.evaluate(ply.view, ply.choices, ply.without_call, ply.heuristic_move, i)
            losses.append(evaluator.find_mistake(ply.view, ply.choices, ply.without_call, i))
            assert losses[-1] == (whole.loss if whole.loss.is_positive and whole.prior_agrees else None)
    assert {loss is None for loss in losses} == {False, True}


@pytest.mark.parametrize("rules", ["classic", "all-wild"])
def test_the_search_drops_moves_that_are_far_behind(rules: str) -> None:
    """It names the same best move as a search that does not, and plays fewer rollouts."""
    config = replace(SEARCH_CONFIG, rollouts=1600, deals=128, burn=40)
    search, evaluator = Search(config), MoveEvaluator(config, replace(MEASURE_CONFIG, deals=6, burn=20))
    replayed = replay_rounds(play_match(rules, "sharp,learner,casual", seed=4).record())[0]
    played = []
    for i, ply in enumerate(replayed.moves):
        if ply.view is not None:
            best = search.rank_moves(ply.view, ply.choices, i)[0].move
            assert evaluator.evaluate(ply.view, ply.choices, ply.without_call, ply.heuristic_move, i).best == best
            played.append(evaluator._task.evaluations[0]["rollouts"][: len(ply.choices)].sum())
    assert min(played) < config.rollouts / 2 and np.mean(played) < 0.95 * config.rollouts


class TestAdvice:
    def test_the_same_position_gets_the_same_advice(self) -> None:
        """A time limit would make it depend on the machine."""
        view, search_config = view_mid_round("classic", 2), replace(advice.SEARCH_CONFIG, milliseconds=None)
        first, second = (advice.rank_moves(view, search_config, advice.MEASURE_CONFIG, None) for _ in range(2))
        assert first == second
