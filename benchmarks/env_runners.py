"""Random play in the environments of lastcard and of other projects, timed by ``envs.py``: a child process.

    python benchmarks/env_runners.py

It reads lines ``SECONDS NAME`` and answers each with the steps a second of processor time, or why there are none.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Final

# Before the libraries are loaded: all on one core.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

PLAYERS: Final = 4
PGX_BATCH_SIZE: Final = 1024
STEPS_PER_CHECK: Final = 64
"""Number of steps between two reads of the clock."""
RULES: Final = "classic"
DICE: Final = random.Random(1)
_idle_game: Any = None

Work = Callable[[int], int]
"""Function that makes at least a number of steps; returns how many."""


# --- lastcard ------------------------------------------------------------------------------------------


def our_batch(count: int) -> Work:
    """Self-play: observations, masks, rewards, and a random legal action for every table."""
    from lastcard import envs

    batch = envs.batch(RULES, PLAYERS, count, seed=1)
    batch.reset()

    def work(steps: int) -> int:
        rounds = max(1, steps // count)
        for _ in range(rounds):
            batch.step(batch.sample())
        return rounds * count

    return work


def our_vector(count: int) -> Work:
    """The Gymnasium environment: the learner's steps, with random players at the other seats."""
    from lastcard import envs

    env = envs.vector(RULES, PLAYERS, count, seed=1)
    env.reset()

    def work(steps: int) -> int:
        rounds = max(1, steps // count)
        for _ in range(rounds):
            env.step(env.sample())
        return rounds * count

    return work


def our_aec() -> Work:
    """The PettingZoo environment."""
    from lastcard.envs import pettingzoo

    return play_aec(pettingzoo.env(RULES, PLAYERS))


def our_openspiel() -> Work:
    """The OpenSpiel game, with every chance event as a node."""
    from lastcard.envs import openspiel  # noqa: F401  (registers the games)

    return play_openspiel(f"python_lastcard_classic(players={PLAYERS})")


def our_rlcard() -> Work:
    """The environment for RLCard's agents."""
    from lastcard.envs import rlcard

    return play_rlcard(rlcard.make(RULES, PLAYERS, seed=1))


def our_rounds(with_views: bool) -> Work:
    """The library: ``Round.do`` with ``legal()``, or with the view of the seat on turn."""
    from lastcard import Round

    rounds = [Round.deal(RULES, PLAYERS, seed=1)]

    def work(steps: int) -> int:
        table = rounds[0]
        for seed in range(steps):
            if table.over:
                rounds[0] = table = Round.deal(RULES, PLAYERS, seed=seed)
            table.do(table.turn, DICE.choice(table.view(table.turn).legal if with_views else table.legal()))
        return steps

    return work


def our_whole_rounds() -> Work:
    """Whole rounds of random play in compiled code: how fast a backend is without calls."""
    import numpy as np

    from lastcard import Round
    from lastcard.kernel.arrays import zeros
    from lastcard.rules import layout, random_policy

    states, out = Round.deal(RULES, PLAYERS, seed=1).states(), zeros(layout.MAX_ACTIONS, np.int64)
    tally = zeros(random_policy.TALLY_NUMBERS, np.int64)

    def work(steps: int) -> int:
        tally[:] = 0
        random_policy.play_rounds(states, 1, 10, out, tally, 5000)
        return int(tally[random_policy.TALLY_PLIES])

    return work


# --- other projects, and shared functions ----------------------------------------------------------------


def play_aec(env: Any) -> Work:
    """Any PettingZoo environment: ``last`` and ``step``."""
    env.reset(seed=1)

    def work(steps: int) -> int:
        for _ in range(steps):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
            else:
                env.step(DICE.choice(observation["action_mask"].nonzero()[0].tolist()))
        return steps

    return work


def play_openspiel(name: str) -> Work:
    """An OpenSpiel game from Python."""
    import pyspiel

    game = pyspiel.load_game(name)
    states = [game.new_initial_state()]

    def work(steps: int) -> int:
        state = states[0]
        for _ in range(steps):
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())  # noqa: B905  # a check would take time
                state.apply_action(DICE.choices(outcomes, chances)[0])
            else:
                state.apply_action(DICE.choice(state.legal_actions()))
        states[0] = state
        return steps

    return work


