"""Phases of a round: the kind of decision that comes next, as in the field ``phase``."""

from typing import Final

NAMES: Final[list[str]] = []
"""Names of the phases in views, positions and cases."""


def _phase(name: str) -> int:
    NAMES.append(name)
    return len(NAMES) - 1


PLAY: Final = _phase("play")
DRAWN: Final = _phase("drawn")
CHALLENGE: Final = _phase("challenge")
STACK: Final = _phase("stack")
# From here on no UNO call and no catch is possible (LC-4).
COLOR: Final = _phase("color")
CHOOSE: Final = _phase("choose")
PULL: Final = _phase("pull")
THROW: Final = _phase("throw")
BURY: Final = _phase("bury")
STREAK: Final = _phase("streak")
TAKE: Final = _phase("take")
PERFORM: Final = _phase("perform")
OVER: Final = _phase("over")
