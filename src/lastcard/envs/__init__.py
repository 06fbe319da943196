"""Doors for research: many tables at once (``vector``), PettingZoo, OpenSpiel, RLCard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lastcard.envs.tables import Tables, Terms
from lastcard.game.rulesets import Ruleset

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from lastcard.envs.gymnasium import TableVectorEnv


def tables(
    rules: Ruleset | str = "classic",
    players: int = 2,
    n: int = 64,
    *,
    seats: Sequence[str | None] = (),
    dtype: str = "float32",
    seed: int | None = None,
    threads: int = 1,
    **terms: Any,
) -> Tables:
    """``n`` tables at once for self-play, in compiled code: every seat is asked that no bot plays.

    Args:
        rules: a ruleset or its name.
        players: 2 to 10.
        n: how many tables.
        seats: by seat a bot (``random``, ``sharp``, ``trained``), or None where it is asked; empty: all are asked.
        dtype: of rows: ``float32`` or ``uint8``.
        seed: of all chance; None for a fresh one.
        threads: how many step them, each a part, once native code is there; they change nothing but the time.
        terms: ``reward``, ``episode``, ``calls`` and ``longest`` of ``Terms``.

    Raises:
        RulesError, UsageError: for what does not exist; says what does. Also for threads where Numba is missing.
    """
    chosen = Terms.of(rules, players, terms, ("n", "seats", "dtype", "seed", "threads"))
    return Tables(chosen, n, seats=seats, dtype=dtype, seed=seed, threads=threads)


def vector(
    rules: Ruleset | str = "classic",
    players: int = 2,
    n: int = 64,
    *,
    bots: Sequence[str] = ("random",),
    seat: int = 0,
    dtype: str = "float32",
    copy: bool = True,
    seed: int | None = None,
    threads: int = 1,
    autoreset_mode: AutoresetMode | str = "SameStep",
    **terms: Any,
) -> TableVectorEnv:
    """``n`` tables as one ``gymnasium.vector.VectorEnv``: a learner at one seat of each, bots at the others.

    Args:
        rules, players, n, dtype, seed, threads, terms: as for ``tables``.
        bots: who plays the other seats, clockwise from the learner's, repeated until every seat has one; *random*,
            *sharp* and *trained* play in compiled code; where another one sits, all are asked through their views.
        seat: the learner's.
        copy: whether every step returns arrays of its own; else the same ones are written over.
        autoreset_mode: what follows the end of an episode: ``SameStep``, ``NextStep`` or ``Disabled``; see
            ``TableVectorEnv``.

    Raises:
        RulesError, UsageError: as for ``tables``. Also where gymnasium is missing.
    """
    from lastcard.envs.gymnasium import TableVectorEnv

    chosen = Terms.of(
        rules, players, terms, ("n", "bots", "seat", "dtype", "copy", "seed", "threads", "autoreset_mode")
    )
    return TableVectorEnv(
        chosen, n, bots, seat=seat, dtype=dtype, copy=copy, seed=seed, threads=threads, autoreset_mode=autoreset_mode
    )
