"""Hints: the best moves of a seat with their chances and reasons, in words. They use only the seat's view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from lastcard.ai.evaluation import MAX_MEASURED
from lastcard.bots import evaluation
from lastcard.bots.base import list_turn_moves as choices_of
from lastcard.bots.move_reasons import Reason, find_reason
from lastcard.bots.search import RatedMove, SearchConfig
from lastcard.game.moves import Move
from lastcard.match.view import View
from lastcard.text.narration import Narrator

HINT_MOVES: Final = MAX_MEASURED
"""Number of moves in a hint."""
SEARCH_CONFIG: Final = replace(evaluation.SEARCH_CONFIG, milliseconds=800)
"""Search for the best moves, as the strongest level searches."""
MEASURE_CONFIG: Final = replace(evaluation.MEASURE_CONFIG, deals=256)
"""Measurement with more deals than in a report, because a person reads the figures."""
TIME_LIMIT_S: Final = 1.0
"""Seconds after which no more deals are measured."""
_SEED: Final = 0
"""Seed of all advice: the same view gets the same advice."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move worth considering."""

    move: Move
    words: str
    chance: float
    """Chance to win the round, 0 to 1, if everybody goes on by rules of thumb."""
    error: float
    """Half of the 95 % interval of ``chance``."""
    why: str
    """The reason for the move, in about five words."""


def rank_moves(
    view: View,
    search_config: SearchConfig = SEARCH_CONFIG,
    measure_config: SearchConfig = MEASURE_CONFIG,
    time_limit_s: float | None = TIME_LIMIT_S,
) -> tuple[RatedMove, ...]:
    """Rate the moves of the seat on turn; the same view gets the same answer unless time runs out.

    Args:
        search_config: effort of the search for the best few moves.
        measure_config: number of deals that measure them.
        time_limit_s: time limit of the measurement; None: none.
    """
    evaluator = evaluation.MoveEvaluator(search_config, measure_config)
    return evaluator.rank_moves(view, choices_of(view), _SEED, time_limit_s)


def make_hints(view: View, ranked: Sequence[RatedMove], narrator: Narrator) -> list[Hint]:
    """The best few of the rated moves, in words."""
    return [_hint(view, choice, ranked, narrator) for choice in ranked[:HINT_MOVES]]


def _hint(view: View, choice: RatedMove, choices: Sequence[RatedMove], narrator: Narrator) -> Hint:
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
