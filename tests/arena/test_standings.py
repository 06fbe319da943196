"""Standings, ratings and times, computed from results."""

from __future__ import annotations

import math
import random

import pytest

from lastcard.arena.deals import Deal, Plan, RoundResult
from lastcard.arena.decision_times import DecisionTimes, TimeHistogram, merge_times
from lastcard.arena.standings import make_cross_table, make_entries, rate
from lastcard.bots.base import ATTENTIVE
from lastcard.bots.statistics import Estimate
from lastcard.game.rulesets import ruleset

# --- standings --------------------------------------------------------------------------------------


def played(winner: int | None, points: tuple[int, ...], stuck: bool = False) -> RoundResult:
    return RoundResult(winner, stuck, 10, points, (0,) * len(points), (0,) * len(points), 0)


def make_deal(plan: Plan, *rounds: tuple[tuple[str, ...], RoundResult]) -> Deal:
    """The first deal, with no times."""
    return Deal(0, rounds, {name: DecisionTimes() for name in plan.kinds})


def test_seats_void_rounds_and_shares_are_counted() -> None:
    plan = Plan(ruleset("classic"), ("a", "b", "b"), b"", ATTENTIVE)
    deal = make_deal(
        plan,
        (("a", "b", "b"), played(0, (30, 0, 0))),
        (("b", "a", "b"), played(2, (0, 0, 12))),
        (("b", "b", "a"), played(None, (0, 0, 0))),
    )
    entries = make_entries(plan, [deal])
    assert entries["a"].wins.value == entries["b"].wins.value == pytest.approx(1 / 3)
    assert [entries["a"].equal_share, entries["b"].equal_share] == pytest.approx([1 / 3, 2 / 3])
    assert (entries["a"].points.value, entries["b"].points.value) == (10, 2)
    cross = make_cross_table(plan, [deal])
    # One win on one seat against one on two.
    for one, other, part in (("a", "b", 2 / 3), ("b", "a", 1 / 3)):
        won = cross[one][other]
        assert won is not None and won.value == pytest.approx(part) and not won.has_interval


def test_partners_share_a_win() -> None:
    plan = Plan(ruleset("classic+team_play"), ("a", "b", "c", "b"), b"", ATTENTIVE)
    deal = make_deal(plan, (plan.bots, played(0, (9, 0, 9, 0))))
    wins = {name: entry.wins.value for name, entry in make_entries(plan, [deal]).items()}
    assert wins == {"a": 0.5, "b": 0, "c": 0.5}
    assert make_cross_table(plan, [deal])["a"]["c"] == Estimate(0.5, math.inf)


def test_ratings_are_the_most_likely_ones() -> None:
    """Three bots win 3, 2 and 1 of 6 rounds, and so are the odds between them; no other ratings are as likely."""
    won = {name: [0.0] * 60 for name in "abc"}
    for deal, winner in enumerate("abacab" * 10):
        won[winner][deal] = 1.0
    ratings = rate(won)
    for strong, weak, odds in (("a", "b", 3 / 2), ("b", "c", 2), ("a", "c", 3)):
        apart = ratings[strong].value - ratings[weak].value
        assert apart == pytest.approx(400 * math.log10(odds))
    assert sum(one.value for one in ratings.values()) == pytest.approx(0)

    def likelihood(elo: dict[str, float]) -> float:
        strength = {name: 10 ** (x / 400) for name, x in elo.items()}
        return sum(math.log(strength[name] / sum(strength.values())) * sum(won[name]) for name in "abc")

    best = {name: one.value for name, one in ratings.items()}
    assert all(likelihood(best) > likelihood(best | {name: best[name] + x}) for name in "abc" for x in (-5, 5))


def test_ratings_do_not_depend_on_the_order_of_the_deals() -> None:
    """openskill rated equally strong bots 6.9 and 43.1 if the wins of one came first."""
    deals = [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)] * 30
    mixed, ordered = (rate(dict(zip("ab", zip(*order, strict=True), strict=True))) for order in (deals, sorted(deals)))
    assert mixed["a"].value == 0 and 0 < mixed["a"].margin < 40
    assert ordered == mixed


def test_intervals_of_ratings_cover_the_odds() -> None:
    """Of 400 arenas of 200 deals, 93 to 97 % within four standard errors."""
    dice = random.Random("ratings")
    held = 0
    for _ in range(400):
        winners = dice.choices("abc", (3, 2, 1), k=200)
        rating = rate({name: [float(winner == name) for winner in winners] for name in "abc"})["a"]
        held += rating.low <= 400 / 3 * (2 * math.log10(3) - math.log10(2)) <= rating.high
    assert 0.95 - 4 * 0.011 <= held / 400 <= 0.95 + 4 * 0.011


def test_a_bot_without_a_win_has_no_rating() -> None:
    plan = Plan(ruleset("classic"), ("a", "b"), b"", ATTENTIVE)
    deal = make_deal(plan, (plan.bots, played(0, (9, 0))))
    entries = make_entries(plan, [deal])
    assert entries["a"].rating == Estimate(0.0, math.inf) and entries["b"].rating is None


# --- times ------------------------------------------------------------------------------------------


def test_quantiles_of_times_are_right_within_two_percent() -> None:
    times = TimeHistogram()
    for i in range(1, 1001):
        times.add(i * 1_000_000)
    for part in (0.01, 0.5, 0.99, 1.0):
        assert times.quantile(part) == pytest.approx(1000 * part, rel=0.02)
    assert TimeHistogram().quantile(0.5) is None


def test_clocks_add_up() -> None:
    clocks = [DecisionTimes(), DecisionTimes()]
    for clock in clocks:
        clock.choose.add(5000)
        clock.react.add(0)
    joint = merge_times(clocks)
    assert (joint.choose.count, joint.react.count) == (2, 2)
    assert clocks[0].choose.count == 1
