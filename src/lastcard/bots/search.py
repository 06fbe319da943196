"""Search for every decision: hidden cards imagined as the past suggests, and every choice played out on them.

Deals are drawn by how likely they make what the others did (``mind.imagine``). Sequential halving then
gives the better choices more of them: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in
Multi-Armed Bandits" (2013). All choices meet the same deals and the same chance.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.bots.base import ATTENTIVE, Dice, Manners, SeededBot
from lastcard.bots.learned import adviser, network, thumb_weights
from lastcard.engine import choice, phase, tape
from lastcard.engine.layout import DICE, MAX_ACTIONS, MAX_SEATS, NOTHING
from lastcard.engine.table import TABLE
from lastcard.errors import UsageError
from lastcard.game import act
from lastcard.game.actions import Move, move_action
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.rulesets import known_deck, ruleset
from lastcard.mind import search
from lastcard.mind.actor import Rater
from lastcard.mind.adviser import ROOM, advise_acts
from lastcard.mind.belief import BELIEF
from lastcard.mind.imagine import DEAL, Chain, Others
from lastcard.mind.memory import MEMORY
from lastcard.mind.network import SCRATCH
from lastcard.mind.search import Part, Rollouts, Trials

if TYPE_CHECKING:
    from lastcard.play.view import View

_FEWEST_PLIES: Final = 4
"""A turn of every seat counts for so many acts at least: two seats see as far as four."""
_CHUNK: Final = 64
"""Deals between two looks at the clock."""
_LATE: Final = 30
"""Turns after which nobody draws for choice in All Wild."""
Z: Final = 1.96
"""Standard errors in half a 95 % interval."""


_LIMITS: Final = (
    ("rollouts", 1, 10**9),
    ("milliseconds", 0.1, 3_600_000),
    ("burn", 0, 65536),
    ("thin", 1, 65536),
    ("horizon", 0, 1000),
    ("deals", 1, 65536),
    ("judged", 0, 1000),
    ("trust", 0, 1),
    ("strays", 0, 1),
    ("threads", 1, 256),
    ("prior", 0, 1000),
)


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a search thinks.

    Args:
        rollouts: rounds played to their end for one decision, all choices together.
        milliseconds: stop earlier at this time; the answer then depends on the machine. None: never.
        horizon: turns of every seat that are played before the network judges; 0 for none: to the end. Few rounds are
            as long as 30, but for those of two who hold thirty wilds.
        deals: different deals that are played.
        burn: changes made to a deal before the first one counts, and ``thin`` between any two.
        thin: see ``burn``.
        judged: plays of every hand, latest first, by which a deal is judged; 0 for none.
        trust: 0 to 1, how often others are taken to follow the rules of thumb.
        strays: 0 to 1, what part of the others are taken to do so in six plays of ten, whatever ``trust`` is.
        threads: how many play rollouts side by side; they change nothing but the time.
        prior: how much of what the learned player thinks of a choice is added to its chance when the best is sought.

    Raises:
        UsageError: for a number out of range.
    """

    rollouts: int = 4000
    milliseconds: float | None = None
    horizon: float = 30.0
    deals: int = 512
    burn: int = 300
    thin: int = 5
    judged: int = 16
    trust: float = 0.85
    strays: float = 0.0
    threads: int = 1
    prior: float = 0.0

    def __post_init__(self) -> None:
        for name, low, high in _LIMITS:
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise UsageError(f"{name} is a number from {low} to {high}, not {value}")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a move is worth.

    Args:
        move: None to let the table go on, out of turn.
        chance: of winning the round, 0 to 1, if everybody goes on by rules of thumb.
        error: half of the 95 % interval of ``chance``.
        rollouts: how many rounds it was tried in.
    """

    move: Move | None
    chance: float
    error: float
    rollouts: int


class Prior:
    """What a network thinks of the choices in a view; room to think in.

    Args:
        learned: the network of a ruleset by name.
        rate: what asks it: ``advise_acts``, or ``mind.actor.rate_acts`` for a learned player.
        room: numbers that this writes.
    """

    def __init__(
        self,
        learned: Callable[[str], Any] = adviser,
        rate: Callable[..., None] = advise_acts,
        room: int = ROOM,
    ) -> None:
        self._learned, self._rate = learned, rate
        self._tables: Any = np.zeros(2, TABLE)
        self._memory: Any = np.zeros((MAX_SEATS, MEMORY), np.int64)
        self._x: Any = np.zeros(room, np.float32)

    def rate(self, view: View, moves: Sequence[Move | None]) -> Any:
        """What each move of the seat on turn is worth.

        Args:
            view: of that seat.
            moves: legal ones.

        Returns:
            float64, shares of rounds won of which only the differences count; zeros where nothing was learned.
        """
        worth = np.zeros(len(moves))
        if view.seat != view.turn or plays_in_teams(view):
            return worth
        self._tables[0] = np.frombuffer(view.table, TABLE)[0]
        self._memory.fill(0)
        past, deck = np.frombuffer(view.past, np.int32), count_deck(view.rules)
        rater = Rater(self._learned(view.rules), deck, self._x, worth)
        self._rate(self._tables, past, view.seat, self._memory, rater, _actions(moves))
        return worth


@cache
def count_deck(rules: str) -> Any:
    """How many there are of every card, for all that players know; not to be changed."""
    return np.bincount(known_deck(ruleset(rules)), minlength=CARD_SLOTS)


def _actions(moves: Sequence[Move | None]) -> Any:
    return np.array([NOTHING if move is None else move_action(move) for move in moves], np.int64)


class _Bench:
    """Room for one thread to play rollouts in."""

    def __init__(self) -> None:
        self.tables: Any = np.zeros(3, TABLE)
        self.out: Any = np.zeros(MAX_ACTIONS + DICE, np.int64)
        self.x: Any = np.zeros(SCRATCH, np.float32)


class _Trial:
    """A decision while its choices are tried.

    Args:
        view: of the seat that thinks.
        moves: to choose from; None to let the table go on, out of turn.
        seed: of all chance.
    """

    def __init__(self, view: View, moves: Sequence[Move | None], seed: int) -> None:
        self.view, self.seed = view, seed
        self.actions = _actions(moves)
        self.wins = np.zeros((len(moves), MAX_SEATS))
        """Rounds won, by choice and seat."""
        self.tried = np.zeros(len(moves), np.int64)
        """Deals on which each choice was played."""
        self.active = np.ones(len(moves), np.int64)
        """Which choices are still tried."""
        self.deals = 0
        """How many deals were played."""

    def shares(self) -> Any:
        """Of each choice, the share of rounds that the seat, or its partner (6.8), won."""
        seat = self.view.seat or 0
        partner = self.wins[:, (seat + 2) % self.view.players] if plays_in_teams(self.view) else 0
        return (self.wins[:, seat] + partner) / self.tried

    def halve(self, prior: Any) -> list[int]:
        """Give up the worse half of the choices; all of them, those still tried first, each group best first.

        Args:
            prior: is added to what each has won.
        """
        worth = self.shares() + prior
        order = sorted(range(len(worth)), key=lambda i: (self.active[i] == 0, -self.tried[i], -worth[i], i))
        self.active[order[math.ceil(self.active.sum() / 2) :]] = 0
        return order


class Search:
    """Thinks about one decision after another; between them it keeps nothing but room to think in.

    Args:
        effort: how hard.
        judge: the network of a ruleset by name that is asked at the horizon.
    """

    def __init__(self, effort: Effort = Effort(), judge: Callable[[str], Any] = network) -> None:
        self.effort = effort
        self._judge = judge
        self._benches = [_Bench() for _ in range(effort.threads)]
        self._belief: Any = np.zeros(1, BELIEF)
        self._likely: Any = np.zeros(MAX_SEATS)
        self._deals: Any = np.zeros((effort.deals, DEAL), np.int8)
        self._prior = Prior()
        self._pool = ThreadPoolExecutor(effort.threads) if effort.threads > 1 else None

    def weigh(self, view: View, moves: Sequence[Move | None], seed: int) -> list[Choice]:
        """What each of several moves is worth, best first; the same seed gives the same answer.

        Args:
            view: of the seat that thinks.
            moves: one or more legal ones; None to let the table go on, out of turn.
            seed: of all chance, 0 to 2**32 - 1.
        """
        began = time.perf_counter()
        trial = self._open(view, moves, seed)
        prior = self.effort.prior * self._prior.rate(view, moves) if self.effort.prior else np.zeros(len(moves))
        heats = max(1, math.ceil(math.log2(len(moves))))
        for heat in range(1, heats + 1):
            each = max(1, self.effort.rollouts // (heats * int(trial.active.sum())))
            limit = self.effort.milliseconds
            self._try(trial, each, None if limit is None else began + limit / 1000 * heat / heats)
            order = trial.halve(prior)
        shares, tried = trial.shares(), trial.tried
        errors = [share_error(share, int(n)) for share, n in zip(shares, tried, strict=True)]
        return [Choice(moves[i], float(shares[i]), errors[i], int(tried[i])) for i in order]

    def sample(self, view: View, moves: Sequence[Move | None], seed: int) -> Any:
        """The share of the deals of one chain that each move wins, every deal met once by all of them.

        Args:
            view, moves, seed: as for ``weigh``.

        Returns:
            float64, by move.
        """
        trial = self._open(view, moves, seed)
        self._try(trial, self.effort.deals, None)
        return trial.shares()

    def _open(self, view: View, moves: Sequence[Move | None], seed: int) -> _Trial:
        """A decision to be tried, on deals that are drawn for it."""
        assert view.seat is not None, "a spectator decides nothing"
        self._imagine(view, view.seat, seed)
        return _Trial(view, moves, seed)

    def _imagine(self, view: View, seat: int, seed: int) -> None:
        """Draw the deals for one decision."""
        for bench in self._benches:
            bench.tables[0] = np.frombuffer(view.table, TABLE)[0]
        self._belief.view(np.uint8).fill(0)
        effort = self.effort
        others = Others(
            np.frombuffer(view.past, np.int32),
            thumb_weights(view.rules, view.players),
            effort.judged,
            effort.trust,
            effort.strays,
        )
        dice = np.array([seed, 1, 2, 3], np.int64)
        chain = Chain(self._deals, self._likely, dice, effort.burn, effort.thin)
        search.think(self._benches[0].tables, self._belief, seat, count_deck(view.rules), others, chain)

    def _try(self, trial: _Trial, deals: int, until: float | None) -> None:
        """Play the active choices on so many more deals, or as many as time allows.

        Args:
            trial: adds up what came of them.
            deals: how many.
            until: when to stop, by ``time.perf_counter``; None: never.
        """
        view = trial.view
        weights, net = thumb_weights(view.rules, view.players), self._judge(view.rules)
        plies = 0 if plays_in_teams(view) else int(self.effort.horizon * max(view.players, _FEWEST_PLIES))

        def play(bench: _Bench, start: int, end: int, wins: Any) -> None:
            trials = Trials(view.seat or 0, trial.actions, trial.active, wins)
            rollouts = Rollouts(weights, plies, net, bench.x, bench.out)
            search.try_choices(bench.tables, self._belief, self._deals, trials, rollouts, Part(start, end, trial.seed))

        last = trial.deals + deals
        step = deals if until is None else _CHUNK
        while trial.deals < last:
            first, end = trial.deals, min(last, trial.deals + step)
            if self._pool is None:
                play(self._benches[0], first, end, trial.wins)
            else:
                parts = np.linspace(first, end, len(self._benches) + 1).astype(int).tolist()
                counts = [np.zeros_like(trial.wins) for _ in self._benches]
                list(self._pool.map(play, self._benches, parts[:-1], parts[1:], counts))
                trial.wins += sum(counts)
            trial.deals = end
            trial.tried += trial.active * (end - first)
            if until is not None and time.perf_counter() > until:
                break


def plays_in_teams(view: View) -> bool:
    """Whether partners win together (6.8)."""
    return bool(np.frombuffer(view.table, TABLE)["team_play"][0])


def share_error(share: float, trials: int) -> float:
    """Half of the 95 % interval of a share of independent trials: Agresti and Coull's, which is honest near 0 and 1."""
    n = trials + Z * Z
    middle = (share * trials + Z * Z / 2) / n
    return Z * math.sqrt(middle * (1 - middle) / n)


