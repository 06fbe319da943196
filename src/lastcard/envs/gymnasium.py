"""Many tables as one ``gymnasium.vector.VectorEnv``: a learner at one seat of each, bots at the others.

The bots *random*, *sharp* and *trained* play in compiled code. Policies choose for many tables at once. Any other bot
is asked through its view, which takes its own time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from lastcard.bots.registry import fill_seats, make_bot
from lastcard.envs.batch import BOTS, REGISTRY_IDS, Batch, EnvConfig, describe
from lastcard.envs.batch_policies import Opponent, PolicySeat, is_policy
from lastcard.envs.features import check_array
from lastcard.envs.mirror import MirrorRounds
from lastcard.envs.reuse import is_unused
from lastcard.errors import UsageError
from lastcard.game.numbers import require_int
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
_FAST_BOTS: Final = f"{', '.join(name for name in BOTS if name)} and policies"


class BatchVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """``n`` tables side by side. ``autoreset_mode`` says what follows the end of an episode, as in Gymnasium:

    - *SameStep*: the next episode begins in the same step. ``infos`` then has ``final_obs``, and ``final_info`` with
      the ``rewards`` of all seats.
    - *NextStep*: the next step begins it, with any action. The step that ends an episode returns the last row, a mask
      of zeros and, in ``infos``, the ``rewards`` of all seats.
    - *Disabled*: as *NextStep*, but ``reset`` begins the next episode, with ``options={"reset_mask": …}``.

    ``infos`` always has ``action_mask`` (int8, 1 for legal actions), as ``sample`` of Gymnasium's spaces takes it.

    Args:
        bots: bots or policies of the other seats, clockwise from the learner's; repeated until every seat has one.
        dtype: type of observations: ``float32`` or ``uint8``.
        copy: whether every step returns new arrays; else it overwrites the same ones.
        seed: seed of all chance if ``reset`` has none.
        threads: number of threads that step the tables; see ``Batch``.
        autoreset_mode: one of ``gymnasium.vector.AutoresetMode``, or its value.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012, as the base class has it
        "autoreset_mode": AutoresetMode.SAME_STEP
    }

    def __init__(
        self,
        config: EnvConfig,
        n: int,
        bots: Sequence[Opponent],
        *,
        seat: int = 0,
        dtype: str = "float32",
        copy: bool = True,
        seed: int | None = None,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    ) -> None:
        seat = require_int("the learner's seat", seat, 0, config.players - 1)
        others = fill_seats(bots, config.players - 1, "other seat")
        names = {(seat + i) % config.players: bot for i, bot in enumerate(others, start=1)}
        self.autoreset_mode = _read_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self._same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        self._disabled = self.autoreset_mode is AutoresetMode.DISABLED
        self.seat, self._copy = seat, copy
        self._policies = {other: bot for other, bot in names.items() if is_policy(bot)}
        bots_by_seat = {other: bot for other, bot in names.items() if not is_policy(bot)}
        # A bot that wants a view needs a round with everybody's moves.
        compiled = {other: bot for other, bot in bots_by_seat.items() if isinstance(bot, str) and bot in BOTS}
        if len(compiled) < len(bots_by_seat):
            compiled = {}
            if config.has_own_deal:
                raise UsageError(
                    f"bots with views play the deck and the hands of the rules; with others, {_FAST_BOTS} do"
                )
        self._python_bots = {} if compiled else bots_by_seat
        seats = [compiled.get(other) for other in range(config.players)]
        # Policies and bots with views play on after the learner's step; only then is an episode over.
        self._has_callbacks = bool(self._python_bots or self._policies)
        self._autoresets_in_kernel = self._same_step and not self._has_callbacks
        self._observation_copies, self._mask_copies = _Copies(), _Copies()
        self.batch = Batch(
            config, n, seats=seats, autoreset=self._autoresets_in_kernel, dtype=dtype, seed=seed, threads=threads
        )
        self._mirror = MirrorRounds(self.batch) if self._python_bots else None
        self._seed_bots(parse_seed(seed))
        self.num_envs = n = self.batch.count
        layout, action_count = self.batch.features, len(self.batch.action_space)
        most = 255 if dtype == "uint8" else np.float32(255)
        self.single_observation_space = gymnasium.spaces.Box(
            0, most, (layout.size,), self.batch.observations.dtype.type
        )
        self.single_action_space = gymnasium.spaces.Discrete(action_count)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._has_reset = False

    def __repr__(self) -> str:
        return describe(self, self.batch.config)

    def _seed_bots(self, root: bytes) -> None:
        """Make the bots with views, one set for all tables: their decisions depend only on what they see."""
        self._bots = {seat: make_bot(name, root, seat) for seat, name in self._python_bots.items()}
        self._policy_seats = {
            seat: PolicySeat(source, self.batch.count, root + bytes([seat])) for seat, source in self._policies.items()
        }

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode at every table, or at those of a mask.

        Args:
            seed: seed of all chance at these tables from now on; None to continue. A seed deals the same at a table,
                whichever others are reset with it.
            options: ``reset_mask``, a bool array of shape (n,), selects tables. The others do not change, nor do the
                bots with views, which have one seed for all tables.

        Raises:
            UsageError: for other options, an invalid mask, or a list of seeds: one seed is for all tables. Also for a
                mask that omits tables before any has begun, and after ``close``.
        """
        self._check_open()
        selected = self._read_reset_mask(options or {})
        if not self._has_reset and not selected.all():
            raise UsageError("the first reset is one of all tables: it takes no reset_mask")
        if seed is not None:
            number = require_int("the one seed of all tables", seed, 0)
            if selected.all():
                super().reset(seed=number)
                self._seed_bots(parse_seed(number))
            self.batch.seed(number, None if selected.all() else np.flatnonzero(selected))
        self._has_reset = True
        self._reset_rounds(selected)
        return self._observations(), {_MASK: self._action_mask()}

    def _read_reset_mask(self, options: Mapping[str, Any]) -> Any:
        """bool (n,): the tables that options of ``reset`` name; all if they name none."""
        for name in options:
            if name != _RESET:
                raise UsageError(f"reset takes the option {_RESET}, not {name}")
        if _RESET not in options:
            return np.ones(self.num_envs, np.bool_)
        selected = options[_RESET]
        check_array(_RESET, selected, (np.dtype(np.bool_),), (self.num_envs,))
        if not selected.any():
            raise UsageError(f"{_RESET} is true for one table or more, not for none")
        return selected.copy()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Make the learner's move at every table, and those of the others until the learner is asked again.

        Args:
            actions: integers of shape (n,): legal action ids. In the mode *NextStep* any id is legal where an episode
                is over.

        Raises:
            UsageError: before ``reset``, after ``close``, for an illegal action or another shape, and in the mode
                *Disabled* where an episode is over; nothing changes then.
        """
        self._check_open()
        if not self._has_reset:
            raise UsageError("reset comes before the first step")
        batch, seat = self.batch, self.seat
        if self._disabled and batch.is_done.any():
            over = ", ".join(map(str, np.flatnonzero(batch.is_done)))
            raise UsageError(f'the episode is over at table {over}: reset(options={{"{_RESET}": …}}) begins the next')
        action_ids = np.asarray(actions)
        if action_ids.dtype.kind in "iu":
            action_ids = action_ids.astype(np.int64)
        if self._has_callbacks:
            opening = batch.is_done.astype(bool)
            self._step_tables(action_ids)
            self._play_bots(opening)
        else:
            batch.step(action_ids)
        rewards = batch.rewards[:, seat].astype(np.float64)
        terminated, truncated = batch.terminated.astype(bool), batch.truncated.astype(bool)
        over = terminated | truncated
        infos = self._end_infos(over) if over.any() else {}
        infos[_MASK] = self._action_mask()
        return self._observations(), rewards, terminated, truncated, infos

    def _end_infos(self, over: Any) -> dict[str, Any]:
        """Infos of ended episodes; begins the next ones if this step must."""
        batch = self.batch
        if not self._autoresets_in_kernel:
            # A bot may have ended the episode.
            for i in np.flatnonzero(over & (batch.current_player != self.seat)).tolist():
                batch.observe(i, self.seat, batch.observations[i])
        rewards = {"rewards": batch.rewards.copy(), "_rewards": over}
        if not self._same_step:
            return rewards
        last = batch.final_observations if self._autoresets_in_kernel else batch.observations
        if self._copy or not self._autoresets_in_kernel:
            last, ended = np.zeros_like(last), last[over]  # zeros that nobody reads take no memory
            last[over] = ended
        if not self._autoresets_in_kernel:
            self._reset_rounds(over)
        return {"final_obs": last, "_final_obs": over, "final_info": rewards, "_final_info": over}

    def sample(self) -> Any:
        """A uniformly random legal action for every table: int64 (n,), 0 after an episode. A UsageError once closed."""
        self._check_open()
        return self.batch.sample()

    def _check_open(self) -> None:
        """Refuse a call after ``close``, which Gymnasium's base class records."""
        if self.closed:
            raise UsageError("the environment is closed: make another one")

    def _action_mask(self) -> Any:
        """int8 (n, actions): the action masks of the tables."""
        masks = self.batch.action_mask.view(np.int8)
        return self._mask_copies.copy(masks) if self._copy else masks

    def _observations(self) -> Any:
        """The observations of the tables."""
        observations = self.batch.observations
        return self._observation_copies.copy(observations) if self._copy else observations

    def _reset_rounds(self, selected: Any) -> None:
        """Begin the episodes of some tables (bool, shape (n,)), and play until the learner is asked."""
        which = np.flatnonzero(selected)
        self.batch.reset(which)
        if self._mirror is not None:
            self._mirror.discard(which)
        if self._has_callbacks:
            self._play_bots(selected)

    def _step_tables(self, actions: Any, masked: bool = False) -> None:
        """Make moves at the tables, and in their rounds if bots need views; see ``Batch.step``."""
        (self._mirror or self.batch).step(actions, masked)

    def _play_bots(self, opening: Any) -> None:
        """Let policies and bots with views move until the learner is asked or the episode is over.

        ``opening``, a bool (n,), is where an episode has just begun. If it ends before the learner is asked, another
        one begins, as with bots in compiled code.
        """
        batch = self.batch
        for policy in self._policy_seats.values():
            policy.begin(np.flatnonzero(opening))
        while True:
            over = batch.is_done.astype(bool)
            if (void := opening & over).any():
                batch.reset(np.flatnonzero(void))
            elif (waiting := ~over & (batch.current_player != self.seat)).any():
                self._step_bots(waiting)
            else:
                return

    def _step_bots(self, waiting: Any) -> None:
        """Make one move at every table that asks a policy or a bot with a view."""
        batch, players = self.batch, self.batch.current_player
        actions = np.full(batch.count, NOTHING, np.int64)
        for seat, policy in self._policy_seats.items():
            asked = np.flatnonzero(waiting & (players == seat))
            if asked.size:
                actions[asked] = policy.choose(asked, batch.observations[asked], batch.action_mask[asked])
        if self._mirror is not None:
            for i in np.flatnonzero(waiting & np.isin(players, list(self._bots))).tolist():
                actions[i] = self._mirror.choose_action(i, self._bots)
        self._step_tables(actions, masked=True)


