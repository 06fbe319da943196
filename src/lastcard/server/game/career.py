"""Career statistics: wins compared with chance, streaks, calls, luck, mistakes, rivals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from lastcard.analysis.report_model import Report
from lastcard.game.rulesets import ruleset
from lastcard.match.events import Called, Caught, Event
from lastcard.server.store.rows import CallsRow, FindingRow, PastMatch, Sitter
from lastcard.session.match_log import apply_row, new_match
from lastcard.session.match_rows import MatchRow, MoveRow


class Tally(Struct):
    """Matches, how many of them were won, and how many chance alone would win."""

    matches: int = 0
    won: int = 0
    chance: float = 0.0

    def add(self, match: PastMatch, seat: int) -> None:
        """Add a match from the view of a seat."""
        self.matches += 1
        self.won += seat in match.winners
        self.chance += fair_share(match.rules, len(match.sitters))


class Share(Tally, kw_only=True):
    """The matches of one game with so many players."""

    game: str
    seats: int


class Rival(Tally, kw_only=True):
    """The matches with another person: ``won`` are one's own wins, ``lost`` theirs."""

    name: str
    lost: int = 0


class Calls(Struct):
    """UNO, in the matches where it has been counted: ``waiting`` is how many there are besides."""

    called: int = 0
    caught: int = 0
    catches: int = 0
    waiting: int = 0


class ReportTotals(Struct):
    """What reports came to, in as many matches as one was asked for: luck in rounds won, mistakes by kind."""

    matches: int = 0
    luck: float = 0.0
    decisions: int = 0
    mistakes: dict[str, int] = {}


class Career(Struct):
    """All that is known of a person's matches; the latest where there are very many."""

    total: Tally
    shares: list[Share]
    streak: int
    """The current winning streak; ``longest``: the longest one."""
    longest: int
    course: list[float]
    """Matches won minus those expected by chance, after each match, oldest first."""
    calls: Calls
    findings: ReportTotals
    rivals: list[Rival]
    """Persons of common matches, the most frequent first."""


class LeaderboardEntry(Tally, kw_only=True):
    """A line of a leaderboard."""

    name: str


@lru_cache(1000)
def fair_share(rules: str, players: int) -> float:
    """Return the chance of a seat to win a match if all play alike."""
    return 0.5 if ruleset(rules).options.team_play else 1 / players


def career(matches: Sequence[PastMatch], player: str) -> Career:
    """Return the statistics of a person from the matches in which they sat, latest first."""
    total, calls, findings = Tally(), Calls(), ReportTotals()
    shares: dict[tuple[str, int], Share] = {}
    rivals: dict[str, Rival] = {}
    course, wins = [], []
    for match in reversed(matches):
        seat, seats = match.seat_of(player), len(match.sitters)
        game = ruleset(match.rules).game
        total.add(match, seat)
        shares.setdefault((game, seats), Share(game=game, seats=seats)).add(match, seat)
        course.append(round(total.won - total.chance, 3))
        wins.append(seat in match.winners)
        _add_calls(calls, match, seat)
        _add_findings(findings, match, seat)
        for other, sitters in _sitters_by_person(match).items():
            if other != player:
                rival = rivals.setdefault(other, Rival(name=str(sitters[0].name)))
                rival.add(match, seat)
                rival.lost += any(sitter.seat in match.winners for sitter in sitters)
    streaks = list(accumulate(wins, lambda streak, won: streak + 1 if won else 0, initial=0))
    return Career(
        total=total,
        shares=sorted(shares.values(), key=lambda share: -share.matches),
        streak=streaks[-1],
        longest=max(streaks),
        course=course,
        calls=calls,
        findings=findings,
        rivals=sorted(rivals.values(), key=lambda rival: -rival.matches),
    )


def rank_players(matches: Iterable[PastMatch], players: Iterable[str] | None = None) -> list[LeaderboardEntry]:
    """Return the leaderboard of persons who have played with each other, most wins beyond chance first.

    Args:
        matches: matches to count; those with fewer than two persons are ignored, and a person's match with themself.
        players: ids of persons on the leaderboard; by default all in the matches. Persons who do not want to be named
            are left out.
    """
    wanted = None if players is None else set(players)
    lines: dict[str, LeaderboardEntry] = {}
    for match in matches:
        found = _sitters_by_person(match).items()
        persons = {person: sitters for person, sitters in found if wanted is None or person in wanted}
        for person, (sitter, *more) in persons.items() if len(persons) > 1 else ():
            if sitter.shown and not more:
                lines.setdefault(person, LeaderboardEntry(name=str(sitter.name))).add(match, sitter.seat)
    return sorted(lines.values(), key=lambda line: (line.chance - line.won, -line.matches))


def _sitters_by_person(match: PastMatch) -> dict[str, list[Sitter]]:
    """Return the seats of every person with a name. One of two profiles that were joined later may have several."""
    found: dict[str, list[Sitter]] = {}
    for sitter in match.sitters:
        if sitter.player is not None and sitter.name is not None:
            found.setdefault(sitter.player, []).append(sitter)
    return found


def count_calls(row: MatchRow, moves: Iterable[MoveRow]) -> list[CallsRow]:
    """Return the calls and catches of every seat, from a replay of a finished match."""
    match = new_match(row)
    called, caught, catches = Counter[int](), Counter[int](), Counter[int]()
    events: list[Event] = []
    for move in moves:
        events += apply_row(match, move)
    for event in events:
        if isinstance(event, Called):
            called[event.seat] += 1
        elif isinstance(event, Caught):
            caught[event.seat] += 1
            catches[event.by] += 1
    return [CallsRow(row.id, seat, called[seat], caught[seat], catches[seat]) for seat in range(len(row.names))]


def finding_rows(match: str, report: Report) -> list[FindingRow]:
    """Return the findings of a match's report, for every seat."""
    topics: list[Counter[str]] = [Counter() for _ in report.players]
    for one in report.rounds:
        for decision in one.decisions:
            if decision.kind == "mistake":
                topics[decision.seat][decision.topic] += 1
    return [
        FindingRow(match, seat, account.luck.value, account.decisions, json.dumps(topics[seat]))
        for seat, account in enumerate(report.accounts)
    ]


def _add_calls(calls: Calls, match: PastMatch, seat: int) -> None:
    if not match.calls:
        calls.waiting += 1
    for counted in match.calls:
        if counted.seat == seat:
            calls.called += counted.called
            calls.caught += counted.caught
            calls.catches += counted.catches


def _add_findings(findings: ReportTotals, match: PastMatch, seat: int) -> None:
    for found in match.findings:
        if found.seat == seat:
            findings.matches += 1
            findings.luck += found.luck
            findings.decisions += found.decisions
            for topic, count in json.loads(found.mistakes).items():
                findings.mistakes[topic] = findings.mistakes.get(topic, 0) + count
