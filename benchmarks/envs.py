"""Benchmarks the learning environments against those of other projects, on one core. ``make bench-envs`` runs it.

    pip install 'pettingzoo[classic]' rlcard==1.2.0 open_spiel pgx
    python benchmarks/envs.py [--rounds 7] [--seconds 0.5] [--only vector,aec] [--save]

All play random legal actions; environments with observations return one and a mask for every decision. They alternate,
so that other load of the machine affects all; figures are medians, ratios are medians of the ratios of neighbors, and
the fastest round shows the speed of an idle machine.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, Final, NamedTuple

# Before the libraries are loaded: all on one core.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import numpy as np
from machine import command_line, describe_machine, publish

GAMES: Final = ("all-wild", "classic", "wild-jackpot")
BATCH_SIZE: Final = 256
PGX_BATCH_SIZE: Final = 1024
STEPS_PER_CHECK: Final = 256
"""Number of steps between two reads of the clock."""

Work = Callable[[int], int]
"""Function that makes at least a number of steps; returns how many."""


class Runner(NamedTuple):
    """An environment to be timed."""

    interface: str
    """``vector``, ``aec``, ``openspiel`` or ``rlcard``."""
    name: str
    """Name in the results."""
    ours: bool
    """Whether it is part of lastcard."""
    make: Callable[[], Work]
    """Returns the function that is timed; raises an ImportError if its library is not installed."""


# --- lastcard ------------------------------------------------------------------------------------------


def our_batch(rules: str, players: int, dtype: str) -> Work:
    """Self-play: observations, masks, rewards, and a random legal action for every table."""
    from lastcard import envs

    batch = envs.batch(rules, players, BATCH_SIZE, dtype=dtype, seed=1)
    batch.reset()

    def work(steps: int) -> int:
        for _ in range(steps):
            batch.step(batch.sample())
        return steps * BATCH_SIZE

    return work


def our_vector(rules: str) -> Work:
    """The Gymnasium environment: the learner's steps, with a random player at the other seat."""
    from lastcard import envs

    env = envs.vector(rules, 2, BATCH_SIZE, dtype="uint8", copy=False, seed=1)
    env.reset()

    def work(steps: int) -> int:
        for _ in range(steps):
            env.step(env.sample())
        return steps * BATCH_SIZE

    return work


def aec(env: Any) -> Work:
    """Any PettingZoo environment: ``last`` and ``step`` with a random legal action."""
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def work(steps: int) -> int:
        for k in range(steps):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset(seed=k)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
        return steps

    return work


def our_aec(rules: str) -> Work:
    """The PettingZoo environment."""
    from lastcard.envs import pettingzoo

    return aec(pettingzoo.env(rules=rules, players=2))


def our_openspiel(game: str) -> Work:
    """The OpenSpiel game: states, chance nodes included, and a tensor for every decision."""
    from lastcard.envs import openspiel  # noqa: F401  (registers the games)

    return openspiel_game(f"python_lastcard_{game.replace('-', '_')}")


def our_rlcard() -> Work:
    """The environment for RLCard's agents."""
    from lastcard.envs import rlcard

    return rlcard_env(rlcard.make("classic", players=2))


# --- other projects, and shared functions ----------------------------------------------------------------


def openspiel_game(name: str) -> Work:
    """An OpenSpiel game from Python."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(1)

    def work(steps: int) -> int:
        state = game.new_initial_state()
        for _ in range(steps):
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                point = rng.random()
                last = len(outcomes) - 1
                at = 0
                while at < last and (point := point - outcomes[at][1]) > 0:
                    at += 1
                state.apply_action(outcomes[at][0])
                continue
            state.observation_tensor(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        return steps

    return work


def rlcard_env(env: Any) -> Work:
    """An RLCard environment: ``step`` with the state of the next player."""
    rng = np.random.default_rng(1)

    def work(steps: int) -> int:
        state, _ = env.reset()
        for _ in range(steps):
            if env.is_over():
                state, _ = env.reset()
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
        return steps

    return work


def rlcard_raw() -> Work:
    """RLCard's game of UNO without its environment and tensors."""
    from rlcard.games.uno import Game

    game, rng = Game(), np.random.default_rng(1)

    def work(steps: int) -> int:
        game.init_game()
        for _ in range(steps):
            if game.is_over():
                game.init_game()
            legal = game.get_legal_actions()
            game.step(legal[int(rng.random() * len(legal))])
        return steps

    return work


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


def other_aec(name: str) -> Work:
    """One of PettingZoo's card games."""
    return aec(importlib.import_module(f"pettingzoo.classic.{name}").env())


def rlcard_uno() -> Work:
    """RLCard's UNO."""
    import rlcard

    return rlcard_env(rlcard.make("uno"))


