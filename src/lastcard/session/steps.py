"""What the store must save before a change of a table counts."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple, TypeVar

from lastcard.session.match_rows import MatchRow
from lastcard.session.table_state import TableState

T = TypeVar("T")


class SaveState(NamedTuple):
    """Save a new table state: who caused it, the match that begins with it, and the winners of one that ends."""

    state: TableState
    by: str | None = None
    match: MatchRow | None = None
    winners: Sequence[int] | None = None


class AppendRow(NamedTuple):
    """Append a row to the log of the match; the fields are those of ``MoveRow``."""

    command: str
    seat: int
    action: int


class AddTakeover(NamedTuple):
    """Make a person who has taken over a seat a player of the match."""

    seat: int
    player: str


Step = SaveState | AppendRow | AddTakeover
Steps = Generator[Step, bool, T]
"""The steps of one change, and its result.

The caller saves each step, passes what the store has now to ``Session.adopt`` or ``Session.follow``, and sends back
whether the step was saved; False if another worker was first.
"""
