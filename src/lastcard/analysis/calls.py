"""UNO calls that were missed: who was caught, and what it cost or could have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lastcard.analysis.chances import Chances
from lastcard.analysis.story import Story
from lastcard.bots.statistics import Estimate
from lastcard.game.actions import Move, move_action
from lastcard.match.events import Called, Caught


@dataclass(frozen=True, slots=True)
class Missed:
    """A call that was owed and not made in time.

    Args:
        seat: who forgot.
        ply: of the round, from 0, after which the seat could be caught.
        end: the ply with which that ended.
        by: who caught it; None where nobody did.
    """

    seat: int
    ply: int
    end: int
    by: int | None


@dataclass(frozen=True, slots=True)
class Call:
    """A missed call and its price.

    Args:
        round: from 0.
        ply: of the round, from 1, with which the call was owed.
        seat: who forgot.
        by: who caught it; None where nobody did.
        price: what being caught cost of the chance to win, or would have cost.
    """

    round: int
    ply: int
    seat: int
    by: int | None
    price: Estimate


def missed_calls(story: Story) -> Iterator[Missed]:
    """The calls that were missed in a round, in the order in which it was known."""
    owed: dict[int, int] = {}
    for i, ply in enumerate(story.plies):
        for seat in [seat for seat in owed if seat not in ply.exposed]:
            since = owed.pop(seat)
            if not any(isinstance(event, Called) and event.seat == seat for event in ply.events):
                caught = [event.by for event in ply.events if isinstance(event, Caught) and event.seat == seat]
                yield Missed(seat, since, i, caught[0] if caught else None)
        for seat in ply.exposed:
            owed.setdefault(seat, i)


def possible_catch(story: Story, missed: Missed) -> tuple[int, int, int]:
    """The catch nobody made, as a job."""
    catcher = (missed.seat + 1) % story.players
    return missed.ply + 1, catcher, move_action(Move("catch", target=missed.seat))


def price_calls(chances: Chances, missed: list[Missed]) -> list[Call]:
    """What the missed calls of a round cost, or would have cost."""
    links, catches = chances.plan.links, iter(chances.plan.catches)
    calls = []
    for one in missed:
        if one.by is None:
            before, chosen = links[one.ply].after, next(catches)
        else:
            before, chosen = links[one.end].before, links[one.end].chosen
        price = chances.change(chosen, before, one.seat)
        calls.append(Call(chances.story.number, one.ply + 1, one.seat, one.by, price))
    return calls
