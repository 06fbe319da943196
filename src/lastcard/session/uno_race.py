"""The UNO race: a catch waits briefly for a late call, and a late press is answered with how late it was.

Other moves of the catcher wait with the catch, so they cannot speed it up.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from lastcard.game.moves import CALLS, Move

LATENESS_S: Final = 5.0
"""Seconds for which a press counts as late; after that it is simply wrong."""

ROUNDING_S: Final = 1e-6
"""Seconds by which an alarm may ring early: rounding while pauses are added and subtracted must not delay it."""


@dataclass(frozen=True, slots=True)
class HeldMove:
    """A catch that waits for the end of the grace, or another move of the catcher behind it."""

    command: str
    seat: int
    move: Move
    until: float


@dataclass(frozen=True, slots=True)
class ClosedWindow:
    """When and how a window closed: by a call or otherwise."""

    at: float
    called: bool


class UnoRace:
    """The exposed seats and the held catches (CO-15); a call within ``grace`` seconds beats an earlier catch."""

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self.since: dict[int, float] = {}
        """Table times since which seats are exposed, by seat."""
        self.held: list[HeldMove] = []
        self._closed: dict[int, ClosedWindow] = {}
        self._interrupted: dict[int, float] = {}
        """Table times at which a move of others ended a seat's call, by seat."""

    def follow(self, exposed: Collection[int], called: Collection[int], now: float) -> list[HeldMove]:
        """Update the race after a move; return held catches that failed by the call or the end of the window."""
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
        """Record that a move of others ended a seat's call."""
        self._interrupted[seat] = now

    def hold(self, command: str, seat: int, move: Move, now: float) -> bool:
        """Hold a catch within the grace, and later moves of its sender; return False if the move may be made now."""
        if move.verb == "catch":
            began = self.since.get(-1 if move.target is None else move.target)
            until = now if began is None else began + self.grace
        else:
            until = now if move.verb in CALLS else self._catchers().get(seat, now)
        if until <= now:
            return False
        if all(held.command != command for held in self.held):
            self.held.append(HeldMove(command, seat, move, until))
        return True

    def _catchers(self) -> dict[int, float]:
        """Return the seats with a held catch, and until when the last one waits."""
        held = [(held.seat, held.until) for held in self.held if held.move.verb == "catch"]
        return dict(sorted(held, key=lambda one: one[1]))

    def due(self, now: float | None) -> HeldMove | None:
        """Return the first held move whose grace is over (now None: the first of all)."""
        return next((held for held in self.held if now is None or held.until <= now + ROUNDING_S), None)

    def drop(self, command: str, seat: int, move: Move) -> None:
        """Remove a held move, because it was made or refused."""
        self.held = [held for held in self.held if (held.command, held.seat, held.move) != (command, seat, move)]

    def first(self) -> float | None:
        """Return when the next held move is due."""
        return min(held.until for held in self.held) if self.held else None

    def lateness(self, seat: int, move: Move, now: float) -> ClosedWindow | None:
        """Return how the window closed for a late call, or a late catch of another seat; None if it is not late."""
        closed = self._closed.get(seat if move.target is None else move.target)
        lost = self._interrupted.get(seat) if move.verb == "uno" else None
        if lost is not None and (closed is None or closed.at < lost):
            closed = ClosedWindow(lost, False)
        return closed if closed is not None and now - closed.at <= LATENESS_S else None

    def reset(self) -> None:
        """Clear the race for a new round."""
        self.since.clear()
        self.held.clear()
        self._closed.clear()
        self._interrupted.clear()
