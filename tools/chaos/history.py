"""History of the messages that people sent and received during faults, in order.

One process writes it, so the order of events in the list is that of time.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Tab(NamedTuple):
    """An open page of a person."""

    table: str
    person: str
    number: int = 0
    """A person may have two tabs, at two workers."""


@dataclass(frozen=True, slots=True)
class Created:
    """The server confirmed a new table."""

    table: str


@dataclass(frozen=True, slots=True)
class Greeted:
    """A tab said hello; the next message on this connection is ``welcome``, or none."""

    tab: Tab
    connection: int
    """Number of the connection, counted over all tabs."""
    worker: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A command was sent, for the first time or again."""

    tab: Tab
    match: str
    command: str
    seat: int
    move: str | None
    """Move; None to take back the last one."""


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
    """A tab received the state of the game."""

    tab: Tab
    connection: int
    kind: str
    """``welcome``, ``dealt`` or ``moved``."""
    match: str | None
    """Id of the match; None for a welcome without a game."""
    ply: int
    picture: str = ""
    """Digest of the public state."""
    seat: int | None = None
    hand: str = ""
    """Digest of the private state of the seat."""
    mover: int | None = None
    move: str | None = None


Event = Created | Greeted | Sent | Acknowledged | Refused | Shown


@dataclass
class History:
    """Events in chronological order."""

    events: list[Event] = field(default_factory=list)
    connections: int = 0

    def new_connection(self) -> int:
        """Returns the number of a new connection."""
        self.connections += 1
        return self.connections

    def write(self, event: Event) -> None:
        """Append an event."""
        self.events.append(event)


def digest(part: Any) -> str:
    """Returns a short digest of JSON values."""
    text = json.dumps(part, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
