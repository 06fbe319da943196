"""The phases of a table and all transitions between them.

A table begins in the *lobby*: people take seats, and the host changes settings and bots. A match begins when the host
starts it, or by itself at a table for one person. If its rule cards are written by the players (WJ-4), *writing* comes
before the first deal. During *playing* seats do not change hands: people who want one wait. After each round but the
last the table is *between* rounds: those who wait get seats, and the next round is dealt as soon as everybody is ready
or the time is up. When the match is won it is *over*: the table stays as it is until all are ready for another match,
the host starts one, or the host changes the settings, which opens the lobby again.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from lastcard.session.table_state import CommandError, TableState, replace

Phase = Literal["lobby", "writing", "playing", "between", "over"]
TransitionName = Literal["configure", "write", "deal", "end_round", "next_round", "end_match"]


class Transition(Struct, frozen=True):
    """A step from one of several phases to another."""

    before: tuple[Phase, ...]
    after: Phase
    why: str
    """What causes it, for the state diagram in docs/session.md."""


TRANSITIONS: Final[dict[TransitionName, Transition]] = {
    "configure": Transition(("lobby", "over"), "lobby", "the host changes the settings"),
    "write": Transition(("lobby", "over"), "writing", "a match with written rule cards begins"),
    "deal": Transition(("lobby", "writing", "over"), "playing", "the first deal of a match"),
    "end_round": Transition(("playing",), "between", "a round ends"),
    "next_round": Transition(("between", "playing"), "playing", "the next deal"),
    "end_match": Transition(("playing",), "over", "the match is won"),
}
"""All changes of the phase. Another worker may have dealt the next round before this one saw the last one end."""


def change_phase(table: TableState, name: TransitionName, **changes: Any) -> TableState:
    """Return the table after a transition, with other fields changed too.

    Raises:
        CommandError: if the table is in another phase.
    """
    transition = TRANSITIONS[name]
    if table.phase not in transition.before:
        raise CommandError("not-now")
    return replace(table, phase=transition.after, **changes)


def is_possible(table: TableState, name: TransitionName) -> bool:
    """Return whether the table is in a phase from which a transition begins."""
    return table.phase in TRANSITIONS[name].before