def runners() -> Iterator[Runner]:
    """Yields all environments."""
    for rules in GAMES:
        yield Runner("vector", f"lastcard {rules}, 2 players, uint8", True, partial(our_batch, rules, 2, "uint8"))
    yield Runner("vector", "lastcard classic, 4 players, uint8", True, partial(our_batch, "classic", 4, "uint8"))
    yield Runner("vector", "lastcard classic, 2 players, float32", True, partial(our_batch, "classic", 2, "float32"))
    yield Runner("vector", "lastcard classic as a VectorEnv", True, partial(our_vector, "classic"))
    yield Runner("vector", f"Pgx leduc_holdem, {PGX_BATCH_SIZE} at once", False, partial(pgx_game, "leduc_holdem"))
    for rules in GAMES:
        yield Runner("aec", f"lastcard {rules}, 2 players", True, partial(our_aec, rules))
    for name in ("leduc_holdem_v4", "texas_holdem_v4", "gin_rummy_v4"):
        yield Runner("aec", f"PettingZoo {name}", False, partial(other_aec, name))
    for rules in GAMES:
        yield Runner("openspiel", f"lastcard {rules}, 2 players", True, partial(our_openspiel, rules))
    crazy_eights = partial(openspiel_game, "crazy_eights(players=2)")
    yield Runner("openspiel", "OpenSpiel crazy_eights from Python", False, crazy_eights)
    yield Runner("rlcard", "lastcard classic for RLCard's agents", True, our_rlcard)
    yield Runner("rlcard", "RLCard uno, env.step", False, rlcard_uno)
    yield Runner("rlcard", "RLCard uno, game.step without tensors", False, rlcard_raw)


# --- measurement -----------------------------------------------------------------------------------------


def steps_per_second(work: Work, seconds: float) -> float:
    """Returns the steps a second of some work."""
    steps, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        steps += work(STEPS_PER_CHECK)
    return steps / passed


def measure(rounds: int, seconds: float, only: list[str]) -> list[dict[str, Any]]:
    """Returns the speed of every environment whose library is installed."""
    works: dict[Runner, Work] = {}
    for runner in runners():
        if only and runner.interface not in only:
            continue
        try:
            work = runner.make()
            work(STEPS_PER_CHECK)
        except ImportError as error:
            print(f"{runner.name}: left out, {error}", flush=True)
            continue
        works[runner] = work
    speeds: dict[Runner, list[float]] = {runner: [] for runner in works}
    for number in range(rounds):
        for runner, work in works.items():
            speeds[runner].append(steps_per_second(work, seconds))
        print(f"round {number + 1} of {rounds}", flush=True)
    results = []
    for runner, own in speeds.items():
        peers = [speeds[other] for other in works if other.interface == runner.interface and not other.ours]
        best = [max(each) for each in zip(*peers, strict=True)] if peers else []
        ratio = median(a / b for a, b in zip(own, best, strict=True)) if best else None
        results.append(
            {
                "interface": runner.interface,
                "name": runner.name,
                "speed": median(own),
                "fastest": max(own),
                "to_best_peer": ratio,
            }
        )
    return results


def make_page(machine: dict[str, Any], results: list[dict[str, Any]]) -> str:
    """Returns the results as a page."""
    versions = {}
    for package in ("numpy", "numba", "pettingzoo", "gymnasium", "open_spiel", "rlcard", "pgx", "jax"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    there = ", ".join(f"{name} {version}" for name, version in versions.items())
    lines = [
        "# Interfaces for learners, beside others",
        "",
        f"`{command_line()}`, commit {machine['commit']}, {machine['processor']}, one core, Python "
        f"{machine['versions']['python']}; {there}.",
        "",
        "| interface | what | steps a second | in the fastest round | to the fastest other |",
        "|---|---|--:|--:|--:|",
    ]
    for r in results:
        ratio = "" if r["to_best_peer"] is None else f"{r['to_best_peer']:.2f}"
        lines.append(f"| {r['interface']} | {r['name']} | {r['speed']:,.0f} | {r['fastest']:,.0f} | {ratio} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print the page, and save it if requested."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each in a round")
    parser.add_argument("--only", default="", help="interfaces: vector, aec, openspiel, rlcard; all without it")
    parser.add_argument("--save", action="store_true", help="keep the page and the numbers in results/")
    args = parser.parse_args()
    machine = describe_machine()
    results = measure(args.rounds, args.seconds, [word for word in args.only.split(",") if word])
    text = make_page(machine, results)
    publish("envs", text, {"machine": machine, "results": results}, save=args.save)


if __name__ == "__main__":
    main()
