"""Hints: the best moves of a seat with their chances, and why, in words. All of it comes from the seat's view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lastcard.bots.base import choices as choices_of
from lastcard.bots.reasons import Reason, find_reason
from lastcard.bots.search import Choice, Effort, Search
from lastcard.game.actions import Move
from lastcard.play.view import View
from lastcard.words.narrate import Narrator

BEST: Final = 3
"""How many moves a hint names."""
LEVEL: Final = "expert"
"""The level of bots whose search it is."""
EFFORT: Final = Effort(rollouts=16_000, deals=8192, milliseconds=1500)
"""More than a bot's, for a person reads the figures; and hardly two on the same deal, so that the intervals hold."""


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


def weigh(view: View, effort: Effort = EFFORT) -> list[Choice]:
    """What the seat on turn can do, best first; the same view gets the same answer unless time runs out.

    Args:
        view: of the seat on turn.
        effort: how hard to think.
    """
    return Search(effort).weigh(view, choices_of(view), 0)


def hints(view: View, choices: list[Choice], narrator: Narrator) -> list[Hint]:
    """The best few of the choices, in words.

    Args:
        view: they were weighed for.
        choices: best first.
        narrator: for the words.
    """
    return [_hint(view, choice, choices, narrator) for choice in choices[:BEST]]


def _hint(view: View, choice: Choice, choices: list[Choice], narrator: Narrator) -> Hint:
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
