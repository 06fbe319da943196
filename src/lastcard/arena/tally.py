"""Bots against each other, many rounds: how long rounds are, who wins, how much is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from lastcard.ai.rounds import PLIES, SEATS, STUCK, VOID, WINNER
from lastcard.arena.playing import Plan
from lastcard.arena.simulate import MOST_ROUNDS, play_rounds, score_rounds
from lastcard.arena.workers import count_cores
from lastcard.bots.base import Bot
from lastcard.game.numbers import as_int


@dataclass(slots=True)
class Tally:
    """What one seat, or all bots of one kind together, have won, scored and drawn."""

    wins: int = 0
    points: int = 0
    drawn: int = 0

    def add(self, other: Tally) -> None:
        """Count another tally in."""
        self.wins += other.wins
        self.points += other.points
        self.drawn += other.drawn


@dataclass(slots=True)
class Simulation:
    """What came of a simulation.

    Args:
        rules: the ruleset by name.
        bots: the bots by name, in the order in which they were seated first.
        seed: of all chance, in hex.
        rounds: how many rounds were played; ``void`` of them had no winner, ``stuck`` were given up.
        plies: acts in all rounds together; ``longest`` those of the longest.
        seats: the tally of every seat.
        kinds: the tally of every kind of bot.
    """

    rules: str
    bots: tuple[str, ...]
    seed: str
    rounds: int = 0
    void: int = 0
    stuck: int = 0
    plies: int = 0
    longest: int = 0
    seats: list[Tally] = field(default_factory=list)
    kinds: dict[str, Tally] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return len(self.bots)

    @property
    def mean_plies(self) -> float:
        """Acts in a round."""
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
    """Play rounds between bots and count what came of them. The same plan gives the same result.

    The deal moves on every round, and the bots move on a seat whenever it has been all around, so no bot has the
    better place.

    Args:
        plan: who plays what.
        rounds: how many.
        progress: told how many rounds more have been played.
        bots: those of the plan, in its order; None to make them.

    Raises:
        UsageError: for less than one round, or more than ``simulate.MOST_ROUNDS``.
    """
    players, rounds = plan.players, as_int("the number of rounds", rounds, 1, MOST_ROUNDS)
    outcomes = play_rounds(plan, rounds, count_cores(), progress, moving=True, bots=bots)
    winner, plies = outcomes[:, WINNER], outcomes[:, PLIES]
    result = Simulation(str(plan.rules), plan.bots, plan.seed.hex(), rounds)
    result.void, result.stuck = int((winner == VOID).sum()), int((winner == STUCK).sum())
    result.plies, result.longest = int(plies.sum(dtype=np.int64)), int(plies.max())
    result.seats = [Tally() for _ in range(players)]
    result.kinds = {name: Tally() for name in plan.kinds}
    points = score_rounds(plan.rules, winner, outcomes[:, SEATS + players :])
    turns = np.arange(rounds) // players % players
    for seat in range(players):
        for i, name in enumerate(plan.bots):
            there = turns == (seat - i) % players
            won = int((winner[there] == seat).sum())
            drawn = int(outcomes[there, SEATS + seat].sum(dtype=np.int64))
            tally = Tally(won, int(points[there, seat].sum()), drawn)
            result.seats[seat].add(tally)
            result.kinds[name].add(tally)
    return result
