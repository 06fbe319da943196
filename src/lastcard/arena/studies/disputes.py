"""Which disputes matter: each reading of an unclear sentence of the sheets, beside the official one."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, Final

import numpy as np

from lastcard.arena.studies.design import GAME_TITLES, Figure, Findings, Sample, Series, Study, Table, join_names
from lastcard.arena.studies.inference import DIFFERENT, EQUIVALENT, UNDECIDED, Moments, Sums, judge_differences
from lastcard.arena.studies.matches import play_matches
from lastcard.arena.studies.outcomes import play_outcomes
from lastcard.arena.studies.variants import compare_variants, games_and_seats, list_variants
from lastcard.arena.studies.watched_round import Watcher
from lastcard.bots.statistics import Estimate
from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import ruleset

MARGIN: Final = 0.02
"""Change of a length, of points or of cards drawn, as a part of the official mean, that does not matter."""
SHARE_MARGIN: Final = 0.01
"""Change of a share of wins that does not matter."""
_MATCHES: Final = (
    "first_dealer", "dealer_tie", "next_dealer", "scoring", "winning_score", "tally_tie",
)  # fmt: skip
"""Options that change no round, only how rounds make a match."""
_CALLS: Final = ("uno_penalty", "uno_window")
"""Options that matter only if players forget calls."""
_UNMEASURED: Final = ("uno_early_call", "false_uno_penalty", "false_catch_penalty")
"""Options that matter only to players who call or catch wrongly, which these never do."""
_FORGOTTEN: Final = 40
"""Percentage of calls that are forgotten."""
_NOTICED: Final = 10
"""Percentage of moves in which a player notices the forgotten call of another."""
_ROUNDS_FOR_ONE: Final = {"rounds": 1, "calls": 10, "matches": 20}
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
    if kind != "rounds":
        return _CALLS if kind == "calls" else _MATCHES
    left_out = (*_MATCHES, *_CALLS, *_UNMEASURED, "match_mode")
    return tuple(name for name, option in OPTIONS.items() if not option.is_house_rule and name not in left_out)


def _measure(sample: Sample) -> Sums:
    kind, game, players = str(sample.cell[0]), str(sample.cell[1]), int(sample.cell[2])
    part = _ROUNDS_FOR_ONE[kind]
    first = -(-sample.first // part)
    fewer = Sample(sample.cell, sample.seed, first, -(-(sample.first + sample.count) // part) - first)
    if not fewer.count:
        return {}
    measure = {"rounds": _measure_rounds, "calls": _measure_calls, "matches": _measure_matches}[kind]
    variants = list_variants(game, players, _options(kind))
    return compare_variants(f"{kind}|{game}|{players}", variants.items(), partial(measure, players, fewer), game)


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


def _measure_calls(players: int, sample: Sample, rules: str) -> dict[str, Any]:
    watcher = Watcher(ruleset(rules), players, _FORGOTTEN, _NOTICED)
    seen = [watcher.watch(sample.seed, sample.first + i) for i in range(sample.count)]
    measures = {name: np.array([getattr(each, name) for each in seen]) for name in ("plies", "points", "drawn")}
    return measures | {"first": np.array([each.winner == 1 for each in seen])}


def _measure_matches(players: int, sample: Sample, rules: str) -> dict[str, Any]:
    equal = play_matches(rules, ("sharp",) * players, sample)
    mixed = play_matches(rules, ("sharp", *["random"] * (players - 1)), sample)
    return {name: equal[name] for name in ("plies", "first", "points", "drawn")} | {"skill": mixed["skill"]}


def _conclude(sums: Sums) -> Findings:
    keys = [key.removesuffix("|change") for key in sums if key.endswith("|change")]
    tests = [_scale(sums, key) for key in keys]
    verdicts = dict(zip(keys, judge_differences(tests), strict=True))
    variants: dict[tuple[str, str, str, str], list[str]] = {}
    for key in keys:
        kind, game, players, name, _ = key.split("|")
        variants.setdefault((kind, game, players, name), []).append(key)
    rows, answers, effects = [], {}, {}
    for (kind, game, players, name), own in variants.items():
        found = [verdicts[key] for key in own]
        answer = DIFFERENT if DIFFERENT in found else UNDECIDED if UNDECIDED in found else EQUIVALENT
        changes = {key.rsplit("|", 1)[1]: _scale(sums, key)[0] for key in own}
        answers[game, int(players), name] = answer
        effects[game, int(players), name] = changes
        cells = [changes[measure].estimate if measure in changes else None for measure in _MEASURES]
        changed = sums[f"{kind}|{game}|{players}|{name}|changed"].estimate
        rows.append((game, int(players), name, kind, _WORDS[answer], *cells, changed))
    columns = ("game", "seats", "reading", "unit", "answer", *_MEASURES.values(), "changed")
    table = Table("disputes", "Change by each reading, in percent; wins in percentage points.", columns, rows, True)
    return _write(answers, effects, table)


_WORDS: Final = {DIFFERENT: "matters", EQUIVALENT: "makes no difference", UNDECIDED: "not decided"}


def _scale(sums: Sums, key: str) -> tuple[Moments, float]:
    """The change of a measure as a part of the official mean, or of a share as it is, and its margin."""
    kind, game, players, _, measure = key.split("|")
    change = sums[f"{key}|change"]
    if measure in ("first", "skill"):
        return change, SHARE_MARGIN
    return change.scale(1 / (sums[f"{kind}|{game}|{players}|official|{measure}"].mean or 1.0)), MARGIN


def _write(
    answers: dict[tuple[str, int, str], str], effects: dict[tuple[str, int, str], dict[str, Moments]], table: Table
) -> Findings:
    count = {verdict: sum(found == verdict for found in answers.values()) for verdict in _WORDS}
    by_size = sorted(
        (case for case in answers if answers[case] == DIFFERENT),
        key=lambda case: -abs(effects[case]["plies"].mean),
    )
    lengths = [case for case in by_size if "hand_size" not in case[2] and "winning_score" not in case[2]]
    never = sorted({name for _, _, name in answers} - {name for (_, _, name), v in answers.items() if v != EQUIVALENT})
    answer = (
        f"Of {len(answers)} readings, each in one game with one number of seats, {count[DIFFERENT]} change the game,"
        f" {count[EQUIVALENT]} make no difference, and for {count[UNDECIDED]} these rounds do not decide."
    )
    paragraphs = [
        "A reading matters if it changes the length, the wins by seat, the points, the cards drawn or the wins of the"
        f" stronger player. It makes no difference if all these changes are certainly small: below {100 * MARGIN:g} %"
        f" of the official mean, and {100 * SHARE_MARGIN:g} percentage point of wins.",
        "Those that change the length most: "
        + join_names(
            [
                f"{name} ({_case(game, players)}, {_signed(effects[game, players, name]['plies'])})"
                for game, players, name in lengths[:6]
            ]
        )
        + ".",
        f"These make no difference in any game, with two or four seats: {join_names([f'`{name}`' for name in never])}.",
        f"Not measured: {join_names([f'`{name}`' for name in _UNMEASURED])}, which matter only to players who call or"
        " catch wrongly. `wj_rules=written` is played without written cards, so with the built-in ones."
        " House rules have [a study of their own](house-rules.md).",
    ]
    points: list[tuple[str | int, Estimate]] = [
        (f"{name}, {_case(game, players)}", effects[game, players, name]["plies"].estimate)
        for game, players, name in lengths[:18]
    ]
    figure = Figure(
        "Readings that change the length most", "change of the length", [Series("all", points)],
        reference=0.0, percent=True,
    )  # fmt: skip
    return Findings(answer, paragraphs, figure, [table])


def _case(game: str, players: int) -> str:
    return f"{GAME_TITLES[game]}, {players} seats"


def _signed(change: Moments) -> str:
    return f"{100 * change.mean:+.0f} %"


DISPUTES: Final = Study(
    "disputes",
    "Which disputes matter",
    "The sheets leave some forty questions open. Which of the possible answers change the game?",
    "Four *sharp* bots, or two, play the same shuffles by the official rules and by each reading; changes are those of"
    " one round or match. The stronger player is one *sharp* bot among *random* ones. Options of calls are played by"
    f" *sharp* bots that forget {_FORGOTTEN} % of their calls, while each other player notices it in {_NOTICED} % of"
    " the moves. Options of matches combine rounds that were played before; the seat left of the dealer is then the"
    " second at the table. Differences are z tests of paired changes, equivalence two one-sided tests (TOST); each kind"
    " is corrected for the number of all tests (Holm), at 5 %.",
    tuple((kind, game, players) for kind in _ROUNDS_FOR_ONE for game, players in games_and_seats(2, 4)),
    20_000,
    _measure,
    _conclude,
    2000,
)
