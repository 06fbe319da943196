"""Bots play one round: who won, what it was worth, how long it took."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.bots.base import Bot, reaction
from lastcard.errors import UsageError
from lastcard.play.events import Drew, Event
from lastcard.play.match import score_round
from lastcard.play.round import Round

PLY_LIMIT: Final = 20_000
"""A round longer than this is given up and counted as stuck; none is known."""

Watch = Callable[[Sequence[Event]], None]
"""Is told what happened."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a round.

    Args:
        winner: the seat that won; None where nobody did.
        stuck: whether it was given up; a round without a winner that was not is void (CO-35).
        plies: how many acts it took.
        points: what each seat scored.
        drawn: how many cards each seat drew.
    """

    winner: int | None
    stuck: bool
    plies: int
    points: tuple[int, ...]
    drawn: tuple[int, ...]

    @property
    def void(self) -> bool:
        """Whether the round ended without a winner."""
        return self.winner is None and not self.stuck


def fill_seats(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """The bots repeated in order until every seat has one.

    Raises:
        UsageError: for no bot, or more of them than seats.
    """
    if not 0 < len(bots) <= players:
        raise UsageError(f"{len(bots)} bots for {players} seats; name one for each seat, or fewer")
    return tuple(bots[i % len(bots)] for i in range(players))


def play_round(table: Round, bots: Sequence[Bot], watch: Watch = lambda events: None) -> Played:
    """Play a round that was just dealt to its end.

    Args:
        table: the round.
        bots: by seat.
        watch: is told what the deal did, and each act.
    """
    drawn = [0] * table.players
    events = table.events()
    plies = 0
    while True:
        watch(events)
        for event in events:
            if isinstance(event, Drew):
                drawn[event.seat] += event.count
        if table.over or plies == PLY_LIMIT:
            break
        seat, move = reaction(table, bots) or (table.turn, bots[table.turn].choose(table.view(table.turn)))
        events = table.do(seat, move)
        plies += 1
    points = score_round(table.rules, (0,) * table.players, table.winner, table.held)
    return Played(table.winner, not table.over, plies, points, tuple(drawn))
