"""Bots against each other, many rounds: how long rounds are, who wins, how much is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from lastcard.bots.base import ATTENTIVE, Bot, Manners
from lastcard.bots.registry import DEFAULT_BOT, make_bots
from lastcard.errors import UsageError
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Seed, parse_seed
from lastcard.lab.playing import Played, fill_seats, play_round
from lastcard.play.round import Round
from lastcard.play.setup import check_players


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
    secret = parse_seed(seed)
    names = fill_seats(bots, players)
    return simulate_with(rules, names, make_bots(names, secret, manners), rounds, secret, progress=progress)


def simulate_with(
    rules: Ruleset | str,
    names: Sequence[str],
    bots: Sequence[Bot],
    rounds: int,
    seed: bytes,
    *,
    play: Callable[[Round, Sequence[Bot]], Played] = play_round,
    progress: Callable[[], None] | None = None,
) -> Simulation:
    """``simulate`` with bots that are made already.

    Args:
        rules: a ruleset or its name.
        names: of the bots in the result, in their order.
        bots: one for each seat.
        rounds: how many rounds.
        seed: of all chance.
        play: plays a round that was just dealt.
        progress: called after every round.

    Raises:
        UsageError, RulesError: for rules or numbers that make no sense.
    """
    chosen, players = as_ruleset(rules), len(bots)
    check_players(chosen, players)
    if rounds < 1:
        raise UsageError(f"{rounds} rounds cannot be played; one is the fewest")
    result = Simulation(str(chosen), tuple(names), seed.hex())
    result.seats = [Tally() for _ in range(players)]
    result.kinds = {name: Tally() for name in dict.fromkeys(names)}
    for number in range(rounds):
        shift = number // players % players
        table = Round.deal(chosen, players, seed=seed, dealer=number % players, number=number)
        played = play(table, [bots[(seat - shift) % players] for seat in range(players)])
        result.count(played)
        for seat in range(players):
            tally = Tally(int(seat == played.winner), played.points[seat], played.drawn[seat])
            result.seats[seat].add(tally)
            result.kinds[names[(seat - shift) % players]].add(tally)
        if progress is not None:
            progress()
    return result
