"""Simulations of many rounds between bots: length of rounds, wins, drawn cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from lastcard.ai.rounds import PLIES, SEATS, STUCK, VOID, WINNER
from lastcard.arena.deals import Plan
from lastcard.arena.simulation import MAX_ROUNDS, play_rounds, score_rounds
from lastcard.arena.task_distribution import count_cores
from lastcard.bots.base import Bot
from lastcard.game.numbers import require_int


@dataclass(slots=True)
class Tally:
    """The wins, points and drawn cards of one seat, or of all bots of one kind together."""

    wins: int = 0
    points: int = 0
    drawn: int = 0

    def add(self, other: Tally) -> None:
        """Add another tally."""
        self.wins += other.wins
        self.points += other.points
        self.drawn += other.drawn


@dataclass(slots=True)
class Simulation:
    """The result of a simulation."""

    rules: str
    bots: tuple[str, ...]
    """Names of the bots, in their first seating."""
    seed: str
    """Seed of all chance, in hex."""
    rounds: int = 0
    void: int = 0
    """Number of rounds without a winner."""
    stuck: int = 0
    """Number of rounds given up."""
    plies: int = 0
    """Number of moves in all rounds."""
    longest: int = 0
    """Number of moves in the longest round."""
    seats: list[Tally] = field(default_factory=list)
    kinds: dict[str, Tally] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.bots)

    @property
    def mean_plies(self) -> float:
        """Mean number of moves in a round."""
        return self.plies / self.rounds if self.rounds else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return asdict(self) | {"mean_plies": round(self.mean_plies, 3)}


def tally_rounds(
    plan: Plan,
    rounds: int = 1000,
    progress: Callable[[int], object] = int,
    bots: Sequence[Bot] | None = None,
) -> Simulation:
    """Play rounds between bots and count the results. The same plan gives the same result.

    The dealer rotates every round, and the bots move on a seat after every full rotation, so no bot has a better
    position.

    Args:
        progress: callback for the number of rounds played since its last call.
        bots: bots of the plan, in its order; None to make them.

    Raises:
        UsageError: for less than one round, or more than ``simulation.MAX_ROUNDS``.
    """
    players, rounds = plan.players, require_int("the number of rounds", rounds, 1, MAX_ROUNDS)
    outcomes = play_rounds(plan, rounds, count_cores(), progress, rotates_seats=True, bots=bots)
    winner, plies = outcomes[:, WINNER], outcomes[:, PLIES]
    result = Simulation(str(plan.rules), plan.bots, plan.seed.hex(), rounds)
    result.void, result.stuck = int((winner == VOID).sum()), int((winner == STUCK).sum())
    result.plies, result.longest = int(plies.sum(dtype=np.int64)), int(plies.max())
    result.seats = [Tally() for _ in range(players)]
    result.kinds = {name: Tally() for name in plan.kinds}
    points = score_rounds(plan.rules, winner, outcomes[:, SEATS + players :])
    shifts = np.arange(rounds) // players % players
    for seat in range(players):
        for i, name in enumerate(plan.bots):
            is_seated = shifts == (seat - i) % players
            won = int((winner[is_seated] == seat).sum())
            drawn = int(outcomes[is_seated, SEATS + seat].sum(dtype=np.int64))
            tally = Tally(won, int(points[is_seated, seat].sum()), drawn)
            result.seats[seat].add(tally)
            result.kinds[name].add(tally)
    return result
