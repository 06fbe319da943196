"""Public state and events as plain values for browsers and programs.

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
from lastcard.match.view import PublicState

_get_public_fields: Final[Callable[[PublicState], tuple[Any, ...]]] = attrgetter(*PublicState.__struct_fields__)
_SEAT_SETS: Final = ("exposed", "called", "early", "candidates")


def public_values(public: PublicState) -> dict[str, Any]:
    """Returns the fields of a public state or a view's public part: cards by name, color by letter, seats in order."""
    values = dict(zip(PublicState.__struct_fields__, _get_public_fields(public), strict=True))
    values["top"] = str(public.top)
    values["color"] = color_or_none(public.color)
    for name in _SEAT_SETS:
        values[name] = sorted_seats(values[name])
    return values


def event_values(event: e.Event, rule_cards: Sequence[RuleCard]) -> dict[str, Any]:
    """Returns an event, already redacted by ``Event.seen_by``, in the terms of docs/bot-protocol.md."""
    name, fields = EVENT_FIELDS[type(event)]
    values: dict[str, Any] = {"e": name}
    for key, field, encode in fields:
        value = getattr(event, field)
        values[key] = value if encode is None or value is None else encode(value)
    if type(event) is e.RuleDealt:
        values["rule"] = rule_cards[event.rule].text
    return values


def card_names(cards: Iterable[int]) -> tuple[str, ...]:
    """Returns the names of cards."""
    return tuple(map(CARD_NAMES.__getitem__, cards))


def color_or_none(color: int) -> str | None:
    """Returns the letter of a color; None if none is in force."""
    return None if color == NO_COLOR else COLOR_LETTERS[color]


@cache
def sorted_seats(seats: frozenset[int]) -> tuple[int, ...]:
    """Returns seats in order."""
    return tuple(sorted(seats))


_FIELD_KEYS: Final = {"winner": "seat", **dict.fromkeys(e.SECOND_SEATS, "other")}
"""Keys of the fields whose key differs from their name."""
_FIELD_ENCODERS: Final[dict[str, Callable[[Any], object]]] = {
    "card": str,
    "cards": card_names,
    "color": COLOR_LETTERS.__getitem__,
}
"""Fields with values in notation."""
EVENT_FIELDS: Final = {
    kind: (
        name,
        [(_FIELD_KEYS.get(field, field), field, _FIELD_ENCODERS.get(field)) for field in kind.__struct_fields__],
    )
    for kind, name in e.EVENT_NAMES.items()
}
"""Name and members of every event: each member with its key, its field and its conversion."""
