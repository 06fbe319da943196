"""Missed UNO calls: the seats caught, and the price or possible price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lastcard.analysis.chances import WinChances
from lastcard.analysis.replayed_round import ReplayedRound
from lastcard.bots.statistics import Estimate
from lastcard.game.moves import Move, move_to_action
from lastcard.match.events import Called, Caught


@dataclass(frozen=True, slots=True)
class MissedCall:
    """A call that was owed and missed.

    Args:
        seat: seat that forgot the call.
        ply: ply of the round, from 0, after which the seat could be caught.
        end: ply that ended this.
        by: seat that caught it; None if nobody did.
    """

    seat: int
    ply: int
    end: int
    by: int | None


@dataclass(frozen=True, slots=True)
class PricedCall:
    """A missed call with its price.

    Args:
        round: number of the round, from 0.
        ply: ply of the round, from 1, that made the call due.
        seat: seat that forgot it.
        by: seat that caught it; None if nobody did.
        price: actual or possible loss of chance by being caught.
    """

    round: int
    ply: int
    seat: int
    by: int | None
    price: Estimate


def find_missed_calls(replayed: ReplayedRound) -> Iterator[MissedCall]:
    """The missed calls of a round, in the order of their detection."""
    owed: dict[int, int] = {}
    for i, played in enumerate(replayed.moves):
        for seat in [seat for seat in owed if seat not in played.exposed]:
            since = owed.pop(seat)
            if not any(isinstance(event, Called) and event.seat == seat for event in played.events):
                caught = [event.by for event in played.events if isinstance(event, Caught) and event.seat == seat]
                yield MissedCall(seat, since, i, caught[0] if caught else None)
        for seat in played.exposed:
            owed.setdefault(seat, i)


def possible_catch_job(replayed: ReplayedRound, missed: MissedCall) -> tuple[int, int, int]:
    """The catch that nobody made, as a job."""
    catcher = (missed.seat + 1) % replayed.players
    return missed.ply + 1, catcher, move_to_action(Move("catch", target=missed.seat))


def price_calls(chances: WinChances, missed: list[MissedCall]) -> list[PricedCall]:
    """The missed calls of a round with their actual or possible price."""
    links, catches = chances.plan.move_jobs, iter(chances.plan.catch_jobs)
    calls = []
    for one in missed:
        if one.by is None:
            before, chosen = links[one.ply].after, next(catches)
        else:
            before, chosen = links[one.end].before, links[one.end].chosen
        price = chances.change(chosen, before, one.seat)
        calls.append(PricedCall(chances.replayed.number, one.ply + 1, one.seat, one.by, price))
    return calls
