"""Many tables as one ``gymnasium.vector.VectorEnv``: a learner at one seat of each, bots at the others.

The bots *random*, *sharp* and *trained* play in compiled code; any other is asked through its view, which
takes its own time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from lastcard.bots.registry import make_bot
from lastcard.envs.features import check_array
from lastcard.envs.tables import BOTS, Tables, Terms
from lastcard.envs.twins import Twins
from lastcard.errors import UsageError
from lastcard.game.numbers import as_int
from lastcard.game.seeds import parse_seed
from lastcard.rules.layout import NOTHING

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise UsageError("this needs gymnasium: install lastcard[envs]") from None

_MASK: Final = "action_mask"
_RESET: Final = "reset_mask"


class TableVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """``n`` tables side by side. What follows the end of an episode is ``autoreset_mode``, as in Gymnasium:

    - *SameStep*: the next episode begins in the same step. ``infos`` then has ``final_obs``, and ``final_info`` with
      the ``rewards`` of all seats.
    - *NextStep*: the next step begins it, whatever act it is given. The step that ends an episode returns the last row,
      a mask of zeros and, in ``infos``, the ``rewards`` of all seats.
    - *Disabled*: as *NextStep*, but ``reset`` begins the next episode, with ``options={"reset_mask": …}``.

    ``infos`` always has ``action_mask`` (int8, 1 for legal acts), as ``sample`` of Gymnasium's spaces takes it.

    Args:
        terms: what is played, and for what.
        n: how many tables.
        bots: who plays the other seats, clockwise from the learner's; repeated until every seat has one.
        seat: the learner's.
        dtype: of observations: ``float32`` or ``uint8``.
        copy: whether every step returns arrays of its own; else the same ones are written over.
        seed: of all chance where ``reset`` has none.
        threads: how many step the tables; see ``Tables``.
        autoreset_mode: one of ``gymnasium.vector.AutoresetMode``, or its value.
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    ) -> None:
        seat = as_int("the learner's seat", seat, 0, terms.players - 1)
        if isinstance(bots, str) or not isinstance(bots, Sequence) or not all(isinstance(bot, str) for bot in bots):
            raise UsageError(f"bots are named one by one, as in ('sharp', 'random'), not given as {bots!r}")
        others = terms.players - 1
        if not 0 < len(bots) <= others:
            free, right = ("1 other seat", "one") if others == 1 else (f"{others} other seats", f"1 to {others}")
            raise UsageError(f"{len(bots) or 'no'} bots for {free}; name {right}, repeated until every seat has one")
        names = {(seat + 1 + i) % terms.players: bots[i % len(bots)] for i in range(terms.players - 1)}
        self.autoreset_mode = _read_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self._same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        self._disabled = self.autoreset_mode is AutoresetMode.DISABLED
        self.seat, self._copy = seat, copy
        # A bot that wants a view needs a round in which everybody's acts are done.
        self._slow = {} if all(name in BOTS for name in names.values()) else names
        seats = [None if other == seat or other in self._slow else names[other] for other in range(terms.players)]
        # Bots that are asked through their views play on after the learner's step; only then is an episode over.
        self._at_once = self._same_step and not self._slow
        self.tables = Tables(terms, n, seats=seats, at_once=self._at_once, dtype=dtype, seed=seed, threads=threads)
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
        """Begin an episode at every table, or at those of a mask.

        Args:
            seed: of all chance at these tables from here on; None to go on with what there is. A seed deals the same
                at a table, whichever others are reset with it.
            options: ``reset_mask``, an array of bool of shape (n,): at which tables. The others stay as they are, and
                so do the bots that are asked through their views, which have one seed for all tables.

        Raises:
            UsageError: for other options, a mask that is none, or a list of seeds: one seed is for all tables. Also for
                a mask that leaves tables out where none has begun, and after ``close``.
        """
        self._check_open()
        chosen = self._read_mask(options or {})
        if not self._begun and not chosen.all():
            raise UsageError("the first reset is one of all tables: it takes no reset_mask")
        if seed is not None:
            number = as_int("the one seed of all tables", seed, 0)
            if chosen.all():
                super().reset(seed=number)
                self._seed_bots(parse_seed(number))
            self.tables.seed(number, None if chosen.all() else np.flatnonzero(chosen))
        self._begun = True
        self._open(chosen)
        return self._own(self.tables.rows), {_MASK: self._masks()}

    def _read_mask(self, options: Mapping[str, Any]) -> Any:
        """bool (n,): the tables that options of ``reset`` name; all where they name none."""
        for name in options:
            if name != _RESET:
                raise UsageError(f"reset takes the option {_RESET}, not {name}")
        if _RESET not in options:
            return np.ones(self.num_envs, np.bool_)
        chosen = options[_RESET]
        check_array(_RESET, chosen, (np.dtype(np.bool_),), (self.num_envs,))
        if not chosen.any():
            raise UsageError(f"{_RESET} is true for one table or more, not for none")
        return chosen.copy()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Do the learner's act at every table, and what the others do until it is asked again.

        Args:
            actions: whole numbers of shape (n,): legal acts. In the mode *NextStep* any number is one where an episode
                is over.

        Raises:
            UsageError: before ``reset``, after ``close``, for an illegal act or another shape, and in the mode
                *Disabled* where an episode is over; nothing was done then.
        """
        self._check_open()
        if not self._begun:
            raise UsageError("reset comes before the first step")
        tables, seat = self.tables, self.seat
        if self._disabled and tables.over.any():
            over = ", ".join(map(str, np.flatnonzero(tables.over)))
            raise UsageError(f'the episode is over at table {over}: reset(options={{"{_RESET}": …}}) begins the next')
        chosen = np.asarray(actions)
        if chosen.dtype.kind in "iu":
            chosen = chosen.astype(np.int64)
        if self._twins is None:
            tables.step(chosen)
        else:
            opening = tables.over.astype(bool)
            self._twins.step(chosen)
            self._let_bots_play(opening)
        given = tables.rewards[:, seat].astype(np.float64)
        ended, cut = tables.ended.astype(bool), tables.cut.astype(bool)
        over = ended | cut
        infos = self._say_end(over) if over.any() else {}
        infos[_MASK] = self._masks()
        return self._own(tables.rows), given, ended, cut, infos

    def _say_end(self, over: Any) -> dict[str, Any]:
        """Infos where episodes have ended; begin the next ones where that is left to this step."""
        tables = self.tables
        if not self._at_once:
            # The seat that ended the episode may have been a bot's.
            for i in np.flatnonzero(over & (tables.seats != self.seat)).tolist():
                tables.look(i, self.seat, tables.rows[i])
        rewards = {"rewards": tables.rewards.copy(), "_rewards": over}
        if not self._same_step:
            return rewards
        last = self._own(tables.last_rows) if self._at_once else tables.rows.copy()
        if not self._at_once:
            self._open(over)
        return {"final_obs": last, "_final_obs": over, "final_info": rewards, "_final_info": over}

    def sample(self) -> Any:
        """A legal act for every table, each as likely: int64 (n,); 0 where an episode is over.

        Raises:
            UsageError: after ``close``.
        """
        self._check_open()
        return self.tables.sample()

    def _check_open(self) -> None:
        """Refuse a call after ``close``, which Gymnasium's base class takes note of."""
        if self.closed:
            raise UsageError("the environment is closed: make another one")

    def _masks(self) -> Any:
        """int8 (n, acts): the masks of the tables."""
        masks = self.tables.masks
        return masks.astype(np.int8) if self._copy else masks.view(np.int8)

    def _own(self, array: Any) -> Any:
        return array.copy() if self._copy else array

    def _open(self, chosen: Any) -> None:
        """Begin the episodes of some tables (bool, shape (n,)), up to where the learner is asked."""
        which = np.flatnonzero(chosen)
        self.tables.begin(which)
        if self._twins is not None:
            self._twins.forget(which)
            self._let_bots_play(chosen)

    def _let_bots_play(self, opening: Any) -> None:
        """Let bots that are asked through their views act until the learner is asked, or the episode is over.

        Args:
            opening: bool (n,): where an episode has just begun. If it ends before the learner is asked, another one
                begins, as where bots play in compiled code.
        """
        tables = self.tables
        while True:
            over = tables.over.astype(bool)
            if (void := opening & over).any():
                tables.begin(np.flatnonzero(void))
            elif (waiting := ~over & (tables.seats != self.seat)).any():
                self._let_bots_act(waiting)
            else:
                return

    def _let_bots_act(self, waiting: Any) -> None:
        """One act at every table where a bot is asked through its view."""
        assert self._twins is not None
        chosen = np.full(self.tables.count, NOTHING, np.int64)
        for i in np.flatnonzero(waiting).tolist():
            chosen[i] = self._twins.ask(i, self._bots)
        self._twins.step(chosen, partly=True)


def _read_mode(mode: Any) -> AutoresetMode:
    """A mode by itself or by its value.

    Raises:
        UsageError: for anything else; says which there are.
    """
    try:
        return AutoresetMode(mode)
    except ValueError:
        right = ", ".join(each.value for each in AutoresetMode)
        raise UsageError(f"autoreset_mode is one of {right}, not {mode!r}") from None
