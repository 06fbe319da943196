"""Which disputes matter: each reading of an unclear sentence of the sheets, beside the official one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from typing import Any, Final

import numpy as np

from lastcard.arena.studies.design import GAME_TITLES, Figure, Findings, Sample, Series, Study, Table, join_names
from lastcard.arena.studies.inference import DIFFERENT, EQUIVALENT, UNDECIDED, Moments, Sums, judge_differences
from lastcard.arena.studies.matches import play_matches
from lastcard.arena.studies.outcomes import play_outcomes
from lastcard.arena.studies.variants import compare_variants, games_and_seats, list_variants
from lastcard.arena.studies.watched_round import Watcher
from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import ruleset

MARGIN: Final = 0.02
"""Change of a length, of points or of cards drawn, as a part of the official mean, that does not matter."""
SHARE_MARGIN: Final = 0.01
"""Change of a share of wins that does not matter."""
_MATCHES: Final = (
    "first_dealer", "dealer_tie", "next_dealer", "match_mode", "scoring", "winning_score", "tally_tie",
)  # fmt: skip
"""Options that change no round, only how rounds make a match."""
_CALLS: Final = ("uno_penalty", "uno_window")
"""Options that matter only if players forget calls."""
_HASTY_CALLS: Final = ("uno_early_call", "false_uno_penalty", "false_catch_penalty")
"""Options that matter only if players call early, or call and catch wrongly."""
_NUMBERS: Final = ("hand_size", "winning_score")
"""Options that are numbers, whose effect on the length is no surprise."""
_FORGOTTEN: Final = 40
"""Percentage of calls that are forgotten."""
_NOTICED: Final = 10
"""Percentage of moves in which a player notices the forgotten call of another."""
_HASTY: Final = 1
"""Percentage of moves in which a hasty player calls, and of those in which one catches, whatever the hands are."""
_ROUNDS_FOR_ONE: Final = {"rounds": 1, "calls": 10, "hasty calls": 10, "matches": 20}
"""Number of rounds of the design for each round or match that is played."""
_MEASURES: Final = {
    "plies": "length",
    "first": "wins left of the dealer",
    "points": "points of the winner",
    "drawn": "cards drawn",
    "skill": "wins of the stronger",
}


@cache
def _options(kind: str) -> tuple[str, ...]:
    """The options of a kind of cells."""
    others = {"calls": _CALLS, "hasty calls": _HASTY_CALLS, "matches": _MATCHES}
    left_out = set().union(*others.values())
    rounds = (name for name, option in OPTIONS.items() if not option.is_house_rule and name not in left_out)
    return others[kind] if kind in others else tuple(rounds)


def _measure(sample: Sample) -> Sums:
    kind, game, players = str(sample.cell[0]), str(sample.cell[1]), int(sample.cell[2])
    part = _ROUNDS_FOR_ONE[kind]
    first = -(-sample.first // part)
    fewer = Sample(sample.cell, sample.seed, first, -(-(sample.first + sample.count) // part) - first)
    if not fewer.count:
        return {}
    measures: dict[str, Callable[[int, Sample, str], dict[str, Any]]] = {
        "rounds": _measure_rounds,
        "calls": partial(_measure_calls, 0),
        "hasty calls": partial(_measure_calls, _HASTY),
        "matches": _measure_matches,
    }
    variants = list_variants(game, players, _options(kind))
    return compare_variants(f"{kind}|{game}|{players}", variants.items(), partial(measures[kind], players, fewer), game)


def _measure_rounds(players: int, sample: Sample, rules: str) -> dict[str, Any]:
    equal = play_outcomes(rules, ("sharp",) * players, sample)
    mixed = play_outcomes(rules, ("sharp", *["random"] * (players - 1)), sample)
    return {
        "plies": equal.plies,
        "first": equal.winner == 1,
        "points": equal.points,
        "drawn": equal.drawn,
        "skill": mixed.player == 0,
    }


def _measure_calls(hasty: int, players: int, sample: Sample, rules: str) -> dict[str, Any]:
    watcher = Watcher(ruleset(rules), players, _FORGOTTEN, _NOTICED, hasty)
    seen = [watcher.watch(sample.seed, sample.first + i) for i in range(sample.count)]
    measures = {name: np.array([getattr(each, name) for each in seen]) for name in ("plies", "points", "drawn")}
    return measures | {"first": np.array([each.winner == 1 for each in seen])}


def _measure_matches(players: int, sample: Sample, rules: str) -> dict[str, Any]:
    equal = play_matches(rules, ("sharp",) * players, sample)
    mixed = play_matches(rules, ("sharp", *["random"] * (players - 1)), sample)
    return {name: equal[name] for name in ("plies", "first", "points", "drawn")} | {"skill": mixed["skill"]}


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a reading changes in a game with a number of seats."""

    kind: str
    game: str
    players: int
    name: str
    answer: str
    changes: dict[str, Moments]
    """Changes by measure: of shares, and of the others as parts of the official mean."""
    answers: dict[str, str]
    """The answer of each measure alone."""

    @property
    def place(self) -> str:
        return f"{GAME_TITLES[self.game]}, {self.players} seats"

    @property
    def length(self) -> float:
        return self.changes["plies"].mean


