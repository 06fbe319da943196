"""What happened, as typed values: read from the kernel's tape after each act.

Every event can be shown to a seat or a spectator through ``seen_by``: cards that viewer may not know
become None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import Struct

from lastcard.engine import tape
from lastcard.game.options import LEVER_OUTCOMES


class Event(Struct, frozen=True):
    """The root of all events; public unless said otherwise."""

    def seen_by(self, seat: int | None) -> Event:
        """This event as a seat (None: a spectator) may see it."""
        return self


class Turned(Event, frozen=True):
    """The first card was turned over."""

    card: int


class Played(Event, frozen=True):
    """A card was laid; ``color`` is the one named for a wild."""

    seat: int
    card: int
    color: int | None


class JumpedIn(Event, frozen=True):
    """A seat laid the next card out of turn (6.2)."""

    seat: int


class Targeted(Event, frozen=True):
    """A Targeted Draw Two named its target."""

    seat: int
    target: int


class Drew(Event, frozen=True):
    """A seat drew cards, in order; only that seat knows them. ``reason`` is one of ``tape.DRAW_REASONS``."""

    seat: int
    count: int
    cards: tuple[int, ...] | None
    reason: str

    def seen_by(self, seat: int | None) -> Event:
        return self if seat == self.seat else Drew(self.seat, self.count, None, self.reason)


class Passed(Event, frozen=True):
    """A seat kept the drawn card, or had to pass with nothing to draw (CO-34)."""

    seat: int


class Skipped(Event, frozen=True):
    """A seat lost its turn."""

    seat: int


class Reversed(Event, frozen=True):
    """The direction turned; it is now 1 (clockwise) or -1."""

    direction: int


class Swapped(Event, frozen=True):
    """Two seats exchanged hands."""

    seat: int
    other: int


class HandsPassed(Event, frozen=True):
    """Everybody passed the hand on, clockwise (1) or counter-clockwise (-1)."""

    direction: int


class Called(Event, frozen=True):
    """A seat called UNO."""

    seat: int


class Caught(Event, frozen=True):
    """A seat that forgot to call was caught."""

    seat: int
    by: int


class FalseCall(Event, frozen=True):
    """A call at the wrong moment, with a penalty (LC-18)."""

    seat: int


class FalseCatch(Event, frozen=True):
    """A catch without cause, with a penalty (LC-18)."""

    seat: int
    target: int


class Challenged(Event, frozen=True):
    """A Wild Draw Four was challenged."""

    seat: int
    by: int
    guilty: bool


class Shown(Event, frozen=True):
    """The challenged hand was shown to the challenger, and to nobody else (CL-34)."""

    seat: int
    to: int
    cards: tuple[int, ...] | None

    def seen_by(self, seat: int | None) -> Event:
        return self if seat in (self.seat, self.to) else Shown(self.seat, self.to, None)


class ColorNamed(Event, frozen=True):
    """A color was named on its own."""

    seat: int
    color: int


class Chose(Event, frozen=True):
    """A seat named a player."""

    seat: int
    target: int


class LeverPulled(Event, frozen=True):
    """The lever was pulled; ``outcome`` is one of ``options.LEVER_OUTCOMES``."""

    seat: int
    outcome: str


class RuleDealt(Event, frozen=True):
    """A seat got a rule card: its number among the rule cards of the round."""

    seat: int
    rule: int


class Threw(Event, frozen=True):
    """A card was thrown off (lever outcome *discard*)."""

    seat: int
    card: int


class Buried(Event, frozen=True):
    """A card went under the top of the discard pile."""

    seat: int
    card: int


class Took(Event, frozen=True):
    """A card went blind from one hand to another; the two players know which."""

    seat: int
    giver: int
    card: int | None

    def seen_by(self, seat: int | None) -> Event:
        return self if seat in (self.seat, self.giver) else Took(self.seat, self.giver, None)


class Performed(Event, frozen=True):
    """A dare was done."""

    seat: int


class Reshuffled(Event, frozen=True):
    """The discards became a new draw pile of ``count`` cards."""

    count: int


class RoundOver(Event, frozen=True):
    """The round is over; nobody has won it where it is void."""

    winner: int | None


_SHORT: Final = {"LeverPulled": "lever", "RuleDealt": "rule"}
NAMES: Final = {
    kind: _SHORT.get(kind.__name__, re.sub(r"\B[A-Z]", r"_\g<0>", kind.__name__).lower())
    for kind in Event.__subclasses__()
}
"""Every event and what programs and texts call it: ``jumped_in``."""
SECOND_SEATS: Final = ("target", "other", "by", "to", "giver")
"""The fields that name the second of two seats; the first is ``seat``."""


def _direction(value: int) -> int:
    return 1 if value else -1


_MAKERS: Final[dict[int, Callable[[int, int, int], Event]]] = {
    tape.TURNED: lambda s, a, b: Turned(a),
    tape.PLAYED: lambda s, a, b: Played(s, a, b if b >= 0 else None),
    tape.JUMPED: lambda s, a, b: JumpedIn(s),
    tape.TARGET: lambda s, a, b: Targeted(s, a),
    tape.DREW: lambda s, a, b: Drew(s, 1, (a,), tape.DRAW_REASONS[b]),
    tape.PASSED: lambda s, a, b: Passed(s),
    tape.SKIPPED: lambda s, a, b: Skipped(s),
    tape.REVERSED: lambda s, a, b: Reversed(_direction(a)),
    tape.SWAPPED: lambda s, a, b: Swapped(s, a),
    tape.HANDS_PASSED: lambda s, a, b: HandsPassed(_direction(a)),
    tape.CALLED: lambda s, a, b: Called(s),
    tape.CAUGHT: lambda s, a, b: Caught(s, a),
    tape.FALSE_CALL: lambda s, a, b: FalseCall(s),
    tape.FALSE_CATCH: lambda s, a, b: FalseCatch(s, a),
    tape.CHALLENGED: lambda s, a, b: Challenged(s, a, bool(b)),
    tape.SHOWN: lambda s, a, b: Shown(s, a, None),
    tape.COLOR: lambda s, a, b: ColorNamed(s, a),
    tape.CHOSE: lambda s, a, b: Chose(s, a),
    tape.LEVER: lambda s, a, b: LeverPulled(s, LEVER_OUTCOMES[a]),
    tape.RULE: lambda s, a, b: RuleDealt(s, a),
    tape.THREW: lambda s, a, b: Threw(s, a),
    tape.BURIED: lambda s, a, b: Buried(s, a),
    tape.TOOK: lambda s, a, b: Took(s, a, b),
    tape.RESHUFFLED: lambda s, a, b: Reshuffled(a),
    tape.DONE: lambda s, a, b: Performed(s),
    tape.OVER: lambda s, a, b: RoundOver(s if s >= 0 else None),
}


def read_tape(words: Iterable[Any], shown: tuple[int, ...] | None = None) -> list[Event]:
    """The events of a tape, draws of one seat in a row joined.

    Args:
        words: packed events, as the kernel writes them.
        shown: the hand shown in a challenge, as it was before the act.
    """
    events: list[Event] = []
    for packed in words:
        word = int(packed)
        seat, a, b = (word >> 8 & 255) - 1, (word >> 16 & 255) - 1, (word >> 24 & 255) - 1
        event = _MAKERS[word & 255](seat, a, b)
        last = events[-1] if events else None
        if (
            isinstance(event, Drew)
            and isinstance(last, Drew)
            and (last.seat, last.reason) == (event.seat, event.reason)
        ):
            events[-1] = Drew(event.seat, last.count + 1, (*(last.cards or ()), *(event.cards or ())), event.reason)
        elif isinstance(event, Shown):
            events.append(Shown(event.seat, event.to, shown))
        else:
            events.append(event)
    return events