def play_rlcard(env: Any) -> Work:
    """An RLCard environment: ``step`` with the state of the next player."""
    states = [env.reset()[0]]

    def work(steps: int) -> int:
        state = states[0]
        for _ in range(steps):
            if env.is_over():
                state, _ = env.reset()
            state, _ = env.step(DICE.choice(list(state["legal_actions"])))
        states[0] = state
        return steps

    return work


def idle_openspiel() -> Work:
    """A Python game for OpenSpiel that does nothing: the limit of any."""
    import pyspiel

    kinds, name = pyspiel.GameType, "python_idle"
    game_type = kinds(
        short_name=name,
        long_name=name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )

    class State(pyspiel.State):  # type: ignore[misc]
        def current_player(self) -> int:
            return 0

        def is_terminal(self) -> bool:
            return False

        def is_chance_node(self) -> bool:
            return False

        def legal_actions(self) -> list[int]:
            return [0, 1, 2]

        def _apply_action(self, action: int) -> None:
            pass

    class Game(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, pyspiel.GameInfo(3, 0, 2, 0.0, 0.0, None, 100), {})

        def new_initial_state(self) -> State:
            return State(self)

    global _idle_game  # its factory must outlive the interpreter
    _idle_game = Game
    pyspiel.register_game(game_type, Game)
    return play_openspiel(name)


def other_aec(name: str) -> Work:
    """One of PettingZoo's card games."""
    return play_aec(importlib.import_module(f"pettingzoo.classic.{name}").env())


def rlcard_uno() -> Work:
    """RLCard's UNO."""
    import rlcard

    return play_rlcard(rlcard.make("uno"))


def pgx_game(name: str) -> Work:
    """A batch of a Pgx game on the CPU, compiled with its random play."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    begin, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def run(state: Any, key: Any) -> tuple[Any, Any]:
        def one(carry: Any, _: None) -> tuple[Any, None]:
            state, key = carry
            key, pick, again = jax.random.split(key, 3)
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            action = jax.random.categorical(pick, logits, axis=1)
            return (step(state, action, jax.random.split(again, PGX_BATCH_SIZE)), key), None

        (state, key), _ = jax.lax.scan(one, (state, key), None, length=STEPS_PER_CHECK)
        return state, key

    state_and_key = [jax.jit(begin)(jax.random.split(jax.random.PRNGKey(1), PGX_BATCH_SIZE)), jax.random.PRNGKey(2)]

    def work(steps: int) -> int:
        state_and_key[:] = run(*state_and_key)
        jax.block_until_ready(state_and_key[0].rewards)
        return STEPS_PER_CHECK * PGX_BATCH_SIZE

    return work


OURS: Final[dict[str, Callable[[], Work]]] = {
    "PettingZoo": our_aec,
    "OpenSpiel": our_openspiel,
    "RLCard": our_rlcard,
    **{f"`envs.batch`, n = {count:,}": partial(our_batch, count) for count in (1, 64, 1024, 16384)},
    **{f"`envs.vector`, n = {count:,}": partial(our_vector, count) for count in (1, 64, 256, 1024, 4096, 16384)},
    "`Round.do` and `legal()`": partial(our_rounds, False),
    "`Round.do` and `view()`": partial(our_rounds, True),
    "whole rounds in compiled code": our_whole_rounds,
}
PEERS: Final[dict[str, Callable[[], Work]]] = {
    "PettingZoo's leduc_holdem_v4": partial(other_aec, "leduc_holdem_v4"),
    "OpenSpiel's crazy_eights (C++)": partial(play_openspiel, f"crazy_eights(players={PLAYERS})"),
    "a Python game for OpenSpiel that does nothing": idle_openspiel,
    "RLCard's uno": rlcard_uno,
    f"Pgx's leduc_holdem, {PGX_BATCH_SIZE:,} at once": partial(pgx_game, "leduc_holdem"),
}


# --- measurement -----------------------------------------------------------------------------------------


def steps_per_second(work: Work, seconds: float) -> float:
    """Returns the steps a second of processor time of some work."""
    steps, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        steps += work(STEPS_PER_CHECK)
    return steps / spent


def main() -> None:
    """Answer the requests of ``envs.py``."""
    warnings.filterwarnings("ignore")
    works: dict[str, Work] = {}
    for line in sys.stdin:
        seconds, _, name = line.strip().partition(" ")
        try:
            if name not in works:
                works[name] = (OURS | PEERS)[name]()
                works[name](STEPS_PER_CHECK)
            print(steps_per_second(works[name], float(seconds)), flush=True)
        except ImportError as error:
            print(f"left out: {error}", flush=True)


if __name__ == "__main__":
    main()
