"""The effect of each house rule and preset: minutes, waiting, comebacks, one-sided rounds, and who gains."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from lastcard.arena.studies.design import (
    GAME_TITLES,
    Figure,
    Findings,
    Sample,
    Series,
    Study,
    Table,
    join_names,
    percent_text,
)
from lastcard.arena.studies.inference import DIFFERENT, Sums, judge_differences
from lastcard.arena.studies.outcomes import play_outcomes
from lastcard.arena.studies.variants import compare_variants, games_and_seats, list_house_rules
from lastcard.arena.studies.watched_round import Watcher
from lastcard.bots.statistics import Estimate
from lastcard.game.rulesets import ruleset

SECONDS_OF_MOVE: Final = 6
"""Assumed time of a move among people, in seconds."""
_MEASURES: Final = {
    "minutes": "minutes",
    "wait": "moves of others between two turns",
    "comeback": "comebacks, %",
    "one-sided": "one-sided, %",
    "overtakings": "changes of the lead",
    "first": "wins left of the dealer, %",
    "skill": "wins of the stronger, %",
}
_DEPENDENT: Final = ("jump_in_stack", "seven_zero_last")
"""Options that have a meaning only with another house rule, and are compared with that one."""
_JUMPS: Final = ("|jump_in=true", "|harsh")
"""Rules with jump-ins, which the weaker players of a comparison never make."""
_SHARES: Final = ("comeback", "one-sided", "first", "skill")


def _measure(sample: Sample) -> Sums:
    game, players = str(sample.cell[0]), int(sample.cell[1])
    variants = list_house_rules(game, players).items()
    return compare_variants(f"{game}|{players}", variants, partial(_measure_rounds, players, sample), game)


def _measure_rounds(players: int, sample: Sample, rules: str) -> dict[str, Any]:
    watcher = Watcher(ruleset(rules), players)
    seen = [watcher.watch(sample.seed, sample.first + i) for i in range(sample.count)]
    mixed = play_outcomes(rules, ("sharp", *["random"] * (players - 1)), sample)
    return {
        "minutes": np.array([each.plies for each in seen]) * (SECONDS_OF_MOVE / 60),
        "wait": np.array([each.waited / each.waits if each.waits else np.nan for each in seen]),
        "comeback": np.array([each.is_comeback for each in seen]),
        "one-sided": np.array([each.is_one_sided for each in seen]),
        "overtakings": np.array([each.overtakings for each in seen]),
        "first": np.array([each.winner == 1 for each in seen]),
        "skill": mixed.player == 0,
    }


def _conclude(sums: Sums) -> Findings:
    keys = [key.removesuffix("|change") for key in sums if key.endswith("|change")]
    verdicts = judge_differences([(sums[f"{key}|change"], 0.0) for key in keys])
    differs = {key: verdict == DIFFERENT for key, verdict in zip(keys, verdicts, strict=True)}
    cases = list(dict.fromkeys(key.rsplit("|", 1)[0] for key in sums if not key.endswith(("|change", "|changed"))))
    rows = []
    for case in cases:
        game, players, name = case.split("|")
        found = [(measure, sums.get(f"{case}|{measure}")) for measure in _MEASURES]
        cells = [_as_cell(measure, each.estimate) if each else None for measure, each in found]
        clear = [_MEASURES[measure] for measure, _ in found if differs.get(f"{case}|{measure}")]
        longest = round(sums[f"{case}|minutes"].most, 1)
        rows.append((game, int(players), name, *cells, longest, ", ".join(clear).replace(", %", "")))
    columns = ("game", "seats", "rules", *_MEASURES.values(), "longest, minutes", "certainly changed")
    table = Table("house-rules", "Means of one round.", columns, rows)
    return _write(sums, cases, differs, table)


def _as_cell(measure: str, estimate: Estimate) -> Estimate:
    """An estimate, as a percentage if it is a share."""
    return Estimate(100 * estimate.value, 100 * estimate.margin) if measure in _SHARES else estimate


def _write(sums: Sums, cases: list[str], differs: dict[str, bool], table: Table) -> Findings:
    def factor(case: str) -> float:
        game, players, _ = case.split("|")
        return sums[f"{case}|minutes"].mean / sums[f"{game}|{players}|official|minutes"].mean

    variants = [case for case in cases if "|official" not in case]
    alone = [case for case in variants if not case.split("|")[2].startswith(_DEPENDENT)]
    longest, shortest = max(alone, key=factor), min(alone, key=factor)
    harsh = [case for case in variants if case.endswith("|harsh")]
    kinder = max(alone, key=lambda case: sums[f"{case}|comeback"].mean)
    fair = {
        case: sums[f"{case}|skill|change"].mean
        for case in alone
        if differs[f"{case}|skill"] and not case.endswith(_JUMPS)
    }
    skill = [f"{_name(case)} ({100 * fair[case]:+.1f})" for case in sorted(fair, key=lambda case: -abs(fair[case]))]
    answer = (
        f"{_name(longest)} makes a round {factor(longest):.1f} times as long, and {_name(shortest)}"
        f" {factor(shortest):.2f} times; *harsh* "
        + join_names([f"{factor(case):.1f} ({_place(case)})" for case in harsh])
        + "."
    )
    paragraphs = [
        f"A minute is {60 // SECONDS_OF_MOVE} moves here ({SECONDS_OF_MOVE} seconds each, an assumption; only ratios"
        " are measured). The lead is that of the player with the fewest cards, while somebody has half of the first"
        " hand or fewer. A comeback is a win by somebody who was once five cards behind the leader. A round is"
        " one-sided if nobody but the winner ever led alone.",
        f"Most comebacks: {_name(kinder)} ({percent_text(sums[f'{kinder}|comeback'].mean, 0)} of rounds).",
        "The stronger player certainly wins more or less, in percentage points of rounds, by: "
        + join_names(skill)
        + ". Rules with jump-ins are left out, because the weaker players make none.",
    ]
    series = []
    for game, title in GAME_TITLES.items():
        own = [case for case in variants if case.startswith(f"{game}|4|")]
        base = sums[f"{game}|4|official|minutes"].mean if own else 1.0
        points: list[tuple[str | int, Estimate]] = [
            (case.split("|")[2], sums[f"{case}|minutes|change"].scale(1 / base).estimate) for case in own
        ]
        series.append(Series(title, points))
    figure = Figure("Length of a round, four seats", "change of the length, %", series, reference=0.0, percent=True)
    return Findings(answer, paragraphs, figure, [table])


def _place(case: str) -> str:
    game, players, _ = case.split("|")
    return f"{GAME_TITLES[game]}, {players} seats"


def _name(case: str) -> str:
    return f"`{case.split('|')[2]}` ({_place(case)})"


HOUSE_RULES: Final = Study(
    "house-rules",
    "What house rules do",
    "What does each house rule and preset do to a round: its length, waiting, comebacks, and who gains?",
    "*Sharp* bots play the same shuffles by the official rules and with each house rule or preset. In watched rounds"
    " nobody forgets a call, and everybody jumps in who can. The stronger player is one *sharp* bot among *random*"
    " ones. *Random* bots never jump in, so that the stronger player gains much where it is allowed. `jump_in_stack`"
    " and `seven_zero_last` are compared with the rule that they belong to. A change is certain if a z test of paired"
    " differences finds it at 5 %, corrected for the number of all tests (Holm).",
    games_and_seats(2, 4),
    600,
    _measure,
    _conclude,
    100,
)
