"""Mixed play: what its players do shows nothing that is hidden, and its rollouts are true."""

from __future__ import annotations

import numpy as np
import pytest

from lastcard.ai import mixed
from lastcard.analysis.chances import new_bench
from lastcard.analysis.fair import new_mixture
from lastcard.analysis.story import tell
from lastcard.rules import doors
from lastcard.rules.layout import NOTHING
from lastcard.rules.table import TABLE, new_tables
from support.played import play


@pytest.mark.parametrize("rules", ["classic", "all-wild", "wild-jackpot"])
def test_every_player_sees_what_one_seat_sees(rules: str) -> None:
    """The same act with all cards open and with those of others covered."""
    mixture, out = new_mixture(rules, 2), doors.SCRATCH.actions
    seen = 0
    for seed in range(4):
        story = tell(play(rules, "sharp,random", seed=seed).record())[0]
        for i, ply in enumerate(story.plies):
            if ply.view is None or ply.usual is None:
                continue
            covered = new_tables(1)
            covered[0] = np.frombuffer(ply.view.table, TABLE)[0]
            for who in range(mixed.PLAYERS):
                assert mixed.act_as(story.tables, i, mixture, who, out) == mixed.act_as(covered, 0, mixture, who, out)
            seen += 1
    assert seen > 40


def test_habits_play_where_they_are_known() -> None:
    """At two seats of All Wild; elsewhere the player after practice goes for them too."""
    habits, practiced = mixed.PLAYERS - 1, mixed.PLAYERS - 2
    for rules, players, differ in (("all-wild", "sharp,sharp", True), ("all-wild", "sharp,sharp,sharp", False)):
        story = tell(play(rules, players).record())[0]
        mixture, out = new_mixture(rules, story.players), doors.SCRATCH.actions
        turns = [i for i, ply in enumerate(story.plies) if ply.usual is not None]
        acts = [[mixed.act_as(story.tables, i, mixture, who, out) for i in turns] for who in (habits, practiced)]
        assert (acts[0] != acts[1]) is differ


@pytest.mark.parametrize("rules", ["classic", "all-wild"])
def test_rollouts_of_one_moment_are_the_same_for_every_job(rules: str) -> None:
    """The same chance and the same die; others with another seed."""
    story = tell(play(rules, "sharp,sharp").record())[0]
    jobs = np.array([(0, 0, NOTHING), (0, 0, NOTHING)], np.int64)
    mixture, bench = new_mixture(rules, 2), new_bench()
    first, second = np.full((2, 2, 300), -1, np.int8)
    mixed.play_on_mixed(story.tables, jobs, first, mixture, bench, 1)
    mixed.play_on_mixed(story.tables, jobs, second, mixture, bench, 2)
    assert set(first[0].tolist()) == {0, 1}
    assert (first[0] == first[1]).all()
    assert (first[0] != second[0]).any()
