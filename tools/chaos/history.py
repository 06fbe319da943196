"""What people sent and were told while things went wrong, in the order in which it happened.

One process writes it, so the place of an event in the list is its time: whatever stands earlier had happened before.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Tab(NamedTuple):
    """A page that somebody has open.

    Args:
        table: the code of the table.
        person: who it is.
        number: of the tab; a person may have two, at two workers.
    """

    table: str
    person: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Created:
    """The server said that there is a new table."""

    table: str


@dataclass(frozen=True, slots=True)
class Greeted:
    """A tab said hello; what comes next on this line is welcome, or nothing."""

    tab: Tab
    connection: int
    """Counts the connections of all tabs."""
    worker: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A command went out, for the first time or once more."""

    tab: Tab
    match: str
    command: str
    seat: int
    move: str | None
    """None: take back the last one."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The server acknowledged a command."""

    tab: Tab
    command: str
    ply: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The server refused a command."""

    tab: Tab
    command: str
    code: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A tab was shown the game."""

    tab: Tab
    connection: int
    kind: str
    """``welcome``, ``dealt`` or ``moved``."""
    match: str | None
    """None where a welcome showed no game."""
    ply: int
    picture: str = ""
    """What everybody sees, as a digest."""
    seat: int | None = None
    hand: str = ""
    """What only this seat sees, as a digest."""
    mover: int | None = None
    move: str | None = None


Event = Created | Greeted | Sent | Acknowledged | Refused | Shown


@dataclass
class History:
    """Events in the order in which they happened."""

    events: list[Event] = field(default_factory=list)
    connections: int = 0

    def new_connection(self) -> int:
        """A number for one more connection."""
        self.connections += 1
        return self.connections

    def write(self, event: Event) -> None:
        """Add an event, as the last of all."""
        self.events.append(event)


def digest(part: Any) -> str:
    """What was shown, as JSON values, in a few letters."""
    text = json.dumps(part, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
