"""Search for every decision: hidden cards imagined as the past suggests, and every choice played out on them.

Deals are drawn by how likely they make what the others did (``mind.imagine``). Sequential halving then
gives the better choices more of them: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in
Multi-Armed Bandits" (2013). All choices meet the same deals and the same chance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.ai import decision, mixed, search
from lastcard.ai.scene import new_room
from lastcard.ai.search import Diligence
from lastcard.bots.base import ATTENTIVE, Dice, Manners, SeededBot
from lastcard.bots.desk import Desk
from lastcard.bots.helpers import Helpers
from lastcard.bots.learned import Library, adviser, habits, network, no_habits, no_network
from lastcard.bots.statistics import share_margin
from lastcard.errors import UsageError
from lastcard.game.actions import Move, move_action
from lastcard.game.numbers import as_int, as_number
from lastcard.rules.layout import NOTHING

if TYPE_CHECKING:
    from lastcard.match.view import View

_CHUNK: Final = 64
"""Deals between two looks at the clock."""
_ALL: Final = 1 << 40
"""More deals than any heat has."""
MOST_SEED: Final = 2**32 - 1
"""The largest seed of a search."""


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
    ("habits", 0, 1),
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
        prior: how much of what the adviser thinks of a choice is added to its chance when the best is sought.
        habits: 1 to play rounds out as a player with practice would, in games of which its habits are known; 0 for by
            rules of thumb.

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
    habits: int = 0

    def __post_init__(self) -> None:
        whole = {each.name for each in fields(self) if each.type == "int"}
        for name, low, high in _LIMITS:
            value = getattr(self, name)
            if value is None and name == "milliseconds":
                continue
            made = as_int(name, value, int(low), int(high)) if name in whole else as_number(name, value, low, high)
            object.__setattr__(self, name, made)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a move is worth.

    Args:
        move: None to let the table go on, out of turn.
        chance: of winning the round, 0 to 1, if everybody goes on by rules of thumb.
        error: half of the 95 % interval of ``chance``.
        rollouts: how many rounds it was tried in.
        rating: what the adviser makes of it, in parts of a round; 0 for all moves where it is not asked.
    """

    move: Move | None
    chance: float
    error: float
    rollouts: int
    rating: float = 0.0


class Search:
    """Thinks about one decision after another; between them it keeps nothing but room to think in.

    Args:
        effort: how hard.
        judge: the network of a ruleset by name that is asked at the horizon.
    """

    def __init__(self, effort: Effort = Effort(), judge: Callable[[str], Any] = network) -> None:
        self.effort, self._judge = effort, judge
        self.desk = Desk(
            Library(
                judge,
                adviser=adviser if effort.prior else no_network,
                habits=habits if effort.habits else no_habits,
            )
        )
        self._rooms = [self.desk.room, *(new_room() for _ in range(effort.threads - 1))]
        self._thoughts = search.new_thoughts(self.desk.weighings, effort.deals)
        self._helpers = Helpers(effort.threads) if effort.threads > 1 else None

    def __reduce__(self) -> Any:
        return Search, (self.effort, self._judge)

    def weigh(self, view: View, moves: Sequence[Move | None], seed: int) -> list[Choice]:
        """What each of several moves is worth, best first; the same seed gives the same answer.

        Args:
            view: of the seat that thinks.
            moves: one or more legal ones; None to let the table go on, out of turn.
            seed: of all chance, 0 to 2**32 - 1.
        """
        weighing = self._put(view, moves, seed)
        self.run()
        found = []
        for i in weighing["order"][: len(moves)].tolist():
            share, tried = float(weighing["share"][i]), int(weighing["tried"][i])
            rating = float(weighing["prior"][i]) / self.effort.prior if self.effort.prior else 0.0
            found.append(Choice(moves[i], share, share_margin(share, tried), tried, rating))
        return found

    def sample(self, view: View, moves: Sequence[Move | None], seed: int, mixture: mixed.Mixture | None = None) -> Any:
        """What part of the deals of one chain each seat wins by each move; every deal is met once by all moves.

        Args:
            view, moves, seed: as for ``weigh``.
            mixture: by whom all play on; None for rules of thumb.

        Returns:
            float64[move, seat]. In team play (6.8) partners win together.

        Raises:
            UsageError: where the effort has a horizon: a network judges for one seat alone.
        """
        if self.effort.horizon:
            raise UsageError("a sample plays rounds to their end: its horizon is 0")
        weighing = self._put(view, moves, seed)
        deals, desk = self.effort.deals, self.desk
        self._begin(deals * len(moves), 1)
        if mixture is None:
            self._go_on(deals)
        else:
            mixed.go_on_mixed(desk.scene, self._thoughts, desk.room, mixture, deals)
        won = weighing["wins"][: len(moves), : view.players] / deals
        return won + np.roll(won, 2, axis=1) if weighing["partner"] >= 0 else won

    def run(self) -> None:
        """Weigh the choices that stand on the desk, until all deals are played or the time is up."""
        began, limit, weighing = time.perf_counter(), self.effort.milliseconds, self._weighing
        self._begin(self.effort.rollouts)
        done = False
        while not done:
            heat = int(weighing["heat"])
            done = self._go_on(_ALL if limit is None else _CHUNK)
            if limit is not None and heat == weighing["heat"]:
                late = time.perf_counter() - began > limit / 1000 * heat / weighing["heats"]
                done = search.hurry(self.desk.weighings) if late else done

    @property
    def _weighing(self) -> Any:
        return self.desk.weighings[0]

    def _put(self, view: View, moves: Sequence[Move | None], seed: int) -> Any:
        """Put a decision on the desk."""
        self.desk.show(view)
        weighing = self._weighing
        weighing["choices"], weighing["seed"] = len(moves), as_int("a seed", seed, 0, MOST_SEED)
        weighing["actions"][: len(moves)] = [NOTHING if move is None else move_action(move) for move in moves]
        return weighing

    def _begin(self, rollouts: int, heats: int = 0) -> None:
        """Imagine the deals, all anew; see ``search.Diligence``."""
        effort, desk = self.effort, self.desk
        care = Diligence(
            rollouts,
            heats,
            float(effort.horizon),
            effort.burn,
            effort.thin,
            effort.judged,
            float(effort.trust),
            float(effort.strays),
            float(effort.prior),
            effort.habits,
        )
        search.begin(desk.scene, desk.learned, care, self._thoughts, desk.room)

    def _go_on(self, deals: int) -> bool:
        """Play at most so many more deals of a heat; whether all is done."""
        scene, learned, thoughts = self.desk.scene, self.desk.learned, self._thoughts
        if self._helpers is None:
            return search.go_on(scene, learned, thoughts, self.desk.room, deals)
        first, end = int(self._weighing["deals"]), int(self._weighing["last"])
        last = min(end, first + deals)
        parts = np.linspace(first, last, len(self._rooms) + 1).astype(int).tolist()
        play = partial(search.play_part, scene, learned, thoughts)
        list(self._helpers.pool.map(play, self._rooms, parts[:-1], parts[1:]))
        return search.add_up(self.desk.weighings, np.sum([room.wins for room in self._rooms], axis=0), last)


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
    kind = decision.BY_SEARCH

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
        self._desk = self._search.desk

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._desk = self._search.desk

    def _settle(self, view: View, dice: Dice) -> None:
        self._search.run()
