"""Many rounds with their results as arrays, in compiled code if all players decide at once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Literal, overload

import numpy as np
from numpy.typing import NDArray

from lastcard.ai.rounds import CALLS, PLIES, SEATS, STUCK, VOID, WINNER
from lastcard.arena.bot_play import play
from lastcard.arena.compiled_rounds import CompiledRounds, point_shares
from lastcard.arena.deals import Plan, play_counted
from lastcard.arena.task_distribution import count_cores
from lastcard.bots.base import Bot
from lastcard.bots.own_bots import BotSource, list_sources
from lastcard.bots.registry import make_bot
from lastcard.game.numbers import require_int
from lastcard.game.rulesets import Ruleset
from lastcard.game.seeds import Seed
from lastcard.kernel.jit import enable_native
from lastcard.match.match import Match
from lastcard.match.record import Record

MAX_ROUNDS: Final = 100_000_000
_CHUNK_ROUNDS: Final = 2000
"""Number of rounds between two calls of ``progress``."""
_NATIVE_MIN_ROUNDS: Final = 200_000
"""Number of rounds from which native code is worth compiling."""


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The results of rounds, one entry for each; seats are columns. ``simulate`` returns it.

    >>> simulate("classic", players=2, rounds=100, seed=1)
    <100 Rounds of classic: sharp, sharp>

    Attributes:
        rules: name of the ruleset.
        bots: names of the bots by seat.
        seed: seed of all chance, in hex.
        winner: int8[rounds]: the seat that won, -1 if the round was void (CO-35), -2 if it was given up because of its
            length.
        plies: int32[rounds]: number of moves.
        points: int32[rounds, seats]: score of each seat, in points.
        drawn: int16[rounds, seats]: number of cards that each seat drew.
        calls: int16[rounds]: number of UNO calls.
    """

    rules: str
    bots: tuple[str, ...]
    seed: str
    winner: NDArray[np.int8]
    plies: NDArray[np.int32]
    points: NDArray[np.int32]
    drawn: NDArray[np.int16]
    calls: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.winner)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rounds):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.rules, self.bots, self.seed, len(self)))

    def __repr__(self) -> str:
        return f"<{len(self):,} Rounds of {self.rules}: {', '.join(self.bots)}>"

    @property
    def wins(self) -> NDArray[np.int64]:
        """int64[seats]: number of rounds that each seat won."""
        return np.bincount(self.winner[self.winner >= 0], minlength=len(self.bots))


@overload
def simulate(
    rules: Ruleset | str = ...,
    *,
    players: int = ...,
    rounds: int = ...,
    bots: BotSource | Sequence[BotSource] = ...,
    seed: Seed = ...,
    threads: int | None = ...,
    progress: Callable[[int], object] = ...,
    return_records: Literal[False] = ...,
) -> Rounds: ...


@overload
def simulate(
    rules: Ruleset | str = ...,
    *,
    players: int = ...,
    rounds: int = ...,
    bots: BotSource | Sequence[BotSource] = ...,
    seed: Seed = ...,
    threads: int | None = ...,
    progress: Callable[[int], object] = ...,
    return_records: Literal[True],
) -> list[Record]: ...


def simulate(
    rules: Ruleset | str = "classic",
    *,
    players: int = 4,
    rounds: int = 1000,
    bots: BotSource | Sequence[BotSource] = "sharp",
    seed: Seed = None,
    threads: int | None = None,
    progress: Callable[[int], object] = int,
    return_records: bool = False,
) -> Rounds | list[Record]:
    """Play many rounds between bots, for their results.

    >>> simulate("classic", players=2, rounds=1000, bots=["sharp", "random"], seed=1).wins
    array([670, 330])

    ``random`` and ``sharp`` (or ``heuristic``), alone or mixed, play in compiled code, all others a decision at a time.
    All are attentive: nobody forgets a call or misses a catch. The dealer rotates every round, bots do not move.

    Args:
        players: number of seats, 2 to 10.
        rounds: number of rounds, 1 to 100,000,000. Round *n* of a seed is dealt by seat *n* modulo the seats.
        bots: bots by name or of your own (``make_bot``), repeated in order until every seat has one.
        seed: a seed for ``seeds.parse_seed``. It gives the same rounds for any number of threads.
        threads: number of threads; None for one on every core.
        progress: callback for the number of rounds played since its last call.
        return_records: whether to return the records of matches of one round each instead; they are other rounds, and
            are played one decision at a time.

    Raises:
        UsageError, RulesError: for invalid rules, bots or numbers.
    """
    plan = Plan.make(rules, players, list_sources(bots), seed)
    if return_records:
        return list(_play_matches(plan, require_int("the number of rounds", rounds, 1, MAX_ROUNDS), progress))
    outcomes = play_rounds(plan, rounds, count_cores() if threads is None else threads, progress)
    players = plan.players
    points = score_rounds(plan.rules, outcomes[:, WINNER], outcomes[:, SEATS + players :])
    return Rounds(
        str(plan.rules),
        plan.bots,
        plan.seed.hex(),
        outcomes[:, WINNER].astype(np.int8),
        outcomes[:, PLIES].astype(np.int32),
        points,
        outcomes[:, SEATS : SEATS + players].copy(),
        outcomes[:, CALLS].copy(),
    )


