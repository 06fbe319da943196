"""The words of a study say what its numbers say."""

from __future__ import annotations

import numpy as np

from lastcard.arena.studies.forced_swap import FORCED_SWAP
from lastcard.arena.studies.inference import Moments, Sums
from lastcard.arena.studies.lever_outcomes import LEVER
from lastcard.arena.studies.luck_and_skill import LUCK_AND_SKILL
from lastcard.arena.studies.seat_advantage import SEATS
from lastcard.game.options import LEVER_OUTCOMES

COUNT = 100_000


def around(mean: float, spread: float = 0.1) -> Moments:
    """Values with a mean and a spread."""
    return Moments(COUNT, COUNT * mean, COUNT * (mean**2 + spread**2), 1.0)


def lever_sums(best: str, worst: str) -> Sums:
    worth = {best: 0.2, worst: -0.1}
    return {
        f"{players}|all|{outcome}|{who}": around(worth.get(outcome, 0.0))
        for players in (2, 3, 4, 6)
        for outcome in LEVER_OUTCOMES
        for who in ("puller", "next")
    }


def test_the_lever_names_the_best_and_the_worst_outcome() -> None:
    for best, worst in (("discard", "draw4"), ("left", "choose")):
        findings = LEVER.conclude(lever_sums(best, worst))
        assert f"{best.upper()} is worth most to the player who pulls (+20.0 percentage points)" in findings.answer
        assert f"{worst.upper()} least (-10.0)" in findings.answer
        certain = findings.paragraphs[0].partition("Certainly different from the mean: ")[2]
        assert certain.startswith(f"{best.upper()} and {worst.upper()}.")


def test_seats_say_equivalent_only_if_it_is_certain() -> None:
    sums: Sums = {}
    for origin, game, players in SEATS.cells:
        key = f"{origin}|{game}|{players}"
        sums[f"{key}|even"] = around(0.25, 0.0)
        for place in range(int(players)):
            spread = {"all-wild": 0.01, "classic": 1.0, "wild-jackpot": 0.01}[str(game)]
            sums[f"{key}|{place}"] = around(0.02 if game == "wild-jackpot" else 0.001, spread)
    first = SEATS.conclude(sums).paragraphs[0]
    assert "All Wild +0.1 (equivalent)" in first
    assert "classic +0.1 (undecided)" in first
    assert first.endswith("Wild Jackpot +2.0.")


def test_luck_and_skill_counts_the_rounds_until_ahead() -> None:
    sums: Sums = {}
    for game, players, weaker in LUCK_AND_SKILL.cells:
        better = 0.6 if weaker == "random" else 0.55
        sums[f"{game}|{players}|{weaker}|better"] = around(better, 0.5)
        sums[f"{game}|{players}|{weaker}|other"] = around(1 - better, 0.5)
    findings = LUCK_AND_SKILL.conclude(sums)
    assert "67 rounds of All Wild, 67 rounds of classic and 67 rounds of Wild Jackpot" in findings.answer
    chess = next(row for row in findings.tables[1].rows if row[0] == "chess")
    assert chess[-1] == 9  # 0.76 a game


def test_the_best_swap_is_that_of_the_numbers() -> None:
    sizes = np.arange(1, 8)
    names = [*map(str, sizes[:-1]), "7+"]
    sums = {
        f"{players}|{own}|{other}": around(0.05 * (own_size - other_size) - 0.06)
        for players in (2, 3, 4, 6)
        for own, own_size in zip(names, sizes, strict=True)
        for other, other_size in zip(names, sizes, strict=True)
    }
    findings = FORCED_SWAP.conclude(sums)
    assert "best in 28 of 28 cases" in findings.answer
    assert "if they have at least 2 fewer than you would have" in findings.answer
    assert "+24 percentage points with 7+ against 1 cards" in findings.paragraphs[0]
