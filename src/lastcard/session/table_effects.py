"""What people at a table are informed of after a change."""

from __future__ import annotations

from typing import NamedTuple

from lastcard.match.events import Event
from lastcard.session.match_rows import MoveRow
from lastcard.session.table_state import CommandError


class MoveFollowed(NamedTuple):
    """A move was made.

    Args:
        events: its events, unabridged.
        answers: whether it is the answer to the last command of a person.
    """

    row: MoveRow
    events: list[Event]
    answers: bool


class DealFollowed(NamedTuple):
    """A round was dealt, or moves were taken back; then there are no events."""

    events: list[Event]


class HeldMoveRefused(NamedTuple):
    """A move of a seat that was held back cannot be made any more."""

    command: str
    seat: int
    error: CommandError


class BotTooLate(NamedTuple):
    """The time of a searching bot came before its choice (maybe the first time in the round): a simpler one decides."""

    level: str
    is_first: bool


class StateAdopted(NamedTuple):
    """The table has a new state, or waits for other people; ``unseated`` are those sent from their seats by others."""

    unseated: tuple[str, ...] = ()


class BotSubstituted(NamedTuple):
    """A bot plays for a person or program whose time is up, until they act again."""

    player: str


class TimeRunningOut(NamedTuple):
    """A bot is about to play for a person or program, in some milliseconds."""

    player: str
    left_ms: int


Effect = MoveFollowed | DealFollowed | HeldMoveRefused | BotTooLate | StateAdopted | BotSubstituted | TimeRunningOut
