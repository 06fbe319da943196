"""The UNO race: a catch waits a little for a late call, and a press that comes too late is told by how much.

Whoever has sent a catch cannot hurry it: what the catcher does next waits with it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from lastcard.game.actions import CALLS, Move

REMEMBERED: Final = 5.0
"""Seconds for which a press is called late; after that it is simply wrong."""


@dataclass(frozen=True, slots=True)
class HeldAct:
    """A catch that waits for the end of the grace, or another act of the catcher that waits behind it."""

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
        self.held: list[HeldAct] = []
        """In the order in which they are made."""
        self._closed: dict[int, ClosedWindow] = {}
        self._interrupted: dict[int, float] = {}
        """Seats whose call counted until an act that was not theirs, and when that was."""

    def follow(self, exposed: Collection[int], called: Collection[int], now: float) -> list[HeldAct]:
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
        beaten = [held for held in self.held if held.move.verb == "catch" and held.move.target not in exposed]
        self.held = [held for held in self.held if held not in beaten]
        catchers = self._catchers()
        self.held = [held if held.seat in catchers else replace(held, until=now) for held in self.held]
        return beaten

    def interrupt(self, seat: int, now: float) -> None:
        """Take note that a call of a seat counted until an act that was not its own."""
        self._interrupted[seat] = now

    def hold(self, command: str, seat: int, move: Move, now: float) -> bool:
        """Keep a catch that came within the grace, and what its sender does before it is made.

        Returns:
            False where it may be made at once.
        """
        if move.verb == "catch":
            began = self.since.get(-1 if move.target is None else move.target)
            until = now if began is None else began + self.grace
        else:
            until = now if move.verb in CALLS else self._catchers().get(seat, now)
        if until <= now:
            return False
        if all(held.command != command for held in self.held):
            self.held.append(HeldAct(command, seat, move, until))
        return True

    def keeps_other(self, command: str, seat: int, move: Move) -> bool:
        """Whether another act waits that has the id of this one."""
        return any(held.command == command and (held.seat, held.move) != (seat, move) for held in self.held)

    def _catchers(self) -> dict[int, float]:
        """Who has a catch waiting, and until when the last of them does."""
        held = [(held.seat, held.until) for held in self.held if held.move.verb == "catch"]
        return dict(sorted(held, key=lambda one: one[1]))

    def pop(self, now: float | None) -> HeldAct | None:
        """Take the first held act whose grace is over (now None: the first of all)."""
        for held in self.held:
            if now is None or held.until <= now:
                self.held.remove(held)
                return held
        return None

    def first(self) -> float | None:
        """When the next held act is to be made."""
        return min(held.until for held in self.held) if self.held else None

    def lateness(self, seat: int, move: Move, now: float) -> ClosedWindow | None:
        """How the window closed, or the chance to call ended, that a call or a catch came too late for.

        Args:
            seat: who pressed.
            move: a call, or a catch of another seat.
            now: table time.
        """
        closed = self._closed.get(seat if move.target is None else move.target)
        lost = self._interrupted.get(seat) if move.verb == "uno" else None
        if lost is not None and (closed is None or closed.at < lost):
            closed = ClosedWindow(lost, False)
        return closed if closed is not None and now - closed.at <= REMEMBERED else None

    def reset(self) -> None:
        """A new round: nothing is owed."""
        self.since.clear()
        self.held.clear()
        self._closed.clear()
        self._interrupted.clear()
