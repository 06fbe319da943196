"""Events as typed values, read from the kernel's event log after each move.

``seen_by`` redacts an event for a seat or a spectator: cards that the viewer may not know become None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import itemgetter
from typing import Any, ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from lastcard.errors import UsageError
from lastcard.game.cards import CARDS, COLORS_OR_NONE, Card, Cards, Color
from lastcard.game.numbers import is_integer
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.rules import event_codes


class Event(Struct, frozen=True):
    """Base class of all events, which are in ``lastcard.match.events``; public by default.

    >>> Round.deal("classic", 2, seed=1).events()
    [Turned(card=R6)]
    """

    SECRET: ClassVar[str] = ""
    """The field that is not public; empty for none."""
    KNOWN_TO: ClassVar[tuple[str, ...]] = ()
    """The fields that name the seats that may know it."""

    def is_known_to(self, seat: int | None) -> bool:
        """Whether a seat (None: a spectator) may know all of this event; raises a UsageError for no seat number."""
        if seat is not None and not is_integer(seat):  # True would count as seat 1
            raise UsageError(f"a seat is a whole number from 0, or None for a spectator, not {seat!r}")
        return not self.SECRET or seat in [getattr(self, name) for name in self.KNOWN_TO]

    def seen_by(self, seat: int | None) -> Event:
        """Returns this event as a seat (None: a spectator) may see it."""
        return self if self.is_known_to(seat) else replace(self, **{self.SECRET: None})


class Turned(Event, frozen=True):
    """The first card was turned."""

    card: Card


class Played(Event, frozen=True):
    """A card was laid; ``color`` is the one named for a wild."""

    seat: int
    card: Card
    color: Color | None


class JumpedIn(Event, frozen=True):
    """A seat laid the next card out of turn (6.2)."""

    seat: int


class Targeted(Event, frozen=True):
    """A Targeted Draw Two named its target."""

    seat: int
    target: int


class Drew(Event, frozen=True):
    """A seat drew cards, in order; only that seat knows them. ``reason`` is in ``event_codes.DRAW_REASONS``."""

    seat: int
    count: int
    cards: tuple[Card, ...] | None
    reason: str

    SECRET = "cards"
    KNOWN_TO = ("seat",)


class Passed(Event, frozen=True):
    """A seat kept the drawn card, or had to pass with nothing to draw (CO-34)."""

    seat: int


class Skipped(Event, frozen=True):
    """A seat lost its turn."""

    seat: int


class Reversed(Event, frozen=True):
    """The direction of play changed; it is now 1 (clockwise) or -1."""

    direction: int


class Swapped(Event, frozen=True):
    """Two seats exchanged hands."""

    seat: int
    other: int


class HandsPassed(Event, frozen=True):
    """All hands were passed on, clockwise (1) or counter-clockwise (-1)."""

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
    """The challenged hand was shown to the challenger only (CL-34)."""

    seat: int
    to: int
    cards: tuple[Card, ...] | None

    SECRET = "cards"
    KNOWN_TO = ("seat", "to")


class ColorNamed(Event, frozen=True):
    """A color was named without a play."""

    seat: int
    color: Color


class Chose(Event, frozen=True):
    """A seat named a player."""

    seat: int
    target: int


class LeverPulled(Event, frozen=True):
    """The lever was pulled; ``outcome`` is one of ``options.LEVER_OUTCOMES``."""

    seat: int
    outcome: str


class RuleDealt(Event, frozen=True):
    """A seat got a rule card, given by its index among the rule cards of the round."""

    seat: int
    rule: int


class Threw(Event, frozen=True):
    """A card was discarded (lever outcome *discard*)."""

    seat: int
    card: Card


class Buried(Event, frozen=True):
    """A card was put under the top of the discard pile."""

    seat: int
    card: Card


class Took(Event, frozen=True):
    """A card was taken blindly from one hand into another; the two players know which."""

    seat: int
    giver: int
    card: Card | None

    SECRET = "card"
    KNOWN_TO = ("seat", "giver")


class Performed(Event, frozen=True):
    """A dare was performed."""

    seat: int


class Reshuffled(Event, frozen=True):
    """The discards became a new draw pile of ``count`` cards."""

    count: int


class RoundOver(Event, frozen=True):
    """The round is over; ``winner`` is None if it is void."""

    winner: int | None


_SHORT_NAMES: Final = {"LeverPulled": "lever", "RuleDealt": "rule"}
EVENT_NAMES: Final = {
    kind: _SHORT_NAMES.get(kind.__name__, re.sub(r"\B[A-Z]", r"_\g<0>", kind.__name__).lower())
    for kind in Event.__subclasses__()
}
"""Name of every event in programs and texts: ``jumped_in``."""
SECOND_SEATS: Final = ("target", "other", "by", "to", "giver")
"""The fields that name the second of two seats; the first is ``seat``."""


EVENT_LAYOUTS: Final[dict[int, tuple[type[Event], str]]] = {
    event_codes.TURNED: (Turned, "a"),
    event_codes.PLAYED: (Played, "sab"),
    event_codes.JUMPED: (JumpedIn, "s"),
    event_codes.TARGET: (Targeted, "sa"),
    event_codes.DREW: (Drew, "s1ab"),
    event_codes.PASSED: (Passed, "s"),
    event_codes.SKIPPED: (Skipped, "s"),
    event_codes.REVERSED: (Reversed, "a"),
    event_codes.SWAPPED: (Swapped, "sa"),
    event_codes.HANDS_PASSED: (HandsPassed, "a"),
    event_codes.CALLED: (Called, "s"),
    event_codes.CAUGHT: (Caught, "sa"),
    event_codes.FALSE_CALL: (FalseCall, "s"),
    event_codes.FALSE_CATCH: (FalseCatch, "sa"),
    event_codes.CHALLENGED: (Challenged, "sab"),
    event_codes.SHOWN: (Shown, "sa-"),
    event_codes.COLOR: (ColorNamed, "sa"),
    event_codes.CHOSE: (Chose, "sa"),
    event_codes.LEVER: (LeverPulled, "sa"),
    event_codes.RULE: (RuleDealt, "sa"),
    event_codes.THREW: (Threw, "sa"),
    event_codes.BURIED: (Buried, "sa"),
    event_codes.TOOK: (Took, "sab"),
    event_codes.RESHUFFLED: (Reshuffled, "a"),
    event_codes.DONE: (Performed, "s"),
    event_codes.OVER: (RoundOver, "s"),
}
"""Event class of each kind of word in the event log, and the sources of its fields: ``s`` the seat, ``a`` and ``b`` the
values, ``1`` always 1, ``-`` not in the word."""
_SOURCES: Final = "sab1-"
_FIELD_READERS: Final[dict[str, Callable[[int], Any]]] = {
    "card": CARDS.get,
    "color": lambda value: COLORS_OR_NONE[value] if value >= 0 else None,
    "cards": lambda value: (CARDS[value],) if value >= 0 else None,
    "reason": event_codes.DRAW_REASONS.__getitem__,
    "direction": lambda value: 1 if value else -1,
    "guilty": bool,
    "outcome": LEVER_OUTCOMES.__getitem__,
    "winner": lambda value: value if value >= 0 else None,
}
"""Conversion of field values that are not numbers."""


def _make_decoder(event_class: type[Event], sources: str) -> Callable[[tuple[int, ...]], Event]:
    """Returns a function that makes an event from seat, values, 1 and -1."""
    named = zip(sources, event_class.__struct_fields__, strict=True)
    parts = [(_SOURCES.index(place), _FIELD_READERS.get(name)) for place, name in named]
    if not any(read for _, read in parts):
        if len(parts) == 1:
            only = parts[0][0]
            return lambda values: event_class(values[only])
        take = itemgetter(*(at for at, _ in parts))
        return lambda values: event_class(*take(values))
    return lambda values: event_class(*[read(values[at]) if read else values[at] for at, read in parts])


_DECODERS: Final = {word: _make_decoder(kind, places) for word, (kind, places) in EVENT_LAYOUTS.items()}


@lru_cache(8192)
def _decode(word: int) -> Event:
    """Returns the event of a word."""
    seat, a, b = (word >> 8 & 255) - 1, (word >> 16 & 255) - 1, (word >> 24 & 255) - 1
    return _DECODERS[word & 255]((seat, a, b, 1, -1))


def read_events(words: Iterable[Any], shown: Cards | None = None) -> list[Event]:
    """Returns the events of a log, with successive draws of one seat joined, and the hand shown in a challenge."""
    events: list[Event] = []
    for packed in words:
        event = _decode(int(packed))
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