_ABSENT: Final = "absent"
"""In place of an answer: not one round was different, because these players never do what the reading is about."""
_WORDS: Final = {
    DIFFERENT: "matters",
    EQUIVALENT: "makes no difference",
    UNDECIDED: "not decided",
    _ABSENT: "never came up",
}


def _scale(sums: Sums, key: str) -> tuple[Moments, float]:
    """The change of a measure as a part of the official mean, or of a share as it is, and its margin."""
    change = sums[f"{key}|change"]
    if key.rpartition("|")[2] in ("first", "skill"):
        return change, SHARE_MARGIN
    return change.scale(1 / (sums[key].mean - change.mean or 1.0)), MARGIN


def _read(sums: Sums) -> list[_Reading]:
    """All readings: those that matter first, of these the ones that change the length most."""
    keys = [key.removesuffix("|change") for key in sums if key.endswith("|change")]
    verdicts = dict(zip(keys, judge_differences([_scale(sums, key) for key in keys]), strict=True))
    found = []
    for variant, measures in groupby(keys, lambda key: key.rpartition("|")[0]):
        own = list(measures)
        answers = {key.rpartition("|")[2]: verdicts[key] for key in own}
        all_answers = answers.values()
        answer = DIFFERENT if DIFFERENT in all_answers else UNDECIDED if UNDECIDED in all_answers else EQUIVALENT
        if not sums[f"{variant}|changed"].total:
            answer = _ABSENT
        kind, game, players, name = variant.split("|")
        changes = {key.rpartition("|")[2]: _scale(sums, key)[0] for key in own}
        found.append(_Reading(kind, game, int(players), name, answer, changes, answers))
    return sorted(found, key=lambda each: (list(_WORDS).index(each.answer), -abs(each.length)))


def _conclude(sums: Sums) -> Findings:
    readings = _read(sums)
    rows = [
        (
            *(each.game, each.players, each.name, each.kind, _WORDS[each.answer]),
            *(each.changes[name].estimate if name in each.changes else None for name in _MEASURES),
            sums[f"{each.kind}|{each.game}|{each.players}|{each.name}|changed"].estimate,
        )
        for each in readings
    ]
    columns = ("game", "seats", "reading", "unit", "answer", *_MEASURES.values(), "changed")
    caption = "Change by each reading, in percent; wins in percentage points. The last column is the share of rounds."
    table = Table("disputes", caption, columns, rows, percent=True, shown=100)
    count = {verdict: sum(each.answer == verdict for each in readings) for verdict in _WORDS}
    answer = (
        f"Of {len(readings)} readings, each in one game with one number of seats, {count[DIFFERENT]} change the game,"
        f" {count[EQUIVALENT]} make no difference, {count[_ABSENT]} never came up, and for {count[UNDECIDED]} these"
        " rounds do not decide."
    )
    return Findings(answer, _explain(readings), _draw_lengths(readings), [table])


