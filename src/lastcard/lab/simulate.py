"""Bots against each other, many rounds: how long rounds are, who wins, how much is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from lastcard.bots.base import ATTENTIVE, Bot, Manners, reaction
from lastcard.bots.registry import DEFAULT_BOT, make_bots
from lastcard.box import check_players
from lastcard.errors import UsageError
from lastcard.events import Drew
from lastcard.match import score_round
from lastcard.round import Round
from lastcard.rulesets import Ruleset, as_ruleset
from lastcard.seeds import Seed, parse_seed

PLY_LIMIT: Final = 20_000
"""A round longer than this is given up and counted as stuck; none is known."""


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


def simulate(
    rules: Ruleset | str,
    players: int = 4,
    bots: Sequence[str] = (DEFAULT_BOT,),
    rounds: int = 1000,
    seed: Seed = None,
    *,
    manners: Manners = ATTENTIVE,
    progress: Callable[[], None] | None = None,
) -> Simulation:
    """Play rounds between bots. The same seed gives the same result.

    The deal moves on every round, and the bots move on a seat whenever it has been all around, so no
    bot has the better place.

    Args:
        rules: a ruleset or its name.
        players: how many.
        bots: names of ``bots.registry.BOTS``, repeated in order until every seat has one.
        rounds: how many rounds.
        seed: as ``seeds.parse_seed`` reads it.
        manners: how attentive the bots are to calls and catches.
        progress: called after every round.

    Raises:
        UsageError, RulesError: for rules, bots or numbers that make no sense.
    """
    chosen = as_ruleset(rules)
    check_players(chosen, players)
    secret = parse_seed(seed)
    if rounds < 1:
        raise UsageError(f"{rounds} rounds cannot be played; one is the fewest")
    if not 0 < len(bots) <= players:
        raise UsageError(f"{len(bots)} bots for {players} seats; name one for each seat, or fewer")
    names = tuple(bots[i % len(bots)] for i in range(players))
    made = make_bots(names, secret, manners)
    result = Simulation(str(chosen), names, secret.hex())
    result.seats = [Tally() for _ in range(players)]
    result.kinds = {name: Tally() for name in dict.fromkeys(names)}
    for number in range(rounds):
        shift = number // players % players
        tallies = _play_round(
            chosen, secret, number, [made[(seat - shift) % players] for seat in range(players)], result
        )
        for seat, tally in enumerate(tallies):
            result.seats[seat].add(tally)
            result.kinds[names[(seat - shift) % players]].add(tally)
        if progress is not None:
            progress()
    return result


def _play_round(rules: Ruleset, seed: bytes, number: int, bots: Sequence[Bot], result: Simulation) -> list[Tally]:
    """Play one round; returns the tallies by seat."""
    players = len(bots)
    table = Round.deal(rules, players, seed=seed, dealer=number % players, number=number)
    tallies = [Tally() for _ in range(players)]
    events = table.events()
    plies = 0
    while True:
        for event in events:
            if isinstance(event, Drew):
                tallies[event.seat].drawn += event.count
        if table.over or plies == PLY_LIMIT:
            break
        seat, move = reaction(table, bots) or (table.turn, bots[table.turn].choose(table.view(table.turn)))
        events = table.do(seat, move)
        plies += 1
    result.rounds += 1
    result.plies += plies
    result.longest = max(result.longest, plies)
    result.void += table.void
    result.stuck += not table.over
    if table.winner is not None:
        tallies[table.winner].wins += 1
        for seat, points in enumerate(score_round(rules, (0,) * players, table.winner, table.held)):
            tallies[seat].points += points
    return tallies
