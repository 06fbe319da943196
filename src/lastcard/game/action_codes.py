"""Moves of a player as small integers.

An action is ``code | arg << 8 | uno << 12 | card << 16``: a code below 80 plays that card, the others are the verbs
below. ``arg`` is a seat or a color; only THROW and BURY use ``card``.
"""

from __future__ import annotations

from typing import Final

ARG_SHIFT: Final = 8
UNO_SHIFT: Final = 12
CARD_SHIFT: Final = 16
NO_ARG: Final = 15
"""The value of ``arg`` if a move names neither a color nor a seat."""
NO_ARG_BITS: Final = NO_ARG << ARG_SHIFT
"""The bits of such an ``arg``."""

VERBS: Final[dict[str, int]] = {}
"""The code of every verb but ``play``, whose code is the card."""


def _add_verb(name: str) -> int:
    return VERBS.setdefault(name, 128 + len(VERBS))


DRAW: Final = _add_verb("draw")
PASS: Final = _add_verb("pass")
UNO: Final = _add_verb("uno")
CATCH: Final = _add_verb("catch")
CHALLENGE: Final = _add_verb("challenge")
ACCEPT: Final = _add_verb("accept")
COLOR: Final = _add_verb("color")
CHOOSE: Final = _add_verb("choose")
PULL: Final = _add_verb("pull")
THROW: Final = _add_verb("throw")
STOP: Final = _add_verb("stop")
BURY: Final = _add_verb("bury")
TAKE: Final = _add_verb("take")
DONE: Final = _add_verb("done")
