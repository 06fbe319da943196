"""Hints: the best moves of a seat with their chances, and why, in words. All of it comes from the seat's view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from lastcard.bots import judge
from lastcard.bots.base import choices as choices_of
from lastcard.bots.reasons import Reason, find_reason
from lastcard.bots.search import Choice, Effort
from lastcard.bots.statistics import Estimate
from lastcard.game.actions import Move
from lastcard.match.view import View
from lastcard.text.narrate import Narrator

BEST: Final = 3
"""How many moves a hint names."""
FINDING: Final = replace(judge.FINDING, milliseconds=800)
"""How hard the best moves are searched for: as the strongest level does."""
MEASURING: Final = replace(judge.MEASURING, deals=256)
"""More than in a report, for a person reads the figures."""
SECONDS: Final = 1.0
"""After how many no more is measured."""
_SEED: Final = 0
"""The same view gets the same advice."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a seat can do.

    Args:
        choices: best first; the first few were measured on deals of their own, their ``error`` says how well.
        ahead: by how much the first one wins more rounds than the second.
    """

    choices: tuple[Choice, ...]
    ahead: Estimate


@dataclass(frozen=True, slots=True)
class Hint:
    """A move that is worth a thought.

    Args:
        move: what to do.
        words: the same in words.
        chance: of winning the round, 0 to 1, if everybody goes on by rules of thumb.
        error: half of the 95 % interval of ``chance``.
        why: what speaks for it, a sentence.
    """

    move: Move
    words: str
    chance: float
    error: float
    why: str


def weigh(view: View, finding: Effort = FINDING, measuring: Effort = MEASURING) -> Weighed:
    """What the seat on turn can do; the same view gets the same answer unless time runs out.

    Args:
        view: of the seat on turn.
        finding: how hard the best few are searched for.
        measuring: how many deals measure them.
    """
    board = judge.Judge(finding, measuring)
    found = board.find(view, choices_of(view), _SEED)
    if len(found) == 1 or view.seat is None:
        return Weighed(tuple(found), Estimate())
    named, rest = found[:BEST], found[BEST:]
    measured = board.measure(view, [choice.move for choice in named], _SEED, SECONDS)
    figures = [measured.chance(choice.move, view.seat) for choice in named]
    best = [
        replace(choice, chance=figure.value, error=figure.margin, rollouts=measured.deals)
        for choice, figure in zip(named, figures, strict=True)
    ]
    best.sort(key=lambda choice: -choice.chance)
    return Weighed((*best, *rest), measured.more(best[0].move, best[1].move, view.seat))


def hints(view: View, weighed: Weighed, narrator: Narrator) -> list[Hint]:
    """The best few of the choices, in words; the first says what the next best loses.

    Args:
        view: they were weighed for.
        weighed: see ``weigh``.
        narrator: for the words.
    """
    found = [_hint(view, choice, weighed.choices, narrator) for choice in weighed.choices[:BEST]]
    if len(found) > 1:
        found[0] = replace(found[0], why=f"{found[0].why} {_comparison(weighed.ahead, found[1], narrator)}")
    return found


def _comparison(ahead: Estimate, second: Hint, narrator: Narrator) -> str:
    """How much better the best move is than the second."""
    points = round(100 * ahead.value)
    if not ahead.is_positive or points == 0:
        return narrator.texts.text("hint.tied", move=second.words)
    return narrator.texts.text("hint.ahead", n=points, move=second.words)


def _hint(view: View, choice: Choice, choices: Sequence[Choice], narrator: Narrator) -> Hint:
    assert choice.move is not None
    why = reason_words(find_reason(view, choice, choices), narrator)
    return Hint(choice.move, move_words(choice.move, view, narrator), choice.chance, choice.error, why)


def reason_words(reason: Reason, narrator: Narrator) -> str:
    """A reason as a sentence."""
    mine, theirs = reason.hands
    values: dict[str, object] = {"n": reason.n, "count": reason.n, "mine": mine, "theirs": theirs}
    if reason.player is not None:
        values["player"] = narrator.name(reason.player)
    if reason.card is not None:
        values["card"] = narrator.card(reason.card)
    if reason.color is not None:
        values["color"] = narrator.texts.color(reason.color)
    text = narrator.texts.text(f"advice.{reason.name}", **values)
    return text[0].upper() + text[1:]


def move_words(move: Move, view: View, narrator: Narrator) -> str:
    """A move in words, with the color or the player it names: ``Wild – red``."""
    texts = narrator.texts
    named = None
    if move.color is not None:
        named = texts.color(move.color)
    elif move.target is not None:
        named = narrator.name(move.target)
    card = None if move.card is None else narrator.card(move.card)
    if move.verb == "play":
        return str(card) if named is None else f"{card} – {named}"
    return texts.text(f"play.choice.{move.verb}", card=card, color=named, player=named, n=view.pending)
