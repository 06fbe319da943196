"""Kernel and referee agree over random rules, seats and moves, legal and illegal. ``make differential`` runs longer."""

from __future__ import annotations

import random

import pytest

from lastcard.game.rulesets import ruleset
from lastcard.rules import phases, refusal_reasons
from support.random_play import IS_EXPLORING
from tools.differential.pair import Statistics, play_pair

CHUNKS = 12
PLIES = 2_000
"""Moves tried in each chunk."""


@pytest.fixture(scope="module")
def first() -> int:
    """The first seed: always the same, or with LASTCARD_HYPOTHESIS=differential a new one."""
    return random.SystemRandom().randrange(1 << 40) if IS_EXPLORING else 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_kernel_agrees_with_referee(chunk: int, first: int) -> None:
    """After each of the same moves, refusals, cards and turn are the same."""
    tally = Statistics()
    seed = first + chunk * 10_000
    while tally.plies < PLIES:
        play_pair(seed, limit=800, every=8, tally=tally)
        seed += 1


RARE = (7574, 7622, 7632, 7685, 7854, 7889, 7893, 7921, 7925, 7961, 7965, 7978, 8063, 8085)
"""Seeds that reach the rarest cases; together they reach everything."""
RAREST = "all-wild+forced_swap_target=not_player_with_one_card"
"""Rules of the one refusal that random rules hardly ever reach."""
IMPOSSIBLE = {"not-an-act"}
"""Reasons that no written move can have."""


def test_all_rules_occur_in_random_play() -> None:
    """The random rounds come to every decision and meet every reason for a refusal.

    If the seeds of ``RARE`` no longer reach them, as after a new option, the test only takes longer.
    """
    wanted = {*phases.NAMES, *(code for code, _ in refusal_reasons.ALL if code != "ok")} - IMPOSSIBLE
    tally = Statistics()
    for seed in range(300, 310):
        play_pair(seed, limit=400, every=40, tally=tally, rules=ruleset(RAREST))
    assert tally.seen["target-protected"] > 0
    for seed in (*RARE, *range(7519, 11519)):
        play_pair(seed, limit=400, every=40, tally=tally)
        if wanted <= set(tally.seen):
            return
    pytest.fail(f"never met: {sorted(wanted - set(tally.seen))}")
