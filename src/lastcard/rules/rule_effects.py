"""Effects of rule cards as codes in a round state: ``verb | n << 8 | who << 16`` (LC-51)."""

from typing import Final

EFFECT_CODES: Final[dict[str, int]] = {}
"""The code of every verb."""


def _verb(name: str) -> int:
    return EFFECT_CODES.setdefault(name, 1 + len(EFFECT_CODES))


NONE: Final = 0
DRAW: Final = _verb("draw")
DRAW_UNTIL: Final = _verb("draw_until")
DISCARD: Final = _verb("discard")
DISCARD_UNTIL: Final = _verb("discard_until")
GIVE: Final = _verb("give")
TAKE: Final = _verb("take")
SWAP: Final = _verb("swap")
EVERYONE: Final = _verb("everyone")
STREAK: Final = _verb("streak")
WILDS: Final = _verb("wilds")
SKIP: Final = _verb("skip")
REVERSE: Final = _verb("reverse")
DARE: Final = _verb("dare")

WHO_CODES: Final[dict[str, int]] = {"": 0}
"""The code of an effect's target."""


def _who(name: str) -> int:
    return WHO_CODES.setdefault(name, len(WHO_CODES))


WHO_LEFT: Final = _who("left")
WHO_RIGHT: Final = _who("right")
WHO_MOST: Final = _who("most")
WHO_FEWEST: Final = _who("fewest")
WHO_CHOSEN: Final = _who("chosen")
