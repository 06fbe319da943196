"""Codes of the event log: the kinds of events, and the reasons for which cards are drawn."""

from typing import Final

PLAYED: Final = 1
DREW: Final = 2
PASSED: Final = 3
SKIPPED: Final = 4
REVERSED: Final = 5
SWAPPED: Final = 6
HANDS_PASSED: Final = 7
CALLED: Final = 8
CAUGHT: Final = 9
FALSE_CALL: Final = 10
FALSE_CATCH: Final = 11
CHALLENGED: Final = 12
SHOWN: Final = 13
COLOR: Final = 14
LEVER: Final = 15
RULE: Final = 16
THREW: Final = 17
BURIED: Final = 18
TOOK: Final = 19
RESHUFFLED: Final = 20
DONE: Final = 21
OVER: Final = 22
CHOSE: Final = 23
TARGET: Final = 24
JUMPED: Final = 25
TURNED: Final = 26
# Only in a history (``history.py``): who moved, and a card that was seen.
HISTORY_MOVE: Final = 27
HISTORY_SEEN: Final = 28

DRAW_REASONS: Final[list[str]] = []
"""Names of the reasons for which cards are drawn: the second value of DREW."""


def _by(name: str) -> int:
    DRAW_REASONS.append(name)
    return len(DRAW_REASONS) - 1


BY_TURN: Final = _by("turn")
BY_CARD: Final = _by("card")
BY_PENALTY: Final = _by("penalty")
BY_CHALLENGE: Final = _by("challenge")
BY_LEVER: Final = _by("lever")
BY_RULE: Final = _by("rule")
BY_DEAL: Final = len(DRAW_REASONS)  # only in a history