def _find_changes(readings: list[_Reading], measure: str) -> list[_Reading]:
    """The readings that certainly change a measure and are no mere number, by how much."""
    found = (each for each in readings if each.answers.get(measure) == DIFFERENT)
    return sorted(
        (each for each in found if not each.name.startswith(_NUMBERS)),
        key=lambda each: -abs(each.changes[measure].mean),
    )


def _explain(readings: list[_Reading]) -> list[str]:
    matter = {each.name for each in readings if each.answer == DIFFERENT}
    undecided = {each.name for each in readings if each.answer == UNDECIDED} - matter
    absent = {each.name for each in readings if each.answer == _ABSENT}
    never = sorted({each.name for each in readings if each.answer == EQUIVALENT} - matter - undecided)
    absent -= {each.name for each in readings if each.answer != _ABSENT}
    longest = [
        f"`{each.name}` ({each.place}, {100 * each.length:+.0f} %)" for each in _find_changes(readings, "plies")[:8]
    ]
    gains = [
        f"`{each.name}` ({each.place}, {100 * each.changes['skill'].mean:+.1f})"
        for each in _find_changes(readings, "skill")[:5]
    ]
    return [
        "A reading matters if it changes the length, the wins by seat, the points, the cards drawn or the wins of the"
        f" stronger player. It makes no difference if all these changes are certainly small: below {100 * MARGIN:g} %"
        f" of the official mean, and {100 * SHARE_MARGIN:g} percentage point of wins.",
        f"Those that change the length most: {join_names(longest)}.",
        f"Those that change the wins of the stronger player most, in percentage points: {join_names(gains)}.",
        f"These make no difference in any game, with two or four seats: {join_names([f'`{name}`' for name in never])}.",
        f"These never came up: {join_names([f'`{name}`' for name in sorted(absent)])}. Not one round of these bots was"
        " different, so they cannot say what it does among players who use it. (`wj_rules=written` is played without"
        " written cards, so with the built-in ones.)",
        "House rules have [a study of their own](house-rules.md).",
    ]


def _draw_lengths(readings: list[_Reading]) -> Figure:
    points = [
        (f"{each.name}, {each.place}", each.changes["plies"].estimate) for each in _find_changes(readings, "plies")[:18]
    ]
    title = "Readings that change the length most"
    return Figure(title, "change of the length, %", [Series("all", points)], reference=0.0, percent=True)


DISPUTES: Final = Study(
    "disputes",
    "Which disputes matter",
    "The sheets leave some forty questions open. Which of the possible answers change the game?",
    "Four *sharp* bots, or two, play the same shuffles by the official rules and by each reading; changes are those of"
    " one round or match. The stronger player is one *sharp* bot among *random* ones. Options of calls are played by"
    f" *sharp* bots that forget {_FORGOTTEN} % of their calls, while each other player notices it in {_NOTICED} % of"
    f" the moves. Options of early and of false calls are played by such bots that, before {_HASTY} % of all moves,"
    " also call UNO, ten times as often with two cards, and try to catch the next player; what the rules refuse has no"
    " effect. Options of matches combine rounds that were played before; the seat left of the dealer is"
    " then the second at the table. Differences are z tests of paired changes, equivalence two one-sided tests (TOST);"
    " each kind is corrected for the number of all tests (Holm), at 5 %.",
    tuple((kind, game, players) for kind in _ROUNDS_FOR_ONE for game, players in games_and_seats(2, 4)),
    60_000,
    _measure,
    _conclude,
    2000,
)
