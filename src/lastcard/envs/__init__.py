"""Environments for reinforcement learning: batches (``batch``, ``vector``), PettingZoo, OpenSpiel, RLCard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lastcard.envs.batch import DEFAULT_RULES, Batch, EnvConfig
from lastcard.envs.batch_policies import Opponent
from lastcard.game.rulesets import Ruleset

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from lastcard.envs.gymnasium import BatchVectorEnv


def batch(
    rules: Ruleset | str = DEFAULT_RULES,
    players: int = 2,
    n: int = 64,
    *,
    seats: Sequence[str | None] = (),
    dtype: str = "float32",
    seed: int | None = None,
    threads: int = 1,
    **settings: Any,
) -> Batch:
    """``n`` tables at once for self-play, in compiled code: every seat without a bot is an agent.

    Args:
        players: number of players, 2 to 10.
        seats: by seat a bot (``random``, ``sharp``, ``trained``), or None for an agent; empty: all are agents.
        dtype: type of observations: ``float32`` or ``uint8``.
        seed: seed of all chance; None for a fresh one.
        threads: number of threads that step the tables, in native code; they change nothing but the time.
        settings: ``reward``, ``episode``, ``calls``, ``max_steps``, ``deck``, ``hand_size`` and ``open_hands`` of
            ``EnvConfig``.

    Raises:
        RulesError, UsageError: for unknown values; lists the known ones. Also for threads without Numba.
    """
    env_config = EnvConfig.from_settings(rules, players, settings, ("n", "seats", "dtype", "seed", "threads"))
    return Batch(env_config, n, seats=seats, dtype=dtype, seed=seed, threads=threads)


def vector(
    rules: Ruleset | str = DEFAULT_RULES,
    players: int = 2,
    n: int = 64,
    *,
    bots: Sequence[Opponent] = ("random",),
    seat: int = 0,
    dtype: str = "float32",
    copy: bool = True,
    seed: int | None = None,
    threads: int = 1,
    autoreset_mode: AutoresetMode | str = "SameStep",
    **settings: Any,
) -> BatchVectorEnv:
    """``n`` tables as one ``gymnasium.vector.VectorEnv``: a learner at one seat of each, bots at the others.

    The other parameters are those of ``batch``.

    Args:
        bots: bots of the other seats, clockwise from the learner's, repeated until every seat has one. *random*,
            *sharp* and *trained* play in compiled code; with any other, your own included (``bots.registry.make_bot``),
            all are asked through their views. A seat's bot plays at all tables. A function of observations and masks,
            or an ``envs.batch_policies.PolicyPool``, chooses for many tables at once.
        copy: whether every step returns new arrays; else it overwrites the same ones.
        autoreset_mode: what follows the end of an episode: ``SameStep``, ``NextStep`` or ``Disabled``; see
            ``BatchVectorEnv``.

    Raises:
        RulesError, UsageError: as for ``batch``. Also if gymnasium is missing.
    """
    from lastcard.envs.gymnasium import BatchVectorEnv

    env_config = EnvConfig.from_settings(
        rules, players, settings, ("n", "bots", "seat", "dtype", "copy", "seed", "threads", "autoreset_mode")
    )
    return BatchVectorEnv(
        env_config,
        n,
        bots,
        seat=seat,
        dtype=dtype,
        copy=copy,
        seed=seed,
        threads=threads,
        autoreset_mode=autoreset_mode,
    )
