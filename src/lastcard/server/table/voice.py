"""Voice at a table: who has turned it on, and the signals by which their browsers find each other.

Sound goes from browser to browser and never through the server. A signal is relayed unread, and neither stored nor
logged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lastcard.server.security.security import Bucket
from lastcard.session.table_state import CommandError, Person, TableState

MAX_VOICES: Final = 6
"""Maximum number of persons with voice: each browser sends its sound to every other one."""
_SWITCHES_PER_S: Final = 0.2
"""How often a second one person may turn voice on or off in the long run, because everybody is informed."""
_SWITCH_BURST: Final = 10


class Voice:
    """The limits on voice at one table."""

    def __init__(self) -> None:
        self._switches: dict[str, Bucket] = {}

    def check_switch(self, table: TableState, person: Person, others: Iterable[str]) -> None:
        """Refuse a person who may not turn voice on.

        Raises:
            CommandError: with the reason.
        """
        if not table.settings.voice:
            raise CommandError("voice-off")
        table.require_seat(person.id)
        if person.id in table.muted:
            raise CommandError("muted")
        if not self._switches.setdefault(person.id, Bucket(_SWITCHES_PER_S, _SWITCH_BURST)).take():
            raise CommandError("flood")
        if len({*others, person.id}) > MAX_VOICES:
            raise CommandError("voice-full", n=MAX_VOICES)


def may_speak(table: TableState, player: str) -> bool:
    """Return whether a person with voice may have it at this table: seated, not muted, and voice is on."""
    return table.settings.voice and player not in table.muted and table.playing_seat(player) is not None
