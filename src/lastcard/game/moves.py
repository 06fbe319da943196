"""Moves as text: ``R5``, ``W=G!``, ``Wx>1``, ``catch>2``, and acts with their seat: ``0:Wx>2!``.

Reading is lenient (case, blanks, words for colors), writing is canonical. Grammar: ``docs/notation.md``.
"""

from __future__ import annotations

import re
from typing import Final

from lastcard.errors import NotationError
from lastcard.game import act
from lastcard.game.actions import CARD_VERBS, SEAT_VERBS, Move
from lastcard.game.cards import parse_card, parse_color

_ALIASES: Final = {"keep": "pass", "colour": "color", "call": "uno", "name": "color"}
_COLOR_WORDS: Final = {"red": "R", "yellow": "Y", "green": "G", "blue": "B"}
_EXPECTED: Final = "a card such as R5, or one of " + ", ".join(act.VERBS)
# word, then = or >, then what it names, then a call; every part but the first may be missing
_MOVE: Final = re.compile(r"\s*([^\s=>!]*)\s*([=>]?)\s*([^\s=>!]*)\s*(!?)\s*")
_PLAY: Final = re.compile(r"\s*play\s+", re.IGNORECASE)
_SEAT: Final = re.compile(r"\s*([^:]*?)\s*:")


def parse_move(text: str) -> Move:
    """The move of a text such as ``R5``, ``W = g``, ``Wx>1!``, ``draw`` or ``throw R5``.

    Args:
        text: the move without its seat; upper or lower case, blanks where you like.

    Returns:
        The move. Whether a table allows it is for the table to say.

    Raises:
        NotationError: names the column and what was expected there.
    """
    return _parse(text, 0)


def move_text(move: Move) -> str:
    """The canonical text of a move, which ``parse_move`` reads back."""
    return str(move)


def parse_act(text: str) -> tuple[int, Move]:
    """The seat and the move of a text such as ``0:Wx>2!``.

    Raises:
        NotationError: names the column and what was expected there.
    """
    head = _SEAT.match(text)
    if head is None:
        raise NotationError("no seat; expected a seat, a colon and a move, such as 0:R5", text, _skip(text, 0))
    return _seat(head[1], text, head.start(1)), _parse(text, head.end())


def act_text(seat: int, move: Move) -> str:
    """The canonical text of a move of a seat: ``0:Wx>2!``."""
    return f"{seat}:{move}"


def _parse(text: str, start: int) -> Move:
    play = _PLAY.match(text, start)
    found = _MOVE.match(text, play.end() if play else start)
    assert found is not None, "every part of the pattern may be empty"
    word, call = found[1], found[4]
    if not word:
        raise NotationError(f"no move; expected {_EXPECTED}", text, found.start(1))
    verb = _ALIASES.get(word.lower(), word.lower())
    move = _verb(verb, found) if verb in act.VERBS and not play else _play(found)
    if found.end() < len(text):
        raise NotationError(f"{text[found.end() :]!r} is too much; expected the end of the move", text, found.end())
    if call and move.verb not in ("play", "uno"):
        raise NotationError(f"! calls UNO with a play; {move.verb} is none", text, found.start(4))
    return move


def _play(found: re.Match[str]) -> Move:
    """A play: a card, then maybe a color or a seat."""
    word, sign, named, call = found.groups()
    card = _card(word, found.string, found.start(1), _EXPECTED)
    if named and not sign:
        expected = "= and a color, > and a seat, ! or the end of the move"
        raise NotationError(f"{named!r} is not right here; expected {expected}", found.string, found.start(3))
    color = _color(named, found.string, found.start(3)) if sign == "=" else None
    target = _seat(named, found.string, found.start(3)) if sign == ">" else None
    return Move("play", card, color, target, bool(call))


def _verb(verb: str, found: re.Match[str]) -> Move:
    """An act that is no play; between its verb and what it names a blank will do."""
    sign, named, text, column = found[2], found[3], found.string, found.start(3)
    right = "=" if verb == "color" else ">" if verb in SEAT_VERBS else ""
    if sign and sign != right:
        expected = f"{right} after {verb}" if right else f"no {sign} after {verb}"
        raise NotationError(f"{sign!r} is not right here; expected {expected}", text, found.start(2))
    if verb == "color":
        return Move(verb, color=_color(named, text, column))
    if verb in SEAT_VERBS:
        return Move(verb, target=_seat(named, text, column))
    if verb in CARD_VERBS:
        return Move(verb, card=_card(named, text, column, "a card such as R5"))
    if named:
        raise NotationError(f"{named!r} is not right here; expected nothing after {verb}", text, column)
    return Move(verb)


def _card(word: str, text: str, column: int, expected: str) -> int:
    try:
        return parse_card(word)
    except NotationError:
        raise NotationError(f"{_found(word)}; expected {expected}", text, column) from None


def _color(word: str, text: str, column: int) -> int:
    try:
        return parse_color(_COLOR_WORDS.get(word.lower(), word))
    except NotationError:
        raise NotationError(f"{_found(word)}; expected a color, one of R Y G B", text, column) from None


def _seat(word: str, text: str, column: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 2):
        raise NotationError(f"{_found(word)}; expected a seat, a number from 0", text, column)
    return int(word)


def _found(word: str) -> str:
    return f"{word!r} is not right here" if word else "something is missing"


def _skip(text: str, column: int) -> int:
    """The first column from there that is not blank."""
    return len(text) - len(text[column:].lstrip())
