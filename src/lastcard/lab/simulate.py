"""Bots against each other, many rounds: how long rounds are, who wins, how much is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from lastcard.bots.base import Bot
from lastcard.bots.registry import make_bots
from lastcard.engine.jit import speed_up
from lastcard.errors import UsageError
from lastcard.lab.playing import Plan, Played, play_round


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

    def count(self, played: Played) -> None:
        """Count a round in, its seats aside."""
        self.rounds += 1
        self.plies += played.plies
        self.longest = max(self.longest, played.plies)
        self.void += played.void
        self.stuck += played.stuck

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return asdict(self) | {"mean_plies": round(self.mean_plies, 3)}


def simulate(
    plan: Plan,
    rounds: int = 1000,
    progress: Callable[[], None] = lambda: None,
    bots: Sequence[Bot] | None = None,
) -> Simulation:
    """Play rounds between bots. The same plan gives the same result.

    The deal moves on every round, and the bots move on a seat whenever it has been all around, so no bot has the
    better place.

    Args:
        plan: who plays what.
        rounds: how many.
        progress: called after every round.
        bots: those of the plan, in its order; None to make them.

    Raises:
        UsageError: for less than one round.
    """
    if rounds < 1:
        raise UsageError(f"{rounds} rounds cannot be played; one is the fewest")
    if bots is None:
        bots = make_bots(plan.bots, plan.seed, plan.manners)
    players = plan.players
    result = Simulation(str(plan.rules), plan.bots, plan.seed.hex())
    result.seats = [Tally() for _ in range(players)]
    result.kinds = {name: Tally() for name in plan.kinds}
    speed_up()
    for number in range(rounds):
        order = [(seat - number // players) % players for seat in range(players)]
        names = tuple(plan.bots[i] for i in order)
        played = play_round(plan.open_round(number), [bots[i] for i in order], names)
        result.count(played)
        for seat, name in enumerate(names):
            tally = Tally(int(seat == played.winner), played.points[seat], played.drawn[seat])
            result.seats[seat].add(tally)
            result.kinds[name].add(tally)
        progress()
    return result
