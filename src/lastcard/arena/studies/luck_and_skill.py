"""Luck and skill by game and number of seats: how many rounds it takes until the better player is ahead."""

from __future__ import annotations

from typing import Final

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
from lastcard.arena.studies.inference import Moments, Sums, rounds_until_ahead
from lastcard.arena.studies.outcomes import play_outcomes
from lastcard.arena.studies.variants import games_and_seats
from lastcard.bots.statistics import Estimate

_CERTAINTY: Final = 0.95
_WEAKER: Final = ("random", "casual")
_CHESS_POINTS: Final = 200
"""A difference of ratings in chess."""
_FIBS_POINTS: Final = 300
"""A difference of ratings on the backgammon server FIBS."""
_SOURCES: Final = [
    "Chess: the expected score of a player who is ahead by *D* rating points is 1 / (1 + 10^(−D/400)); section 8 of the"
    " FIDE Rating Regulations, as quoted [here](https://chess.stackexchange.com/questions/19653). Draws are left out.",
    "Backgammon: a player who is ahead by *D* points on the server FIBS wins a match to *n* points with probability"
    " 1 / (1 + 10^(−D·√n/2000)); [M. Rinta-Nikkola, rec.games.backgammon,"
    " 2000](https://bkgm.com/rgb/rgb.cgi?view+733).",
    "Poker: “poker contains about as much skill as chess when 3 out of 4 chess games are replaced by a coin flip”;"
    " P. Duersch, M. Lambrecht, J. Oechssler, [Measuring Skill and Chance in Games]"
    "(https://archiv.ub.uni-heidelberg.de/volltextserver/23867/), 2017. The row applies this to 200 points in chess.",
    "Poker: “skill dominates chance when performance is measured over 1,500 or more hands of play”; R. Potter van Loon,"
    " M. van den Assem, D. van Dolder, [Beyond Chance? The Persistence of Performance in Online Poker]"
    "(https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0115479), 2015. Its question is another one, so"
    " it has no row.",
]


def _measure(sample: Sample) -> Sums:
    game, players, weaker = str(sample.cell[0]), int(sample.cell[1]), str(sample.cell[2])
    outcomes = play_outcomes(game, ("sharp", *[weaker] * (players - 1)), sample)
    key = f"{game}|{players}|{weaker}"
    return {f"{key}|better": Moments.of(outcomes.player == 0), f"{key}|other": Moments.of(outcomes.player > 0)}


def _conclude(sums: Sums) -> Findings:
    rows, series = [], []
    needed: dict[tuple[str, int, str], int | None] = {}
    for weaker in _WEAKER:
        for game, game_title in GAME_TITLES.items():
            points: list[tuple[str | int, Estimate]] = []
            for players in _SEATS:
                better = sums[f"{game}|{players}|{weaker}|better"]
                counts = _count_rounds(better, sums[f"{game}|{players}|{weaker}|other"], players - 1)
                needed[game, players, weaker] = counts[0]
                rows.append((game, players, weaker, better.estimate, Estimate(1 / players), *counts))
                if weaker == "random":
                    points.append((players, better.scale(players).estimate))
            if points:
                series.append(Series(game_title, points))
    table = Table(
        "luck-and-skill",
        f"Rounds until one *sharp* bot has won more rounds than a given weaker one with {percent_text(_CERTAINTY, 0)}"
        " probability; from and to follow from the ends of the intervals.",
        ("game", "seats", "weaker", "rounds won", "even", "rounds until ahead", "from", "to"),
        rows,
        percent=True,
    )
    two = {game: needed[game, 2, "random"] for game in GAME_TITLES}
    casual = {game: needed[game, 2, "casual"] for game in GAME_TITLES}
    answer = (
        "A player with sensible rules of thumb needs "
        + join_names([f"{two[game]} rounds of {title}" for game, title in GAME_TITLES.items()])
        + f" to be ahead of one who lays any card that fits, with {percent_text(_CERTAINTY, 0)} probability and two"
        " seats."
    )
    paragraphs = [
        "Against a *casual* bot, which makes a random move half of the time, it takes longer: "
        + join_names([f"{casual[game]} rounds of {title}" for game, title in GAME_TITLES.items()])
        + ". So a single match says little about who plays better.",
        "With ten seats it takes "
        + join_names([f"{needed[game, 10, 'random']} rounds of {title}" for game, title in GAME_TITLES.items()])
        + " until the *sharp* bot is ahead of a given *random* one.",
        "The comparison with other games depends on how far apart the two players are. The table states it for each,"
        " and says nothing about which game is deeper.",
    ]
    figure = Figure(
        "Rounds won by one sharp bot among random ones", "times an even share", series, base="seats", reference=1.0
    )
    return Findings(answer, paragraphs, figure, [table, _other_games()], _SOURCES)


def _count_rounds(better: Moments, others: Moments, count: int) -> tuple[int | None, int | None, int | None]:
    """The rounds until ahead of one of ``count`` others, and the fewest and most by the intervals of both shares."""
    shares, gains = better.estimate, others.scale(1 / count).estimate
    return (
        rounds_until_ahead(shares.value, gains.value, _CERTAINTY),
        rounds_until_ahead(min(1.0, shares.high), max(0.0, gains.low), _CERTAINTY),
        rounds_until_ahead(shares.low, gains.high, _CERTAINTY),
    )


def _other_games() -> Table:
    """Published figures of other games, in the same unit."""
    chess = 1 / (1 + 10 ** (-_CHESS_POINTS / 400))
    poker = 0.25 * chess + 0.75 * 0.5
    backgammon = [(n, 1 / (1 + 10 ** (-_FIBS_POINTS * n**0.5 / 2000))) for n in (1, 7)]
    rows = [
        ("chess", f"{_CHESS_POINTS} points ahead (FIDE)", chess),
        ("poker", f"as skilled as {_CHESS_POINTS} points in chess (Duersch et al.)", poker),
        *((f"backgammon, match to {n}", f"{_FIBS_POINTS} points ahead (FIBS)", share) for n, share in backgammon),
    ]
    return Table(
        "other-games",
        "Published figures: games until the better player is ahead with the same probability.",
        ("game", "difference", "games won", "games until ahead"),
        [(name, what, Estimate(share), rounds_until_ahead(share, 1 - share, _CERTAINTY)) for name, what, share in rows],
        percent=True,
    )


_SEATS: Final = range(2, 11)

LUCK_AND_SKILL: Final = Study(
    "luck-and-skill",
    "Luck and skill",
    "How many rounds does it take until the better player is ahead?",
    "One *sharp* bot plays among equal weaker ones, at every seat and every distance from the dealer equally often."
    " *Random* lays any card that fits; *casual* makes a random move in half of its decisions. The rounds until ahead"
    " are computed from the shares of wins: the first number of rounds after which the *sharp* bot has won more rounds"
    f" than a given other one with {percent_text(_CERTAINTY, 0)} probability (half of that of a tie is added), exactly"
    " up to 4,096 rounds and by the normal approximation beyond.",
    tuple((game, players, weaker) for weaker in _WEAKER for game, players in games_and_seats(*_SEATS)),
    30_000,
    _measure,
    _conclude,
    5000,
)
