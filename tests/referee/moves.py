"""Moves in the referee: read from and written in the notation (without ``SEAT:``)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lastcard.errors import NotationError
from lastcard.game.cards import COLOR_LETTERS, card_name, parse_card


class RefusedMove(Exception):
    """A move that the rules do not allow, with the clause that forbids it."""

    def __init__(self, clause: str, reason: str) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause = clause
        self.reason = reason


@dataclass(frozen=True)
class Move:
    """One move: a verb and its arguments."""

    verb: str
    card: int | None = None
    color: int | None = None
    target: int | None = None
    uno: bool = False

    def __str__(self) -> str:
        card = "" if self.card is None else card_name(self.card)
        word = card if self.verb == "play" else " ".join(w for w in (self.verb, card) if w)
        color = "" if self.color is None else "=" + COLOR_LETTERS[self.color]
        target = "" if self.target is None else f">{self.target}"
        return word + color + target + ("!" if self.uno else "")


_BARE = {"draw", "pass", "uno", "challenge", "accept", "pull", "stop", "done"}
_AT_SEAT = re.compile(r"(catch|choose|take)>(\d+)")
_COLOR = re.compile(r"color=([RYGB])")
_CARD_AWAY = re.compile(r"(throw|bury) (\S+)")
_PLAY = re.compile(r"([RYGBW][^=>!\s]*)(?:=([RYGB]))?(?:>(\d+))?(!)?")


def parse_move(text: str) -> Move:
    """The move of a text.

    Raises:
        RefusedMove: if it is none.
    """
    if text in _BARE:
        return Move(text)
    if m := _AT_SEAT.fullmatch(text):
        return Move(m[1], target=int(m[2]))
    if m := _COLOR.fullmatch(text):
        return Move("color", color=COLOR_LETTERS.index(m[1]))
    try:
        if m := _CARD_AWAY.fullmatch(text):
            return Move(m[1], card=parse_card(m[2]))
        if m := _PLAY.fullmatch(text):
            color = None if m[2] is None else COLOR_LETTERS.index(m[2])
            target = None if m[3] is None else int(m[3])
            return Move("play", parse_card(m[1]), color, target, m[4] is not None)
    except NotationError:
        pass
    raise RefusedMove("NOTATION", f"{text!r} is no move")
