"""``Move``, its text, and its action id (``game/action_codes.py``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from lastcard.errors import IllegalMove, NotationError
from lastcard.game import action_codes
from lastcard.game.cards import (
    CARD_NAMES,
    CARD_SLOTS,
    CARDS,
    COLORS,
    COLORS_OR_NONE,
    W_DRAW_FOUR,
    W_JACKPOT,
    Card,
    Color,
    W,
    card_name,
    color_letter,
    parse_card,
    parse_color,
)
from lastcard.game.numbers import is_integer

VERB_NAMES: Final[dict[int, str]] = {code: verb for verb, code in action_codes.VERBS.items()}
CALLS: Final = ("uno", "catch")
"""Verbs of calls, which are not the move of a turn."""
SEAT_VERBS: Final = frozenset({"catch", "choose", "take"})
"""Verbs that name a seat."""
CARD_VERBS: Final = frozenset({"throw", "bury"})
"""Verbs, besides ``play``, that name a card."""
COLOR_CARDS: Final = frozenset({W, W_DRAW_FOUR, W_JACKPOT})
"""Cards that may name a color; every other card may name a seat."""
SEATS: Final = range(10)


@dataclass(frozen=True, slots=True, init=False)
class Move:
    """One move of a player, without the seat. It prints its notation (``docs/notation.md``) and equals it.

    >>> Move("play", "W", "G", uno=True), Move("catch", target=2) == "catch>2"
    (<Move W=G!>, True)

    Args:
        verb: ``play``, ``draw``, ``pass``, ``uno``, ``catch``, ``challenge``, ``accept``, ``color``,
            ``choose``, ``pull``, ``throw``, ``stop``, ``bury``, ``take`` or ``done``.
        card: card of play, throw and bury, by name or number.
        color: color named by a play or by ``color``, by letter or number.
        target: seat named by a play, ``catch``, ``choose`` or ``take``.
        uno: whether UNO is called with the play.

    Raises:
        NotationError: for a text that names no card or color.
    """

    verb: str
    card: Card | None
    color: Color | None
    target: int | None
    uno: bool

    def __init__(
        self,
        verb: str,
        card: int | str | None = None,
        color: int | str | None = None,
        target: int | None = None,
        uno: bool = False,
    ) -> None:
        write = object.__setattr__
        write(self, "verb", verb)
        write(self, "card", _read(card, parse_card, CARDS))
        write(self, "color", _read(color, parse_color, COLORS_OR_NONE))
        write(self, "target", target)
        write(self, "uno", uno)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        return self is other or (isinstance(other, Move) and self._values() == other._values())

    def _values(self) -> tuple[str, int | None, int | None, int | None, bool]:
        return self.verb, self.card, self.color, self.target, self.uno

    def __repr__(self) -> str:
        return f"<Move {self}>"

    def __str__(self) -> str:
        words = self.verb if self.verb != "play" else ""
        if self.card is not None:
            words += (" " if words else "") + card_name(self.card)
        if self.color is not None:
            words += "=" + color_letter(self.color)
        if self.target is not None:
            words += f">{self.target}"
        return words + ("!" if self.uno else "")


def _read(value: Any, parse: Callable[[str], Any], known: Mapping[int, Any]) -> Any:
    """Returns the card or color of a text or number; other values as they are, for ``move_to_action`` to refuse."""
    if isinstance(value, str):
        return parse(value)
    return known.get(value, value) if is_integer(value) else value


def move_to_action(move: Move) -> int:
    """Returns the action id of a move.

    Raises:
        NotationError: for an invalid move, such as an unknown verb or a play without a card.
        IllegalMove: for a valid move that names a color or a seat that its card does not use.
    """
    known = _ACTIONS_BY_ID.get(id(move))
    if known is not None:
        return known
    for value in (move.card, move.color, move.target):
        if value is not None and not is_integer(value):  # True equals 1, so it would be accepted
            raise NotationError(f"{value!r} is no whole number; cards, colors and seats are")
    return _move_to_action(move)


@cache
def _move_to_action(move: Move) -> int:
    _check_parts(move)
    _check_argument(move)
    arg = next((a for a in (move.color, move.target) if a is not None), action_codes.NO_ARG)
    if move.verb == "play":
        return _card_number(move.card) | arg << action_codes.ARG_SHIFT | int(move.uno) << action_codes.UNO_SHIFT
    card = _card_number(move.card) << action_codes.CARD_SHIFT if move.verb in CARD_VERBS else 0
    return action_codes.VERBS[move.verb] | arg << action_codes.ARG_SHIFT | card


def _card_number(card: int | None) -> int:
    if card not in CARD_NAMES:
        raise NotationError(f"{card!r} is not the number of a card")
    return card


def _check_parts(move: Move) -> None:
    """Refuse a move with too few or too many parts for its verb."""
    verb, play = move.verb, move.verb == "play"
    if not play and verb not in action_codes.VERBS:
        raise NotationError(f"there is no move {verb!r}; the moves are play, {', '.join(action_codes.VERBS)}")
    for part, value, needed in (
        ("card", move.card, play or verb in CARD_VERBS),
        ("color", move.color, verb == "color"),
        ("seat", move.target, verb in SEAT_VERBS),
    ):
        if (value is not None) != needed and not (play and part != "card"):
            raise NotationError(f"{verb} {'needs a' if needed else 'takes no'} {part}")
    if move.color is not None and move.color not in COLORS:
        raise NotationError(f"{move.color!r} is not the number of a color")
    if move.uno not in (True, False):
        raise NotationError(f"{move.uno!r} is neither a call nor none; uno is True or False")
    if move.uno and not play:
        raise NotationError(f"{verb} cannot be combined with a call; only a play can")


def _check_argument(move: Move) -> None:
    """Refuse moves that the notation allows, but no rules: ``R5=G``, ``W>2``, ``Wx>12``."""
    if move.target is not None and move.target not in SEATS:
        message = f"there is no seat {move.target!r} at any table; seats are 0 to {SEATS[-1]} at most (CO-47)"
        raise IllegalMove("bad-target", "CO-47", message, "no-seat")
    if move.verb == "play" and (move.color if move.card not in COLOR_CARDS else move.target) is not None:
        what = "seat" if move.card in COLOR_CARDS else "color"
        raise IllegalMove("surplus", "CO-3", f"{card_name(_card_number(move.card))} names no {what} (CO-3)")


@cache
def action_to_move(action: int) -> Move:
    """Returns the move of an action id; its code decides whether ``arg`` is a color or a seat.

    Raises:
        NotationError: for an integer that is no action id.
    """
    code, arg = action & 0xFF, action >> action_codes.ARG_SHIFT & 0xF
    uno, card = bool(action >> action_codes.UNO_SHIFT & 1), action >> action_codes.CARD_SHIFT
    named = arg if arg != action_codes.NO_ARG else None
    if code < CARD_SLOTS:
        names_color = code in COLOR_CARDS
        move = Move("play", code, named if names_color else None, None if names_color else named, uno)
    else:
        verb = VERB_NAMES.get(code, str(code))
        names_color = verb == "color"
        card_named = card if verb in CARD_VERBS else None
        move = Move(verb, card_named, named if names_color else None, None if names_color else named, uno)
    if move_to_action(move) != action:
        raise NotationError(f"{action} is not the number of a move")
    _ACTIONS_BY_ID[id(move)] = action
    return move


_ACTIONS_BY_ID: Final[dict[int, int]] = {}
"""The action ids of the moves that ``action_to_move`` has made, by ``id``; they live on, because it is cached."""


# --- as text --------------------------------------------------------------------------------------


ALIASES: Final = {"keep": "pass", "colour": "color", "call": "uno", "name": "color"}
_COLOR_WORDS: Final = {"red": "R", "yellow": "Y", "green": "G", "blue": "B"}
_EXPECTED: Final = "a card such as R5, or one of " + ", ".join(action_codes.VERBS)
# word, then = or >, then a color or seat, then a call; every part but the first is optional
_MOVE: Final = re.compile(r"\s*([^\s=>!]*)\s*([=>]?)\s*([^\s=>!]*)\s*(!?)\s*")
_PLAY: Final = re.compile(r"\s*play\s+", re.IGNORECASE)
_SEAT: Final = re.compile(r"\s*([^:]*?)\s*:")


def parse_move(text: str) -> Move:
    """Returns the move of a text such as ``R5``, ``W = g``, ``Wx>1!``, ``draw`` or ``throw R5``; it may be illegal.

    >>> parse_move("w = g !")
    <Move W=G!>

    Args:
        text: the move in upper or lower case, with blanks anywhere.

    Raises:
        NotationError: with the column and what was expected there; also if it is no text.
    """
    if not isinstance(text, str):
        raise NotationError(f"a move is a Move or a text, such as R5!, not {text!r}")
    return _parse_move_at(text, 0)


def parse_seat_move(text: str) -> tuple[int, Move]:
    """Returns the seat and the move of a text such as ``0:Wx>2!``.

    Raises:
        NotationError: with the column and what was expected there; also if it is no text.
    """
    if not isinstance(text, str):
        raise NotationError(f"a move is a text, such as 0:R5!, not {text!r}")
    head = _SEAT.match(text)
    if head is None:
        column = len(text) - len(text.lstrip())
        raise NotationError("no seat; expected a seat, a colon and a move, such as 0:R5", text, column)
    return _parse_seat_at(head[1], text, head.start(1)), _parse_move_at(text, head.end())


def seat_move_text(seat: int, move: Move) -> str:
    """Returns the canonical text of a move of a seat: ``0:Wx>2!``."""
    return f"{seat}:{move}"


def _parse_move_at(text: str, start: int) -> Move:
    play = _PLAY.match(text, start)
    found = _MOVE.match(text, play.end() if play else start)
    assert found is not None, "every part of the pattern may be empty"
    word, call = found[1], found[4]
    if not word:
        raise NotationError(f"no move; expected {_EXPECTED}", text, found.start(1))
    verb = ALIASES.get(word.lower(), word.lower())
    move = _parse_verb_move(verb, found) if verb in action_codes.VERBS and not play else _parse_play(found)
    if found.end() < len(text):
        raise NotationError(f"{text[found.end() :]!r} is left over; expected the end of the move", text, found.end())
    if call and move.verb not in ("play", "uno"):
        raise NotationError(f"! calls UNO with a play; {move.verb} is not a play", text, found.start(4))
    return move


def _parse_play(found: re.Match[str]) -> Move:
    """Returns a play: a card, then optionally a color or a seat."""
    word, sign, named, call = found.groups()
    card = _parse_card_at(word, found.string, found.start(1), _EXPECTED)
    if named and not sign:
        expected = "= and a color, > and a seat, ! or the end of the move"
        raise NotationError(f"{named!r} is not right here; expected {expected}", found.string, found.start(3))
    color = _parse_color_at(named, found.string, found.start(3)) if sign == "=" else None
    target = _parse_seat_at(named, found.string, found.start(3)) if sign == ">" else None
    return Move("play", card, color, target, bool(call))


def _parse_verb_move(verb: str, found: re.Match[str]) -> Move:
    """Returns a move that is no play; a blank may separate the verb from what it names."""
    sign, named, text, column = found[2], found[3], found.string, found.start(3)
    right = "=" if verb == "color" else ">" if verb in SEAT_VERBS else ""
    if sign and sign != right:
        expected = f"{right} after {verb}" if right else f"no {sign} after {verb}"
        raise NotationError(f"{sign!r} is not right here; expected {expected}", text, found.start(2))
    if verb == "color":
        return Move(verb, color=_parse_color_at(named, text, column))
    if verb in SEAT_VERBS:
        return Move(verb, target=_parse_seat_at(named, text, column))
    if verb in CARD_VERBS:
        return Move(verb, card=_parse_card_at(named, text, column, "a card such as R5"))
    if named:
        raise NotationError(f"{named!r} is not right here; expected nothing after {verb}", text, column)
    return Move(verb)


def _parse_card_at(word: str, text: str, column: int, expected: str) -> Card:
    try:
        return parse_card(word)
    except NotationError:
        raise NotationError(f"{_found_text(word)}; expected {expected}", text, column) from None


def _parse_color_at(word: str, text: str, column: int) -> Color:
    try:
        return parse_color(_COLOR_WORDS.get(word.lower(), word))
    except NotationError:
        raise NotationError(f"{_found_text(word)}; expected a color, one of R Y G B", text, column) from None


def _parse_seat_at(word: str, text: str, column: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 2):
        raise NotationError(f"{_found_text(word)}; expected a seat, a number from 0", text, column)
    return int(word)


def _found_text(word: str) -> str:
    return f"{word!r} is not right here" if word else "something is missing"
