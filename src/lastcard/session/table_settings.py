"""How a table plays, as its host wants it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

BotSpeed = Annotated[str, Meta(pattern="^(slow|normal|quick)$")]
Pace = Annotated[str, Meta(pattern="^(relaxed|normal|fast|untimed|(8h|24h|3d)(@[A-Za-z0-9+_/-]{1,40})?)$")]
"""A name, or the time for a move by the day, with the time zone of the host if weekends do not count:
``24h@Europe/Berlin``.
"""


class Settings(Struct, frozen=True):
    """How a table plays."""

    rules: Annotated[str, Meta(min_length=1, max_length=1000)] = "all-wild"
    """A ruleset by name, with its options: ``classic+stacking=same+jump_in``."""
    seats: Annotated[int, Meta(ge=2, le=10)] = 4
    pace: Pace = "normal"
    grace: Annotated[int, Meta(ge=0, le=3000)] = 1000
    """Milliseconds in which a catch waits for a late call."""
    spectators: bool = True
    chat: bool = True
    voice: bool = True
    """Whether people may talk. The host may change it during a match."""
    hints: bool = False
    """Whether the best moves may be asked for although other people play."""
    take_backs: bool = False
    """Whether a person who plays only against bots may take moves back."""
    bots: BotSpeed = "normal"
    """How fast bots play. The host may change it during a match."""


class WantedSettings(Settings, frozen=True, forbid_unknown_fields=True):
    """How a table should play. What a server does not know it refuses; a client passes it over in ``Settings``."""
