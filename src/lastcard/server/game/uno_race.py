"""The UNO race: a catch waits a little for a late call, and a press that comes too late is told by how much."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from lastcard.game.actions import Move

REMEMBERED: Final = 5.0
"""Seconds for which a press is called late; after that it is simply wrong."""


@dataclass(frozen=True, slots=True)
class HeldCatch:
    """A catch that waits for the end of the grace."""

    command: str
    seat: int
    move: Move
    until: float


@dataclass(frozen=True, slots=True)
class ClosedWindow:
    """How a window closed: by a call or otherwise."""

    at: float
    called: bool


class UnoRace:
    """Who can be caught since when, and who wants to (CO-15).

    Args:
        grace: seconds in which a call beats a catch that came before it.
    """

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self.since: dict[int, float] = {}
        """Exposed seats, and since when."""
        self.held: list[HeldCatch] = []
        self._closed: dict[int, ClosedWindow] = {}

    def follow(self, exposed: Collection[int], called: Collection[int], now: float) -> list[HeldCatch]:
        """Take note of the table after an act.

        Returns:
            Held catches that came to nothing: the call was made, or the window is closed for another reason.
        """
        if not exposed and not self.since:
            return []
        for seat in [seat for seat in self.since if seat not in exposed]:
            del self.since[seat]
            self._closed[seat] = ClosedWindow(now, seat in called)
        for seat in exposed:
            if self.since.setdefault(seat, now) == now:
                self._closed.pop(seat, None)
        beaten = [held for held in self.held if held.move.target not in exposed]
        self.held = [held for held in self.held if held.move.target in exposed]
        return beaten

    def hold(self, command: str, seat: int, move: Move, now: float) -> bool:
        """Keep a catch that came within the grace; False where it may be made at once."""
        began = self.since.get(-1 if move.target is None else move.target)
        if began is None or now >= began + self.grace:
            return False
        if all(held.command != command for held in self.held):
            self.held.append(HeldCatch(command, seat, move, began + self.grace))
        return True

    def pop(self, now: float | None) -> HeldCatch | None:
        """Take the first held catch whose grace is over (now None: the first of all)."""
        for held in self.held:
            if now is None or held.until <= now:
                self.held.remove(held)
                return held
        return None

    def first(self) -> float | None:
        """When the next held catch is to be made."""
        return min(held.until for held in self.held) if self.held else None

    def lateness(self, seat: int, move: Move, now: float) -> ClosedWindow | None:
        """How the window closed that a call or a catch came too late for.

        Args:
            seat: who pressed.
            move: a call, or a catch of another seat.
            now: table time.
        """
        closed = self._closed.get(seat if move.target is None else move.target)
        return closed if closed is not None and now - closed.at <= REMEMBERED else None

    def reset(self) -> None:
        """A new round: nothing is owed."""
        self.since.clear()
        self.held.clear()
        self._closed.clear()
