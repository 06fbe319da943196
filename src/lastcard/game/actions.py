"""What a player may do: ``Move``, its text, and its form as one small integer (``game/act.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from lastcard.errors import NotationError, Refused
from lastcard.game import act
from lastcard.game.cards import CARD_NAMES, CARD_SLOTS, COLORS, W_DRAW_FOUR, W_JACKPOT, W, card_name, color_letter

VERB_NAMES: Final[dict[int, str]] = {code: verb for verb, code in act.VERBS.items()}
CALLS: Final = ("uno", "catch")
"""Verbs that are no choice of what to play."""
SEAT_VERBS: Final = frozenset({"catch", "choose", "take"})
"""Verbs that name a seat."""
CARD_VERBS: Final = frozenset({"throw", "bury"})
"""Verbs, besides ``play``, that name a card."""
COLOR_CARDS: Final = frozenset({W, W_DRAW_FOUR, W_JACKPOT})
"""Cards that may name a color; every other card may name a seat."""
SEATS: Final = range(10)


@dataclass(frozen=True, slots=True)
class Move:
    """One act of a player, without the seat. ``str()`` gives the notation of ``docs/notation.md``.

    Args:
        verb: ``play``, ``draw``, ``pass``, ``uno``, ``catch``, ``challenge``, ``accept``, ``color``,
            ``choose``, ``pull``, ``throw``, ``stop``, ``bury``, ``take`` or ``done``.
        card: the card of play, throw and bury.
        color: the color named by a play or by ``color``.
        target: the seat named by a play, ``catch``, ``choose`` or ``take``.
        uno: whether UNO is called with the play.
    """

    verb: str
    card: int | None = None
    color: int | None = None
    target: int | None = None
    uno: bool = False

    def __str__(self) -> str:
        words = self.verb if self.verb != "play" else ""
        if self.card is not None:
            words += (" " if words else "") + card_name(self.card)
        if self.color is not None:
            words += "=" + color_letter(self.color)
        if self.target is not None:
            words += f">{self.target}"
        return words + ("!" if self.uno else "")


@cache
def move_action(move: Move) -> int:
    """The integer form of a move.

    Raises:
        NotationError: for a move that is none, such as an unknown verb or a play without a card.
        Refused: for a move that can be written but names a color or a seat its card has no use for.
    """
    _check_parts(move)
    _check_argument(move)
    arg = next((a for a in (move.color, move.target) if a is not None), act.NO_ARG)
    if move.verb == "play":
        return _number(move.card) | arg << act.ARG_SHIFT | int(move.uno) << act.UNO_SHIFT
    card = _number(move.card) << act.CARD_SHIFT if move.verb in CARD_VERBS else 0
    return act.VERBS[move.verb] | arg << act.ARG_SHIFT | card


def _number(card: int | None) -> int:
    if card not in CARD_NAMES:
        raise NotationError(f"{card!r} is not the number of a card")
    return card


def _check_parts(move: Move) -> None:
    """Refuse a move with too few or too many parts; what it needs follows from the verb."""
    verb, play = move.verb, move.verb == "play"
    if not play and verb not in act.VERBS:
        raise NotationError(f"there is no move {verb!r}; the moves are play, {', '.join(act.VERBS)}")
    for part, value, needed in (
        ("card", move.card, play or verb in CARD_VERBS),
        ("color", move.color, verb == "color"),
        ("seat", move.target, verb in SEAT_VERBS),
    ):
        if (value is not None) != needed and not (play and part != "card"):
            raise NotationError(f"{verb} {'needs a' if needed else 'takes no'} {part}")
    if move.color is not None and move.color not in COLORS:
        raise NotationError(f"{move.color!r} is not the number of a color")
    if move.uno and not play:
        raise NotationError(f"{verb} cannot be combined with a call; only a play can")


def _check_argument(move: Move) -> None:
    """Refuse what the notation can write and no table can do: ``R5=G``, ``W>2``, ``Wx>12``."""
    if move.target is not None and move.target not in SEATS:
        raise Refused("bad-target", "AW-23", f"there is no seat {move.target} at any table (AW-23)")
    if move.verb == "play" and (move.color if move.card not in COLOR_CARDS else move.target) is not None:
        what = "seat" if move.card in COLOR_CARDS else "color"
        raise Refused("surplus", "CO-3", f"{card_name(_number(move.card))} names no {what} (CO-3)")


@cache
def action_move(action: int) -> Move:
    """The move of an integer form; whether ``arg`` is a color or a seat follows from the card.

    Raises:
        NotationError: for an integer that is the form of no move.
    """
    code, arg = action & 0xFF, action >> act.ARG_SHIFT & 0xF
    uno, card = bool(action >> act.UNO_SHIFT & 1), action >> act.CARD_SHIFT
    named = arg if arg != act.NO_ARG else None
    if code < CARD_SLOTS:
        names_color = code in COLOR_CARDS
        move = Move("play", code, named if names_color else None, None if names_color else named, uno)
    else:
        verb = VERB_NAMES.get(code, str(code))
        names_color = verb == "color"
        held = card if verb in CARD_VERBS else None
        move = Move(verb, held, named if names_color else None, None if names_color else named, uno)
    if move_action(move) != action:
        raise NotationError(f"{action} is not the number of a move")
    return move