def play_rounds(
    plan: Plan,
    rounds: int,
    threads: int,
    progress: Callable[[int], object],
    *,
    rotates_seats: bool = False,
    bots: Sequence[Bot] | None = None,
) -> NDArray[np.int16]:
    """Play the first rounds of a plan; returns int16[rounds, SEATS + 2 * seats], with the columns of ``ai.rounds``.

    Args:
        rounds: number of rounds, 1 to ``MAX_ROUNDS``.
        threads: number of threads, at least 1.
        progress: callback for the number of rounds played since its last call.
        rotates_seats: whether the bots move on a seat after every full rotation of the dealer, or stay in their seats.
        bots: bots of the plan, in its order; None to make them.

    Raises:
        UsageError: for too few or too many rounds, or no thread.
    """
    rounds = require_int("the number of rounds", rounds, 1, MAX_ROUNDS)
    threads = require_int("the number of threads", threads, 1)
    compiled = None if bots else plan.compiled_kinds()
    outcomes = np.zeros((rounds, SEATS + 2 * plan.players), np.int16)
    if compiled is None:
        enable_native()
        for number, row in enumerate(_play_in_python(plan, rounds, rotates_seats, bots)):
            outcomes[number] = row
            progress(1)
        return outcomes
    if rounds >= _NATIVE_MIN_ROUNDS:
        enable_native()
    kinds = [compiled[name] for name in plan.bots]
    starts = range(0, rounds, _CHUNK_ROUNDS)
    pool = ThreadPoolExecutor(min(threads, len(starts)))
    try:
        chunks = pool.map(
            lambda at: _play_chunk(plan, kinds, rotates_seats, at, outcomes[at : at + _CHUNK_ROUNDS]), starts
        )
        for played in chunks:
            progress(played)
    finally:  # after an interrupt do not wait until the remaining rounds have been played
        pool.shutdown(cancel_futures=True)
    return outcomes


def _play_matches(plan: Plan, rounds: int, progress: Callable[[int], object]) -> Iterator[Record]:
    """Yields the records of matches of one round."""
    names = [f"{name} {seat}" for seat, name in enumerate(plan.bots)]
    for number in range(rounds):
        seed = hashlib.sha256(b"lastcard match" + plan.seed + number.to_bytes(8, "big")).digest()
        bots = [plan.make_bot(name, number, seat) for seat, name in enumerate(plan.bots)]
        yield play(Match(plan.rules, names, seed=seed), bots, rounds=1).record()
        progress(1)


def _play_chunk(plan: Plan, kinds: Sequence[int], rotates_seats: bool, first: int, outcomes: NDArray[np.int16]) -> int:
    """Play rounds in compiled code; returns their number."""
    compiled = CompiledRounds(plan.rules, plan.players, plan.seed)
    outcomes[:] = compiled.play(first, len(outcomes), kinds, rotates_seats=rotates_seats)
    return len(outcomes)


def _play_in_python(plan: Plan, rounds: int, rotates_seats: bool, bots: Sequence[Bot] | None) -> Iterator[list[int]]:
    """Play rounds one decision at a time."""
    if bots is None:
        bots = [
            make_bot(plan.fresh_source(name), plan.seed, seat, plan.behavior) for seat, name in enumerate(plan.bots)
        ]
    for number in range(rounds):
        shift = number // plan.players if rotates_seats else 0
        order = [(seat - shift) % plan.players for seat in range(plan.players)]
        names = tuple(plan.bots[i] for i in order)
        played = play_counted(plan.deal_round(number), [bots[i] for i in order], names)
        no_winner = STUCK if played.stuck else VOID
        winner = no_winner if played.winner is None else played.winner
        yield [winner, played.plies, played.calls, *played.drawn, *played.hand_points]


def score_rounds(rules: Ruleset, winner: NDArray[np.int16], hand_points: NDArray[np.int16]) -> NDArray[np.int32]:
    """The score of each seat in rounds (``match.score_round``): int32[rounds, seats].

    Args:
        winner: int16[rounds]: the seat that won, negative where none did.
        hand_points: int16[rounds, seats]: points left in each hand.
    """
    players = hand_points.shape[1]
    points = np.zeros(hand_points.shape, np.int32)
    for seat in range(players):
        rows = winner == seat
        points[rows] = hand_points[rows].astype(np.int32) @ point_shares(rules, players)[seat]
    return points
