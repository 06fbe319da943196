"""Missed UNO calls, and the loss of chance by each, if the seat was caught or might have been."""

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
        end: ply after which the seat could no longer be caught.
        by: seat that caught it; None if nobody did.
    """

    seat: int
    ply: int
    end: int
    by: int | None


@dataclass(frozen=True, slots=True)
class MissedCallLoss:
    """A missed call, and the chance to win that it cost.

    Args:
        round: number of the round, from 0.
        ply: ply of the round, from 1, that made the call due.
        seat: seat that forgot it.
        by: seat that caught it; None if nobody did.
        price: loss of chance by being caught; if nobody caught the seat, the possible loss.
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
    """A job (ply, seat, action) of the catch that nobody made."""
    catcher = (missed.seat + 1) % replayed.players
    return missed.ply + 1, catcher, move_to_action(Move("catch", target=missed.seat))


def rate_missed_calls(chances: WinChances, missed: list[MissedCall]) -> list[MissedCallLoss]:
    """The missed calls of a round with the loss of chance by each."""
    links, catches = chances.plan.move_jobs, iter(chances.plan.catch_jobs)
    calls = []
    for one in missed:
        if one.by is None:
            before, chosen = links[one.ply].after, next(catches)
        else:
            before, chosen = links[one.end].before, links[one.end].chosen
        price = chances.change(chosen, before, one.seat)
        calls.append(MissedCallLoss(chances.replayed.number, one.ply + 1, one.seat, one.by, price))
    return calls
