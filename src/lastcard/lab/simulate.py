"""Bots against each other, many rounds: how long rounds are, who wins, how much is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from lastcard.bots.base import ATTENTIVE, Bot, Manners, reaction
from lastcard.bots.registry import make_bots
from lastcard.errors import UsageError
from lastcard.events import Drew, Event
from lastcard.match import score_round
from lastcard.round import Round
from lastcard.rulesets import Ruleset, as_ruleset
from lastcard.seeds import Seed, parse_seed

PLY_LIMIT = 100_000
"""A round longer than this is given up and counted as stuck; none is known."""


@dataclass(slots=True)
class Simulation:
    """What came of a simulation; lists go by seat, ``bots`` by the bots as they were named."""

    rules: str
    players: int
    seed: str
    rounds: int = 0
    plies: int = 0
    longest: int = 0
    void: int = 0
    stuck: int = 0
    wins: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    bots: list[dict[str, Any]] = field(default_factory=list)

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
    bots: Sequence[str] = ("heuristic",),
    rounds: int = 1000,
    seed: Seed = None,
    *,
    manners: Manners = ATTENTIVE,
    progress: Callable[[int], None] | None = None,
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
        progress: called after every round with how many have been played.

    Raises:
        UsageError, RulesError: for rules, bots or numbers that make no sense.
    """
    chosen = as_ruleset(rules)
    secret = parse_seed(seed)
    if rounds < 1:
        raise UsageError(f"{rounds} rounds cannot be played; one is the fewest")
    if not bots or len(bots) > players:
        raise UsageError(f"{len(bots)} bots for {players} seats; name one for each seat, or fewer")
    names = [bots[i % len(bots)] for i in range(players)]
    made = make_bots(names, secret)
    for bot, name in zip(made, names, strict=True):
        assert bot.name == name
    result = Simulation(str(chosen), players, secret.hex())
    result.wins, result.points, result.drawn = [0] * players, [0] * players, [0] * players
    by_bot = [{"bot": name, "wins": 0, "points": 0, "drawn": 0} for name in names]
    del manners
    for number in range(rounds):
        shift = number // players % players
        seated = [made[(seat - shift) % players] for seat in range(players)]
        tally = _play(chosen, players, secret, number, seated, result)
        for seat in range(players):
            row = by_bot[(seat - shift) % players]
            for key, values in tally.items():
                row[key] += values[seat]
        if progress is not None:
            progress(number + 1)
    result.bots = by_bot
    return result
