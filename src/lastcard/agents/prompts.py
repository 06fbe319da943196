"""Text for a language model: a view in three formats with a stable layout, and the rules of a table."""

from __future__ import annotations

from typing import Final

import msgspec

from lastcard.agents.agent_view import AgentView, SeatLine
from lastcard.agents.quoting import quote
from lastcard.errors import UsageError
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.text.explanation import explain_ruleset
from lastcard.text.locale import catalog

EXAMPLE: Final = '{"move": "R5"}'
"""An answer as JSON."""
FORMATS: Final = ("text", "markdown", "json")


def describe_view(view: AgentView, layout: str = "text") -> str:
    """Returns a view as text.

    Args:
        layout: ``text`` (compact), ``markdown`` or ``json``.

    Raises:
        UsageError: for another format.
    """
    if layout == "json":
        return msgspec.json.encode(view).decode()
    if layout not in FORMATS:
        raise UsageError(f"there is no format {layout!r}; there are {', '.join(FORMATS)}")
    facts = _list_facts(view)
    seats = [_describe_seat(view, seat) for seat in view.seats]
    moves = [f"{each.move} – {each.words}" for each in view.legal]
    if layout == "text":
        lines = [f"{name}: {value}" for name, value in facts.items()]
        lines += ["seats:", *seats, "legal moves:", *(f"{number}. {move}" for number, move in enumerate(moves, 1))]
        return "\n".join(lines) + "\n"
    table = ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in facts.items())]
    listed = [f"- {seat}" for seat in seats]
    numbered = [f"{number}. `{each.move}` {each.words}" for number, each in enumerate(view.legal, 1)] or ["none"]
    return "\n".join([*table, "", "**Seats**", "", *listed, "", "**Legal moves**", "", *numbered]) + "\n"


def rules_prompt(rules: Ruleset | str, language: str = "en") -> str:
    """Returns how to answer, and the rules of a table with their clauses, in one of five languages.

    Raises:
        RulesError, UsageError: for an unknown ruleset or language.
    """
    found = as_ruleset(rules)
    return f"{catalog(language).text('play.agent.answer', example=EXAMPLE)}\n\n{explain_ruleset(found, language)}"


def _list_facts(view: AgentView) -> dict[str, str]:
    """Returns the facts of a view by name, those that do not apply left out."""
    facts: dict[str, str | int | None] = {
        "rules": view.rules,
        "round": view.round + 1,
        "you": f"seat {view.seat}",
        "decision": view.decision if view.decision == "over" else f"{view.decision} by seat {view.turn}",
        "top": view.top,
        "color": view.color,
        "hand": " ".join(view.hand) or "empty",
        "drawn": view.drawn,
        "pending": f"{view.pending} cards" if view.pending else None,
        "rule": None if view.rule is None else quote(view.rule),
        "performer": None if view.performer is None else f"seat {view.performer}",
        "discards": " ".join(view.discards),
        "draw pile": f"{view.draw_count} cards",
        "direction": "clockwise" if view.direction == 1 else "counter-clockwise",
        "round won by": None if view.winner is None else f"seat {view.winner}",
        "match won by": None if view.match_winners is None else ", ".join(f"seat {s}" for s in view.match_winners),
        "call": "add ! to a play to call UNO" if view.can_call_with_play else None,
    }
    return {name: str(value) for name, value in facts.items() if value is not None}


def _describe_seat(view: AgentView, seat: SeatLine) -> str:
    marks = [
        f"{seat.cards} cards",
        f"{seat.score} points",
        "you" if seat.seat == view.seat else "",
        "has called UNO" if seat.called_uno else "",
        "can be caught" if seat.can_be_caught else "",
    ]
    return f"seat {seat.seat} {quote(seat.name)}: {', '.join(filter(None, marks))}"
