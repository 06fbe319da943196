"""Many tables as one ``gymnasium.vector.VectorEnv``: a learner at one seat of each, bots at the others.

The bots *random*, *sharp* and *trained* play in compiled code; any other is asked through its view, which
takes its own time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from lastcard.bots.registry import make_bot
from lastcard.engine.layout import NOTHING
from lastcard.envs.tables import BOTS, Tables, Terms
from lastcard.envs.twins import Twins
from lastcard.errors import UsageError
from lastcard.game.numbers import as_int
from lastcard.game.seeds import parse_seed

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise UsageError("this needs gymnasium: install lastcard[envs]") from None

_MASK: Final = "action_mask"


class TableVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """``n`` tables side by side; an episode that ends is followed by the next in the same step.

    ``infos`` has ``action_mask`` (uint8, 1 for legal acts); where episodes ended also ``final_obs``, and ``final_info``
    with the ``rewards`` of all seats.

    Args:
        terms: what is played, and for what.
        n: how many tables.
        bots: who plays the other seats, clockwise from the learner's; repeated until every seat has one.
        seat: the learner's.
        dtype: of observations: ``float32`` or ``uint8``.
        copy: whether every step returns arrays of its own; else the same ones are written over.
        seed: of all chance where ``reset`` has none.
        threads: how many step the tables; see ``Tables``.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012, as the base class has it
        "autoreset_mode": AutoresetMode.SAME_STEP
    }

    def __init__(
        self,
        terms: Terms,
        n: int,
        bots: Sequence[str],
        *,
        seat: int = 0,
        dtype: str = "float32",
        copy: bool = True,
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        seat = as_int("the learner's seat", seat, 0, terms.players - 1)
        if isinstance(bots, str) or not isinstance(bots, Sequence) or not all(isinstance(bot, str) for bot in bots):
            raise UsageError(f"bots are named one by one, as in ('sharp', 'random'), not given as {bots!r}")
        others = terms.players - 1
        if not 0 < len(bots) <= others:
            free, right = ("1 other seat", "one") if others == 1 else (f"{others} other seats", f"1 to {others}")
            raise UsageError(f"{len(bots) or 'no'} bots for {free}; name {right}, repeated until every seat has one")
        names = {(seat + 1 + i) % terms.players: bots[i % len(bots)] for i in range(terms.players - 1)}
        self.seat, self._copy = seat, copy
        # A bot that wants a view needs a round in which everybody's acts are done.
        self._slow = {} if all(name in BOTS for name in names.values()) else names
        seats = [None if other == seat or other in self._slow else names[other] for other in range(terms.players)]
        self.tables = Tables(terms, n, seats=seats, dtype=dtype, seed=seed, threads=threads)
        self._twins = Twins(self.tables) if self._slow else None
        self._seed_bots(parse_seed(seed))
        self.num_envs = n = self.tables.count
        layout, acts = self.tables.features, len(self.tables.actions)
        most = 255 if dtype == "uint8" else np.float32(255)
        self.single_observation_space = gymnasium.spaces.Box(0, most, (layout.size,), self.tables.rows.dtype.type)
        self.single_action_space = gymnasium.spaces.Discrete(acts)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._begun = False

    def _seed_bots(self, root: bytes) -> None:
        """Make the bots that are asked through their views, one set for all tables: each decides by what it sees."""
        self._bots = {seat: make_bot(name, root, seat) for seat, name in self._slow.items()}

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode at every table.

        Args:
            seed: of all chance from here on; None to go on with what there is.
            options: none are known.

        Raises:
            UsageError: for options, or a list of seeds: one seed is for all tables.
        """
        if options:
            raise UsageError(f"reset takes no options, not {', '.join(map(str, options))}")
        if seed is not None:
            number = as_int("the one seed of all tables", seed, 0)
            super().reset(seed=number)
            self.tables.seed(number)
            self._seed_bots(parse_seed(number))
        self._begun = True
        self.tables.begin()
        while self._twins is not None and (waiting := self._find_waiting()).any():
            self._let_bots_act(waiting)
        return self._own(self.tables.rows), {_MASK: self._own(self.tables.masks)}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Do the learner's act at every table, and what the others do until it is asked again.

        Args:
            actions: whole numbers of shape (n,): legal acts.

        Raises:
            UsageError: before ``reset``, or for an illegal act or another shape; nothing was done then.
        """
        if not self._begun:
            raise UsageError("reset comes before the first step")
        tables = self.tables
        chosen = np.asarray(actions)
        if chosen.dtype.kind in "iu":
            chosen = chosen.astype(np.int64)
        if self._twins is None:
            tables.step(chosen)
            rewards, ended, cut, last = tables.rewards, tables.ended, tables.cut, tables.last_rows
        else:
            rewards, ended, cut, last = self._step_slowly(self._twins, chosen)
        infos: dict[str, Any] = {_MASK: self._own(tables.masks)}
        over = (ended | cut).astype(bool)
        if over.any():
            infos["final_obs"], infos["_final_obs"] = self._own(last), over
            infos["final_info"], infos["_final_info"] = {"rewards": rewards.copy(), "_rewards": over}, over
        given = rewards[:, self.seat].astype(np.float64)
        return self._own(tables.rows), given, ended.astype(bool), cut.astype(bool), infos

    def sample(self) -> Any:
        """A legal act for every table, each as likely: int64 (n,)."""
        return self.tables.sample()

    def _own(self, array: Any) -> Any:
        return array.copy() if self._copy else array

    def _find_waiting(self) -> Any:
        """At which tables a bot is asked through its view."""
        return self.tables.seats != self.seat

    def _step_slowly(self, twins: Twins, chosen: Any) -> tuple[Any, Any, Any, Any]:
        """A step in which bots are asked through their views; what ends on the way is kept."""
        tables = self.tables
        twins.step(chosen)
        rewards, ended, cut, last = (a.copy() for a in (tables.rewards, tables.ended, tables.cut, tables.last_rows))
        while (waiting := self._find_waiting()).any():
            self._let_bots_act(waiting)
            over = waiting & (tables.ended | tables.cut).astype(bool)
            for kept, new in ((rewards, tables.rewards), (last, tables.last_rows)):
                kept[over] = new[over]
            for flags, new in ((ended, tables.ended), (cut, tables.cut)):
                flags[over] = new[over]
        return rewards, ended, cut, last

    def _let_bots_act(self, waiting: Any) -> None:
        """One act at every table where a bot is asked through its view."""
        assert self._twins is not None
        chosen = np.full(self.tables.count, NOTHING, np.int64)
        for i in np.flatnonzero(waiting).tolist():
            chosen[i] = self._twins.ask(i, self._bots)
        self._twins.step(chosen, partly=True)
