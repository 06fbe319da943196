"""Seats: who gains by sitting left of the dealer, or left of a strong player."""

from __future__ import annotations

from typing import Final

from lastcard.arena.studies.design import GAME_TITLES, Figure, Findings, Sample, Series, Study, Table, join_names
from lastcard.arena.studies.inference import DIFFERENT, Moments, Sums, judge_differences
from lastcard.arena.studies.outcomes import play_outcomes
from lastcard.arena.studies.variants import games_and_seats
from lastcard.bots.statistics import Estimate

_MARGIN: Final = 0.005
"""Difference from an even share of wins that does not matter."""
_BOTS: Final = {"dealer": "sharp", "strong": "random"}
"""The bots beside the first one, which is sharp, by what places are counted from."""


def _measure(sample: Sample) -> Sums:
    origin, game, players = str(sample.cell[0]), str(sample.cell[1]), int(sample.cell[2])
    outcomes = play_outcomes(game, ("sharp", *[_BOTS[origin]] * (players - 1)), sample)
    if origin == "dealer":
        even, places, winner = 1 / players, range(players), outcomes.winner
    else:  # among the weaker players, of the rounds that they win
        places, winner = range(1, players), outcomes.player
        even = float((winner > 0).mean()) / (players - 1)
    key = f"{origin}|{game}|{players}"
    return {f"{key}|{place}": Moments.of((winner == place) - even) for place in places} | {
        f"{key}|even": Moments.of([even] * sample.count)
    }


def _conclude(sums: Sums) -> Findings:
    keys = [key for key in sums if not key.endswith("even")]
    verdicts = dict(zip(keys, judge_differences([(sums[key], _MARGIN) for key in keys]), strict=True))
    tables = []
    for origin, caption in (
        (
            "dealer",
            "Rounds won by equal players, by places to the left of the dealer, beyond an even share, in percent.",
        ),
        (
            "strong",
            "Rounds won by weak players, by places to the left of the strong one, beyond their mean, in percent.",
        ),
    ):
        rows = []
        for key in keys:
            if key.startswith(origin):
                _, game, players, place = key.split("|")
                even = sums[f"{origin}|{game}|{players}|even"].mean
                rows.append((game, int(players), int(place), Estimate(even), sums[key].estimate, verdicts[key]))
        columns = ("game", "seats", "places to the left", "even", "difference", "answer")
        tables.append(Table(f"seats-{origin}", caption, columns, rows, percent=True, shown=45))
    return _write(sums, verdicts, tables)


def _write(sums: Sums, verdicts: dict[str, str], tables: list[Table]) -> Findings:
    firsts = {game: sums[f"dealer|{game}|2|1"].mean for game in GAME_TITLES}
    answer = "With two equal players, the one who does not deal wins " + join_names(
        [f"{50 + 100 * gain:.1f} % of the rounds of {GAME_TITLES[game]}" for game, gain in firsts.items()]
    )
    fours = [
        f"{GAME_TITLES[game]} {100 * sums[f'dealer|{game}|4|1'].mean:+.1f}"
        + ("" if verdicts[f"dealer|{game}|4|1"] == DIFFERENT else f" ({verdicts[f'dealer|{game}|4|1']})")
        for game in GAME_TITLES
    ]
    neighbors = []
    for game, title in GAME_TITLES.items():
        left, right = (f"strong|{game}|4|{place}" for place in (1, 3))
        neighbors.append(
            f"{title}: left of them {100 * sums[left].mean:+.1f} ({verdicts[left]}),"
            f" right of them {100 * sums[right].mean:+.1f} ({verdicts[right]})"
        )
    paragraphs = [
        "The player left of the dealer begins. With four seats they win, in percentage points beyond 25 %: "
        + join_names(fours)
        + ".",
        "Weak players beside a strong one, four seats, in percentage points beyond the mean of the weak ones: "
        + "; ".join(neighbors)
        + ".",
        f"*Equivalent* means that the share is certainly within {100 * _MARGIN:g} percentage points of an even one;"
        " *undecided* that these rounds cannot say.",
    ]
    series = [
        Series(
            title,
            [(players, sums[f"dealer|{game}|{players}|1"].scale(players).estimate) for players in range(2, 11)],
        )
        for game, title in GAME_TITLES.items()
    ]
    figure = Figure(
        "The advantage of the player left of the dealer", "part of an even share, %", series, base="seats",
        reference=0.0, percent=True,
    )  # fmt: skip
    return Findings(f"{answer}.", paragraphs, figure, tables)


SEATS: Final = Study(
    "seats",
    "Who gains by a seat",
    "Who gains by sitting left of the dealer, or left of a strong player?",
    "Equal *sharp* bots play, and their wins are counted by places to the left of the dealer. Then one *sharp* bot"
    " plays among *random* ones, at every seat and distance from the dealer equally often, and the wins of the"
    " *random* ones are counted by places to the left of the *sharp* one. Each share is compared with an even one by a"
    " z test and by two one-sided tests (TOST), each corrected for the number of all shares (Holm), at 5 %.",
    tuple(("dealer", *cell) for cell in games_and_seats(*range(2, 11)))
    + tuple(("strong", *cell) for cell in games_and_seats(3, 4, 5, 6)),
    230_400,
    _measure,
    _conclude,
    7200,
)
