"""Random play in every environment: what each step shows, as bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from lastcard import envs
from lastcard.envs import pettingzoo
from lastcard.envs import rlcard as our_rlcard
from lastcard.match.round import Round


def play_batch(seed: int) -> Iterator[bytes]:
    """Self-play at three tables."""
    tables = envs.batch("classic", 4, 3, seed=seed)
    tables.reset()
    while True:
        tables.step(tables.sample())
        yield tables.observations.tobytes() + tables.action_mask.tobytes() + tables.rewards.tobytes()


def play_vector(seed: int) -> Iterator[bytes]:
    """A learner among bots."""
    env = envs.vector("classic", 4, 3, bots=("random", "sharp"), seed=seed)
    env.reset()
    while True:
        observations, rewards, *_ = env.step(env.sample())
        yield observations.tobytes() + rewards.tobytes()


def play_pettingzoo(seed: int) -> Iterator[bytes]:
    """Every seat in turn."""
    env, rng = pettingzoo.env("classic", 4), random.Random(seed)
    env.reset(seed=seed)
    while True:
        seen, _, terminated, truncated, _ = env.last()
        assert seen is not None
        yield seen["observation"].tobytes() + seen["action_mask"].tobytes()
        if terminated or truncated:
            env.reset()
        else:
            env.step(rng.choice(seen["action_mask"].nonzero()[0].tolist()))


def play_rlcard(seed: int) -> Iterator[bytes]:
    """Every player in turn, in RLCard's form."""
    env, rng = our_rlcard.make("classic", 4, seed=seed), random.Random(seed)
    state, _ = env.reset()
    while True:
        yield state["obs"].tobytes() + repr(state["raw_obs"]).encode()
        state, _ = env.reset() if env.is_over() else env.step(rng.choice(list(state["legal_actions"])))


def play_openspiel(seed: int) -> Iterator[bytes]:
    """Moves and chance, with observations."""
    from support.openspiel_play import choose_action, load_game

    game, rng = load_game("classic", players=4), random.Random(seed)
    state = game.new_initial_state()
    while True:
        if state.is_terminal():
            state = game.new_initial_state()
        yield repr((state.legal_actions(), state.current_player())).encode()
        state.apply_action(choose_action(state.game_state, rng))
        if rng.random() < 0.1 and not state.is_terminal():
            yield repr(state.observation_tensor(rng.randrange(4))).encode()


def play_round(seed: int) -> Iterator[bytes]:
    """The library's rounds."""
    table, rng = Round.deal("classic", 4, seed=seed), random.Random(seed)
    while not table.over:
        table.do(table.turn, rng.choice(table.legal()))
        yield table.state_bytes() + table.history(rng.randrange(4))


PLAYS: Final[dict[str, Callable[[int], Iterator[bytes]]]] = {
    "batch": play_batch,
    "vector": play_vector,
    "pettingzoo": play_pettingzoo,
    "rlcard": play_rlcard,
    "openspiel": play_openspiel,
    "round": play_round,
}


def first_steps(name: str, seed: int, count: int, after_step: Callable[[int], Any] = int) -> list[bytes]:
    """What the first steps of an environment show; ``after_step`` is called with the number of each."""
    shown = []
    for step, seen in zip(range(count), PLAYS[name](seed), strict=False):
        shown.append(seen)
        after_step(step)
    return shown
