"""What lies open and what happens, as plain values for browsers and for programs.

An event is ``{"e": "played", "seat": 1, "card": "R5"}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final

from lastcard.game.cards import CARD_NAMES, COLOR_LETTERS, NO_COLOR
from lastcard.game.rulecards import RuleCard
from lastcard.match import events as e
from lastcard.match.view import Face

_open_parts: Final[Callable[[Face], tuple[Any, ...]]] = attrgetter(*Face.__struct_fields__)
_SEATS: Final = ("exposed", "called", "early", "candidates")


def open_values(face: Face) -> dict[str, Any]:
    """What lies open, field by field: cards by name, the color by letter, seats in order.

    Args:
        face: of a table; of a view no more than what is open.
    """
    values = dict(zip(Face.__struct_fields__, _open_parts(face), strict=True))
    values["top"] = CARD_NAMES[face.top]
    values["color"] = color_in_force(face.color)
    for name in _SEATS:
        values[name] = in_order(values[name])
    return values


def happening_values(event: e.Event, rule_cards: Sequence[RuleCard]) -> dict[str, Any]:
    """An event that somebody has already seen through ``Event.seen_by``, in the words of docs/bot-protocol.md.

    Args:
        event: what happened.
        rule_cards: those of the round.
    """
    name, fields = HAPPENINGS[type(event)]
    values: dict[str, Any] = {"e": name}
    for key, field, told in fields:
        value = getattr(event, field)
        values[key] = value if told is None or value is None else told(value)
    if type(event) is e.RuleDealt:
        values["rule"] = rule_cards[event.rule].text
    return values


def card_names(cards: Iterable[int]) -> tuple[str, ...]:
    """Cards by name."""
    return tuple(map(CARD_NAMES.__getitem__, cards))


def color_in_force(color: int) -> str | None:
    """A color by its letter; None where none is in force."""
    return None if color == NO_COLOR else COLOR_LETTERS[color]


@cache
def in_order(seats: frozenset[int]) -> tuple[int, ...]:
    """Seats from the first to the last."""
    return tuple(sorted(seats))


_KEYS: Final = {"winner": "seat", **dict.fromkeys(e.SECOND_SEATS, "other")}
"""Fields that are told by another name than their own."""
_TOLD: Final[dict[str, Callable[[Any], object]]] = {
    "card": CARD_NAMES.__getitem__,
    "cards": card_names,
    "color": COLOR_LETTERS.__getitem__,
}
"""Fields that are told in the words of the notation."""
HAPPENINGS: Final = {
    kind: (name, [(_KEYS.get(field, field), field, _TOLD.get(field)) for field in kind.__struct_fields__])
    for kind, name in e.NAMES.items()
}
"""The name of every event and what belongs to it: each by its key, its field, and how that is told."""
