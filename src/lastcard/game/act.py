"""The acts of a player as small integers.

An action is ``code | arg << 8 | uno << 12 | card << 16``: a code below 80 plays that card, the others are the verbs
below. ``arg`` is a seat or a color; ``card`` is used by THROW and BURY alone.
"""

from __future__ import annotations

from typing import Final

ARG_SHIFT: Final = 8
UNO_SHIFT: Final = 12
CARD_SHIFT: Final = 16
NO_ARG: Final = 15
"""The value of ``arg`` where a move names neither a color nor a seat."""
BARE: Final = NO_ARG << ARG_SHIFT
"""What is added to the code of an act that names neither."""

VERBS: Final[dict[str, int]] = {}
"""The code of every verb but ``play``, whose code is the card."""


def _verb(name: str) -> int:
    return VERBS.setdefault(name, 128 + len(VERBS))


DRAW: Final = _verb("draw")
PASS: Final = _verb("pass")
UNO: Final = _verb("uno")
CATCH: Final = _verb("catch")
CHALLENGE: Final = _verb("challenge")
ACCEPT: Final = _verb("accept")
COLOR: Final = _verb("color")
CHOOSE: Final = _verb("choose")
PULL: Final = _verb("pull")
THROW: Final = _verb("throw")
STOP: Final = _verb("stop")
BURY: Final = _verb("bury")
TAKE: Final = _verb("take")
DONE: Final = _verb("done")
