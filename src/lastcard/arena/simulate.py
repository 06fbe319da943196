"""Many rounds at once, and what came of each as arrays: in compiled code where all players decide at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lastcard.ai.rounds import CALLS, PLIES, SEATS, STUCK, VOID, WINNER
from lastcard.arena.playing import Plan, Played, play_round
from lastcard.arena.quick import QuickTable
from lastcard.arena.workers import count_cores
from lastcard.bots.base import Bot
from lastcard.bots.registry import make_bots
from lastcard.game.numbers import as_int
from lastcard.game.rulesets import Ruleset
from lastcard.game.seeds import Seed
from lastcard.kernel.jit import speed_up
from lastcard.match.match import score_round

MOST_ROUNDS: Final = 100_000_000
_PIECE: Final = 2000
"""Rounds that are played before anybody is told."""
_MANY: Final = 200_000
"""Rounds from which on it pays to have native code."""


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """What came of rounds, one entry for each; seats are columns.

    Args:
        rules: the ruleset by name.
        bots: by name and seat.
        seed: of all chance, in hex.
        winner: int8[rounds]: the seat that won, ``VOID`` (-1, CO-35) or ``STUCK`` (-2: it was given up).
        length: int32[rounds]: acts.
        points: int32[rounds, seats]: what each seat scored.
        drawn: int16[rounds, seats]: the cards each seat drew.
        calls: int16[rounds]: UNO calls.
    """

    rules: str
    bots: tuple[str, ...]
    seed: str
    winner: NDArray[np.int8]
    length: NDArray[np.int32]
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
        """int64[seats]: how many rounds each seat won."""
        return np.bincount(self.winner[self.winner >= 0], minlength=len(self.bots))


def simulate(
    rules: Ruleset | str = "classic",
    *,
    players: int = 4,
    rounds: int = 1000,
    bots: str | Sequence[str] = "sharp",
    seed: Seed = None,
    threads: int | None = None,
    progress: Callable[[int], object] = int,
) -> Rounds:
    """Play many rounds between bots, for what comes of them.

    ``random`` and ``sharp`` (or ``heuristic``), alone or mixed, play in compiled code, all others a decision at a time.
    All are attentive: nobody forgets a call or misses a catch. The deal moves on every round, bots keep their seats.

    Args:
        rules: a ruleset or its name.
        players: how many seats: 2 to 10.
        rounds: how many: 1 to 100,000,000. Round *n* is round *n* of the seed, dealt by seat *n* modulo the seats.
        bots: kinds or levels by name, repeated in order until every seat has one.
        seed: as ``seeds.parse_seed`` reads it. The same gives the same rounds, with any number of threads.
        threads: how many; None for one on every core.
        progress: told every now and then how many rounds more have been played.

    Raises:
        UsageError, RulesError: for rules, bots or numbers that make no sense.
    """
    plan = Plan.make(rules, players, [bots] if isinstance(bots, str) else bots, seed)
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
    moving: bool = False,
    bots: Sequence[Bot] | None = None,
) -> NDArray[np.int16]:
    """Play the first rounds of a plan.

    Args:
        plan: who plays what.
        rounds: how many: 1 to ``MOST_ROUNDS``.
        threads: how many, at least 1.
        progress: told how many rounds more have been played.
        moving: whether the bots move on a seat whenever the deal has been all around, or keep their seats.
        bots: those of the plan, in its order; None to make them.

    Returns:
        int16[rounds, SEATS + 2 * seats], with the columns of ``mind.rounds``.

    Raises:
        UsageError: for no round or too many, or no thread.
    """
    rounds = as_int("the number of rounds", rounds, 1, MOST_ROUNDS)
    threads = as_int("the number of threads", threads, 1)
    quick = None if bots else plan.quick_kinds()
    outcomes = np.zeros((rounds, SEATS + 2 * plan.players), np.int16)
    if quick is None:
        speed_up()
        for number, row in enumerate(_play_slowly(plan, rounds, moving, bots)):
            outcomes[number] = row
            progress(1)
        return outcomes
    if rounds >= _MANY:
        speed_up()
    kinds = [quick[name] for name in plan.bots]
    starts = range(0, rounds, _PIECE)
    pool = ThreadPoolExecutor(min(threads, len(starts)))
    try:
        pieces = pool.map(lambda at: _play_piece(plan, kinds, moving, at, outcomes[at : at + _PIECE]), starts)
        for played in pieces:
            progress(played)
    finally:  # whoever is interrupted does not wait until all rounds that are left have been played
        pool.shutdown(cancel_futures=True)
    return outcomes


def _play_piece(plan: Plan, kinds: Sequence[int], moving: bool, first: int, outcomes: NDArray[np.int16]) -> int:
    """Play rounds in compiled code; returns how many."""
    table = QuickTable(plan.rules, plan.players, plan.seed)
    outcomes[:] = table.play(first, len(outcomes), kinds, moving=moving)
    return len(outcomes)


def _play_slowly(plan: Plan, rounds: int, moving: bool, bots: Sequence[Bot] | None) -> Iterator[list[int]]:
    """Play rounds a decision at a time."""
    if bots is None:
        bots = make_bots(plan.bots, plan.seed, plan.manners)
    for number in range(rounds):
        shift = number // plan.players if moving else 0
        order = [(seat - shift) % plan.players for seat in range(plan.players)]
        names = tuple(plan.bots[i] for i in order)
        played = play_round(plan.open_round(number), [bots[i] for i in order], names)
        yield [_winner(played), played.plies, played.calls, *played.drawn, *played.held]


def _winner(played: Played) -> int:
    """The winner of a round as a number."""
    if played.winner is not None:
        return played.winner
    return STUCK if played.stuck else VOID


def score_rounds(rules: Ruleset, winner: NDArray[np.int16], held: NDArray[np.int16]) -> NDArray[np.int32]:
    """What each seat scores in rounds (``match.score_round``).

    Args:
        winner: int16[rounds]: the seat that won, negative where none did.
        held: int16[rounds, seats]: points left in each hand.

    Returns:
        int32[rounds, seats].
    """
    players = held.shape[1]
    points = np.zeros(held.shape, np.int32)
    for seat in range(players):
        rows = winner == seat
        # What a seat scores by a win is a sum of points in hands: the share of each hand is found by trying one point.
        shares = [score_round(rules, (0,) * players, seat, hand) for hand in np.eye(players, dtype=int).tolist()]
        points[rows] = held[rows].astype(np.int32) @ np.array(shares, np.int32)
    return points
