"""Reasons why an action is refused: each with its name for programs and the clause that forbids the action."""

from typing import Final

ALL: Final[list[tuple[str, str]]] = []
"""Name and clause of every reason; a reason is an index here."""


def _reason(name: str, clause: str) -> int:
    ALL.append((name, clause))
    return len(ALL) - 1


OK: Final = _reason("ok", "")
ROUND_OVER: Final = _reason("round-over", "CO-40")
NOT_YOUR_TURN: Final = _reason("not-your-turn", "CO-3")
DECIDE_FIRST: Final = _reason("decide-first", "CO-6")
NOT_HELD: Final = _reason("not-held", "CO-3")
NO_MATCH: Final = _reason("no-match", "CL-15")
COLOR_HELD: Final = _reason("color-held", "CL-30")
ONLY_DRAWN: Final = _reason("only-drawn", "CL-20")
DRAWN_CARD: Final = _reason("drawn-card", "CO-8")
MUST_PLAY_DRAWN: Final = _reason("must-play-drawn", "LC-44")
ALREADY_DREW: Final = _reason("already-drew", "AW-11")
MUST_NOT_DRAW: Final = _reason("must-not-draw", "CL-19")
NOTHING_TO_DRAW: Final = _reason("nothing-to-draw", "CO-34")
COLOR_NEEDED: Final = _reason("color-needed", "CL-22")
TARGET_NEEDED: Final = _reason("target-needed", "AW-23")
BAD_TARGET: Final = _reason("bad-target", "AW-23")
TARGET_PROTECTED: Final = _reason("target-protected", "LC-34")
NOT_LAST: Final = _reason("not-last", "LC-15")
NO_ANSWER: Final = _reason("no-answer", "LC-40")
NO_CHALLENGE: Final = _reason("no-challenge", "CL-32")
NOT_CHALLENGER: Final = _reason("not-challenger", "CL-32")
CALL_COUNT: Final = _reason("call-count", "CO-13")
CALL_EARLY: Final = _reason("call-early", "LC-17")
CALL_NOT_NOW: Final = _reason("call-not-now", "LC-4")
CATCH_SELF: Final = _reason("catch-self", "CO-14")
CATCH_CLOSED: Final = _reason("catch-closed", "CO-20")
NO_JUMP_IN: Final = _reason("no-jump-in", "CO-3")
NOT_IDENTICAL: Final = _reason("not-identical", "LC-41")
JUMP_LATE: Final = _reason("jump-late", "LC-41")
THROW_WILD: Final = _reason("throw-wild", "WJ-41")
THROW_COLOR: Final = _reason("throw-color", "WJ-40e")
NO_PASS: Final = _reason("no-pass", "CO-4")
NO_LEVER: Final = _reason("no-lever", "WJ-24")
NOT_ASKED: Final = _reason("not-asked", "CO-6")
NOT_AN_ACT: Final = _reason("not-an-act", "CO-3")
SURPLUS: Final = _reason("surplus", "CO-3")
