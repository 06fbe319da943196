"""What is worth saying of a match as soon as it is over, in a second of work; the whole account is ``report``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lastcard.analysis.chances import Chances, play_chances
from lastcard.analysis.report import SEED
from lastcard.analysis.story import Story, tell
from lastcard.bots.judge import Judge, Verdict
from lastcard.game.cards import CARD_NAMES
from lastcard.game.seeds import parse_seed
from lastcard.match.match import Match

ROLLOUTS: Final = 400
"""How often each moment is played to its end."""
COSTLY: Final = 0.05
LUCKY: Final = 0.1
NEEDY: Final = 50
"""Percent; who had as much or more did not need luck."""
BEHIND: Final = 0.5
"""Who has less than this part of a fair share is far behind."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something worth saying of the last round.

    Args:
        kind: ``cost`` (a decision gave chance away), ``luck`` (the winner's chance before chance helped), ``comeback``
            (the winner's chance at the worst) or ``lead`` (the winner's chance after the deal, never far behind).
        seat: whom it is about.
        points: percent; for ``cost``, how many were given away.
        ply: of the decision, from 1 as in the report.
        verb: of the decision, as in the notation.
        card: the one that was played, where it was a play.
        chance: what helped: ``draw``, ``blind``, ``lever`` or ``rule``.
    """

    kind: str
    seat: int
    points: int
    ply: int | None = None
    verb: str | None = None
    card: str | None = None
    chance: str | None = None


def moments(match: Match, seats: Iterable[int]) -> list[Moment]:
    """What is worth saying of the last round of a match, most telling first: the decisions that cost most, one of a
    seat, then how the winner won. The same match gives the same.

    Args:
        match: that is over.
        seats: whose decisions are judged: those of persons, for nobody reads what a bot did wrong.
    """
    story = tell(match.record())[-1]
    return [*_costs(story, frozenset(seats)), *_win(story, play_chances(story, ROLLOUTS, _number(story)))]


def _number(story: Story, part: int = 0) -> int:
    """The seed of a part, as the report has it: both say the same of the same decision."""
    return story.number_of(parse_seed(SEED), part)


def _costs(story: Story, seats: frozenset[int]) -> list[Moment]:
    """The worst decision of each seat in the round, judged from what the seat could know, as in the report."""
    judge = Judge()
    worst: dict[int, tuple[int, Verdict]] = {}
    for i, ply in enumerate(story.plies):
        if ply.view is None or ply.seat not in seats:
            continue
        verdict = judge.judge(ply.view, ply.moves, ply.plain, ply.usual, _number(story, i + 1))
        least = worst[ply.seat][1].loss.value if ply.seat in worst else 0.0
        if verdict.loss.is_positive and verdict.agreed and verdict.loss.value > least:
            worst[ply.seat] = i, verdict
    costs = [found for found in worst.values() if found[1].loss.value >= COSTLY]
    return [_cost(story, *found) for found in sorted(costs, key=lambda found: -found[1].loss.value)]


def _cost(story: Story, i: int, verdict: Verdict) -> Moment:
    seat, move = story.plies[i].seat, story.plies[i].plain
    card = CARD_NAMES[move.card] if move.verb == "play" and move.card is not None else None
    return Moment("cost", seat, round(100 * verdict.loss.value), i + 1, move.verb, card)


def _win(story: Story, chances: Chances) -> list[Moment]:
    """How the winner won: by luck, from far behind, or in the lead all the time."""
    winner = story.winner
    if winner is None:
        return []
    found = []
    for ply, link in reversed(list(zip(story.plies, chances.plan.links, strict=True))):
        luck = chances.change(link.chosen, link.after, winner)
        points = round(100 * chances.chance(link.chosen, winner).value)
        if ply.chance is not None and luck.is_positive and luck.value >= LUCKY and points < NEEDY:
            found.append(Moment("luck", winner, points, chance=ply.chance))
            break
    jobs = [1, *(link.after for link in chances.plan.links)]
    course = [chances.chance(job, winner).value for job in jobs]
    worst = min(course)
    if worst < BEHIND / story.players:
        found.append(Moment("comeback", winner, max(1, round(100 * worst))))
    else:
        found.append(Moment("lead", winner, round(100 * course[0])))
    return found