class _Copies:
    """Copies of an array, in turn in the same few arrays. One is overwritten only if nothing refers to it any more."""

    _MOST: Final = 3
    """Number of arrays: a step returns one while the program holds that of the step before, or a view of it."""

    def __init__(self) -> None:
        self._arrays: list[Any] = []

    def __reduce__(self) -> Any:
        return _Copies, ()

    def copy(self, array: Any) -> Any:
        """A copy of an array, which has always the same shape."""
        for i in range(len(self._arrays)):
            if is_unused(self._arrays, i):
                self._arrays[i][...] = array
                return self._arrays[i]
        made = array.copy()
        self._arrays = [made, *self._arrays][: self._MOST]
        return made


def _read_mode(mode: Any) -> AutoresetMode:
    """A mode from itself or its value; raises a UsageError that lists the modes for anything else."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        right = ", ".join(each.value for each in AutoresetMode)
        raise UsageError(f"autoreset_mode is one of {right}, not {mode!r}") from None


def _register_ids() -> None:
    """Add the ids of all games to Gymnasium's registry."""
    for env_id, rules in REGISTRY_IDS.items():
        gymnasium.register(
            env_id,
            entry_point="lastcard.envs.single:SingleTableEnv",
            vector_entry_point="lastcard.envs.single:make_vector",
            order_enforce=False,  # the environment checks the order of calls itself
            disable_env_checker=True,  # it would try illegal actions
            kwargs={"rules": rules},
        )


_register_ids()
