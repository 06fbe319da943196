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
from lastcard.play import events as e
from lastcard.play.view import Face

_open_parts: Final[Callable[[Face], tuple[Any, ...]]] = attrgetter(*Face.__struct_fields__)
_SEATS: Final = ("exposed", "called", "early", "candidates")

_Rules = Sequence[RuleCard]
_Parts = Callable[[Any, _Rules], dict[str, Any]]


def open_values(face: Face) -> dict[str, Any]:
    """What lies open, field by field: cards by name, the color by letter, seats in order.

    Args:
        face: of a table; of a view no more than what is open.
    """
    values = dict(zip(Face.__struct_fields__, _open_parts(face), strict=True))
    values["top"] = CARD_NAMES[face.top]
    values["color"] = None if face.color == NO_COLOR else COLOR_LETTERS[face.color]
    for name in _SEATS:
        values[name] = _in_order(values[name])
    return values


def happening_values(event: e.Event, rule_cards: _Rules) -> dict[str, Any]:
    """An event that somebody has already seen through ``Event.seen_by``, in the words of docs/bot-protocol.md.

    Args:
        event: what happened.
        rule_cards: those of the round.
    """
    name, parts = HAPPENINGS[type(event)]
    return {"e": name, **parts(event, rule_cards)}


def card_names(cards: Iterable[int]) -> tuple[str, ...]:
    """Cards by name."""
    return tuple([CARD_NAMES[card] for card in cards])


@cache
def _in_order(seats: frozenset[int]) -> tuple[int, ...]:
    return tuple(sorted(seats))


def _seat(event: Any, rules: _Rules) -> dict[str, Any]:
    return {"seat": event.seat}


def _toward(field: str) -> _Parts:
    """An event between two seats, the second one by its name in the event."""
    return lambda event, rules: {"seat": event.seat, "other": getattr(event, field)}


def _with_card(event: Any, rules: _Rules) -> dict[str, Any]:
    return {"seat": event.seat, "card": CARD_NAMES[event.card]}


def _turned(event: e.Turned, rules: _Rules) -> dict[str, Any]:
    return {"card": CARD_NAMES[event.card]}


def _played(event: e.Played, rules: _Rules) -> dict[str, Any]:
    color = None if event.color is None else COLOR_LETTERS[event.color]
    return {"seat": event.seat, "card": CARD_NAMES[event.card], "color": color}


def _drew(event: e.Drew, rules: _Rules) -> dict[str, Any]:
    cards = None if event.cards is None else card_names(event.cards)
    return {"seat": event.seat, "count": event.count, "cards": cards, "reason": event.reason}


def _challenged(event: e.Challenged, rules: _Rules) -> dict[str, Any]:
    return {"seat": event.seat, "other": event.by, "guilty": event.guilty}


def _shown(event: e.Shown, rules: _Rules) -> dict[str, Any]:
    return {"seat": event.seat, "other": event.to, "cards": None if event.cards is None else card_names(event.cards)}


def _took(event: e.Took, rules: _Rules) -> dict[str, Any]:
    return {
        "seat": event.seat,
        "other": event.giver,
        "card": None if event.card is None else CARD_NAMES[event.card],
    }


def _directed(event: Any, rules: _Rules) -> dict[str, Any]:
    return {"direction": event.direction}


HAPPENINGS: Final[dict[type[e.Event], tuple[str, _Parts]]] = {
    e.Turned: ("turned", _turned),
    e.Played: ("played", _played),
    e.JumpedIn: ("jumped_in", _seat),
    e.Targeted: ("targeted", _toward("target")),
    e.Drew: ("drew", _drew),
    e.Passed: ("passed", _seat),
    e.Skipped: ("skipped", _seat),
    e.Reversed: ("reversed", _directed),
    e.Swapped: ("swapped", _toward("other")),
    e.HandsPassed: ("hands_passed", _directed),
    e.Called: ("called", _seat),
    e.Caught: ("caught", _toward("by")),
    e.FalseCall: ("false_call", _seat),
    e.FalseCatch: ("false_catch", _toward("target")),
    e.Challenged: ("challenged", _challenged),
    e.Shown: ("shown", _shown),
    e.ColorNamed: ("color_named", lambda event, rules: {"seat": event.seat, "color": COLOR_LETTERS[event.color]}),
    e.Chose: ("chose", _toward("target")),
    e.LeverPulled: ("lever", lambda event, rules: {"seat": event.seat, "outcome": event.outcome}),
    e.RuleDealt: ("rule", lambda event, rules: {"seat": event.seat, "rule": rules[event.rule].text}),
    e.Threw: ("threw", _with_card),
    e.Buried: ("buried", _with_card),
    e.Took: ("took", _took),
    e.Performed: ("performed", _seat),
    e.Reshuffled: ("reshuffled", lambda event, rules: {"count": event.count}),
    e.RoundOver: ("round_over", lambda event, rules: {"seat": event.winner}),
}
"""The name of every event and what belongs to it."""
