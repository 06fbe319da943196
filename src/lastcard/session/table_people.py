"""The people at a table: who is connected, and for whom a bot plays."""

from __future__ import annotations

from typing import Final

from lastcard.bots.registry import DEFAULT_LEVEL, name_bot
from lastcard.session.table_state import TableState

READING_S: Final = 60.0
"""Seconds for which a new match waits for people who disconnected after the last one. They may be reading the report
or the replay, which are other pages.
"""


class People:
    """The connected persons and programs of a table on all workers; the server updates the fields."""

    def __init__(self) -> None:
        self.here: dict[str, str] = {}
        """The names of connected persons by id."""
        self.elsewhere: set[str] = set()
        """Ids of persons who are connected to other workers only, which handle their absence."""
        self.gone: dict[str, float] = {}
        """Table times since which persons are disconnected, by id."""
        self.programs: set[str] = set()
        """The ids of connected programs."""
        self.standins: set[str] = set()
        """Ids of persons and programs who have let their time pass, until they act again."""
        self.idle_elsewhere: set[str] = set()
        """The same on other workers, without those connected to this one."""
        self.active_elsewhere: set[str] = set()
        """Ids of persons and programs who are connected to another worker and have not let their time pass there."""

    @property
    def idle(self) -> set[str]:
        """The persons and programs whose hands a bot plays: those idle on all workers they are connected to."""
        return (self.standins | self.idle_elsewhere) - self.active_elsewhere

    def find_players(self, table: TableState, now: float) -> tuple[dict[int, str], dict[int, float]]:
        """Return the active bots (``name_bot``) by seat, and by seat since when persons are disconnected."""
        levels: dict[int, str] = {}
        absent_since: dict[int, float] = {}
        idle = self.idle
        if table.is_by_day and idle.issuperset(table.playing_persons):
            idle = idle.difference(table.playing_persons)  # the game rests until one of them is back
        programs = self.programs - idle
        for seat, occupant in enumerate(table.seats):
            if occupant is not None and occupant.bot is not None:
                if occupant.program not in programs:
                    levels[seat] = name_bot(occupant.bot, occupant.style)
            elif occupant is not None and (occupant.away is not None or occupant.player in idle):
                levels[seat] = DEFAULT_LEVEL
            elif occupant is None or occupant.player is None or table.is_by_day:
                continue
            elif occupant.player not in self.here:
                absent_since[seat] = self.gone.setdefault(occupant.player, now)
        return levels, absent_since

    def find_readers(self, table: TableState, now: float) -> dict[str, float]:
        """Return until which table time to wait for disconnected persons who may be reading the report, by id."""
        if table.phase != "over":
            return {}
        gone = [(player, since + READING_S) for player, since in self.gone.items()]
        return {player: until for player, until in gone if until > now and table.playing_seat(player) is not None}
