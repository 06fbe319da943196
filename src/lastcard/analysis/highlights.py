"""Highlights of a match that is over, found in some seconds; the whole analysis is ``report``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.ai.round_analysis import CHANCE_NAMES, NO_CHANCE
from lastcard.analysis.chances import WinChances, estimate_chances
from lastcard.analysis.replayed_round import ReplayedRound, replay_rounds
from lastcard.analysis.report import SEED
from lastcard.analysis.report_model import largest
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.bots.statistics import Estimate
from lastcard.game.cards import CARD_NAMES
from lastcard.game.seeds import parse_seed
from lastcard.match.match import Match

ROLLOUTS: Final = 400
"""Number of rollouts from each state."""
COSTLY: Final = 0.05
CAUTION: Final = 1.5
"""Number of margins by which the loss of a decision may be larger than a short search estimates."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A highlight of a match."""

    kind: str
    """``cost`` (a decision gave chance away), ``luck`` (the winner's chance before chance helped), ``comeback`` (the
    winner's chance at the worst) or ``lead`` (the winner's chance after the deal, never far behind)."""
    round: int
    """Number of the round, from 0: that of the decision, or the last one."""
    seat: int
    points: int
    """Chance in percent; for ``cost``, the loss."""
    ply: int | None = None
    """Ply of the decision, from 1 as in the report."""
    verb: str | None = None
    """Verb of the decision, as in the notation."""
    card: str | None = None
    """Played card, if it was a play."""
    chance: str | None = None
    """Chance event that helped: ``draw``, ``blind``, ``lever`` or ``rule``."""


def find_highlights(match: Match, seats: Iterable[int]) -> list[Highlight]:
    """The highlights of a match: each seat's costliest decision, then how the winner won the last round. The same match
    gives the same highlights.

    Args:
        match: a match that is over.
        seats: seats whose decisions are judged: those of people.
    """
    judged = frozenset(seats)
    replayed_rounds = replay_rounds(match.record(), verify=False, views_of=judged)
    last = replayed_rounds[-1]
    return [
        *_costly_decisions(replayed_rounds, judged),
        *_win_highlights(last, estimate_chances(last, ROLLOUTS, _derive_seed(last))),
    ]


def _derive_seed(replayed: ReplayedRound, part: int = 0) -> int:
    """The seed of a part, as in the report: both evaluate the same decision alike."""
    return replayed.derive_seed(parse_seed(SEED), part)


def _costly_decisions(replayed_rounds: Sequence[ReplayedRound], seats: frozenset[int]) -> list[Highlight]:
    """The worst decision of each seat in the match, by the seat's information, as in the report.

    Short searches show which decisions can be the worst; only these are measured.
    """
    evaluator = MoveEvaluator()
    screened: list[tuple[ReplayedRound, int, Estimate]] = []
    for replayed in replayed_rounds:
        for i, played in enumerate(replayed.moves):
            if played.view is not None and played.seat in seats:
                decision = played.view, played.choices, played.without_call, _derive_seed(replayed, i + 1)
                screened.append((replayed, i, evaluator.estimate_loss(*decision)))
    mistakes: list[tuple[ReplayedRound, int, float]] = []
    most = dict.fromkeys(seats, COSTLY)
    for replayed, i, estimate in largest(screened, lambda each: each[2].value, len(screened)):
        played = replayed.moves[i]
        if played.view is None or estimate.value + CAUTION * estimate.margin < most[played.seat]:
            continue
        seed = _derive_seed(replayed, i + 1)
        loss = evaluator.find_mistake(played.view, played.choices, played.without_call, seed)
        if loss is not None and loss.value >= most[played.seat]:
            most[played.seat] = loss.value
            mistakes.append((replayed, i, loss.value))
    mistakes.sort(key=lambda mistake: (mistake[0].number, mistake[1]))
    worst: dict[int, Highlight] = {}
    for mistake in largest(mistakes, lambda mistake: mistake[2], len(mistakes)):
        highlight = _cost_highlight(*mistake)
        worst.setdefault(highlight.seat, highlight)
    return list(worst.values())


def _cost_highlight(replayed: ReplayedRound, i: int, loss: float) -> Highlight:
    seat, move = replayed.moves[i].seat, replayed.moves[i].without_call
    card = CARD_NAMES[move.card] if move.verb == "play" and move.card is not None else None
    return Highlight("cost", replayed.number, seat, round(100 * loss), i + 1, move.verb, card)


def _win_highlights(replayed: ReplayedRound, chances: WinChances) -> list[Highlight]:
    """How the winner won: by luck, from far behind, or in the lead all the time."""
    winner = replayed.winner
    if winner is None:
        return []
    event, needed, is_behind, points = chances.explain_win(winner)
    found = []
    if event != NO_CHANCE:
        found.append(Highlight("luck", replayed.number, winner, needed, chance=CHANCE_NAMES[event]))
    return [*found, Highlight("comeback" if is_behind else "lead", replayed.number, winner, points)]