def without_waiting(view: View, moves: Sequence[Move], late: int, *, twice: bool) -> Sequence[Move]:
    """The moves without drawing for choice, where a seat has waited long enough.

    Two players who both think it better than laying a card would wait for each other for ever.

    Args:
        view: of the seat.
        moves: legal ones.
        late: turns of the seat after which it does not draw for choice.
        twice: whether it may do so on two turns in succession.
    """
    plays = [move for move in moves if move.verb == "play"]
    return plays if plays and view.decision == "play" and _has_waited(view, late, twice) else moves


def _has_waited(view: View, late: int, twice: bool) -> bool:
    """Whether the past of a view has so many turns of the seat, or one that was a draw just before."""
    assert view.seat is not None
    words = np.frombuffer(view.past, np.int32)
    turns = np.flatnonzero((words & 0xFFFFFF) == tape.PAST_ACT | (view.seat + 1) << 8 | (phase.PLAY + 1) << 16)
    return turns.size > late or bool(not twice and turns.size and int(words[turns[-1] + 1]) >> 8 & 255 == act.DRAW)


class SearchBot(SeededBot):
    """Searches every decision, jump-ins too.

    Args:
        seed: any bytes; bots at one table have different ones.
        manners: how it behaves, apart from how well it plays.
        slips: see ``SeededBot``.
        effort: how hard it thinks.
        judge: see ``Search``.
    """

    name = "search"

    def __init__(
        self,
        seed: bytes = b"",
        manners: Manners = ATTENTIVE,
        slips: int = 0,
        effort: Effort = Effort(),
        judge: Callable[[str], Any] = network,
    ) -> None:
        super().__init__(seed, manners, slips)
        self.effort = effort
        self._search = Search(effort, judge)

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """The move with the best chance."""
        if (
            np.frombuffer(view.table, TABLE)["game"][0] == choice.ALL_WILD
        ):  # elsewhere nobody always has a card that fits
            moves = without_waiting(view, moves, _LATE, twice=True)
        best = self._search.weigh(view, moves, dice.below(1 << 32))[0].move
        assert best is not None
        return best

    def jump(self, view: View, moves: Sequence[Move], dice: Dice) -> Move | None:
        """The card to lay out of turn, unless letting the table go on has the better chance."""
        return self._search.weigh(view, [*moves, None], dice.below(1 << 32))[0].move
