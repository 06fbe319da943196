"""What is worth saying of a match as soon as it is over, in a second of work; the whole account is ``report``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lastcard.analysis.chances import Chances, play_chances
from lastcard.analysis.story import Ply, Story, tell
from lastcard.bots.judge import Judge
from lastcard.game.cards import CARD_NAMES
from lastcard.play.match import Match

ROLLOUTS: Final = 400
"""How often each moment is played to its end."""
JUDGED: Final = 4
"""Decisions that are looked at closely, for that takes longest."""
SEED: Final = 1
COSTLY: Final = 0.05
LUCKY: Final = 0.1
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
        card: the one whose play was the decision.
        chance: what helped: ``draw``, ``blind``, ``lever`` or ``rule``.
    """

    kind: str
    seat: int
    points: int
    card: str | None = None
    chance: str | None = None


def moments(match: Match) -> list[Moment]:
    """What is worth saying of the last round of a match, most telling first: decisions that cost most, then how the
    winner won. The same match gives the same.

    Args:
        match: that is over.
    """
    story = tell(match.record())[-1]
    chances = play_chances(story, ROLLOUTS, SEED)
    return [*_costs(story, chances), *_win(story, chances)]


def _costs(story: Story, chances: Chances) -> list[Moment]:
    """Cards whose play gave chance away, judged from what their players could know.

    With open cards many a good move looks bad; so that only says which ones are worth a closer look.
    """

    def lost(i: int, ply: Ply) -> float:
        link = chances.plan.links[i]
        return -chances.change(link.before, link.chosen, ply.seat).value

    plays = [(i, ply) for i, ply in enumerate(story.plies) if ply.view is not None and ply.plain.verb == "play"]
    suspects = sorted(plays, key=lambda play: -lost(*play))[:JUDGED]
    judge = Judge()
    found = []
    for i, ply in suspects:
        if lost(i, ply) < COSTLY or ply.view is None or ply.plain.card is None:
            continue
        verdict = judge.judge(ply.view, ply.moves, ply.plain, ply.usual, i)
        loss = verdict.loss
        if loss.certain and verdict.agreed and loss.value >= COSTLY:
            found.append(Moment("cost", ply.seat, round(100 * loss.value), CARD_NAMES[ply.plain.card]))
    return sorted(found, key=lambda moment: -moment.points)


def _win(story: Story, chances: Chances) -> list[Moment]:
    """How the winner won: by luck, from far behind, or in the lead all the time."""
    winner = story.winner
    if winner is None:
        return []
    found = []
    for ply, link in reversed(list(zip(story.plies, chances.plan.links, strict=True))):
        luck = chances.change(link.chosen, link.after, winner)
        if ply.chance is not None and luck.certain and luck.value >= LUCKY:
            points = round(100 * chances.chance(link.chosen, winner).value)
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
